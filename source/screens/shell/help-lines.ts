import type {Marks} from '../../components/theme.ts';
import {measureColumns} from '../../text/columns.ts';
import {wrapText} from '../../text/wrap.ts';
import {type HelpRow, isSharedHeading} from './action-lists.ts';
import {formatKeyName} from './key-names.ts';

/** A drawn line of the help: a group heading, or keys and their title. */
type HelpLine =
	| {readonly id: string; readonly heading: string}
	| {readonly id: string; readonly keys: string; readonly title: string};

/** Lines of the help in one column of the screen. */
type HelpColumn = {
	readonly width: number;
	/** Width of the keys, with the blanks around them. */
	readonly keyColumns: number;
	readonly lines: readonly HelpLine[];
};

/** Widths at which the help has two columns, and the gap between them. */
const [minTwoColumns, columnGap] = [68, 2];

/**
 * Builds the columns of the help, `columns` wide together: what belongs to the screen, and what works
 * everywhere; one column on narrow screens.
 */
export function buildHelpColumns(
	rows: readonly HelpRow[],
	columns: number,
	marks: Pick<Marks, 'enter' | 'upDown'>,
): readonly HelpColumn[] {
	const sharedIndex = rows.findIndex(row => 'heading' in row && isSharedHeading(row.heading));
	if (columns < minTwoColumns || sharedIndex <= 0) {
		const keyColumns = 22;
		return [{width: columns, keyColumns, lines: buildHelpLines(rows, columns, keyColumns, marks)}];
	}
	const leftWidth = Math.floor((columns - columnGap) * 0.55);
	const widths = [leftWidth, columns - columnGap - leftWidth] as const;
	const parts = [rows.slice(0, sharedIndex), rows.slice(sharedIndex)] as const;
	return parts.map((part, index) => {
		const width = widths[index] ?? 0;
		const keyColumns = measureKeys(part, marks) + keyMargin;
		return {width, keyColumns, lines: buildHelpLines(part, width, keyColumns, marks)};
	});
}

/** Columns around the keys. */
const keyMargin = 4;

/** Measures the longest name of a key. */
const measureKeys = (rows: readonly HelpRow[], marks: Pick<Marks, 'enter' | 'upDown'>): number =>
	Math.max(
		0,
		...rows.flatMap(row =>
			'heading' in row ? [] : row.keys.map(key => measureColumns(formatKeyName(key, marks))),
		),
	);

/** Wraps the rows of the help to `columns` columns. */
const buildHelpLines = (
	rows: readonly HelpRow[],
	columns: number,
	keyColumns: number,
	marks: Pick<Marks, 'enter' | 'upDown'>,
): readonly HelpLine[] =>
	rows.flatMap((row): readonly HelpLine[] => {
		if ('heading' in row) return [{id: row.heading, heading: row.heading}];
		const {title} = row;
		const id = 'action' in row ? row.action.id : title;
		const keyLines = wrapText(
			row.keys.map(key => formatKeyName(key, marks)).join(' '),
			keyColumns - keyMargin + 1,
		);
		const titleLines = wrapText(title, columns - keyColumns);
		return Array.from({length: Math.max(keyLines.length, titleLines.length)}, (_, lineIndex) => ({
			id: `${id} ${lineIndex}`,
			keys: keyLines[lineIndex] ?? '',
			title: titleLines[lineIndex] ?? '',
		}));
	});
