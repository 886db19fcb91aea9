import {isUtf8} from 'node:buffer';
import {asFailure, Failure} from '../../failure.ts';
import {stoppable} from '../../text/stoppable.ts';
import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore, StoredValue} from '../store.ts';
import {type ListedKeys, listedKeys, type Place, type Walk} from './listing.ts';

export type Search = Walk & {
	readonly pattern: string;
	readonly isRegex: boolean;
	readonly ignoresCase: boolean;
	readonly within: 'names' | 'values' | 'both';
	/** Milliseconds that a regular expression may take for what is read at once. */
	readonly patience?: number | undefined;
	/** Hits of one value that are returned; the others are counted only. All of them when left out. */
	readonly mostInValue?: number | undefined;
};

/** A place where it was found: the first of a name, and of each line of a value. */
export type Hit = {
	readonly key: string;
	readonly in: 'name' | 'value';
	/** Bytes before it in the value. */
	readonly offset?: number;
	/** Of a value that is text, from 1. */
	readonly line?: number;
	/** The line or the name around it, cut to a length that can be shown; data as it is. */
	readonly excerpt: string;
	/** What was found, in the excerpt, as far as the excerpt has it: characters before it, and its length. */
	readonly match: Match;
};

type Found = {
	readonly hits: readonly Hit[];
	/** Hits, with those beyond `mostInValue`. */
	readonly count: number;
	/** Keys that were looked at since the last piece. */
	readonly keys: number;
	/** Of these, keys that were gone when their values were read. */
	readonly gone: number;
	/** Where the search continues from; none where no key was looked at. */
	readonly place: Place | undefined;
};

/** Characters of an excerpt on each side of what was found. */
const around = 60;

/** Bytes of values that are looked through at once. */
const bytesAtOnce = 1_000_000;

/**
 * Looks for a text or a regular expression in the names of keys, in their values, or in both, in the order of the keys.
 * Values that are not UTF-8 are searched for texts only. Fails with `usage` for an expression that is none, and with
 * `timed_out` for an endless one.
 */
export async function* search(
	store: KvStore,
	{within, prefix, names, from, patience = 20_000, mostInValue = Number.POSITIVE_INFINITY, ...what}: Search,
	signal: AbortSignal,
): AsyncGenerator<Found> {
	const matcher = matcherOf(what);
	const listed = listedKeys(store, {prefix, names, from}, signal);
	let at = '';
	const looked = <Result>(look: () => Result): Result =>
		what.isRegex
			? stoppable(look, patience, () => {
					throw endless(at, patience);
				})
			: look();
	if (within === 'names') {
		for await (const {keys, cursor} of listed) {
			const hits = looked(() =>
				keys.flatMap(({name}) => {
					at = name;
					return nameHit(matcher, name);
				}),
			);
			const last = keys.at(-1);
			const place = last && {after: last.name, cursor};
			yield {hits, count: hits.length, keys: keys.length, gone: 0, place};
		}
		return;
	}
	const pages = new WeakMap<KeyEntry, ListedKeys>();
	async function* groups() {
		for await (const page of listed) {
			for (const key of page.keys) pages.set(key, page);
			yield page.keys;
		}
	}
	for await (const read of readValues(store, groups(), ({name}) => name, signal))
		for (const part of portionsOf(read)) {
			const found = {hits: [] as Hit[], count: 0, gone: 0};
			looked(() => {
				for (const [{name}, stored] of part) {
					at = name;
					if (!stored) {
						found.gone++;
						continue;
					}
					const inName = within === 'both' ? nameHit(matcher, name) : [];
					const inValue = valueHits(matcher, name, stored.bytes, mostInValue);
					found.count += inName.length + inValue.count;
					for (const hit of inName) found.hits.push(hit);
					for (const hit of inValue.hits) found.hits.push(hit);
				}
			});
			const last = part.at(-1)?.[0];
			const place = last && {after: last.name, cursor: pages.get(last)?.cursor};
			yield {...found, keys: part.length, place};
		}
}

type Pairs = readonly (readonly [key: KeyEntry, value: StoredValue | undefined])[];

