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

/** Minimum width for two columns of help. */
const minTwoColumnWidth = 68;

/** Columns between the two. */
export const helpColumnGap = 2;

/** Width of the keys, with the blanks around them, in a single column. */
const singleKeyColumns = 22;

/** Blanks around the keys, left and right together. */
const keyMargin = 4;

/**
 * Builds the columns of the help, which are `width` wide together: what belongs to the screen, and what works
 * everywhere; one column on narrow screens.
 */
export function buildHelpColumns(
	rows: readonly HelpRow[],
	width: number,
	marks: Pick<Marks, 'enter' | 'upDown'>,
): readonly HelpColumn[] {
	const sharedIndex = rows.findIndex(row => 'heading' in row && isSharedHeading(row.heading));
	if (width < minTwoColumnWidth || sharedIndex <= 0) {
		const lines = buildHelpLines(rows, width, singleKeyColumns, marks);
		return [{width, keyColumns: singleKeyColumns, lines}];
	}
	const leftWidth = Math.floor((width - helpColumnGap) * 0.55);
	const widths = [leftWidth, width - helpColumnGap - leftWidth] as const;
	const parts = [rows.slice(0, sharedIndex), rows.slice(sharedIndex)] as const;
	return parts.map((part, index) => {
		const partWidth = widths[index] ?? 0;
		const keyColumns = measureKeys(part, marks) + keyMargin;
		return {width: partWidth, keyColumns, lines: buildHelpLines(part, partWidth, keyColumns, marks)};
	});
}

/** Measures the widest key name. */
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
