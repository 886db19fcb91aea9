import {Failure} from '../failure.ts';
import type {Client} from './client.ts';
import {isRecord} from './envelope.ts';
import {pagedItems} from './paging.ts';
import {readResult} from './read-result.ts';
import {optionalText, text} from './reading.ts';

export type Account = {readonly id: string; readonly name: string};

/** Lists the accounts that the credential can see, 50 per page. */
export const accounts = (client: Client, signal: AbortSignal): AsyncGenerator<Account> =>
	pagedItems(
		client,
		{
			path: '/accounts',
			perPage: 50,
			one: 'an account',
			read: item => ({id: text(item, 'id', 'an account'), name: optionalText(item, 'name') ?? ''}),
		},
		signal,
	);

/**
 * Returns the single account that the credential can see, if none was named. Fails with `account_unclear`:
 * with several it lists them, with none it names what the credential lacks.
 */
export async function onlyAccount(client: Client, signal: AbortSignal): Promise<Account> {
	const found: Account[] = [];
	for await (const account of accounts(client, signal)) {
		found.push(account);
		if (found.length > 20) break;
	}
	const [first, second] = found;
	if (!first) {
		throw new Failure('account_unclear', 'The credential sees no account.', {
			next: 'Name the account with --account-id or CLOUDFLARE_ACCOUNT_ID, or use a credential that may read it.',
		});
	}
	if (second) {
		throw new Failure('account_unclear', 'The credential sees more than one account.', {
			why: found.map(account => `${account.id}  ${account.name}`).join('\n'),
			next: 'Name one with --account-id, CLOUDFLARE_ACCOUNT_ID, or account_id in the configuration file.',
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
	const item = isRecord(result) ? result : {};
	const expiresOn = optionalText(item, 'expires_on');
	const notBefore = optionalText(item, 'not_before');
	return {
		id: text(item, 'id', 'the token'),
		status: text(item, 'status', 'the token'),
		...(expiresOn && {expiresOn}),
		...(notBefore && {notBefore}),
	};
}

type User = {readonly id: string; readonly email: string};

/** Reads the owner of an API key. */
export async function currentUser(client: Client, signal: AbortSignal): Promise<User> {
	const result = await readResult(client, {path: '/user'}, signal);
	const item = isRecord(result) ? result : {};
	return {id: text(item, 'id', 'the user'), email: text(item, 'email', 'the user')};
}
