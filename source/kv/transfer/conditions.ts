import {isDeepStrictEqual} from 'node:util';
import {Failure} from '../../failure.ts';
import {isJsonObject, type JsonValue, parseJsonText} from '../../text/json.ts';
import type {KeyEntry} from '../store.ts';

/** Selects keys by their listing data. */
export type Condition = (entry: KeyEntry) => boolean;

/**
 * Parses a condition: `metadata.path=value`, `metadata.path!=value` for keys with another value there, or
 * `metadata.path` for keys with anything there. `metadata` alone is the whole metadata. The value is JSON if
 * it parses as such, otherwise text; `metadata.count=3` also matches the text "3". Fails with `usage`.
 */
export function parseWhere(text: string): Condition {
	const [pathText = '', operator, valueText = ''] = text.split(/(!?=)(.*)/s);
	const [root, ...path] = pathText.split('.');
	if (root !== 'metadata' || path.some(part => part === ''))
		throw new Failure('usage', `${JSON.stringify(text)} is not a condition.`, {
			why: 'A condition names a path in the metadata, and its value.',
			next: 'For example --where metadata.version=3, --where metadata.version!=3, or --where metadata.owner for keys that have one.',
		});
	const getPart = ({metadata}: KeyEntry) => path.reduce<JsonValue | undefined>(getJsonProperty, metadata);
	if (operator === undefined) return entry => getPart(entry) !== undefined;
	const acceptedValues = [valueText, parseJsonOrText(valueText)];
	return entry => {
		const metadataValue = getPart(entry);
		if (metadataValue === undefined) return false;
		const isEqual = acceptedValues.some(value => isDeepStrictEqual(value, metadataValue));
		return isEqual === (operator === '=');
	};
}

/** Combines conditions: all must hold. Undefined if there are none. */
export const combineConditions = (conditions: readonly Condition[]): Condition | undefined =>
	conditions.length === 0 ? undefined : entry => conditions.every(condition => condition(entry));

/** Selects the keys that expire before a time (UNIX seconds); keys that never expire are not selected. */
export const createExpiryCondition =
	(expiresBefore: number): Condition =>
	({expiration}) =>
		expiration !== undefined && expiration < expiresBefore;

function getJsonProperty(value: JsonValue | undefined, name: string): JsonValue | undefined {
	if (Array.isArray(value)) return /^\d+$/.test(name) ? (value[Number(name)] as JsonValue) : undefined;
	return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function parseJsonOrText(text: string): unknown {
	try {
		return parseJsonText(text);
	} catch {
		// Not JSON: compare as text.
		return text;
	}
}
