import type {Marks} from '../../components/theme.ts';
import {wrapText} from '../../text/wrap.ts';
import type {HelpRow} from './action-lists.ts';
import {formatKeyName} from './key-names.ts';

/** Width of the column of keys. */
export const keyColumns = 22;

/** A drawn line of the help: a group heading, or keys and their title. */
type HelpLine =
	| {readonly id: string; readonly heading: string}
	| {readonly id: string; readonly keys: string; readonly title: string};

/** Wraps the rows of the help to `columns` columns. */
export const buildHelpLines = (
	rows: readonly HelpRow[],
	columns: number,
	marks: Pick<Marks, 'enter' | 'upDown'>,
): readonly HelpLine[] =>
	rows.flatMap((row): readonly HelpLine[] => {
		if ('heading' in row) return [{id: row.heading, heading: row.heading}];
		const {keys, title} = 'action' in row ? row.action : row;
		const id = 'action' in row ? row.action.id : title;
		const keyLines = wrapText(keys.map(key => formatKeyName(key, marks)).join(' '), keyColumns - 4);
		const titleLines = wrapText(title, columns - keyColumns);
		return Array.from({length: Math.max(keyLines.length, titleLines.length)}, (_, lineIndex) => ({
			id: `${id} ${lineIndex}`,
			keys: keyLines[lineIndex] ?? '',
			title: titleLines[lineIndex] ?? '',
		}));
	});
