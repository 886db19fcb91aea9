import {toFailure} from '../../failure.ts';
import type {Call} from '../../service/call.ts';
import type {Client} from '../../service/client.ts';
import {describeUnknownOutcome} from '../../service/retries.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';

/** A write request as sent; `path` is below the base URL. */
export type WritingRequest = {
	readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	readonly path: string;
	readonly body?: JsonValue | undefined;
};

/** Reads the written item; a response with a list of one counts as its item. */
type ReadItem<T> = (item: Readonly<Record<string, unknown>>) => T;

/**
 * Sends a write to filters or rules; never retries, not even when throttled. If a failure has
 * `details.outcomeUnknown`, as with an unreadable response, the write may have taken effect. `dryRunResult`:
 * what the service would return, for a dry run.
 */
export async function sendFirewallWrite<T>(
	client: Client,
	request: WritingRequest,
	{read, dryRunResult}: {readonly read: ReadItem<T>; readonly dryRunResult?: unknown},
	signal: AbortSignal,
): Promise<T> {
	const call: Call = {
		method: request.method,
		path: request.path,
		...(request.body !== undefined && {body: {kind: 'json', value: request.body}}),
		repeat: 'never',
		writes: true,
		dryRunResult,
	};
	const {result} = await client.call(call, signal);
	try {
		return read(readSingleItem(result));
	} catch (error) {
		throw toFailure(error).withDetails({outcomeUnknown: true, left: describeUnknownOutcome(call)});
	}
}

/** Returns the item of a response, which is an object or a list of one. */
export function readSingleItem(result: unknown): Readonly<Record<string, unknown>> {
	const item: unknown = Array.isArray(result) ? result[0] : result;
	return isJsonObject(item) ? item : {};
}
