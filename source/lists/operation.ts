import {createInterruptedFailure, Failure, isFailure, toFailure} from '../failure.ts';
import type {Call} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import {encodePathSegment} from '../service/path-segment.ts';
import {readResult} from '../service/read-result.ts';
import {createMalformedFailure, readOptionalText, requireText} from '../service/response-fields.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {isJsonObject} from '../text/json.ts';
import {buildListsPath} from './account-lists.ts';

/** The first and the longest polling interval in milliseconds. */
const [firstWaitMs, longestWaitMs] = [250, 4_000];
/** Milliseconds after which ledge stops following an operation. */
const maxFollowMs = 300_000;

/**
 * Sends a change of list items and follows the service's operation to its end. After a failure from the first
 * byte on, `outcomeUnknown` says that the change may take effect. Sends it again only if the service refused
 * it with 429, as it does while another operation of the account is running.
 */
export async function runListOperation(
	client: Client,
	account: string,
	{method, path, body}: Pick<Call, 'method' | 'path'> & {readonly body: unknown},
	signal: AbortSignal,
): Promise<void> {
	const {result} = await client
		.call({method, path, body: {kind: 'json', value: body}, repeat: 'throttled', writes: true}, signal)
		.catch(error => {
			throw isFailure(error, 'rate_limited')
				? error.withDetails({
						why: 'Only one change of lists can run in an account at a time; another one may be running.',
						next: 'Try again in a minute.',
					})
				: error;
		});
	if (client.dryRun) return;
	let status: OperationStatus;
	try {
		if (!isJsonObject(result)) throw createMalformedFailure('operation_id');
		const operationId = requireText(result, 'operation_id', 'an operation');
		status = await followOperation(client, account, operationId, signal);
	} catch (error) {
		throw toFailure(error).withDetails({outcomeUnknown: true});
	}
	if (status.state === 'failed')
		throw new Failure('refused_by_service', `The service could not change the list: ${status.error}`, {
			left: 'Some items may have changed.',
			next: buildAdvice`To see the items: \`${buildCommand('lists show NAME')}\``,
		});
}

type OperationStatus =
	| {readonly state: 'pending' | 'running' | 'completed'}
	| {readonly state: 'failed'; readonly error: string};

async function followOperation(
	client: Client,
	account: string,
	operationId: string,
	signal: AbortSignal,
): Promise<OperationStatus> {
	const {clock} = client;
	const path = buildListsPath(account, 'bulk_operations', encodePathSegment(operationId, 'an operation'));
	const deadline = clock.elapsed() + maxFollowMs * clock.scale;
	for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
		if (signal.aborted) throw createInterruptedFailure();
		await clock.wait(wait * clock.scale, signal);
		const status = parseStatus(await readResult(client, {path}, signal));
		if (status.state === 'completed' || status.state === 'failed') return status;
		if (clock.elapsed() > deadline)
			throw new Failure(
				'timed_out',
				`The service did not finish the change within ${maxFollowMs / 60_000} minutes.`,
			);
	}
}

function parseStatus(result: unknown): OperationStatus {
	const state = isJsonObject(result) ? result.status : undefined;
	if (isJsonObject(result) && state === 'failed')
		return {state, error: readOptionalText(result, 'error') || 'it gave no reason'};
	if (state === 'pending' || state === 'running' || state === 'completed') return {state};
	throw createMalformedFailure('status of an operation');
}
