import {type Failure, isFailure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Envelope} from '../../service/envelope.ts';
import {findNeededPermission} from '../../service/permissions.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {type AnswerShape, compareAnswer} from './answer-shapes.ts';
import type {Check, CheckResult} from './check.ts';
import {describeFailedCall} from './failed-call.ts';

/** What a check of the service needs. */
export type Prober = {
	readonly client: Client;
	/** Aborted by the user. */
	readonly signal: AbortSignal;
	/** Aborted by the user, or when all checks have taken too long. */
	readonly limitedSignal: AbortSignal;
	/** Called with each answer that says when it was sent. */
	readonly observeTime: (respondedAt: number) => void;
};

type ProbeName = Pick<Check, 'name' | 'title' | 'permission'>;

/** Time limit for all checks of the service together, in milliseconds. */
const timeLimitMs = 60_000;

export const createProber = (
	client: Client,
	signal: AbortSignal,
	observeTime: (respondedAt: number) => void,
): Prober => ({
	client,
	signal,
	observeTime,
	limitedSignal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs * client.clock.scale)]),
});

/** Runs one check. Whatever fails becomes its result; rejects only if the user interrupts. */
export async function runProbe(
	{signal, limitedSignal}: Prober,
	{name, title, permission}: ProbeName,
	check: () => Promise<CheckResult>,
	explain: (failure: Failure) => CheckResult | undefined = () => undefined,
): Promise<Check> {
	const describe = (error: unknown): CheckResult => {
		if (signal.aborted) throw error;
		if (limitedSignal.aborted) return {state: 'failed', finding: 'no answer in time'};
		const failure = toFailure(error);
		return explain(failure) ?? describeFailedCall(failure, permission);
	};
	return {name, title, permission, ...(await check().catch(describe))};
}

/** Reads without the client's retries: a check that fails says so, and does not wait for a recovery. */
export async function readForCheck(
	{client, limitedSignal, observeTime}: Prober,
	path: string,
	query: Readonly<Record<string, string | number | undefined>> = {},
): Promise<Envelope> {
	const envelope = await repeatWhenLost(() =>
		client.call(
			{method: 'GET', path, query, repeat: 'never', writes: false, responseLimit: 'listing'},
			limitedSignal,
		),
	);
	if (envelope.respondedAt !== undefined) observeTime(envelope.respondedAt);
	return envelope;
}

/** Sends a read once more if its connection broke: a reused one may have been closed unnoticed. */
export const repeatWhenLost = <T>(send: () => Promise<T>): Promise<T> =>
	send().catch((error: unknown) => {
		if (isFailure(error, 'connection_lost')) return send();
		throw error;
	});

/** Codes with which the service announces, in answers that succeed, that an API is in retirement. */
const retirementNotices: ReadonlySet<number> = new Set([10_020, 10_035, 10_037]);

/** Judges an answer by its shape, and by notices of retirement; `finding` says what it is good for. */
export function judgeAnswer(
	{result, messages}: Pick<Envelope, 'result' | 'messages'>,
	shape: AnswerShape,
	finding: string,
): CheckResult {
	const {differences, unknownFields} = compareAnswer(shape, result);
	const notices = messages.flatMap(({code}) => (code && retirementNotices.has(code) ? [code] : []));
	const facts = {differences, unknownFields, ...(notices.length > 0 && {codes: notices})};
	if (differences.some(({isRequired}) => isRequired))
		return {...facts, state: 'failed', finding: 'the answer lacks what ledge needs'};
	const remarks = [
		...(differences.length > 0
			? [`${formatPlainQuantity(differences.length, 'field')} of another type`]
			: []),
		...(notices.length > 0 ? [`retirement announced (code ${notices.join(', ')})`] : []),
	];
	return {...facts, state: remarks.length > 0 ? 'note' : 'ok', finding: [finding, ...remarks].join('; ')};
}

/** Returns the permission to read a path, as the dashboard names it. */
export const findReadPermission = (path: string): string | undefined =>
	findNeededPermission({method: 'GET', path});
