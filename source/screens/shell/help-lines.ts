import type {Marks} from '../../components/theme.ts';
import {measureColumns} from '../../text/columns.ts';
import {wrapText} from '../../text/wrap.ts';
import {type HelpRow, isSharedHeading} from './action-lists.ts';
import {formatKeyName} from './key-names.ts';

/** A drawn line of the help: a group heading, or keys and their title. */
type HelpLine =
	| {readonly id: string; readonly heading: string}
	| {
			readonly id: string;
			readonly keys: string;
			/** Width of the keys, with the blanks around them. */
			readonly keyColumns: number;
			readonly title: string;
	  };

/** Minimum width for two columns of help. */
const minTwoColumnWidth = 68;

/** Columns between the two. */
export const helpColumnGap = 2;

/** Maximum width of the keys, with the blanks around them; more keys of one action are wrapped. */
const maxKeyColumns = 22;

/** Blanks around the keys, left and right together. */
const keyMargin = 3;

type KeyMarks = Pick<Marks, 'enter' | 'upDown'>;

/** Returns the number and width of the help's columns on a screen of `width` columns. */
export function getHelpLayout(width: number): {readonly count: 1 | 2; readonly columns: number} {
	return width < minTwoColumnWidth
		? {count: 1, columns: width}
		: {count: 2, columns: Math.floor((width - helpColumnGap) / 2)};
}

/**
 * Builds the lines of the help for columns of `columns` columns: what belongs to the screen, then what works
 * everywhere. They fill one column after the other.
 */
export function buildHelpLines(
	rows: readonly HelpRow[],
	columns: number,
	marks: KeyMarks,
): readonly HelpLine[] {
	const sharedIndex = rows.findIndex(row => 'heading' in row && isSharedHeading(row.heading));
	const ownCount = sharedIndex < 0 ? rows.length : sharedIndex;
	return [rows.slice(0, ownCount), rows.slice(ownCount)].flatMap(part =>
		layOutRows(part, columns, Math.min(maxKeyColumns, measureKeys(part, marks) + keyMargin), marks),
	);
}

/** Measures the widest key name. */
const measureKeys = (rows: readonly HelpRow[], marks: KeyMarks): number =>
	Math.max(
		0,
		...rows.flatMap(row =>
			'heading' in row ? [] : row.keys.map(key => measureColumns(formatKeyName(key, marks))),
		),
	);

/** Wraps rows of the help to `columns` columns. */
const layOutRows = (
	rows: readonly HelpRow[],
	columns: number,
	keyColumns: number,
	marks: KeyMarks,
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
			keyColumns,
			title: titleLines[lineIndex] ?? '',
		}));
	});
