import type {Failure} from '../failure.ts';
import type {Call} from './call.ts';
import type {Clock} from './clock.ts';
import type {AnswerHeaders} from './http-fetch.ts';
import {isOutcomeUnknown} from './outcome.ts';

export const attempts = 5;
/** Milliseconds after the first attempt in which the last one begins, waits that the service asked for apart. */
const together = 20_000;
/** The longest that the service may ask for; what asks for more fails instead. */
export const longestWait = 330_000;

/** An attempt that failed, and what came before it. */
type Attempted = {
	/** 1 is the first. */
	readonly number: number;
	readonly failed: Failure;
	/** Milliseconds under way and backing off until now; waits that the service or the quota asked for are apart. */
	readonly spent: number;
	/** What the answer's `Retry-After` asks for, in milliseconds. */
	readonly retryAfter: number | undefined;
};

/**
 * Milliseconds to wait before the next attempt of a call, or `undefined` when there is none: after
 * five attempts, when the service asks for more than 330 s, and when the next one would begin more than 20 s of
 * work after the first. A first retry is always made, because a single time-out takes longer than that.
 */
export function waitBeforeNext(call: Call, {number, failed, spent, retryAfter}: Attempted, clock: Clock) {
	const backOff = 500 * 2 ** (number - 1) * (0.75 + clock.random() / 2);
	const milliseconds = retryAfter || backOff;
	const late = number > 1 && spent + (retryAfter ? 0 : backOff) > together;
	const over = number >= attempts || late || milliseconds > longestWait;
	return over || !mayRepeat(call, failed) ? undefined : milliseconds;
}

/** The failure after the last attempt: how often it was tried, what the service asks for, and what is not known of a write. */
export function lastFailure(call: Call, {number, failed, retryAfter}: Attempted): Failure {
	const asked = retryAfter ? `${Math.ceil(retryAfter / 1000)} s` : undefined;
	const tooLong = retryAfter !== undefined && retryAfter > longestWait;
	const why = [
		failed.details.why,
		number > 1 && `tried ${number} times`,
		asked && `the service asks for ${asked}${tooLong ? `, ledge waits ${longestWait / 1000} s at most` : ''}`,
	];
	return failed.with({
		why: why.filter(Boolean).join('; ') || undefined,
		...(asked && (tooLong || number === 1) && !isDailyLimit(failed) && {next: `Try again in ${asked}.`}),
		...(call.writes && isOutcomeUnknown(failed) && {left: doubt(call)}),
	});
}

/** What is left behind by a write whose answer is missing. */
export const doubt = (call: Call): string =>
	call.repeat === 'always'
		? 'It is not known whether the service did it.'
		: 'It is not known whether the service did it: look before you send it again.';

const passing: ReadonlySet<Failure['code']> = new Set([
	'unreachable',
	'connection_lost',
	'timed_out',
	'service_failed',
]);

function mayRepeat(call: Call, failed: Failure): boolean {
	if (call.bulk && (failed.details.http === 524 || failed.code === 'timed_out')) return false;
	// The budget of queries is back after minutes, and nobody waits that long for numbers.
	if (failed.code === 'rate_limited')
		return call.repeat !== 'never' && call.quota !== 'queries' && !isDailyLimit(failed);
	return call.repeat === 'always' && passing.has(failed.code);
}

/** 10048, the free limit of a day: waiting for it is of no use. */
const isDailyLimit = (failed: Failure): boolean => failed.details.service?.includes(10_048) ?? false;

/** Milliseconds of a `Retry-After`, which is in seconds or an HTTP date. */
export function retryAfterOf(
	answer: {status: number; headers: AnswerHeaders},
	clock: Clock,
): number | undefined {
	if (answer.status !== 429 && answer.status < 500) return undefined;
	const header = answer.headers.get('retry-after')?.trim();
	if (!header) return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	return untilDate(answer.headers, 'retry-after', clock);
}

/**
 * Milliseconds until the date in a header, at least 0, by the clock of the service where the answer has it; the
 * clock of this machine may be wrong. `undefined` where the header holds no date.
 */
export function untilDate(headers: AnswerHeaders, name: string, clock: Clock): number | undefined {
	const date = Date.parse(headers.get(name) ?? '');
	if (Number.isNaN(date)) return undefined;
	const answered = Date.parse(headers.get('date') ?? '');
	return Math.max(0, date - (Number.isNaN(answered) ? clock.now() : answered));
}
