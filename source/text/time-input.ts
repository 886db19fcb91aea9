const unitSeconds: Readonly<Record<string, number>> = {s: 1, m: 60, h: 3600, d: 86_400, w: 604_800};

const spanPattern = /^\+?(?:\d+ ?(?:s|m|min|h|d|w) ?)+$/;

/**
 * Parses a lower-case time span to seconds: `3600`, `90s`, `1h30m`, `+2h`. Undefined if the text is not a
 * span.
 */
export function parseSpan(text: string): number | undefined {
	if (/^\+?\d+$/.test(text)) return Number(text);
	if (!spanPattern.test(text)) return undefined;
	let seconds = 0;
	for (const [, count, unit = ''] of text.matchAll(/(\d+) ?([a-z])/g))
		seconds += Number(count) * (unitSeconds[unit] ?? 0);
	return seconds;
}

/** Formats seconds as `parseSpan` reads them, in the largest unit that leaves no rest: `36h`, `90s`, `1w`. */
export function formatSpan(seconds: number): string {
	const [unit] = Object.entries(unitSeconds).findLast(([, size]) => seconds % size === 0) ?? ['s'];
	return `${seconds / (unitSeconds[unit] ?? 1)}${unit}`;
}

const datePattern = /(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)/;
const timePattern = /[t ]+(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?/;
const zonePattern = /\s*(?:z|utc|([+-])(\d\d):?(\d\d))/;
const momentPattern = new RegExp(
	`^${datePattern.source}(?:${timePattern.source}(?:${zonePattern.source})?)?$`,
);

/**
 * Parses a lower-case date or time to UNIX seconds, without fractions. Undefined if the text is neither, or
 * names a day that does not exist.
 */
export function parseMoment(text: string): number | undefined {
	if (/^@\d+$/.test(text)) return Number(text.slice(1));
	const match = momentPattern.exec(text);
	if (!match) return undefined;
	const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', sign, hours, minutes] =
		match;
	const isoText = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
	const milliseconds = Date.parse(`${isoText}Z`);
	// `Date.parse` reads 30 February as a day in March.
	if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(isoText))
		return undefined;
	if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined;
	const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60;
	return milliseconds / 1000 - (sign === '-' ? -offset : offset);
}

/** Parses UNIX seconds, or a lower-case moment as `parseMoment` does. */
export const parseUnixTime = (text: string): number | undefined =>
	/^\d+$/.test(text) ? Number(text) : parseMoment(text);

/**
 * Parses a time before `now` to milliseconds since the epoch: a span back from it with units (`30m`, `1h30m`,
 * `7d`), or a moment as `parseMoment` does.
 */
export function parsePastTime(input: string, now: number): number | undefined {
	const text = input.trim().toLowerCase();
	const spanSeconds = /^\+?\d+$/.test(text) ? undefined : parseSpan(text);
	if (spanSeconds !== undefined) return now - spanSeconds * 1000;
	const momentSeconds = parseMoment(text);
	return momentSeconds === undefined ? undefined : momentSeconds * 1000;
}
