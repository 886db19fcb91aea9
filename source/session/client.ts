import {Failure} from '../failure.ts';
import type {Call, CallEvents} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import type {ActiveAccount} from './parts.ts';

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
export async function findOnlyAccount(client: Client, signal: AbortSignal): Promise<ActiveAccount> {
	const {requireSingleAccount} = await import('../service/accounts.ts');
	const {id, name} = await requireSingleAccount(client, signal);
	return {id, label: name || id, from: 'the only account of this credential'};
}

/** Returns the listeners of calls and waits, which also write to the log of LEDGE_DEBUG if there is one. */
export async function withDebugLog(
	{record, waiting}: Pick<CallEvents, 'record' | 'waiting'>,
	env: NodeJS.ProcessEnv,
	cwd: string,
	now: () => number,
): Promise<Pick<CallEvents, 'record' | 'waiting'>> {
	if (!env.LEDGE_DEBUG) return {...(record && {record}), ...(waiting && {waiting})};
	const {openDebugLog} = await import('../state/debug-log.ts');
	const log = openDebugLog(env, cwd, now);
	return {
		record(call) {
			const {curl: _curl, number: _number, at: _at, failure: _failure, ...details} = call;
			log?.write('call', details);
			record?.(call);
		},
		waiting(wait) {
			log?.write('wait', {milliseconds: wait.milliseconds, why: wait.why});
			waiting?.(wait);
		},
	};
}
