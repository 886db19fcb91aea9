import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {stoppable} from '../../text/stoppable.ts';
import type {KvStore} from '../store.ts';
import {listedKeys} from './listing.ts';
import {readEntries} from './reading.ts';

export type Search = {
	readonly pattern: string;
	readonly isRegex: boolean;
	readonly ignoresCase: boolean;
	readonly within: 'names' | 'values' | 'both';
	readonly prefix?: string | undefined;
	/** Milliseconds that a regular expression may take for what is read at once. */
	readonly patience?: number | undefined;
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
};

type Found = {
	readonly hits: readonly Hit[];
	/** Keys that were looked at since the last piece. */
	readonly keys: number;
	/** Of these, keys that were gone when their values were read. */
	readonly gone: number;
};

/** Characters of an excerpt on each side of what was found. */
const around = 60;

/**
 * Looks for a text or a regular expression in the names of keys, in their values, or in both, in the order of the keys.
 * Values that are not UTF-8 are searched for texts only. Fails with `usage` for an expression that is none, and with
 * `timed_out` for an endless one.
 */
export async function* search(
	store: KvStore,
	{within, prefix, patience = 20_000, ...what}: Search,
	signal: AbortSignal,
): AsyncGenerator<Found> {
	const matcher = matcherOf(what);
	const listed = listedKeys(store, {prefix}, signal);
	const inNames = within !== 'values';
	let at = '';
	const looked = (look: () => Hit[]) =>
		what.isRegex
			? stoppable(look, patience, () => {
					throw endless(at, patience);
				})
			: look();
	if (within === 'names') {
		for await (const {keys} of listed)
			yield {
				hits: looked(() =>
					keys.flatMap(({name}) => {
						at = name;
						return nameHit(matcher, name);
					}),
				),
				keys: keys.length,
				gone: 0,
			};
		return;
	}
	for await (const {entries, gone} of readEntries(store, listed, signal)) {
		const hits = looked(() =>
			entries.flatMap(({key, bytes}) => {
				at = key;
				return [...(inNames ? nameHit(matcher, key) : []), ...valueHits(matcher, key, bytes)];
			}),
		);
		yield {hits, keys: entries.length + gone.length, gone: gone.length};
	}
}

const endless = (key: string, patience: number): Failure =>
	new Failure('timed_out', `The regular expression comes to no end at the key ${JSON.stringify(key)}.`, {
		why: `It tried for ${patience / 1000} s: a repetition of repetitions, such as (a+)+, tries every way there is.`,
		next: 'Write it without those, or look for a text, without --regex.',
	});

type Match = {readonly at: number; readonly length: number};
type Matcher = {
	inText(text: string): Match | undefined;
	/** What a value must hold as bytes where it is not text; none for a regular expression. */
	readonly bytes: Buffer | undefined;
};

function matcherOf({pattern, isRegex, ignoresCase}: Omit<Search, 'within' | 'prefix' | 'patience'>): Matcher {
	if (pattern === '')
		throw new Failure('usage', 'What is to be looked for is empty.', {next: 'Give a text to look for.'});
	const expression = regexOf(isRegex ? pattern : literal(pattern), ignoresCase);
	return {
		inText(text) {
			const found = expression.exec(text);
			return found ? {at: found.index, length: found[0].length} : undefined;
		},
		bytes: isRegex ? undefined : Buffer.from(pattern),
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
	return found ? [{key, in: 'name', excerpt: excerptOf(key, found)}] : [];
}

function valueHits(matcher: Matcher, key: string, bytes: Uint8Array): Hit[] {
	const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!isUtf8(value)) {
		const at = matcher.bytes ? value.indexOf(matcher.bytes) : -1;
		if (at === -1) return [];
		const piece = value.subarray(Math.max(0, at - around), at + (matcher.bytes?.length ?? 0) + around);
		return [{key, in: 'value', offset: at, excerpt: piece.toString('latin1')}];
	}
	const hits: Hit[] = [];
	for (let [start, number] = [0, 1]; start <= value.length; number++) {
		const newline = value.indexOf(0x0a, start);
		const end = newline === -1 ? value.length : newline;
		const line = value.toString('utf8', start, end);
		const found = matcher.inText(line);
		if (found) {
			const offset = start + Buffer.byteLength(line.slice(0, found.at));
			hits.push({key, in: 'value', offset, line: number, excerpt: excerptOf(line, found)});
		}
		start = end + 1;
	}
	return hits;
}

const excerptOf = (text: string, {at, length}: Match): string =>
	text.slice(Math.max(0, at - around), at + Math.min(length, around) + around);
