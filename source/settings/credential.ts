import {inspect} from 'node:util';
import {Failure} from '../failure.ts';
import {isOtherService} from './base-url.ts';
import {hasOwnCredential, prefixed, type SettingSources} from './settings.ts';
import type {Sourced} from './sourced.ts';

/** A header of requests, and the shell variable that a shown `curl` line has in its place. */
type CredentialHeader = {readonly header: string; readonly variable: string};

/**
 * What ledge shows the service. The secret is kept where neither `JSON.stringify` nor `util.inspect` nor a
 * spread finds it; `headers()` is the one way it goes out.
 */
export type Credential = TokenCredential | KeyCredential | LoginCredential;

abstract class Guarded {
	/** What may be shown of the credential. */
	abstract toJSON(): Readonly<Record<string, unknown>>;
	/** The headers of a request; made again for each. */
	abstract headers(): Readonly<Record<string, string>>;
	/** The same headers for a command line that is shown. */
	abstract shown(): readonly CredentialHeader[];

	[inspect.custom](): string {
		return `Credential ${JSON.stringify(this)}`;
	}

	toString(): string {
		return JSON.stringify(this);
	}
}

/** What is sent as a bearer token. */
abstract class BearerCredential extends Guarded {
	readonly from: string;
	readonly #token: string;

	constructor(token: string, from: string) {
		super();
		this.#token = token;
		this.from = from;
	}

	get token(): string {
		return this.#token;
	}

	headers(): Readonly<Record<string, string>> {
		return {Authorization: `Bearer ${this.#token}`};
	}
}

class TokenCredential extends BearerCredential {
	readonly kind = 'token';

	shown(): readonly CredentialHeader[] {
		return [{header: 'Authorization: Bearer ', variable: `$${variableOf(this.from)}`}];
	}

	toJSON(): Readonly<Record<string, unknown>> {
		return {kind: this.kind, from: this.from};
	}
}

class KeyCredential extends Guarded {
	readonly kind = 'key';
	readonly from: string;
	readonly email: string;
	readonly #key: string;
	readonly #emailFrom: string;

	constructor(key: Sourced<string>, email: Sourced<string>) {
		super();
		this.#key = key.value;
		this.email = email.value;
		this.from = key.from;
		this.#emailFrom = email.from;
	}

	get key(): string {
		return this.#key;
	}

	headers(): Readonly<Record<string, string>> {
		return {'X-Auth-Email': this.email, 'X-Auth-Key': this.#key};
	}

	shown(): readonly CredentialHeader[] {
		return [
			{header: 'X-Auth-Email: ', variable: `$${variableOf(this.#emailFrom)}`},
			{header: 'X-Auth-Key: ', variable: `$${variableOf(this.from)}`},
		];
	}

	toJSON(): Readonly<Record<string, unknown>> {
		return {kind: this.kind, from: this.from};
	}
}

/** The token of wrangler's login on this machine; ledge only reads it. */
class LoginCredential extends BearerCredential {
	readonly kind = 'oauth';
	readonly expires: Date;
	/** What the login may do, as far as the file says. */
	readonly scopes: readonly string[];

	constructor(token: string, file: string, expires: Date, scopes: readonly string[]) {
		super(token, file);
		this.expires = expires;
		this.scopes = scopes;
	}

	shown(): readonly CredentialHeader[] {
		return [{header: 'Authorization: Bearer ', variable: '$CLOUDFLARE_API_TOKEN'}];
	}

	toJSON(): Readonly<Record<string, unknown>> {
		return {kind: this.kind, from: this.from, expires: this.expires.toISOString()};
	}
}

/** Where wrangler's login is looked for, and the time now; all known by themselves, given by tests. */
export type Machine = {readonly home?: string; readonly platform?: NodeJS.Platform; readonly now?: Date};

/**
 * The credential in force: a token, else API key and email, else wrangler's login on disk. A second
 * account's own comes before that, and if it lives on another service, nothing else will do. Fails with
 * `credential_missing`: none, one half only, expired, or not fit for a header.
 */
export async function credential(sources: SettingSources, machine: Machine = {}): Promise<Credential> {
	const {variables, prefix} = sources;
	if (prefix !== undefined && hasOwnCredential(sources)) {
		const own = fromVariables(name => prefixed(sources, name), prefix);
		if (own) return own;
	}
	if (prefix !== undefined && isOtherService(sources)) throw foreignService(prefix);
	return fromVariables((...names) => variables(...names)) ?? (await fromLogin(sources, machine));
}

function fromVariables(
	read: (...names: string[]) => Sourced<string> | undefined,
	prefix = '',
): Credential | undefined {
	const token = read('CLOUDFLARE_API_TOKEN', 'CF_API_TOKEN');
	if (token) return new TokenCredential(headerValue(token), token.from);
	const key = read('CLOUDFLARE_API_KEY', 'CF_API_KEY');
	const email = read('CLOUDFLARE_EMAIL', 'CF_EMAIL');
	if (!key && !email) return undefined;
	if (!key || !email) {
		const [there, missing] = key ? [key, 'CLOUDFLARE_EMAIL'] : [email, 'CLOUDFLARE_API_KEY'];
		throw new Failure('credential_missing', `${there?.from} is set, but ${prefix}${missing} is not.`, {
			why: 'An API key counts only together with the email address of its owner.',
			next: `Set ${prefix}${missing} too, or ${prefix}CLOUDFLARE_API_TOKEN instead of both.`,
		});
	}
	headerValue(key);
	headerValue(email);
	return new KeyCredential(key, email);
}

/** What is said where nothing at all is configured, and nothing is wrong with that. */
export const noCredential = 'No credential was given.';

async function fromLogin(sources: SettingSources, machine: Machine): Promise<Credential> {
	const {readPeerLogin} = await import('./wrangler-login.ts');
	const login = await readPeerLogin(sources, machine);
	if (!login) {
		throw new Failure('credential_missing', noCredential, {
			why: 'Neither CLOUDFLARE_API_TOKEN nor CLOUDFLARE_API_KEY with CLOUDFLARE_EMAIL is set, and there is no login of wrangler on this machine.',
			next: 'Set CLOUDFLARE_API_TOKEN, or run `wrangler login`.',
		});
	}
	headerValue({value: login.token, from: login.from});
	return new LoginCredential(login.token, login.from, login.expires, login.scopes);
}

function foreignService(prefix: string): Failure {
	return new Failure(
		'credential_missing',
		`No credential was given for the service of ${prefix}CLOUDFLARE_API_BASE_URL.`,
		{
			why: 'It is another service than the first one, whose credential is never sent there.',
			next: `Set ${prefix}CLOUDFLARE_API_TOKEN.`,
		},
	);
}

/**
 * The value, if it can be in a header: characters up to U+00FF, no control characters, no white space at
 * the ends. The failure tells the place of the wrong character and nothing of the rest.
 */
function headerValue({value, from}: Sourced<string>): string {
	const position = value.search(/[^\u0020-\u007e\u00a0-\u00ff]|^\s|\s$/u);
	if (position === -1) return value;
	const code = (value.codePointAt(position) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	throw new Failure('credential_missing', `The credential in ${from} cannot be sent.`, {
		why: `Character ${position + 1} of ${value.length} is U+${code}. A header holds characters up to U+00FF, no control characters, and no white space at its ends.`,
		next: 'Copy it again: it was probably cut short, or a line break came with it.',
	});
}

/** `CLOUDFLARE_API_TOKEN in .env` represents the variable of that name. */
const variableOf = (from: string): string => from.split(' ', 1)[0] ?? from;
