import {Failure} from '../failure.ts';
import {isJsonObject} from '../text/json.ts';
import type {Client} from './client.ts';
import {listPagedItems} from './paging.ts';
import {readResult} from './read-result.ts';
import {readOptionalText, requireText} from './response-fields.ts';

export type Account = {readonly id: string; readonly name: string};

/** Lists the accounts that the credential can see, 50 per page. */
export const listAccounts = (client: Client, signal: AbortSignal): AsyncGenerator<Account> =>
	listPagedItems(
		client,
		{
			path: '/accounts',
			perPage: 50,
			itemNoun: 'an account',
			read: item => ({id: requireText(item, 'id', 'an account'), name: readOptionalText(item, 'name') ?? ''}),
		},
		signal,
	);

/**
 * Returns the single account that the credential can see, if none was named. Fails with `account_unclear`:
 * with several it lists them, with none it names what the credential lacks.
 */
export async function requireSingleAccount(client: Client, signal: AbortSignal): Promise<Account> {
	const accounts: Account[] = [];
	for await (const account of listAccounts(client, signal)) {
		accounts.push(account);
		if (accounts.length > 20) break;
	}
	const [first, second] = accounts;
	if (!first) {
		throw new Failure('account_unclear', 'The credential has no access to any account.', {
			next: 'Specify the account with --account-id or CLOUDFLARE_ACCOUNT_ID, or use a credential that can read it.',
		});
	}
	if (second) {
		throw new Failure('account_unclear', 'The credential has access to more than one account.', {
			why: accounts.map(account => `${account.id}  ${account.name}`).join('\n'),
			next: 'Specify one with --account-id, CLOUDFLARE_ACCOUNT_ID, or account_id in the configuration file.',
		});
	}
	return first;
}

type TokenState = {
	readonly id: string;
	readonly status: string;
	readonly expiresOn?: string;
	readonly notBefore?: string;
};

/** Reads the state of the token in use. */
export async function verifyToken(client: Client, signal: AbortSignal): Promise<TokenState> {
	const result = await readResult(client, {path: '/user/tokens/verify'}, signal);
	const item = isJsonObject(result) ? result : {};
	const expiresOn = readOptionalText(item, 'expires_on');
	const notBefore = readOptionalText(item, 'not_before');
	return {
		id: requireText(item, 'id', 'the token'),
		status: requireText(item, 'status', 'the token'),
		...(expiresOn && {expiresOn}),
		...(notBefore && {notBefore}),
	};
}

type User = {readonly id: string; readonly email: string};

/** Reads the owner of an API key. */
export async function readCurrentUser(client: Client, signal: AbortSignal): Promise<User> {
	const result = await readResult(client, {path: '/user'}, signal);
	const item = isJsonObject(result) ? result : {};
	return {id: requireText(item, 'id', 'the user'), email: requireText(item, 'email', 'the user')};
}
