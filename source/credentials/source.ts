import {isAbsolute, resolve} from 'node:path';
import type {TrustBasis} from '../state/trust.ts';
import {askWrangler, type ReasonToAsk} from './ask-wrangler.ts';
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
	/** The person has asked again, perhaps after signing in elsewhere: what was refused counts for nothing from now on. */
	askAgain(): void;
};

export type SourceOptions = Machine & {
	readonly env: NodeJS.ProcessEnv;
	/** The folder that the search for the project's own wrangler begins in, and where a credential command runs. */
	readonly start: string;
	/** Told before a program of the project runs. */
	readonly notice: (sentence: string) => void;
	/** Decides whose folders a program of the project is run from; this user's unless given. */
	readonly trust?: TrustBasis;
	/** What a credential command writes on standard error. */
	readonly errors: (text: string) => void;
	/** Lends the terminal to a program that may ask; whether it may use it. `program` is what is waited for. */
	readonly lend: <T>(work: (mayAsk: boolean) => Promise<T>, program: string) => Promise<T>;
	/** Milliseconds that a program which prints a credential may take; set by tests. */
	readonly timeout?: number;
};

/** Half a minute: the program may ask a person, or renew a login over a slow line. */
const helperTimeout = 30_000;

/**
 * How long before its end a token is looked for again, in milliseconds. wrangler itself renews a login only once it has
 * expired, so that until then only another program's renewal is found.
 */
const early = 60_000;

/** The credentials of a choice, one after the other. Two requests at once lead to one renewal. */
export function credentialSource(choice: CredentialChoice, options: SourceOptions): CredentialSource {
	switch (choice.way) {
		case 'given':
			return {current: async () => choice.credential, renewed: async () => undefined, askAgain() {}};
		case 'command':
			return renewing(async () => {
				const {runCredentialCommand} = await import('./credential-command.ts');
				const {env, start: cwd, errors, notice, lend, timeout = helperTimeout} = options;
				const {value, from} = choice.command;
				const program = programOfFolder(value[0], cwd);
				if (program !== undefined) notice(`Running ${program}, the credential command of ${from}.`);
				return lend(
					mayAsk => runCredentialCommand(choice.command, {env, cwd, errors, mayAsk, timeout}),
					`${value[0]}, the credential command of ${from}`,
				);
			}, options);
		case 'login':
			return renewing(refused => loginCredential(choice, refused, options), {
				...options,
				look: () => storedCredential(choice, options),
			});
		default:
			return choice satisfies never;
	}
}

/** The path of a program with a relative path, which depends on the folder; undefined for other programs. */
const programOfFolder = (program: string, folder: string): string | undefined =>
	/[/\\]/.test(program) && !isAbsolute(program) ? resolve(folder, program) : undefined;

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

type RenewingOptions = Machine & {
	/** What can be found without running anything, if it can be used: someone may have signed in again elsewhere. */
	readonly look?: () => Promise<Credential | undefined>;
};

/** Credentials that `make` returns: one at first, others when it is about to expire or was refused. */
function renewing(
	make: (refused: Credential | undefined) => Promise<Credential>,
	{now = () => new Date(), look = async () => undefined}: RenewingOptions,
): CredentialSource {
	let made: Credential | undefined;
	let making: Promise<Credential> | undefined;
	/** The renewal of each credential that was refused: requests that are refused together wait for one. */
	const renewals = new Map<string, Promise<Credential>>();
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
			const begun = renewals.get(mark);
			if (begun) {
				const found = making ? undefined : await look();
				if (found && markOf(found) !== mark) {
					made = found;
					return found;
				}
			}
			const renewal = begun ?? next(refused);
			renewals.set(mark, renewal);
			const credential = await renewal;
			return markOf(credential) === mark ? undefined : credential;
		},
		askAgain() {
			if (made && renewals.has(markOf(made))) made = undefined;
			renewals.clear();
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
	choice: LoginChoice,
	refused: Credential | undefined,
	options: SourceOptions,
): Promise<LoginCredential> {
	const valid = await storedCredential(choice, options);
	if (valid && !(refused?.kind === 'oauth' && refused.token === valid.token)) return valid;
	const {profile, folder, login: chosen} = choice;
	const {name} = profile;
	const {env, start, notice, trust, timeout = helperTimeout, now = () => new Date()} = options;
	const {platform, path} = folder;
	const stored = await readLogin(folder, name);
	const why = reasonToAsk(stored.state === 'none' ? chosen : stored, refused !== undefined);
	const asked = {env, start, folder: path, platform, notice, trust, timeout};
	const {token, program} = await askWrangler(name, why, asked);
	const after = await readLogin(folder, name);
	const stated = after.state === 'stored' && after.token === token ? after.expires : undefined;
	// An end that has passed is wrong, since wrangler has just printed the token: only a refusal ends it.
	const expires = stated && stated > now() ? stated : undefined;
	return new LoginCredential({value: token, from: after.file}, {profile: name, expires, printedBy: program});
}

/** What the file of the login holds, as long as it is valid. */
async function storedCredential(
	{profile: {name}, folder}: LoginChoice,
	{now = () => new Date()}: Machine,
): Promise<LoginCredential | undefined> {
	const stored = await readLogin(folder, name);
	if (stored.state !== 'stored' || !stored.expires || stored.expires <= now()) return undefined;
	const {token, expires, file} = stored;
	return new LoginCredential({value: token, from: file}, {profile: name, expires});
}

function reasonToAsk(stored: StoredLogin, isRefused: boolean): ReasonToAsk {
	if (stored.state === 'keyring')
		return {what: `The login of wrangler in ${stored.file} is in the system's keyring`};
	if (isRefused) return {what: `The service no longer accepts the login of wrangler in ${stored.file}`};
	const expires = stored.state === 'stored' ? stored.expires : undefined;
	return expires
		? {
				what: `The login of wrangler in ${stored.file} has expired`,
				detail: `It was valid until ${expires.toISOString()}.`,
			}
		: {
				what: `The login of wrangler in ${stored.file} may have expired`,
				detail: 'The file does not say until when it is valid.',
			};
}
