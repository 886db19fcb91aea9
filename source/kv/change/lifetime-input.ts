import {parseMoment, parseSpan} from '../../text/time-input.ts';
import {formatExpiration} from '../keys.ts';
import {findTtlProblem, limits, type Problem} from '../limits.ts';
import type {LifetimeChoice} from './proposal.ts';

type ParsedLifetime = {readonly lifetime: LifetimeChoice} | {readonly problem: Problem};

/**
 * Parses an expiry as typed: `never`, seconds (`3600`), a span (`90s`, `24h`, `7d`, `1h30m`, `+2h`), a time
 * (`2026-11-22`, `2026-11-22 09:14`, optionally with seconds and a zone; UTC by default), or UNIX seconds
 * after an at sign (`@1795311245`). `now` in UNIX seconds.
 */
export function parseLifetime(typed: string, now: number): ParsedLifetime {
	const text = typed.trim().toLowerCase();
	if (text === 'never') return {lifetime: 'never'};
	const moment = parseMoment(text);
	if (moment !== undefined) return checkMoment(moment, now);
	const seconds = parseSpan(text);
	if (seconds === undefined) return {problem: buildSyntaxProblem(typed)};
	if (/^\d+$/.test(text) && seconds >= minUnixSeconds) return {problem: buildAmbiguityProblem(text)};
	const problem = findTtlProblem(seconds, now);
	return problem ? {problem} : {lifetime: {ttl: seconds}};
}

/**
 * From this value on, a bare number could also be a time (9 September 2001): 31 years are an unusual
 * lifetime.
 */
const minUnixSeconds = 1_000_000_000;

function checkMoment(expiration: number, now: number): ParsedLifetime {
	const earliest = now + limits.minimumTtl;
	if (expiration < earliest) {
		return {
			problem: {
				what: expiration <= now ? 'The expiration has passed.' : 'The expiration is too soon.',
				why: `It must be at least ${limits.minimumTtl} s from now (${formatExpiration(earliest)} or later); this one is ${formatExpiration(expiration)}.`,
			},
		};
	}
	if (expiration > limits.latestExpiration) {
		return {
			problem: {
				what: 'The expiration is too late.',
				why: `It must be at most ${limits.latestExpiration}, in UNIX seconds; this one is ${expiration}.`,
			},
		};
	}
	return {lifetime: {expiration}};
}

function buildSyntaxProblem(typed: string): Problem {
	const text = typed.trim();
	return {
		what: text === '' ? 'No expiration was entered.' : `"${text.slice(0, 80)}" is not an expiration.`,
		why: 'Enter never, a duration of at least 60 s such as 90s, 24h or 7d, or a date such as 2031-01-31 09:00 (UTC).',
	};
}

const buildAmbiguityProblem = (text: string): Problem => ({
	what: `${text} can be a duration or a timestamp.`,
	why: `Enter ${text}s for seconds from now, or @${text} for a timestamp in UNIX seconds.`,
});

/**
 * Formats an expiry for display: `2026-11-22 09:14 UTC (in 4 min)`; a plain number if out of range for a
 * date. Both times are UNIX seconds.
 */
export function formatExpiry(expiration: number, now: number): string {
	const moment = formatExpiration(expiration);
	if (!isRepresentableDate(expiration)) return `${moment} (UNIX seconds)`;
	return `${moment.replace(/T(\d\d:\d\d):\d\dZ$/, ' $1 UTC')} (${formatTimeLeft(expiration, now)})`;
}

const isRepresentableDate = (expiration: number): boolean => Math.abs(expiration) <= limits.latestExpiration;

const yearSeconds = 31_557_600;

/** Formats the remaining lifetime for a column, rounded down: `in 23 h`, `in 40 s`, `expired`. */
export function formatTimeLeft(expiration: number, now: number): string {
	const secondsLeft = Math.floor(expiration - now);
	if (secondsLeft <= 0) return 'expired';
	if (!isRepresentableDate(expiration)) return 'far off';
	if (secondsLeft < 2 * 60) return `in ${secondsLeft} s`;
	if (secondsLeft < 2 * 3600) return `in ${Math.floor(secondsLeft / 60)} min`;
	if (secondsLeft < 2 * 86_400) return `in ${Math.floor(secondsLeft / 3600)} h`;
	if (secondsLeft < 2 * yearSeconds) return `in ${Math.floor(secondsLeft / 86_400)} d`;
	return `in ${Math.floor(secondsLeft / yearSeconds)} y`;
}
