import {Failure} from '../../failure.ts';
import {
	type Condition,
	combineConditions,
	createExpiryCondition,
	parseWhere,
} from '../../kv/transfer/conditions.ts';
import {parseUnixTime} from '../../text/time-input.ts';
import {createListOption, createValueOption, type OptionValues} from '../shell/declare.ts';

/** `--where`, for commands that list keys. */
export const createWhereOption = () =>
	createListOption(
		'--where <condition>',
		'only keys with this metadata: metadata.path=value, != or only the path; repeatable',
	);

/** Options that select keys by what a listing shows of them. */
export const buildConditionOptions = () => [
	createValueOption(
		'--expiring-before <time>',
		'only keys that expire before this time: UNIX seconds or ISO 8601',
	),
	createWhereOption(),
];

/** Returns a condition that holds if all given ones do; undefined if none was given. Fails with `usage`. */
export const parseConditions = ({
	expiringBefore: expiryBound,
	where = [],
}: OptionValues<typeof buildConditionOptions>): Condition | undefined =>
	combineConditions([
		...(expiryBound === undefined ? [] : [createExpiryCondition(parseExpiryBound(expiryBound))]),
		...where.map(parseWhere),
	]);

/**
 * Parses a time as UNIX seconds: a number, or a time as the expiry editor accepts it (UTC without a time
 * zone).
 */
function parseExpiryBound(text: string): number {
	const seconds = parseUnixTime(text.trim().toLowerCase());
	// Milliseconds by mistake would match every key that ever expires.
	if (seconds !== undefined && seconds < firstOfYear10000) return seconds;
	throw new Failure('usage', `${JSON.stringify(text)} is not a valid time.`, {
		next: 'Use UNIX seconds, or ISO 8601 such as 2026-12-31T00:00:00Z.',
	});
}

const firstOfYear10000 = 253_402_300_800;
