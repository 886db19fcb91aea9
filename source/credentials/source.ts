import {isAbsolute, resolve} from 'node:path';
import type {TrustBasis} from '../state/trust.ts';
import {askWrangler, type ReasonToAsk} from './ask-wrangler.ts';
import type {CredentialChoice, LoginChoice} from './choice.ts';
import {type Credential, LoginCredential} from './credential.ts';
import type {Machine} from './wrangler-folder.ts';
import {readLogin, type StoredLogin} from './wrangler-login.ts';

/** Source of the credential of each request; keeps credentials in memory only. */
export type CredentialSource = {
	/** Returns the current credential; the same one until shortly before it expires. */
	current(): Promise<Credential>;
	/** Returns another one after a rejection (401), if any. */
	renew(rejected: Credential): Promise<Credential | undefined>;
	/**
	 * Forgets rejections, so that rejected credentials are requested again: for a person who retries, perhaps
	 * after signing in elsewhere.
	 */
	forgetRejections(): void;
};

export type SourceOptions = Machine & {
	readonly env: NodeJS.ProcessEnv;
	/** Folder where the search for the project's wrangler begins, and where a credential command runs. */
	readonly startFolder: string;
	/** Called before a program of the project runs. */
	readonly notice: (sentence: string) => void;
	/** Owners whose folders a project's program may run from; by default only the current user. */
	readonly trust?: TrustBasis;
	/** Receives a credential command's standard error. */
	readonly onStderr: (text: string) => void;
	/**
	 * Runs work while a program may use the terminal. `mayPrompt`: there is a terminal that it may use.
	 * `program` names the program, for the screen while it runs.
	 */
	readonly lendTerminal: <T>(work: (mayPrompt: boolean) => Promise<T>, program: string) => Promise<T>;
	/** Time limit of a program that prints a credential, in milliseconds; set by tests. */
	readonly timeout?: number;
};

/** In milliseconds: the program may ask a person, or renew a login over a slow connection. */
const helperTimeout = 30_000;

/**
 * How long before its expiry a token is read again, in milliseconds. wrangler renews a login only after it
 * has expired, so until then only another program's renewal is found.
 */
const renewEarlyMs = 60_000;

/** Creates the source for a chosen credential. Concurrent requests share one renewal. */
export function createCredentialSource(choice: CredentialChoice, options: SourceOptions): CredentialSource {
	switch (choice.source) {
		case 'given':
			return {current: async () => choice.credential, renew: async () => undefined, forgetRejections() {}};
		case 'command':
			return createRenewingSource(async () => {
				const {runCredentialCommand} = await import('./credential-command.ts');
				const {env, startFolder: cwd, onStderr, notice, lendTerminal, timeout = helperTimeout} = options;
				const {value, from} = choice.command;
				const program = resolveRelativeProgram(value[0], cwd);
				if (program !== undefined) notice(`Running ${program}, the credential command from ${from}.`);
				return lendTerminal(
					mayPrompt => runCredentialCommand(choice.command, {env, cwd, onStderr, mayPrompt, timeout}),
					`${value[0]}, the credential command from ${from}`,
				);
			}, options);
		case 'login':
			return createRenewingSource(rejected => readLoginCredential(choice, rejected, options), {
				...options,
				findUsable: () => readStoredCredential(choice, options),
			});
		default:
			return choice satisfies never;
	}
}

/** Resolves a program with a relative path, which depends on the folder; undefined for others. */
const resolveRelativeProgram = (program: string, folder: string): string | undefined =>
	/[/\\]/.test(program) && !isAbsolute(program) ? resolve(folder, program) : undefined;

/**
 * Returns the key under which the process keeps a choice's credential; undefined if creating it costs
 * nothing.
 */
export function getChoiceKey(choice: CredentialChoice, startFolder: string): string | undefined {
	switch (choice.source) {
		case 'given':
			return undefined;
		case 'command':
			return JSON.stringify([startFolder, choice.command.value]);
		case 'login':
			return JSON.stringify([choice.folder.path, choice.profile.name]);
		default:
			return choice satisfies never;
	}
}

type RenewingOptions = Machine & {
	/** Finds a usable credential without running anything: someone may have signed in elsewhere. */
	readonly findUsable?: () => Promise<Credential | undefined>;
};

/**
 * Creates a source that calls `createCredential` for the first credential, and again when one is about to
 * expire or was rejected.
 */
