import {isUtf8} from 'node:buffer';
import {Failure, toFailure} from '../../failure.ts';
import {runStoppable} from '../../text/run-stoppable.ts';
import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore, StoredValue} from '../store.ts';
import {type KeyWalk, type ListedKeys, type WalkPosition, walkKeys} from './listing.ts';

export type Search = KeyWalk & {
	/** Empty to find all values that `ask` selects. */
	readonly pattern: string;
	/** Returns what a query finds in a value, as an excerpt; undefined skips the value. */
	readonly ask?: ((value: Uint8Array) => string | undefined) | undefined;
	readonly isRegex: boolean;
	readonly ignoresCase: boolean;
	readonly within: 'names' | 'values' | 'both';
	/** Time limit of a regular expression per batch, in milliseconds. */
	readonly timeoutMs?: number | undefined;
	/** Hits to return per value; the others are only counted. Default: all. */
	readonly maxHitsPerValue?: number | undefined;
};

/** A match: at most one per name, and one per line of a value. */
export type Hit = {
	readonly key: string;
	readonly in: 'name' | 'value';
	/** Offset in the value, in bytes. */
	readonly offset?: number;
	/** Line of a text value, from 1. */
	readonly line?: number;
	/** The surrounding line or name, shortened for display; raw data. */
	readonly excerpt: string;
	/** Offset and length of the match in the excerpt, in characters; cut off with the excerpt. */
	readonly match: Match;
};

type SearchPiece = {
	readonly hits: readonly Hit[];
	/** Number of all hits, including those beyond `maxHitsPerValue`. */
	readonly hitCount: number;
	/** Keys searched since the last result. */
	readonly keyCount: number;
	/** Of these, keys that no longer existed when read. */
	readonly missingCount: number;
	/** Where the search resumes; undefined if no key was completed. */
	readonly position: WalkPosition | undefined;
};

/** Characters of an excerpt on each side of the match. */
const excerptRadius = 60;

/** Bytes of values to search at a time. */
const bytesPerStep = 1_000_000;

/**
 * Searches names, values, or both for a text or a regular expression, in key order. A text with JSON
 * punctuation also matches values without its white space (`compactJson`). Values that are not UTF-8 are only
 * searched for text. Fails with `usage` for an invalid expression, and with `timed_out` for one
 * that does not finish.
 */
export async function* searchStore(
	store: KvStore,
	{
		within,
		prefix,
		names,
		condition,
		from,
		timeoutMs = 20_000,
		maxHitsPerValue = Number.POSITIVE_INFINITY,
		ask,
		...query
	}: Search,
	signal: AbortSignal,
): AsyncGenerator<SearchPiece> {
	const matcher = ask && query.pattern === '' ? undefined : createMatcher(query);
	const listed = walkKeys(store, {prefix, names, condition, from}, signal);
	let currentKey = '';
	const runWithTimeout = <Result>(search: () => Result): Result =>
		query.isRegex
			? runStoppable(search, timeoutMs, () => {
					throw createEndlessFailure(currentKey, timeoutMs);
				})
			: search();
	if (within === 'names' && matcher) {
		for await (const {keys, cursor} of listed) {
			const hits = runWithTimeout(() =>
				keys.flatMap(({name}) => {
					currentKey = name;
					return findNameHits(matcher, name);
				}),
			);
			const last = keys.at(-1);
			const position = last && {after: last.name, cursor};
			yield {hits, hitCount: hits.length, keyCount: keys.length, missingCount: 0, position};
		}
		return;
	}
	const pages = new WeakMap<KeyEntry, ListedKeys>();
	async function* listPageGroups() {
		for await (const page of listed) {
			for (const key of page.keys) pages.set(key, page);
			yield page.keys;
		}
	}
	for await (const pairs of readValues(store, listPageGroups(), ({name}) => name, signal)) {
		const steps = searchValues(matcher, pairs, {
			ask,
			inNames: within === 'both',
			maxHits: maxHitsPerValue,
			getCursor: key => pages.get(key)?.cursor,
			onName: name => {
				currentKey = name;
			},
		});
		for (let step = runWithTimeout(() => steps.next()); !step.done; step = runWithTimeout(() => steps.next()))
			yield step.value;
	}
}

type Pairs = readonly (readonly [key: KeyEntry, value: StoredValue | undefined])[];

