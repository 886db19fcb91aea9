import {inspect} from 'node:util';
import {Failure} from '../failure.ts';
import type {Sourced} from '../settings/sourced.ts';

/** A request header, and the shell variable shown in its place in `curl` lines. */
type CredentialHeader = {readonly header: string; readonly variable: string};

/**
 * A credential. `JSON.stringify`, `util.inspect` and spreads cannot reach the secret; only `headers()`
 * returns it.
 */
export type Credential = TokenCredential | KeyCredential | LoginCredential;

abstract class GuardedCredential {
	/** Displayable parts of the credential. */
	abstract toJSON(): Readonly<Record<string, unknown>>;
	/** Returns request headers, created per request. */
	abstract headers(): Readonly<Record<string, string>>;
	/** Returns the same headers for a displayed command line. */
	abstract getShownHeaders(): readonly CredentialHeader[];

	[inspect.custom](): string {
		return `Credential ${JSON.stringify(this)}`;
	}

	toString(): string {
		return JSON.stringify(this);
	}
}

/** A bearer token. */
abstract class BearerCredential extends GuardedCredential {
	readonly from: string;
	readonly #token: string;

	constructor({value, from}: Sourced<string>) {
		super();
		this.#token = checkHeaderValue({value, from});
		this.from = from;
	}

	get token(): string {
		return this.#token;
	}

	headers(): Readonly<Record<string, string>> {
		return {Authorization: `Bearer ${this.#token}`};
	}
}

export class TokenCredential extends BearerCredential {
	readonly kind = 'token';

	getShownHeaders(): readonly CredentialHeader[] {
		return [
			{header: 'Authorization: Bearer ', variable: getShellVariable(this.from, '$CLOUDFLARE_API_TOKEN')},
		];
	}

	toJSON(): Readonly<Record<string, unknown>> {
		return {kind: this.kind, from: this.from};
	}
}

export class KeyCredential extends GuardedCredential {
	readonly kind = 'key';
	readonly from: string;
	readonly email: string;
	readonly #key: string;
	readonly #emailFrom: string;

	constructor(key: Sourced<string>, email: Sourced<string>) {
		super();
		this.#key = checkHeaderValue(key);
		this.email = checkHeaderValue(email);
		this.from = key.from;
		this.#emailFrom = email.from;
	}

	get key(): string {
		return this.#key;
	}

	headers(): Readonly<Record<string, string>> {
		return {'X-Auth-Email': this.email, 'X-Auth-Key': this.#key};
	}

	getShownHeaders(): readonly CredentialHeader[] {
		return [
			{header: 'X-Auth-Email: ', variable: getShellVariable(this.#emailFrom, '$CLOUDFLARE_EMAIL')},
			{header: 'X-Auth-Key: ', variable: getShellVariable(this.from, '$CLOUDFLARE_API_KEY')},
		];
	}

	toJSON(): Readonly<Record<string, unknown>> {
		return {kind: this.kind, from: this.from};
	}
}

/** Token of a login, usually wrangler's. */
export class LoginCredential extends BearerCredential {
	readonly kind = 'oauth';
	/** wrangler profile; undefined if a credential command printed the token. */
	readonly profile: string | undefined;
	/** Expiry of the token; undefined if only wrangler can read its file. */
	readonly expires: Date | undefined;
	/** The wrangler that printed the token; undefined if its file still had a valid one. */
	readonly printedBy: string | undefined;

	constructor(
		token: Sourced<string>,
		login: {
			readonly profile: string | undefined;
			readonly expires?: Date | undefined;
			readonly printedBy?: string | undefined;
		},
	) {
		super(token);
		this.profile = login.profile;
		this.expires = login.expires;
		this.printedBy = login.printedBy;
	}

	getShownHeaders(): readonly CredentialHeader[] {
		return [{header: 'Authorization: Bearer ', variable: '$CLOUDFLARE_API_TOKEN'}];
	}

	toJSON(): Readonly<Record<string, unknown>> {
		const {kind, from, profile, expires, printedBy} = this;
		return {
			kind,
			from,
			...(profile !== undefined && {profile}),
			...(expires && {expires: expires.toISOString()}),
			...(printedBy && {printedBy}),
		};
	}
}

/** Names of credential kinds, for use outside sentences. */
export const credentialKindNames: Readonly<Record<Credential['kind'], string>> = {
	token: 'API token',
	key: 'API key and email',
	oauth: 'wrangler login',
};

/**
 * Returns the value if it can be a header: characters up to U+00FF, no control characters, no surrounding
 * white space. The failure names the position of the invalid character and nothing else of the value.
 */
function checkHeaderValue({value, from}: Sourced<string>): string {
	const position = value.search(/[^\u0020-\u007e\u00a0-\u00ff]|^\s|\s$/u);
	if (position === -1) return value;
	const code = (value.codePointAt(position) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	throw new Failure('credential_missing', `The credential in ${from} cannot be sent.`, {
		why: `Character ${position + 1} of ${value.length} is U+${code}. A header can only contain characters up to U+00FF, no control characters, and no leading or trailing white space.`,
		next: 'Copy it again: it was probably cut off, or copied with a line break.',
	});
}

/**
 * Returns the variable: `CLOUDFLARE_API_TOKEN in .env` means the variable of that name; the output of a
 * command has no variable.
 */
function getShellVariable(from: string, fallback: string): string {
	const name = /^[A-Za-z_]\w*(?= in [^(]|$)/.exec(from)?.[0];
	return name === undefined || name === 'LEDGE_CREDENTIAL_COMMAND' ? fallback : `$${name}`;
}