/** Values in portions of about as many bytes as are looked through at once. */
function* portionsOf(read: Pairs): Generator<Pairs> {
	let [start, bytes] = [0, 0];
	for (const [at, [, stored]] of read.entries()) {
		bytes += stored?.bytes.length ?? 0;
		if (bytes < bytesAtOnce) continue;
		yield read.slice(start, at + 1);
		[start, bytes] = [at + 1, 0];
	}
	if (start < read.length) yield read.slice(start);
}

const endless = (key: string, patience: number): Failure =>
	new Failure('timed_out', `The regular expression comes to no end at the key ${JSON.stringify(key)}.`, {
		why: `It tried for ${patience / 1000} s: a repetition of repetitions, such as (a+)+, tries every way there is.`,
		next: 'Write it without those, or look for a text, without --regex.',
	});

/** What is wrong with a pattern, in a sentence. */
export function patternProblem(pattern: string, isRegex: boolean): string | undefined {
	try {
		matcherOf({pattern, isRegex, ignoresCase: false});
		return undefined;
	} catch (error) {
		const {message, details} = asFailure(error);
		return [message, details.why].filter(Boolean).join(' ');
	}
}

type Match = {readonly at: number; readonly length: number};
type Matcher = {
	inText(text: string): Match | undefined;
	/** What a value must hold as bytes where it is not text; none for a regular expression. */
	readonly bytes: Buffer | undefined;
	/** Whether text has to hold these bytes, too. */
	readonly isExact: boolean;
};

function matcherOf({
	pattern,
	isRegex,
	ignoresCase,
}: Pick<Search, 'pattern' | 'isRegex' | 'ignoresCase'>): Matcher {
	if (pattern === '')
		throw new Failure('usage', 'What is to be looked for is empty.', {next: 'Give a text to look for.'});
	const expression = regexOf(isRegex ? pattern : literal(pattern), ignoresCase);
	return {
		inText(text) {
			const found = expression.exec(text);
			return found ? {at: found.index, length: found[0].length} : undefined;
		},
		bytes: isRegex ? undefined : Buffer.from(pattern),
		isExact: !isRegex && !ignoresCase,
	};
}

/** A regular expression that finds just that text. */
const literal = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);

function regexOf(source: string, ignoresCase: boolean): RegExp {
	try {
		return new RegExp(source, ignoresCase ? 'iu' : 'u');
	} catch (cause) {
		throw new Failure('usage', 'The regular expression cannot be read.', {
			why: cause instanceof Error ? cause.message : String(cause),
			next: 'It is one of JavaScript, with the flag u; without --regex a text is taken as it is.',
			cause,
		});
	}
}

function nameHit(matcher: Matcher, key: string): Hit[] {
	const found = matcher.inText(key);
	return found ? [{key, in: 'name', ...excerptOf(key, found)}] : [];
}

function valueHits(
	matcher: Matcher,
	key: string,
	bytes: Uint8Array,
	most: number,
): {readonly hits: readonly Hit[]; readonly count: number} {
	const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const sought = matcher.bytes;
	if (sought && matcher.isExact && !value.includes(sought)) return {hits: [], count: 0};
	if (!isUtf8(value)) {
		const at = sought ? value.indexOf(sought) : -1;
		if (!sought || at === -1) return {hits: [], count: 0};
		const start = Math.max(0, at - around);
		const excerpt = value.toString('latin1', start, at + sought.length + around);
		const match = {at: at - start, length: sought.length};
		return {hits: [{key, in: 'value', offset: at, excerpt, match}], count: 1};
	}
	const hits: Hit[] = [];
	let count = 0;
	for (let [start, number] = [0, 1]; start <= value.length; number++) {
		const newline = value.indexOf(0x0a, start);
		const end = newline === -1 ? value.length : newline;
		const line = value.toString('utf8', start, end);
		const found = matcher.inText(line);
		if (found && count++ < most) {
			const offset = start + Buffer.byteLength(line.slice(0, found.at));
			hits.push({key, in: 'value', offset, line: number, ...excerptOf(line, found)});
		}
		start = end + 1;
	}
	return {hits, count};
}

/** A piece of the text, copied: a hit does not keep the whole text in memory. */
function excerptOf(text: string, {at, length}: Match): Pick<Hit, 'excerpt' | 'match'> {
	const start = Math.max(0, at - around);
	const shown = Math.min(length, around);
	const excerpt = Buffer.from(text.slice(start, at + shown + around)).toString();
	return {excerpt, match: {at: at - start, length: shown}};
}
