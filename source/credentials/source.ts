import {askWrangler} from './ask-wrangler.ts';
import type {CredentialChoice, LoginChoice} from './choice.ts';
import {type Credential, LoginCredential} from './credential.ts';
import type {Machine} from './wrangler-folder.ts';
import {readLogin, type StoredLogin} from './wrangler-login.ts';

/** The credential of each request. Credentials are kept in memory only. */
export type CredentialSource = {
	/** The credential in force; the same one until shortly before it expires. */
	current(): Promise<Credential>;
	/** Another one, after the service did not accept this one (401); nothing where there is none. */
	renewed(refused: Credential): Promise<Credential | undefined>;
};

export type SourceOptions = Machine & {
	readonly env: NodeJS.ProcessEnv;
	/** The folder that the search for the project's own wrangler begins in, and where a credential command runs. */
	readonly start: string;
	/** Told what a person should know before something runs. */
	readonly mention: (sentence: string) => void;
	/** What a credential command writes on standard error. */
	readonly errors: (text: string) => void;
	/** Lends the terminal to a program that may ask; whether it may use it. */
	readonly lend: <T>(work: (mayAsk: boolean) => Promise<T>) => Promise<T>;
};

/**
 * How long before its end a token is looked for again, in milliseconds. wrangler itself renews a login only once it has
 * expired, so that until then only another program's renewal is found.
 */
const early = 60_000;

/** The credentials of a choice, one after the other. Two requests at once lead to one renewal. */
export function credentialSource(choice: CredentialChoice, options: SourceOptions): CredentialSource {
	switch (choice.way) {
		case 'given':
			return {current: async () => choice.credential, renewed: async () => undefined};
		case 'command':
			return renewing(async () => {
				const {runCredentialCommand} = await import('./credential-command.ts');
				const {env, start: cwd, errors, lend} = options;
				return lend(mayAsk => runCredentialCommand(choice.command, {env, cwd, errors, mayAsk}));
			}, options);
		case 'login':
			return renewing(refused => loginCredential(choice, refused, options), options);
		default:
			return choice satisfies never;
	}
}

/** What tells choices apart whose credentials are kept for the whole process; nothing for what costs nothing. */
export function markOfChoice(choice: CredentialChoice, start: string): string | undefined {
	switch (choice.way) {
		case 'given':
			return undefined;
		case 'command':
			return JSON.stringify([start, choice.command.value]);
		case 'login':
			return JSON.stringify([choice.folder.path, choice.profile.name]);
		default:
			return choice satisfies never;
	}
}

/** Credentials that `make` finds: one at first, others when it is about to expire or was refused. */
function renewing(
	make: (refused: Credential | undefined) => Promise<Credential>,
	{now = () => new Date()}: Machine,
): CredentialSource {
	let made: Credential | undefined;
	let making: Promise<Credential> | undefined;
	/** What a renewal led back to: it is not asked for again. */
	const refusedFor = new Set<string>();
	const next = (refused: Credential | undefined) => {
		making ??= make(refused)
			.then(credential => {
				made = credential;
				return credential;
			})
			.finally(() => {
				making = undefined;
			});
		return making;
	};
	return {
		async current() {
			if (made && !endsBefore(made, now().getTime() + early)) return made;
			return next(undefined);
		},
		async renewed(refused) {
			const mark = markOf(refused);
			// Someone else's request has led to another one already.
			if (made && markOf(made) !== mark) return made;
			if (refusedFor.has(mark)) return undefined;
			refusedFor.add(mark);
			const credential = await next(refused);
			return markOf(credential) === mark ? undefined : credential;
		},
	};
}

/** Whether a credential is known to end before a time, in milliseconds since the epoch. */
const endsBefore = (credential: Credential, time: number): boolean =>
	credential.kind === 'oauth' && credential.expires !== undefined && credential.expires.getTime() <= time;

/** What tells two credentials apart; it is kept in memory and shown nowhere. */
const markOf = (credential: Credential): string => JSON.stringify(credential.headers());

/**
 * The token of a login: from its file as long as it is valid, else from wrangler, which renews it. The file is read
 * each time, since wrangler may have renewed it meanwhile.
 */
async function loginCredential(
	{profile: {name}, folder, login: chosen}: LoginChoice,
	refused: Credential | undefined,
	{env, start, mention, now = () => new Date()}: SourceOptions,
): Promise<LoginCredential> {
	const stored = await readLogin(folder, name);
	const valid = validToken(stored, now().getTime());
	if (valid && !(refused?.kind === 'oauth' && refused.token === valid.token))
		return new LoginCredential(
			{value: valid.token, from: stored.file},
			{profile: name, expires: valid.expires},
		);
	const {platform, path} = folder;
	const why = reasonToAsk(stored.state === 'none' ? chosen : stored, refused !== undefined);
	const {token, program} = await askWrangler(name, why, {env, start, folder: path, platform, mention});
	const after = await readLogin(folder, name);
	const expires = after.state === 'stored' && after.token === token ? after.expires : undefined;
	return new LoginCredential({value: token, from: after.file}, {profile: name, expires, printedBy: program});
}

function validToken(
	stored: StoredLogin,
	time: number,
): {readonly token: string; readonly expires: Date} | undefined {
	if (stored.state !== 'stored' || !stored.expires || stored.expires.getTime() <= time) return undefined;
	return {token: stored.token, expires: stored.expires};
}

/** Why wrangler has to be asked, as the beginning of a sentence. */
function reasonToAsk(stored: StoredLogin, isRefused: boolean): string {
	if (stored.state === 'keyring') return `The login of wrangler in ${stored.file} is in the system's keyring`;
	if (isRefused) return `The service no longer accepts the login of wrangler in ${stored.file}`;
	const until =
		stored.state === 'stored' && stored.expires
			? ` (it was valid until ${stored.expires.toISOString()})`
			: '';
	return `The login of wrangler in ${stored.file} has expired${until}`;
}