/** Searches values; yields results about every `bytesPerStep` bytes. */
function* searchValues(
	matcher: Matcher | undefined,
	pairs: Pairs,
	{
		ask,
		inNames,
		maxHits,
		getCursor,
		onName,
	}: {
		readonly ask: Search['ask'];
		readonly inNames: boolean;
		readonly maxHits: number;
		readonly getCursor: (key: KeyEntry) => string | undefined;
		readonly onName: (name: string) => void;
	},
): Generator<SearchPiece> {
	const zeroCounts = {hitCount: 0, keyCount: 0, missingCount: 0};
	let [hits, counts, bytes]: [Hit[], typeof zeroCounts, number] = [[], {...zeroCounts}, 0];
	for (const [index, [key, stored]] of pairs.entries()) {
		const {name} = key;
		onName(name);
		counts.keyCount++;
		const answer = stored && ask?.(stored.bytes);
		if (!stored) counts.missingCount++;
		else if (ask && answer === undefined) bytes += stored.bytes.length;
		else if (!matcher) {
			hits.push({key: name, in: 'value', ...buildExcerpt(answer ?? '', {offset: 0, length: 0})});
			counts.hitCount++;
			bytes += stored.bytes.length;
		} else {
			const nameHits = inNames ? findNameHits(matcher, name) : [];
			const steps = findValueHits(matcher, name, stored.bytes, maxHits);
			let step = steps.next();
			// A value that is not finished yields no hits yet: a resumed search starts before it.
			for (; !step.done; step = steps.next()) yield {hits: [], ...zeroCounts, position: undefined};
			const valueHits = step.value;
			counts.hitCount += nameHits.length + valueHits.hitCount;
			for (const hit of nameHits) hits.push(hit);
			for (const hit of valueHits.hits) hits.push(hit);
			bytes += stored.bytes.length;
		}
		if (bytes < bytesPerStep && index < pairs.length - 1) continue;
		yield {hits, ...counts, position: {after: name, cursor: getCursor(key)}};
		[hits, counts, bytes] = [[], {...zeroCounts}, 0];
	}
}

const createEndlessFailure = (key: string, timeoutMs: number): Failure =>
	new Failure('timed_out', `The regular expression did not finish on the key ${JSON.stringify(key)}.`, {
		why: `It ran for ${timeoutMs / 1000} s: nested repetitions, such as (a+)+, try every combination.`,
		next: 'Write it without those, or search for plain text, without --regex.',
	});

/** Describes what is wrong with a pattern; undefined if it is valid. */
export function findPatternProblem(pattern: string, isRegex: boolean): string | undefined {
	try {
		createMatcher({pattern, isRegex, ignoresCase: false});
		return undefined;
	} catch (error) {
		const {message, details} = toFailure(error);
		return [message, details.why].filter(Boolean).join(' ');
	}
}

type Match = {readonly offset: number; readonly length: number};
type Matcher = {
	findMatch(text: string): Match | undefined;
	/** For a text pattern; undefined for a regular expression. */
	readonly textPattern:
		| {
				readonly bytes: Buffer;
				/** A value must contain one of these; undefined if case is ignored. */
				readonly exactTexts: readonly Buffer[] | undefined;
				/** Finds all occurrences in a text. */
				readonly expression: RegExp;
		  }
		| undefined;
};

function createMatcher({
	pattern,
	isRegex,
	ignoresCase,
}: Pick<Search, 'pattern' | 'isRegex' | 'ignoresCase'>): Matcher {
	if (pattern === '')
		throw new Failure('usage', 'The search text is empty.', {next: 'Enter a text to search for.'});
	const expression = compileRegExp(isRegex ? pattern : escapeRegExp(pattern), ignoresCase);
	const texts = [...new Set([pattern, compactJson(pattern)])];
	return {
		findMatch(text) {
			const result = expression.exec(text);
			return result ? {offset: result.index, length: result[0].length} : undefined;
		},
		textPattern: isRegex
			? undefined
			: {
					bytes: Buffer.from(pattern),
					exactTexts: ignoresCase ? undefined : texts.map(text => Buffer.from(text)),
					expression: new RegExp(texts.map(escapeRegExp).join('|'), `g${expression.flags}`),
				},
	};
}

/**
 * Removes the white space that formatted JSON has beside its punctuation: `"a": 1` becomes `"a":1`. A text
 * without quotes or brackets is no JSON and stays.
 */
const compactJson = (text: string): string =>
	/["[\]{}]/.test(text) ? text.replaceAll(/(?<=[,:[{])\s+|\s+(?=[\]}])/g, '') : text;

/** Escapes a text for use in a regular expression. */
const escapeRegExp = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);

