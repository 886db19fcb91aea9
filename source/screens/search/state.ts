import type {Failure} from '../../failure.ts';
import type {KeysWork} from '../../kv/long-work.ts';
import type {Hit, Search} from '../../kv/transfer/search.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {ChosenKeys} from '../keys/chosen-keys.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {declareList} from '../list/declared.ts';
import type {ListRows} from '../list/list.ts';

type SearchMode = Pick<Search, 'isRegex' | 'ignoresCase'> & {readonly label: string};

/** Search modes, the most common first. */
export const searchModes: readonly [SearchMode, ...SearchMode[]] = [
	{label: 'text, ignoring case', isRegex: false, ignoresCase: true},
	{label: 'text, case-sensitive', isRegex: false, ignoresCase: false},
	{label: 'regular expression', isRegex: true, ignoresCase: false},
	{label: 'regular expression, ignoring case', isRegex: true, ignoresCase: true},
];

/** The text and the keys to search. Not escaped for the terminal. */
export type SearchRequest = {
	readonly namespace: NamespaceRow;
	readonly keys: ChosenKeys;
	/** Number of these keys, if known. */
	readonly total: number | undefined;
	readonly pattern: string;
	/** Index into `searchModes`. */
	readonly mode: number;
};

type SearchPhase =
	| {readonly name: 'searching' | 'done' | 'stopped'}
	| {readonly name: 'failed'; readonly failure: Failure};

/** A search in the values of a namespace. The rows are the first hits, at most `maxHits`. */
export type SearchState = ListRows<Hit> & {
	/** Identifies the search within the session. */
	readonly searchNumber: number;
	readonly request: SearchRequest;
	/** Remaining call quota at the start; undefined if unlimited. */
	readonly quota: QuotaLeft | undefined;
	readonly phase: SearchPhase;
	/** Number of searched keys. */
	readonly searched: number;
	/** Number of keys that were listed, but not found when read. */
	readonly gone: number;
	readonly keysWithHits: number;
	/** Number of all hits, including those beyond `maxHits`. */
	readonly found: number;
	/** Keys per second. */
	readonly rate: number;
	/** Names of keys that this session has written or deleted since; their hits show the previous value. */
	readonly changedKeys?: ReadonlySet<string> | undefined;
};

/** Maximum hits shown, in total and per value. Further hits are only counted. */
export const maxHits = 10_000;
export const maxHitsPerValue = 1000;

/** The hits, filtered by a text in key or excerpt. */
export const hitList = declareList({
	getSlice: state => state.search,
	screen: 'search',
	group: 'Search in values',
	id: 'search',
	rowLabel: 'hit',
	getKey: (hit: Hit) => hit,
	getTexts: ({key, excerpt}) => [key, excerpt],
	getName: ({key}) => key,
});

export const getSearchWork = ({request: {keys}, quota}: SearchState): KeysWork => ({
	quota,
	content: keys.kind === 'all' || keys.kind === 'prefix' ? 'both' : 'values',
});

/** Returns the text to search for in the opened value of a hit: what matched there. */
export function getHitText({excerpt, match, line}: Hit, {pattern}: SearchRequest): string {
	return line === undefined ? pattern : excerpt.slice(match.offset, match.offset + match.length);
}
