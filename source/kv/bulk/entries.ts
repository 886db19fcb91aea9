import {formatPlainQuantity} from '../../text/figures.ts';
import {describeJsonProblem} from '../../text/json/problem.ts';
import {isJsonObject, type JsonObject, JsonTooDeep, parseJsonText} from '../../text/json.ts';
import {
	describeJsonKind,
	findKeyProblem,
	findLifetimeProblem,
	findMetadataProblem,
	findStoredMetadataProblem,
	findValueProblem,
	getUtf8Length,
	limits,
	type Problem,
} from '../limits.ts';
import type {BulkEntry} from '../store.ts';
import type {Element} from './splitter.ts';

/** A problem of one element of a bulk file. Key and texts are data, not yet safe for a terminal. */
export type EntryProblem = {
	/** Number of the element, from 1. */
	readonly entryNumber: number;
	readonly line: number;
	readonly key?: string;
	readonly what: string;
	/** The rule, with the measured figure. */
	readonly why: string;
	/** True if the only problem is that the entry has expired, or will within a minute. */
	readonly isOnlyExpired?: boolean;
};

/** A parsed element, ready to be sent. */
export type Item<Content> = {
	readonly number: number;
	readonly key: string;
	/** Upper bound of its bytes in a request. */
	readonly bytes: number;
	readonly content: Content;
	/** Names of unknown properties, which are not sent. */
	readonly unknownProperties: readonly string[];
};

/** Parses an element; `now` in UNIX seconds. */
type ParseItem<Content> = (element: Element, now: number) => Item<Content> | {problem: EntryProblem};

export type BulkFormat<Content> = {
	/** Describes the expected elements in messages, such as "keys". */
	readonly elementsNoun: string;
	/** An element as JSON. */
	readonly elementExample: string;
	readonly parse: ParseItem<Content>;
};

/** Parses a bulk write entry, checking every rule; reports the first one broken. */
const parseWrite: ParseItem<BulkEntry> = (element, now) => parseEntry(element, now, findMetadataProblem);

function parseEntry(
	element: Element,
	now: number,
	findEntryMetadataProblem: typeof findMetadataProblem,
): ReturnType<ParseItem<BulkEntry>> {
	const json = parseElementJson(element);
	if (json instanceof Unreadable) return buildProblem(element, json);
	if (!isJsonObject(json)) {
		return buildProblem(element, {
			what: 'The entry is not an object.',
			why: `An entry is an object such as {"key":"k","value":"v"}; this is ${describeJsonKind(json)}.`,
		});
	}
	const {key, value, metadata, expiration, expiration_ttl: ttl, base64} = json;
	if (typeof key !== 'string') return buildProblem(element, buildNotTextProblem('key', key));
	const violation =
		findKeyProblem(key) ??
		findEntryValueProblem(value, base64) ??
		(metadata === undefined ? undefined : findEntryMetadataProblem(metadata)) ??
		findEntryLifetimeProblem(ttl, expiration, now);
	if (violation) return buildProblem(element, violation, key);
	const unknownProperties = listUnknownProperties(json);
	const {number} = element;
	const bytes =
		element.bytes +
		(ttl === undefined && expiration === undefined ? 0 : numberSlack) +
		(metadata === undefined ? 0 : limits.metadataBytes);
	// All properties are checked. Most entries are sent exactly as parsed.
	const entry = json as BulkEntry;
	const content =
		unknownProperties === noUnknownProperties && !(ttl !== undefined && expiration !== undefined)
			? entry
			: toSendableEntry(entry);
	return {number, key, bytes, content, unknownProperties};
}

/** Returns an entry with only the properties to send: a ttl wins over an expiration. */
const toSendableEntry = ({
	key,
	value,
	metadata,
	expiration,
	expiration_ttl,
	base64,
}: BulkEntry): BulkEntry => ({
	key,
	value,
	...(metadata !== undefined && {metadata}),
	...(expiration_ttl !== undefined ? {expiration_ttl} : expiration !== undefined && {expiration}),
	...(base64 && {base64}),
});

export const knownEntryProperties: ReadonlySet<string> = new Set([
	'key',
	'value',
	'metadata',
	'expiration',
	'expiration_ttl',
	'base64',
]);

const noUnknownProperties: readonly string[] = [];

function listUnknownProperties(json: JsonObject): readonly string[] {
	for (const name in json)
		if (!knownEntryProperties.has(name))
			return Object.keys(json).filter(property => !knownEntryProperties.has(property));
	return noUnknownProperties;
}

/**
 * Parses a key name: a string, or an object with `name` (as `key list` prints) or `key` (as in a file for
 * `bulk put`). Other properties of such objects are expected and ignored.
 */
const parseKey: ParseItem<string> = element => {
	const json = parseElementJson(element);
	if (json instanceof Unreadable) return buildProblem(element, json);
	const key = isJsonObject(json) ? (json.name ?? json.key) : json;
	if (typeof key !== 'string') {
		return buildProblem(element, {
			what: 'The entry does not name a key.',
			why: `An entry is a string, or an object with a "name"; this is ${isJsonObject(json) ? `an object ${formatProperties(json)}` : describeJsonKind(json)}.`,
		});
	}
	const violation = findKeyProblem(key);
	if (violation) return buildProblem(element, violation, key);
	return {
		number: element.number,
		key,
		bytes: element.bytes,
		content: key,
		unknownProperties: noUnknownProperties,
	};
};

/**
 * Parses an entry of an export: stored metadata may be any JSON, and expired keys are distinguished from
 * invalid ones.
 */
