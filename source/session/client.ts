import {Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import type {ActingAccount} from './session.ts';

/** A client whose failures report what led to them. */
export const explainFailures = (client: Client, explained: (failure: Failure) => Failure): Client => {
	const because = (error: unknown): never => {
		throw error instanceof Failure ? explained(error) : error;
	};
	return {
		...client,
		call: (call, signal) => client.call(call, signal).catch(because),
		read: (call, signal) => client.read(call, signal).catch(because),
	};
};

/** The only account of the credential. Fails with `account_unclear` where it sees several. */
export async function findOnlyAccount(client: Client, signal: AbortSignal): Promise<ActingAccount> {
	const {onlyAccount} = await import('../service/accounts.ts');
	const {id, name} = await onlyAccount(client, signal);
	return {id, label: name || id, from: 'the only account of this credential'};
}
