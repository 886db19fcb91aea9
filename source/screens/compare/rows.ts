import {isoExpiration} from '../../kv/keys.ts';
import type {Difference, Facts} from '../../kv/transfer/difference.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle, fitted} from '../../text/cut.ts';
import {counted, grouped} from '../../text/figures.ts';
import {sizeText} from '../key/about.ts';
import {type CompareSide, type CompareState, differing} from './state.ts';

/** Columns of the parts of a row: sign, name, and what each side has. */
export function compareColumns(columns: number) {
	// At 80 a whole moment of expiry.
	const side = Math.max(14, Math.min(34, Math.floor((columns - 6) / 3.7)));
	return {side, name: columns - 6 - side * 2 - 2};
}

/** What a row shows, as plain texts, so that an unchanged row is not drawn again. */
export type CompareLine = {
	readonly sign: '<' | '>' | '≠' | '=';
	readonly name: string;
	readonly one: string;
	readonly other: string;
	readonly isMerged: boolean;
};

export function lineOf(
	difference: Difference,
	merged: CompareSide | undefined,
	columns: number,
): CompareLine {
	const widths = compareColumns(columns);
	const name = fitted(cutMiddle(drawable(difference.key), widths.name), widths.name);
	const cell = (text: string) => fitted(text, widths.side);
	if (merged)
		return {
			sign: '=',
			name,
			one: cell(merged === 'one' ? 'kept' : 'taken over'),
			other: cell(merged === 'one' ? 'taken over' : 'kept'),
			isMerged: true,
		};
	const sides = sidesOf(difference);
	return {
		sign: signs[difference.kind],
		name,
		one: cell(sides.one),
		other: cell(sides.other),
		isMerged: false,
	};
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

/** Where that in which they differ looks alike, as values of one size, the other side is called another. */
function sidesThatDiffer(difference: Extract<Difference, {kind: 'differs'}>) {
	const [one, other] = [factsText(difference.one, difference), factsText(difference.other, difference)];
	return {one, other: one === other ? `other ${other}` : other};
}

/** What a side has of that in which they differ. */
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

/** The heading of the list: which keys are compared, where not all of them, and which side is which. */
export function headingOf({one, other, keys}: CompareState, columns: number): string {
	const widths = compareColumns(columns);
	const title = (text: string) => fitted(cutMiddle(drawable(text), widths.side), widths.side);
	const key = keys === undefined ? 'KEY' : cutMiddle(`KEY (${drawable(keys)})`, widths.name);
	return `     ${fitted(key, widths.name)}  ${title(one.title)} ${title(other.title)}`;
}

/** What the status line says: what was found so far, and how far it is. */
export function compareSummary({counts, phase, differences, merged, at}: CompareState): string {
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
			return at === '' ? 'comparing…' : `${parts.join(' · ')} so far, at ${at}`;
		case 'done':
			return parts.join(' · ');
		case 'stopped':
		case 'failed':
			return `${parts.join(' · ')}; not all compared, ctrl-r again`;
		default:
			return phase satisfies never;
	}
}