function compileRegExp(source: string, ignoresCase: boolean): RegExp {
	try {
		return new RegExp(source, ignoresCase ? 'iu' : 'u');
	} catch (cause) {
		throw new Failure('usage', 'The regular expression is invalid.', {
			why: cause instanceof Error ? cause.message : String(cause),
			next: 'Use JavaScript syntax, with the flag u; without --regex, the text is matched literally.',
			cause,
		});
	}
}

function findNameHits(matcher: Matcher, key: string): Hit[] {
	const match = matcher.findMatch(key);
	return match ? [{key, in: 'name', ...buildExcerpt(key, match)}] : [];
}

type ValueHits = {readonly hits: readonly Hit[]; readonly hitCount: number};

const noHits: ValueHits = {hits: [], hitCount: 0};

function* findValueHits(
	matcher: Matcher,
	key: string,
	bytes: Uint8Array,
	maxHits: number,
): Generator<undefined, ValueHits> {
	const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const {textPattern} = matcher;
	if (textPattern?.exactTexts && !textPattern.exactTexts.some(text => value.includes(text))) return noHits;
	if (isUtf8(value))
		return textPattern
			? findTextHits(textPattern.expression, key, value, maxHits)
			: yield* findLineHits(matcher, key, value, maxHits);
	const index = textPattern ? value.indexOf(textPattern.bytes) : -1;
	if (!textPattern || index === -1) return noHits;
	const start = Math.max(0, index - excerptRadius);
	const {length} = textPattern.bytes;
	const excerpt = value.toString('latin1', start, index + length + excerptRadius);
	return {
		hits: [{key, in: 'value', offset: index, excerpt, match: {offset: index - start, length}}],
		hitCount: 1,
	};
}

/** Finds the lines that contain the start of a match. */
function findTextHits(expression: RegExp, key: string, value: Buffer, maxHits: number): ValueHits {
	const text = value.toString();
	const hits: Hit[] = [];
	let hitCount = 0;
	let [line, start, lastIndex, bytes] = [1, 0, 0, 0];
	expression.lastIndex = 0;
	for (let result = expression.exec(text); result; result = expression.exec(text)) {
		const {index} = result;
		const newline = text.indexOf('\n', index);
		const end = newline === -1 ? text.length : newline;
		if (hitCount++ < maxHits) {
			for (
				let next = text.indexOf('\n', start);
				next !== -1 && next < index;
				next = text.indexOf('\n', start)
			) {
				line++;
				start = next + 1;
			}
			bytes += Buffer.byteLength(text.slice(lastIndex, index));
			lastIndex = index;
			const match = {offset: index - start, length: Math.min(result[0].length, end - index)};
			hits.push({key, in: 'value', offset: bytes, line, ...buildExcerpt(text.slice(start, end), match)});
		}
		expression.lastIndex = end;
	}
	return {hits, hitCount};
}

/** Finds lines that match, testing each line separately. */
function* findLineHits(
	{findMatch}: Matcher,
	key: string,
	value: Buffer,
	maxHits: number,
): Generator<undefined, ValueHits> {
	const hits: Hit[] = [];
	let [hitCount, pauseOffset] = [0, bytesPerStep];
	for (let [start, lineNumber] = [0, 1]; start <= value.length; lineNumber++) {
		const newline = value.indexOf(0x0a, start);
		const end = newline === -1 ? value.length : newline;
		const line = value.toString('utf8', start, end);
		const match = findMatch(line);
		if (match && hitCount++ < maxHits) {
			const offset = start + Buffer.byteLength(line.slice(0, match.offset));
			hits.push({key, in: 'value', offset, line: lineNumber, ...buildExcerpt(line, match)});
		}
		start = end + 1;
		if (start < pauseOffset) continue;
		pauseOffset = start + bytesPerStep;
		yield;
	}
	return {hits, hitCount};
}

/** Copies an excerpt, so that a hit does not keep the whole text in memory. */
function buildExcerpt(text: string, {offset, length}: Match): Pick<Hit, 'excerpt' | 'match'> {
	const start = Math.max(0, offset - excerptRadius);
	const matchLength = Math.min(length, excerptRadius);
	const excerpt = Buffer.from(text.slice(start, offset + matchLength + excerptRadius)).toString();
	return {excerpt, match: {offset: offset - start, length: matchLength}};
}
