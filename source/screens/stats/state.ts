import type {Failure} from '../../failure.ts';
import {costText, type Sampling} from '../../kv/stats/cost.ts';
import type {KvStats, StatsProgress} from '../../kv/stats/reading.ts';
import {incompleteText, type StatsSection, statsSections} from '../../kv/stats/sections.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';

export type StatsRequest = {
	readonly namespace: NamespaceRow;
	/** Only keys below it. Data as it is. */
	readonly prefix: string | undefined;
	/** How many keys these are, where that is known. */
	readonly keys: number | undefined;
	readonly sampling: Sampling;
};

type StatsPhase =
	/** Shows what it costs, and waits for an answer. */
	| {readonly name: 'asking'}
	| {readonly name: 'reading'; readonly progress: StatsProgress | undefined}
	| {readonly name: 'done' | 'stopped'}
	| {readonly name: 'failed'; readonly failure: Failure};

/** What is in a namespace, or will be read of it. */
export type StatsState = {
	/** Tells a reading from an earlier one. */
	readonly number: number;
	readonly request: StatsRequest;
	/** What was left of the quota of its calls when it was asked for; undefined if none limits them. */
	readonly quota: QuotaLeft | undefined;
	readonly phase: StatsPhase;
	/** What was found, and its sections with what is said of all of them before. Empty until there is something. */
	readonly stats: KvStats | undefined;
	readonly entries: readonly StatsEntry[];
	/** The entry under the cursor. */
	readonly cursor: number;
};

/** A line of a section, or one of its bars: what the cursor moves through. */
export type StatsEntry = {
	readonly section: StatsSection;
	/** Whether it is the first of its section. */
	readonly isFirst: boolean;
} & (
	| {readonly kind: 'line'; readonly line: string}
	| {readonly kind: 'bar'; readonly bar: StatsSection['bars'][number]; readonly at: number}
);

/** All lines and bars of what was found, in their order. */
export function entriesOf(stats: KvStats): readonly StatsEntry[] {
	const incomplete = incompleteText(stats);
	const sections = statsSections(stats).map((section, at) =>
		at === 0 && incomplete !== undefined ? {...section, lines: [incomplete, ...section.lines]} : section,
	);
	return sections.flatMap(section => [
		...section.lines.map((line, at): StatsEntry => ({section, isFirst: at === 0, kind: 'line', line})),
		...section.bars.map(
			(bar, at): StatsEntry => ({
				section,
				isFirst: at === 0 && section.lines.length === 0,
				kind: 'bar',
				bar,
				at,
			}),
		),
	]);
}

/** What the cursor is on leads to: the keys of a prefix, or a key. */
export function targetHere({entries, cursor}: StatsState): StatsSection['bars'][number]['target'] {
	const here = entries[cursor];
	return here?.kind === 'bar' ? here.bar.target : undefined;
}

export const costOf = ({request: {keys, sampling}, quota}: StatsState): readonly string[] =>
	costText(quota, keys, sampling);
