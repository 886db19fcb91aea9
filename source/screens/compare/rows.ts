import {nameKey} from '../../keyboard/named-keys.ts';
import {formatExpiration} from '../../kv/keys.ts';
import {summarizeLongWork} from '../../kv/long-work.ts';
import type {KeyDifference, KeyFacts} from '../../kv/transfer/difference.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formatValueSize} from '../key/about.ts';
import type {Column} from '../list/table.tsx';
import {type CompareSide, type CompareState, countComparedKeys, countDiffering} from './state.ts';

/** Computes the width of a side. On a terminal of 80 columns, an expiry fits without being cut. */
const computeSideWidth = (terminalWidth: number): number =>
	Math.max(14, Math.min(34, Math.floor((terminalWidth - 6) / 3.7)));

/** Builds the columns: key, and the content of each side. */
export function buildDifferenceColumns(
	{one, other, keySubset, merged}: CompareState,
	terminalWidth: number,
): readonly Column<KeyDifference>[] {
	const isMerged = ({key}: KeyDifference) => merged.has(key);
	const getLook = (row: KeyDifference) => (isMerged(row) ? 'dim' : {});
	const createSideColumn = (side: CompareSide, title: string, gap: number): Column<KeyDifference> => ({
		title: formatSideTitle(side, title, computeSideWidth(terminalWidth)),
		getWidth: computeSideWidth,
		gap,
		getText(row) {
			const mergedFrom = merged.get(row.key);
			return mergedFrom ? formatMergedSide(row, side, mergedFrom) : formatSides(row)[side];
		},
		getLook,
	});
	return [
		{
			title: '',
			isEssential: true,
			getWidth: () => 1,
			getText: row => (isMerged(row) ? '=' : differenceSigns[row.kind]),
			getLook: (row, {good, warning}) => (isMerged(row) ? good : warning),
		},
		{
			title: keySubset === undefined ? 'KEY' : `KEY (${keySubset})`,
			cut: 'middle',
			getText: ({key}) => key,
			getLook,
		},
		createSideColumn('one', one.title, 2),
		createSideColumn('other', other.title, 1),
	];
}

/** Marks of keys that only one side has, or that differ. */
export const differenceSigns = {'only in one': '-', 'only in other': '+', differs: '≠'} as const;

/** Formats the title of a side, with the mark of keys that only it has, as in a difference of lines. */
function formatSideTitle(side: CompareSide, title: string, width: number): string {
	const legend =
		side === 'one'
			? `${differenceSigns['only in one']} left: `
			: `${differenceSigns['only in other']} right: `;
	return `${legend}${cutMiddle(toDrawable(title), width - legend.length)}`;
}

/** Formats what a merge did to a side: it was copied from the other, or is without the key like the other. */
function formatMergedSide({kind}: KeyDifference, side: CompareSide, mergedFrom: CompareSide): string {
	const wasDeleted = kind === (mergedFrom === 'one' ? 'only in other' : 'only in one');
	if (wasDeleted) return mergedFrom === side ? 'missing' : 'deleted';
	return mergedFrom === side ? 'kept' : 'updated';
}

function formatSides(difference: KeyDifference): {readonly one: string; readonly other: string} {
	switch (difference.kind) {
		case 'only in one':
			return {one: 'only here', other: 'missing'};
		case 'only in other':
			return {one: 'missing', other: 'only here'};
		case 'differs':
			return formatDifferingSides(difference);
		default:
			return difference satisfies never;
	}
}

/** Formats both sides. If the texts are the same, such as equal sizes, the second one starts with "other". */
function formatDifferingSides(difference: Extract<KeyDifference, {kind: 'differs'}>) {
	const [one, other] = [
		formatDifferingFacts(difference.one, difference),
		formatDifferingFacts(difference.other, difference),
	];
	return {one, other: one === other ? `other ${other}` : other};
}

/** Formats the differing parts of a side. */
function formatDifferingFacts(facts: KeyFacts, {parts}: Extract<KeyDifference, {kind: 'differs'}>): string {
	const texts = parts.map(part => {
		switch (part) {
			case 'value':
				return formatValueSize(facts.bytes ?? 0);
			case 'metadata':
				return facts.metadata === undefined ? 'no metadata' : JSON.stringify(facts.metadata);
			case 'expiration':
				return facts.expiration === undefined ? 'no expiration' : formatExpiration(facts.expiration);
			default:
				return part satisfies never;
		}
	});
	return toDrawable(texts.join(' '));
}

/** Status line: differences and progress. */
export function formatCompareSummary({
	counts,
	phase,
	differences,
	merged,
	lastKey,
	work,
}: CompareState): string {
	const differenceCount = countDiffering(counts);
	const parts = [
		differenceCount === 0 ? 'no differences' : formatQuantity(differenceCount, 'difference'),
		`${formatInteger(counts.same)} identical`,
		...(merged.size > 0 ? [`${formatInteger(merged.size)} merged`] : []),
		...(counts.gone > 0 ? [`${formatInteger(counts.gone)} no longer existed when read`] : []),
		...(differenceCount > differences.length
			? [`showing the first ${formatInteger(differences.length)}`]
			: []),
	];
	switch (phase.name) {
		case 'comparing':
			return lastKey === ''
				? 'comparing…'
				: [`${parts.join(' · ')} so far`, summarizeLongWork(work, countComparedKeys(counts)), `at ${lastKey}`]
						.filter(text => text !== undefined)
						.join(', ');
		case 'done':
			return parts.join(' · ');
		case 'stopped':
		case 'failed':
			return countComparedKeys(counts) === 0
				? `nothing compared (${nameKey('reload', 'ctrl-r')} compares again)`
				: `${parts.join(' · ')} · not all compared (${nameKey('reload', 'ctrl-r')})`;
		default:
			return phase satisfies never;
	}
}
