import {asFailure} from '../../failure.ts';
import type {Call} from '../../service/call.ts';
import type {Client} from '../../service/client.ts';
import {isRecord} from '../../service/envelope.ts';
import {doubt} from '../../service/repeating.ts';
import type {JsonValue} from '../../text/json.ts';

/** A request that writes, as it will be sent; `path` is below the base URL. */
export type WritingRequest = {
	readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	readonly path: string;
	readonly body?: JsonValue | undefined;
};

/** The only thing that is written; a list of one is that one, as some calls answer. */
type Read<T> = (item: Readonly<Record<string, unknown>>) => T;

/**
 * Sends a write to filters or rules: never repeated, not even when the service asks to slow down.
 * What fails with `details.outcomeUnknown` may have been made; so may what is answered in a way that cannot be read.
 */
export async function write<T>(
	client: Client,
	request: WritingRequest,
	{read, pretend}: {readonly read: Read<T>; readonly pretend?: unknown},
	signal: AbortSignal,
): Promise<T> {
	const call: Call = {
		method: request.method,
		path: request.path,
		...(request.body !== undefined && {body: {kind: 'json', value: request.body}}),
		repeat: 'never',
		writes: true,
		pretend,
	};
	const {result} = await client.call(call, signal);
	try {
		return read(only(result));
	} catch (error) {
		throw asFailure(error).with({outcomeUnknown: true, left: doubt(call)});
	}
}

/** The one thing that an answer is about, in whichever of the two shapes it comes. */
export function only(result: unknown): Readonly<Record<string, unknown>> {
	const item: unknown = Array.isArray(result) ? result[0] : result;
	return isRecord(item) ? item : {};
}
