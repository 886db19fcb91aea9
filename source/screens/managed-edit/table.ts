import type {Marks} from '../../components/theme.ts';
import type {ConfigurationDifference} from '../../migration/configuration/difference.ts';
import type {PlanRow} from '../../migration/plan/row.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {fitText} from '../../text/cut.ts';
import {wrapText} from '../../text/wrap.ts';
import type {Look, Piece, Row} from '../rows/rows.ts';

/** Gap between two cells, in columns. */
const gap = 2;

/** Width of the mark before a row, in columns. */
const markColumns = 2;

/** Computes the column widths of a comparison; the subject gets the most, then the new value. */
function computeComparisonColumns(columns: number): readonly [number, number, number] {
	const room = columns - markColumns - 2 * gap;
	const currentColumns = Math.max(8, Math.floor(room * 0.24));
	const newColumns = Math.max(12, Math.floor(room * 0.38));
	return [room - currentColumns - newColumns, currentColumns, newColumns];
}

/** Builds a comparison: a heading, then each row, wrapped in its cells without truncation. */
export function buildComparisonRows(
	title: string,
	valueTitles: readonly [string, string],
	rows: readonly PlanRow[],
	columns: number,
	marks: Marks,
): Row[] {
	const widths = computeComparisonColumns(columns);
	const titles = [title, ...valueTitles] as const;
	const replaceDots = (text: string) => text.replaceAll(' · ', ` ${marks.dot} `);
	return [
		...buildCellRows('  ', titles, widths, ['head', 'dim', 'dim']),
		...rows.flatMap(({what, now, after, mark}) => {
			const look = getMarkLook(mark);
			return buildCellRows(`${getMarkSign(mark, marks)} `, [what, now, after].map(replaceDots), widths, [
				look,
				'plain',
				look,
			]);
		}),
	];
}

/** Builds the differences between two configurations, in words. */
export const buildDifferenceRows = (
	title: string,
	valueTitles: readonly [string, string],
	differences: readonly ConfigurationDifference[],
	columns: number,
	marks: Marks,
): Row[] =>
	differences.length === 0
		? []
		: buildComparisonRows(
				title,
				valueTitles,
				differences.map(({about, before, after}) => ({what: about, now: before, after})),
				columns,
				marks,
			);

const getMarkSign = (mark: PlanRow['mark'], marks: Marks): string => {
	switch (mark) {
		case 'warning':
			return marks.warning;
		case 'lost':
			return marks.failed;
		case 'changed':
			return '~';
		case 'same':
		case undefined:
			return ' ';
		default:
			return mark satisfies never;
	}
};

const getMarkLook = (mark: PlanRow['mark']): Look => {
	switch (mark) {
		case 'warning':
			return 'warning';
		case 'lost':
			return 'danger';
		case 'changed':
			return 'warning';
		case 'same':
			return 'dim';
		case undefined:
			return 'plain';
		default:
			return mark satisfies never;
	}
};

/** Lays out texts side by side, each wrapped in its column. */
function buildCellRows(
	mark: string,
	texts: readonly string[],
	widths: readonly number[],
	looks: readonly Look[],
): Row[] {
	const wrappedCells = texts.map((text, index) =>
		text === '' ? [] : wrapText(toDrawable(text), widths[index] ?? 2),
	);
	const height = Math.max(1, ...wrappedCells.map(({length}) => length));
	return Array.from({length: height}, (_, lineIndex): Row => {
		const row: Piece[] = [
			{text: lineIndex === 0 ? mark : ' '.repeat(measureColumns(mark)), look: looks[0] ?? 'plain'},
		];
		const lastIndex = wrappedCells.findLastIndex(cell => cell[lineIndex] !== undefined);
		for (const [index, cell] of wrappedCells.slice(0, lastIndex + 1).entries()) {
			const text = cell[lineIndex] ?? '';
			// The last cell of a row is not padded.
			const width = (widths[index] ?? 0) + gap;
			row.push({text: index === lastIndex ? text : fitText(text, width), look: looks[index] ?? 'plain'});
		}
		return row;
	});
}
