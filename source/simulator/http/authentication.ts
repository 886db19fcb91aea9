import {createHash} from 'node:crypto';
import {refuseRequest} from './answer.ts';

/** A permission of a token. */
export type Grant =
	| 'account:read'
	| 'zone:read'
	| 'kv:read'
	| 'kv:write'
	/** Lists of an account, used in expressions. */
	| 'lists:read'
	| 'lists:write'
	/** Filters and firewall rules. */
	| 'firewall:read'
	| 'firewall:write'
	/** Rulesets. */
	| 'waf:read'
	| 'waf:write'
	/** The switch of the previous managed rules, and page rules. */
	| 'settings:read'
	| 'settings:write'
	/** Analytics of an account's store, and of a zone's requests. */
	| 'account-analytics:read'
	| 'zone-analytics:read';

/** A token that the simulated service accepts. Without `grants` it has all permissions. */
export type SimulatedToken = {
	readonly value: string;
	readonly status?: 'active' | 'disabled' | 'expired';
	readonly grants?: readonly Grant[];
};

/** The authenticated client, and the scheme it used. */
export type Caller = {
	readonly scheme: 'token' | 'key';
	readonly tokenId: string;
	readonly status: 'active' | 'disabled' | 'expired';
	hasGrant(grant: Grant): boolean;
};

/**
 * Creates a function that authenticates a request by its headers, or refuses it as the service does. A token
 * may be sent as a bearer token, or as the key with the email. `isVerifying`: the call is the one that
 * verifies a token, which has other errors.
 */
export function createAuthenticator(tokens: readonly SimulatedToken[], email: string) {
	const tokensByValue = new Map(tokens.map(token => [token.value, token]));
	return (headers: Headers, isVerifying: boolean): Caller => {
		const authorization = headers.get('authorization');
		if (authorization !== null) return authenticateToken(tokensByValue, authorization, isVerifying);
		const key = headers.get('x-auth-key');
		const givenEmail = headers.get('x-auth-email');
		if (key === null || givenEmail === null) {
			return refuseRequest(400, {
				code: 9106,
				message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers',
			});
		}
		if (isVerifying) return refuseHeader(6111, 'Authorization');
		if (!/^[\w.-]+$/.test(key)) return refuseHeader(6103, 'X-Auth-Key');
		if (!/^[^\s@]+@[^\s@]+$/.test(givenEmail)) return refuseHeader(6102, 'X-Auth-Email');
		const token = tokensByValue.get(key);
		if (!token || givenEmail.toLowerCase() !== email)
			return refuseRequest(400, {code: 9103, message: 'Unknown X-Auth-Key or X-Auth-Email'});
		return createCaller('key', token);
	};
}

function authenticateToken(
	tokensByValue: ReadonlyMap<string, SimulatedToken>,
	authorization: string,
	isVerifying: boolean,
): Caller {
	const value = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/.exec(authorization)?.[1];
	if (value === undefined) return refuseHeader(6111, 'Authorization');
	const token = tokensByValue.get(value);
	if (!token && isVerifying) return refuseRequest(401, {code: 1000, message: 'Invalid API Token'});
	if (!token || ((token.status ?? 'active') !== 'active' && !isVerifying))
		return refuseRequest(403, {code: 9109, message: 'Invalid access token'});
	return createCaller('token', token);
}

const createCaller = (scheme: Caller['scheme'], token: SimulatedToken): Caller => ({
	scheme,
	tokenId: createHash('sha256').update(token.value).digest('hex').slice(0, 32),
	status: token.status ?? 'active',
	hasGrant: grant => token.grants?.includes(grant) ?? true,
});

const refuseHeader = (code: number, header: string): never =>
	refuseRequest(400, {
		code: 6003,
		message: 'Invalid request headers',
		error_chain: [{code, message: `Invalid format for ${header} header`}],
	});
