import type {Failure} from '../../failure.ts';
import {describeStatsCost, type Sampling} from '../../kv/stats/cost.ts';
import type {KvStats, StatsProgress} from '../../kv/stats/read-stats.ts';
import {buildStatsSections, describeIncompleteStats, type StatsSection} from '../../kv/stats/sections.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';

export type StatsScope = {
	readonly namespace: NamespaceRow;
	/** Limits the statistics to the keys below it. Not escaped for the terminal. */
	readonly prefix: string | undefined;
	/** Number of these keys, if known. */
	readonly keyCount: number | undefined;
	readonly sampling: Sampling;
};

type StatsPhase =
	/** Shows the cost and waits for the user. */
	| {readonly name: 'asking'}
	| {readonly name: 'reading'; readonly progress: StatsProgress | undefined}
	| {readonly name: 'done' | 'stopped'}
	| {readonly name: 'failed'; readonly failure: Failure};

/** Statistics of a namespace, or a request for them. */
export type StatsState = {
	/** Identifies the reading within the session. */
	readonly readingNumber: number;
	readonly request: StatsScope;
	/** Remaining call quota at the request; undefined if unlimited. */
	readonly quota: QuotaLeft | undefined;
	readonly phase: StatsPhase;
	/** The results so far, and `entries` for their lines and bars. */
	readonly stats: KvStats | undefined;
	readonly entries: readonly StatsEntry[];
	/** Index of the entry under the cursor. */
	readonly cursor: number;
};

/** A line or bar of a section, the unit of cursor moves. */
export type StatsEntry = {
	readonly section: StatsSection;
	readonly isFirst: boolean;
} & (
	| {readonly kind: 'line'; readonly line: string}
	| {readonly kind: 'bar'; readonly bar: StatsSection['bars'][number]; readonly barIndex: number}
);

/** Builds the entries of the results: all lines and bars, in order. */
export function buildStatsEntries(stats: KvStats): readonly StatsEntry[] {
	const incompleteNote = describeIncompleteStats(stats);
	const sections = buildStatsSections(stats).map((section, index) =>
		index === 0 && incompleteNote !== undefined
			? {...section, lines: [incompleteNote, ...section.lines]}
			: section,
	);
	return sections.flatMap(section => [
		...section.lines.map((line, index): StatsEntry => ({section, isFirst: index === 0, kind: 'line', line})),
		...section.bars.map(
			(bar, index): StatsEntry => ({
				section,
				isFirst: index === 0 && section.lines.length === 0,
				kind: 'bar',
				bar,
				barIndex: index,
			}),
		),
	]);
}

/** Returns what the entry under the cursor opens: a prefix or a key. */
export function getStatsTarget({entries, cursor}: StatsState): StatsSection['bars'][number]['target'] {
	const entry = entries[cursor];
	return entry?.kind === 'bar' ? entry.bar.target : undefined;
}

export const formatStatsCost = ({request: {keyCount, sampling}, quota}: StatsState): readonly string[] =>
	describeStatsCost(quota, keyCount, sampling);