function createRenewingSource(
	createCredential: (rejected: Credential | undefined) => Promise<Credential>,
	{now = () => new Date(), findUsable = async () => undefined}: RenewingOptions,
): CredentialSource {
	let currentCredential: Credential | undefined;
	let pendingCredential: Promise<Credential> | undefined;
	/** Renewals by rejected credential: requests rejected together share one. */
	const renewals = new Map<string, Promise<Credential>>();
	const requestNext = (rejected: Credential | undefined) => {
		pendingCredential ??= createCredential(rejected)
			.then(credential => {
				currentCredential = credential;
				return credential;
			})
			.finally(() => {
				pendingCredential = undefined;
			});
		return pendingCredential;
	};
	return {
		async current() {
			if (currentCredential && !isExpired(currentCredential, now().getTime() + renewEarlyMs))
				return currentCredential;
			return requestNext(undefined);
		},
		async renew(rejected) {
			const rejectedKey = getCredentialKey(rejected);
			// Another request has already renewed it.
			if (currentCredential && getCredentialKey(currentCredential) !== rejectedKey) return currentCredential;
			const runningRenewal = renewals.get(rejectedKey);
			if (runningRenewal) {
				const usable = pendingCredential ? undefined : await findUsable();
				if (usable && getCredentialKey(usable) !== rejectedKey) {
					currentCredential = usable;
					return usable;
				}
			}
			const renewal = runningRenewal ?? requestNext(rejected);
			renewals.set(rejectedKey, renewal);
			const credential = await renewal;
			return getCredentialKey(credential) === rejectedKey ? undefined : credential;
		},
		forgetRejections() {
			if (currentCredential && renewals.has(getCredentialKey(currentCredential)))
				currentCredential = undefined;
			renewals.clear();
		},
	};
}

/** True if a credential is known to expire by a time, in milliseconds since the epoch. */
const isExpired = (credential: Credential, time: number): boolean =>
	credential.kind === 'oauth' && credential.expires !== undefined && credential.expires.getTime() <= time;

/**
 * Returns a text that identifies a credential; contains its secret, so it stays in memory and is never shown.
 */
const getCredentialKey = (credential: Credential): string => JSON.stringify(credential.headers());

/**
 * Reads a login's token: from its file while valid, else from wrangler, which renews it. Reads the file each
 * time, since wrangler may have renewed it.
 */
async function readLoginCredential(
	choice: LoginChoice,
	rejected: Credential | undefined,
	options: SourceOptions,
): Promise<LoginCredential> {
	const valid = await readStoredCredential(choice, options);
	if (valid && !(rejected?.kind === 'oauth' && rejected.token === valid.token)) return valid;
	const {profile, folder, login: chosenLogin} = choice;
	const {name} = profile;
	const {env, startFolder, notice, trust, timeout = helperTimeout, now = () => new Date()} = options;
	const {platform, path} = folder;
	const storedLogin = await readLogin(folder, name);
	const reasonToAsk = describeReasonToAsk(
		storedLogin.state === 'none' ? chosenLogin : storedLogin,
		rejected !== undefined,
	);
	const askOptions = {env, startFolder, wranglerFolder: path, platform, notice, trust, timeout};
	const {token, program} = await askWrangler(name, reasonToAsk, askOptions);
	const renewedLogin = await readLogin(folder, name);
	const statedExpiry =
		renewedLogin.state === 'stored' && renewedLogin.token === token ? renewedLogin.expires : undefined;
	// A past expiry is wrong for a token that wrangler has just printed: only a rejection ends it.
	const expires = statedExpiry && statedExpiry > now() ? statedExpiry : undefined;
	return new LoginCredential(
		{value: token, from: renewedLogin.file},
		{profile: name, expires, printedBy: program},
	);
}

/** Returns the login from its file while it is valid. */
async function readStoredCredential(
	{profile: {name}, folder}: LoginChoice,
	{now = () => new Date()}: Machine,
): Promise<LoginCredential | undefined> {
	const storedLogin = await readLogin(folder, name);
	if (storedLogin.state !== 'stored' || !storedLogin.expires || storedLogin.expires <= now())
		return undefined;
	const {token, expires, file} = storedLogin;
	return new LoginCredential({value: token, from: file}, {profile: name, expires});
}

function describeReasonToAsk(storedLogin: StoredLogin, isRejected: boolean): ReasonToAsk {
	if (storedLogin.state === 'keyring')
		return {problem: `The wrangler login in ${storedLogin.file} is in the system keyring`};
	if (isRejected) return {problem: `The service no longer accepts the wrangler login in ${storedLogin.file}`};
	const expires = storedLogin.state === 'stored' ? storedLogin.expires : undefined;
	return expires
		? {
				problem: `The wrangler login in ${storedLogin.file} has expired`,
				detail: `It was valid until ${expires.toISOString()}.`,
			}
		: {
				problem: `The wrangler login in ${storedLogin.file} may have expired`,
				detail: 'The file does not say how long it is valid.',
			};
}
