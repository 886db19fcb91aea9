import {Failure} from '../failure.ts';
import type {Call} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import type {ActingAccount} from './parts.ts';

/** Wraps a client so that failures explain their cause. */
export const explainFailures = (
	client: Client,
	explain: (failure: Failure, call: Call) => Failure,
): Client => {
	const rethrow =
		(call: Call) =>
		(error: unknown): never => {
			throw error instanceof Failure ? explain(error, call) : error;
		};
	return {
		...client,
		call: (call, signal) => client.call(call, signal).catch(rethrow(call)),
		read: (call, signal) => client.read(call, signal).catch(rethrow(call)),
	};
};

/** Finds the credential's single account. Fails with `account_unclear` if it sees several. */
export async function findOnlyAccount(client: Client, signal: AbortSignal): Promise<ActingAccount> {
	const {requireSingleAccount} = await import('../service/accounts.ts');
	const {id, name} = await requireSingleAccount(client, signal);
	return {id, label: name || id, from: 'the only account of this credential'};
}
