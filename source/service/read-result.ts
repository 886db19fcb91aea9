import type {Call} from './call.ts';
import type {Client} from './client.ts';
import {isAbsent} from './outcome.ts';

/** Sends a GET and returns its `result`. */
export async function readResult(
	client: Client,
	call: Pick<Call, 'path' | 'query' | 'responseLimit' | 'exactNumbers'>,
	signal: AbortSignal,
): Promise<unknown> {
	const {result} = await client.call({method: 'GET', repeat: 'always', writes: false, ...call}, signal);
	return result;
}

/** Returns what `read` returns; undefined if the service says that it does not exist. */
export async function readIfPresent<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (isAbsent(error)) return undefined;
		throw error;
	}
}
