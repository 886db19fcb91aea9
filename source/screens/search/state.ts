import type {Failure} from '../../failure.ts';
import type {KeysWork} from '../../kv/long-work.ts';
import type {Hit, Search} from '../../kv/transfer/search.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {ChosenKeys} from '../keys/chosen.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {declareList} from '../list/declared.ts';
import type {ListRows} from '../list/list.ts';

type SearchWay = Pick<Search, 'isRegex' | 'ignoresCase'> & {readonly label: string};

/** How a text is looked for, the usual way first. */
export const searchWays: readonly [SearchWay, ...SearchWay[]] = [
	{label: 'text, in upper and lower case alike', isRegex: false, ignoresCase: true},
	{label: 'text, exactly as it is written', isRegex: false, ignoresCase: false},
	{label: 'regular expression', isRegex: true, ignoresCase: false},
	{label: 'regular expression, in upper and lower case alike', isRegex: true, ignoresCase: true},
];

/** What is searched for, and in which values. Data as it is. */
export type SearchRequest = {
	readonly namespace: NamespaceRow;
	readonly keys: ChosenKeys;
	/** How many keys these are, where that is known. */
	readonly total: number | undefined;
	readonly pattern: string;
	/** Its place among the ways. */
	readonly way: number;
};

type SearchPhase =
	| {readonly name: 'searching' | 'done' | 'stopped'}
	| {readonly name: 'failed'; readonly failure: Failure};

/** A search in the values of a namespace; the rows are the hits that are kept. */
export type SearchState = ListRows<Hit> & {
	/** Tells it from an earlier one. */
	readonly number: number;
	readonly request: SearchRequest;
	/** What was left of the quota of its calls when it began; undefined if none limits them. */
	readonly quota: QuotaLeft | undefined;
	readonly phase: SearchPhase;
	/** Keys that were looked at; of these, keys that were gone when their values were read, and keys with hits. */
	readonly searched: number;
	readonly gone: number;
	readonly keysWithHits: number;
	/** Hits that were found, with those that are not kept. */
	readonly found: number;
	/** Keys a second. */
	readonly rate: number;
};

/** Hits that are kept to be walked through, and hits of one value; beyond them they are counted only. */
export const mostHits = 10_000;
export const mostInValue = 1000;

/** The hits, narrowed by a text in key or excerpt. */
export const hitList = declareList({
	slice: state => state.search,
	screen: 'search',
	group: 'Search in values',
	id: 'search',
	row: 'hit',
	key: (hit: Hit) => hit,
	texts: ({key, excerpt}) => [key, excerpt],
});

/** What a search reads. */
export const searchWork = ({request: {keys}, quota}: SearchState): KeysWork => ({
	quota,
	reads: keys.kind === 'all' || keys.kind === 'prefix' ? 'both' : 'values',
});

/** The text that is looked for in the value of a hit once it is open: what was found there. */
export function textOfHit({excerpt, match, line}: Hit, {pattern}: SearchRequest): string {
	return line === undefined ? pattern : excerpt.slice(match.at, match.at + match.length);
}
