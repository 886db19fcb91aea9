import {isoExpiration} from '../../kv/keys.ts';
import {longWorkShort} from '../../kv/long-work.ts';
import type {Difference, Facts} from '../../kv/transfer/difference.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {counted, grouped} from '../../text/figures.ts';
import {sizeText} from '../key/about.ts';
import type {Column} from '../list/table.tsx';
import {type CompareSide, type CompareState, comparedKeys, differing} from './state.ts';

/** Computes the width of a side; at 80 columns, an expiry fits in full. */
const sideColumns = (columns: number): number => Math.max(14, Math.min(34, Math.floor((columns - 6) / 3.7)));

/** Builds the columns: compared subset, and what each side has. */
export function columnsFor(
	{one, other, keys, merged}: CompareState,
	all: number,
): readonly Column<Difference>[] {
	const isMerged = ({key}: Difference) => merged.has(key);
	const look = (row: Difference) => (isMerged(row) ? 'dim' : {});
	const side = (name: CompareSide, title: string, gap: number): Column<Difference> => ({
		title: cutMiddle(drawable(title), sideColumns(all)),
		width: sideColumns,
		gap,
		text(row) {
			const from = merged.get(row.key);
			return from ? (from === name ? 'kept' : 'taken over') : sidesOf(row)[name];
		},
		look,
	});
	return [
		{
			title: '',
			width: () => 1,
			text: row => (isMerged(row) ? '=' : signs[row.kind]),
			look: (row, {good, warning}) => (isMerged(row) ? good : warning),
		},
		{title: keys === undefined ? 'KEY' : `KEY (${keys})`, cut: 'middle', text: ({key}) => key, look},
		side('one', one.title, 2),
		side('other', other.title, 1),
	];
}

const signs = {'only in one': '<', 'only in other': '>', differs: '≠'} as const;

function sidesOf(difference: Difference): {readonly one: string; readonly other: string} {
	switch (difference.kind) {
		case 'only in one':
			return {one: 'only here', other: 'not there'};
		case 'only in other':
			return {one: 'not there', other: 'only here'};
		case 'differs':
			return sidesThatDiffer(difference);
		default:
			return difference satisfies never;
	}
}

/** Formats both sides; if they look alike (such as values of one size), the other side reads "other …". */
function sidesThatDiffer(difference: Extract<Difference, {kind: 'differs'}>) {
	const [one, other] = [factsText(difference.one, difference), factsText(difference.other, difference)];
	return {one, other: one === other ? `other ${other}` : other};
}

/** Formats the differing parts of a side. */
function factsText(facts: Facts, {parts}: Extract<Difference, {kind: 'differs'}>): string {
	const texts = parts.map(part => {
		switch (part) {
			case 'value':
				return sizeText(facts.bytes ?? 0);
			case 'metadata':
				return facts.metadata === undefined ? 'no metadata' : JSON.stringify(facts.metadata);
			case 'expiration':
				return facts.expiration === undefined ? 'no expiry' : isoExpiration(facts.expiration);
			default:
				return part satisfies never;
		}
	});
	return drawable(texts.join(' '));
}

/** Status line: differences and progress. */
export function compareSummary({counts, phase, differences, merged, at, work}: CompareState): string {
	const found = differing(counts);
	const parts = [
		found === 0 ? 'no difference' : counted(found, 'difference'),
		`${grouped(counts.same)} the same`,
		...(merged.size > 0 ? [`${grouped(merged.size)} merged`] : []),
		...(counts.gone > 0 ? [`${grouped(counts.gone)} changed meanwhile`] : []),
		...(found > differences.length ? [`the first ${grouped(differences.length)} are shown`] : []),
	];
	switch (phase.name) {
		case 'comparing':
			return at === ''
				? 'comparing…'
				: [`${parts.join(' · ')} so far`, longWorkShort(work, comparedKeys(counts)), `at ${at}`]
						.filter(text => text !== undefined)
						.join(', ');
		case 'done':
			return parts.join(' · ');
		case 'stopped':
		case 'failed':
			return comparedKeys(counts) === 0
				? 'nothing compared (ctrl-r compares again)'
				: `${parts.join(' · ')} · not all compared (ctrl-r)`;
		default:
			return phase satisfies never;
	}
}
