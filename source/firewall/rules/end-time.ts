import {parseMoment, parseSpan} from '../../text/time-input.ts';

/**
 * What `addEnd` writes around an expression: the service itself ends such a rule. A rule for all requests has
 * only the end, because the service combines `true` with nothing.
 */
const endPattern = /^(?:\((.*)\) and )?http\.request\.timestamp\.sec lt (\d{10})$/s;

/** Limits an expression to requests before a time, in seconds since 1970. It replaces an earlier end. */
export function addEnd(expression: string, seconds: number): string {
	const inner = removeEnd(expression.trim());
	return `${inner === 'true' ? '' : `(${inner}) and `}http.request.timestamp.sec lt ${seconds}`;
}

/** Returns an expression without the end that `addEnd` wrote; others as they are. */
export const removeEnd = (expression: string): string => matchEnd(expression)?.inner ?? expression;

/** Returns when a rule with this expression ends, in seconds since 1970; undefined if it has no end. */
export const findEnd = (expression: string): number | undefined => matchEnd(expression)?.seconds;

/** The longest time that a rule can be given, in days. */
export const longestEndDays = 366;

/** Parses a time with a unit, from a minute to `longestEndDays`, to seconds: `90m`, `2h`, `7d`. */
export function parseEndSpan(input: string): number | undefined {
	const text = input.trim().toLowerCase();
	const seconds = /^\+?\d+$/.test(text) ? undefined : parseSpan(text);
	return seconds !== undefined && seconds >= 60 && seconds <= longestEndDays * 86_400 ? seconds : undefined;
}

/**
 * Parses a typed end to seconds since 1970: a time from `now` as `parseEndSpan` does, or a later moment in UTC.
 * Undefined if the text is neither.
 */
export function parseEnd(input: string, now: number): number | undefined {
	const span = parseEndSpan(input);
	if (span !== undefined) return Math.ceil(now) + span;
	const moment = parseMoment(input.trim().toLowerCase());
	return moment !== undefined && moment > now && moment <= now + longestEndDays * 86_400 ? moment : undefined;
}

/** Formats the end of a rule: "until 2026-11-28 04:21 UTC". */
export const formatEnd = (seconds: number): string => `until ${formatEndTime(seconds)}`;

/** Formats a time as "2026-11-28 04:21 UTC", which `parseEnd` reads. */
export const formatEndTime = (seconds: number): string =>
	`${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** True if a rule with this expression has ended: it matches no more requests. Its time is this machine's. */
export function hasEnded(expression: string, now = Date.now() / 1000): boolean {
	const end = findEnd(expression);
	return end !== undefined && end <= now;
}

/** Formats the end of a rule with this expression: "until" or "ended" and the time; empty if it has none. */
export function formatExpressionEnd(expression: string): string {
	const end = findEnd(expression);
	if (end === undefined) return '';
	return hasEnded(expression) ? `ended ${formatEndTime(end)}` : formatEnd(end);
}

function matchEnd(expression: string): {readonly inner: string; readonly seconds: number} | undefined {
	const match = endPattern.exec(expression);
	if (!match) return undefined;
	const [, inner = 'true', seconds] = match;
	return isBalanced(inner) ? {inner, seconds: Number(seconds)} : undefined;
}

/** True if a text closes no parenthesis that it does not open: `(a) or (b)` in brackets is one group. */
function isBalanced(text: string): boolean {
	const unquotedText = text.replaceAll(/r(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"/g, '');
	let depth = 0;
	for (const [bracket] of unquotedText.matchAll(/[()]/g)) {
		depth += bracket === '(' ? 1 : -1;
		if (depth < 0) return false;
	}
	return depth === 0;
}