const parseImport: ParseItem<BulkEntry> = (element, now) => {
	const item = parseEntry(element, now, findStoredMetadataProblem);
	// An entry that was valid at time 0 has only expired.
	if (!('problem' in item) || 'problem' in parseEntry(element, 0, findStoredMetadataProblem)) return item;
	return {problem: {...item.problem, isOnlyExpired: true}};
};

const entryElements = {
	elementsNoun: 'key-value objects',
	elementExample: '{"key": "user:1", "value": "on"}',
};

export const writesFormat: BulkFormat<BulkEntry> = {...entryElements, parse: parseWrite};
export const importFormat: BulkFormat<BulkEntry> = {...entryElements, parse: parseImport};
export const keysFormat: BulkFormat<string> = {
	elementsNoun: 'keys in double quotes',
	elementExample: '"user:1"',
	parse: parseKey,
};

/** Formats a problem in one line: the entry, and the rule it breaks. */
export const formatEntryProblem = ({entryNumber, line, key, what, why}: EntryProblem): string =>
	`entry ${entryNumber} (line ${line}${key === undefined ? '' : `, key ${JSON.stringify(shortenText(key))}`}): ${what} ${why}`;

/**
 * Bytes to add to an entry with numbers: JSON.stringify may write them longer than in the file (1e9 becomes
 * ten digits). Numbers in metadata are covered by the limit of metadata.
 */
const numberSlack = 48;

/** Result of `parseElementJson` for invalid JSON, distinct from any JSON value. */
class Unreadable {
	readonly what: string;
	readonly why: string;

	constructor(what: string, why: string) {
		this.what = what;
		this.why = why;
	}
}

function parseElementJson(element: Element): unknown {
	if (!element.isValidUtf8) {
		return new Unreadable(
			'The entry is not valid UTF-8.',
			'A JSON file must be UTF-8; write a value that is not UTF-8 as base64, with "base64": true.',
		);
	}
	try {
		return parseJsonText(element.text);
	} catch (error) {
		if (error instanceof JsonTooDeep) return new Unreadable('The entry is nested too deeply.', error.message);
		return new Unreadable(
			'The entry is not valid JSON.',
			`In the entry, at ${describeJsonProblem(element.text)}.`,
		);
	}
}

function findEntryValueProblem(value: unknown, base64: unknown): Problem | undefined {
	if (typeof value !== 'string') return buildNotTextProblem('value', value);
	if (base64 !== undefined && typeof base64 !== 'boolean') {
		return {
			what: 'The property "base64" is not a boolean.',
			why: `It must be true or false; this is ${describeJsonKind(base64)}.`,
		};
	}
	if (base64 === true) return findBase64Problem(value);
	if (!value.isWellFormed()) {
		return {
			what: 'The value is not valid Unicode.',
			why: 'It contains half of a surrogate pair, which has no UTF-8 form; write such a value as base64, with "base64": true.',
		};
	}
	// UTF-8 takes at most three bytes per UTF-16 unit, so most values need no measuring.
	return value.length * 3 <= limits.valueBytes ? undefined : findValueProblem(getUtf8Length(value));
}

/** Checks a base64 value against the limits without decoding it. */
function findBase64Problem(value: string): Problem | undefined {
	const what = 'The value is not base64, although the entry says so.';
	const invalidCharacter = /[^A-Za-z0-9+/]/.exec(value.replace(/={1,2}$/, ''));
	if (invalidCharacter) {
		return {
			what,
			why: `Base64 consists of A-Z, a-z, 0-9, + and /, with = as padding at the end; character ${invalidCharacter.index + 1} is ${JSON.stringify(invalidCharacter[0])}.`,
		};
	}
	if (value.length % 4 !== 0) {
		return {
			what,
			why: `Its length, including the = padding, must be a multiple of 4; this has ${formatPlainQuantity(value.length, 'character')}.`,
		};
	}
	const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
	return findValueProblem((value.length / 4) * 3 - padding);
}

function findEntryLifetimeProblem(ttl: unknown, expiration: unknown, now: number): Problem | undefined {
	if (ttl !== undefined && typeof ttl !== 'number') return buildNotNumberProblem('expiration_ttl', ttl);
	if (expiration !== undefined && typeof expiration !== 'number')
		return buildNotNumberProblem('expiration', expiration);
	return findLifetimeProblem(
		{...(ttl !== undefined && {ttl}), ...(expiration !== undefined && {expiration})},
		now,
	);
}

const buildNotTextProblem = (name: 'key' | 'value', value: unknown): Problem =>
	value === undefined
		? {what: `The entry has no "${name}".`, why: 'An entry has a "key" and a "value", both strings.'}
		: {
				what: `The property "${name}" is not a string.`,
				why: `${name === 'value' ? 'Write other JSON as a string, with its quotes escaped' : 'A key must be a string'}; this is ${describeJsonKind(value)}.`,
			};

const buildNotNumberProblem = (name: string, value: unknown): Problem => ({
	what: `The property "${name}" is not a number.`,
	why: `It must be a whole number of seconds; this is ${describeJsonKind(value)}.`,
});

function buildProblem({number, line}: Element, {what, why}: Problem, key?: string): {problem: EntryProblem} {
	return {problem: {entryNumber: number, line, ...(key !== undefined && {key}), what, why}};
}

function formatProperties(json: JsonObject): string {
	const names = Object.keys(json).slice(0, 3);
	return names.length === 0
		? 'without properties'
		: `with ${names.map(name => JSON.stringify(shortenText(name))).join(', ')}`;
}

const shortenText = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
