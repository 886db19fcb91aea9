import {Failure} from '../failure.ts';
import type {Call} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import type {ActingAccount} from './parts.ts';

/** Wraps a client so that failures explain their cause. */
export const explainFailures = (
	client: Client,
	explained: (failure: Failure, call: Call) => Failure,
): Client => {
	const because =
		(call: Call) =>
		(error: unknown): never => {
			throw error instanceof Failure ? explained(error, call) : error;
		};
	return {
		...client,
		call: (call, signal) => client.call(call, signal).catch(because(call)),
		read: (call, signal) => client.read(call, signal).catch(because(call)),
	};
};

/** Finds the credential's single account. Fails with `account_unclear` if it sees several. */
export async function findOnlyAccount(client: Client, signal: AbortSignal): Promise<ActingAccount> {
	const {onlyAccount} = await import('../service/accounts.ts');
	const {id, name} = await onlyAccount(client, signal);
	return {id, label: name || id, from: 'the only account of this credential'};
}
