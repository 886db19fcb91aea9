import type {Failure} from '../failure.ts';
import type {Call} from './call.ts';
import type {Clock} from './clock.ts';
import type {ResponseHeaders} from './http-fetch.ts';
import {isOutcomeUnknown} from './outcome.ts';

export const maxAttempts = 5;
/**
 * The last attempt begins within this many milliseconds of the first, not counting waits that the service
 * requested.
 */
const maxRetrySpanMs = 20_000;
/** Longest accepted wait in milliseconds; a longer request fails. */
export const maxWaitMs = 330_000;

type FailedAttempt = {
	/** Counts from 1. */
	readonly number: number;
	readonly failure: Failure;
	/** Milliseconds spent on attempts and back-off; excludes waits for the service or quota. */
	readonly spentMs: number;
	/** `Retry-After` of the response in milliseconds. */
	readonly retryAfter: number | undefined;
};

/**
 * Computes the milliseconds before the next attempt. Undefined to give up: after five attempts, if the
 * service asks for more than 330 s, or if the next would begin more than 20 s of work after the first. The
 * first retry always happens, since a single timeout takes longer.
 */
export function computeRetryWaitMs(
	call: Call,
	{number, failure, spentMs, retryAfter}: FailedAttempt,
	clock: Clock,
) {
	const backOffMs = 500 * 2 ** (number - 1) * (0.75 + clock.random() / 2);
	const milliseconds = retryAfter || backOffMs;
	const isLate = number > 1 && spentMs + (retryAfter ? 0 : backOffMs) > maxRetrySpanMs;
	const shouldGiveUp = number >= maxAttempts || isLate || milliseconds > maxWaitMs;
	return shouldGiveUp || !canRepeat(call, failure) ? undefined : milliseconds;
}

/**
 * Builds the failure after the last attempt: number of attempts, the wait requested by the service, and the
 * unknown outcome of a write.
 */
export function buildLastFailure(call: Call, {number, failure, retryAfter}: FailedAttempt): Failure {
	const requestedWait = retryAfter ? `${Math.ceil(retryAfter / 1000)} s` : undefined;
	const isTooLong = retryAfter !== undefined && retryAfter > maxWaitMs;
	const why = [
		failure.details.why,
		number > 1 && `tried ${number} times`,
		requestedWait &&
			`the service says to wait ${requestedWait}${isTooLong ? `, but ledge waits ${maxWaitMs / 1000} s at most` : ''}`,
	];
	return failure.withDetails({
		why: why.filter(Boolean).join('; ') || undefined,
		...(requestedWait &&
			(isTooLong || number === 1) &&
			!isDailyLimit(failure) && {next: `Try again in ${requestedWait}.`}),
		...(call.writes && isOutcomeUnknown(failure) && {left: describeUnknownOutcome(call)}),
	});
}

export const describeUnknownOutcome = (call: Call): string =>
	call.repeat === 'always'
		? 'The change may have taken effect.'
		: 'The change may have taken effect: check before you send it again.';

const transientCodes: ReadonlySet<Failure['code']> = new Set([
	'unreachable',
	'connection_lost',
	'timed_out',
	'service_failed',
]);

function canRepeat(call: Call, failure: Failure): boolean {
	if (call.bulk && (failure.details.http === 524 || failure.code === 'timed_out')) return false;
	// The query quota recovers only after minutes, too long to wait for numbers.
	if (failure.code === 'rate_limited')
		return call.repeat !== 'never' && call.quota !== 'queries' && !isDailyLimit(failure);
	return call.repeat === 'always' && transientCodes.has(failure.code);
}

/** 10048 is the free daily limit; waiting does not help. */
export const isDailyLimit = (failure: Failure): boolean => failure.details.service?.includes(10_048) ?? false;

/** Returns `Retry-After` (seconds or an HTTP date) in milliseconds. */
export function getRetryAfterMs(
	response: {status: number; headers: ResponseHeaders},
	clock: Clock,
): number | undefined {
	if (response.status !== 429 && response.status < 500) return undefined;
	const header = response.headers.get('retry-after')?.trim();
	if (!header) return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	return getMsUntilDate(response.headers, 'retry-after', clock);
}

/**
 * Returns the milliseconds until a header's date, at least 0, by the service's clock if the response has it,
 * since the local clock may be wrong. Undefined without a date.
 */
export function getMsUntilDate(headers: ResponseHeaders, name: string, clock: Clock): number | undefined {
	const date = Date.parse(headers.get(name) ?? '');
	if (Number.isNaN(date)) return undefined;
	const serviceTime = Date.parse(headers.get('date') ?? '');
	return Math.max(0, date - (Number.isNaN(serviceTime) ? clock.now() : serviceTime));
}
