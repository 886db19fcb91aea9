import {Failure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {isJsonObject} from '../text/json.ts';

/** Creates the failure for a response that lacks what the API promises. */
export const createMalformedFailure = (part: string): Failure =>
	new Failure('answer_malformed', `The service's response has no usable ${part}.`, {
		next: buildAdvice`Check the base URL (\`${buildCommand('config')}\` shows it): it may point to a different service.`,
	});

/** Reads `result` as a list of objects; fails if it is not one. `itemLabel` names one item: "a key". */
export function readList<T>(
	result: unknown,
	itemLabel: string,
	read: (item: Readonly<Record<string, unknown>>) => T,
): T[] {
	const noun = itemLabel.replace(/^an? /, '');
	if (!Array.isArray(result)) throw createMalformedFailure(`list of ${noun}s`);
	return result.map(item => {
		if (!isJsonObject(item)) throw createMalformedFailure(noun);
		return read(item);
	});
}

/** Reads a required string. */
export function requireText(
	item: Readonly<Record<string, unknown>>,
	name: string,
	itemLabel: string,
): string {
	const value = item[name];
	if (typeof value !== 'string') throw createMalformedFailure(`${name} of ${itemLabel}`);
	return value;
}

/** Reads an optional number; `null` counts as missing. */
export function readOptionalNumber(
	item: Readonly<Record<string, unknown>>,
	name: string,
	itemLabel: string,
): number | undefined {
	const value = item[name];
	if (value === undefined || value === null) return undefined;
	if (typeof value !== 'number') throw createMalformedFailure(`${name} of ${itemLabel}`);
	return value;
}

/** Reads an optional string; anything else counts as missing. */
export const readOptionalText = (
	item: Readonly<Record<string, unknown>>,
	name: string,
): string | undefined => (typeof item[name] === 'string' ? item[name] : undefined);
