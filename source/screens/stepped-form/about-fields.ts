import {contentTypes} from '../../firewall/rules/custom-checks.ts';
import type {Key} from '../../keyboard/key.ts';
import {createBuffer, editBuffer, selectLine, type TextBuffer} from '../../text/buffer/buffer.ts';
import {getEditCommand} from '../shell/edit-keys.ts';

/** The lines that are text. */
const textRows = [
	'order',
	'description',
	'ends',
	'status',
	'body',
	'requests',
	'period',
	'characteristics',
	'timeout',
	'counting',
] as const;
type TextRow = (typeof textRows)[number];

/** A line of the step `about`. */
export type AboutRow = TextRow | 'paused' | 'logged' | 'type';

/** The fields of the step `about`: texts, and values that space switches. */
export type AboutFields = Readonly<Record<TextRow, TextBuffer>> & {
	/** The line with the cursor. */
	readonly cursorRow: AboutRow;
	readonly paused: boolean;
	/** True if skipped requests are logged. */
	readonly logged: boolean;
	/** The content type of the response to a blocked request. */
	readonly type: string;
};

export const createLine = (text: string): TextBuffer => createBuffer(text, {singleLine: true});

/** Initial values of the step `about`, as plain text and switches. */
type AboutTexts = {readonly [Row in TextRow | 'type']?: string | undefined} & {
	readonly cursorRow: AboutRow;
	readonly paused?: boolean | undefined;
	readonly logged?: boolean | undefined;
};

/** Creates the lines of texts. */
export const createLines = <Texts extends Partial<Record<TextRow, string>>>(texts: Texts) =>
	Object.fromEntries(Object.entries<string>(texts).map(([row, text]) => [row, createLine(text)])) as {
		readonly [Row in keyof Texts]: TextBuffer;
	};

/** Builds the fields of the step `about`, with empty defaults. */
export const buildAboutFields = ({
	cursorRow,
	paused = false,
	logged = true,
	type = 'text/plain',
	...texts
}: AboutTexts): AboutFields => ({
	cursorRow,
	paused,
	logged,
	type,
	...(Object.fromEntries(textRows.map(row => [row, createLine(texts[row] ?? '')])) as Record<
		TextRow,
		TextBuffer
	>),
});

/** Labels of lines, where they are not the names; the line `order` has a label of its kind. */
export const rowLabels: Readonly<Partial<Record<AboutRow, string>>> = {
	type: 'content type',
	characteristics: 'counted per',
	timeout: 'action for',
	counting: 'counts',
};

/** True if a line is text; space switches the others. */
export const isTextRow = (row: AboutRow): row is TextRow =>
	row !== 'paused' && row !== 'logged' && row !== 'type';

/** Moves to a line of the step `about`, with its text selected. */
export const enterRow = (fields: AboutFields, cursorRow: AboutRow): AboutFields => ({
	...fields,
	cursorRow,
	...(isTextRow(cursorRow) && {[cursorRow]: selectLine(fields[cursorRow])}),
});

/** Applies a key in the step `about`; undefined if the key has no meaning there. */
export function typeInAbout(
	fields: AboutFields,
	rows: readonly AboutRow[],
	{name, ...key}: Key,
): AboutFields | undefined {
	const {cursorRow} = fields;
	const moveBy = (distance: number) =>
		enterRow(
			fields,
			rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(cursorRow) + distance))] ?? cursorRow,
		);
	// From the first line to the last one, as tab leads from the last to the first.
	if (name === 'shift-tab') return enterRow(fields, rows.at(rows.indexOf(cursorRow) - 1) ?? cursorRow);
	if (name === 'up' || name === 'ctrl-p') return moveBy(-1);
	if (name === 'down' || name === 'ctrl-n') return moveBy(1);
	if (!isTextRow(cursorRow)) {
		const isSwitchKey = name === 'space' || name === 'left' || name === 'right';
		return isSwitchKey ? switchRow(fields, cursorRow, name === 'left' ? -1 : 1) : undefined;
	}
	const command = getEditCommand({name, ...key});
	return command && {...fields, [cursorRow]: editBuffer(fields[cursorRow], command)};
}

/** Switches a line that is not text to its next or previous value. */
function switchRow(fields: AboutFields, row: 'paused' | 'logged' | 'type', direction: 1 | -1): AboutFields {
	if (row !== 'type') return {...fields, [row]: !fields[row]};
	const types: readonly string[] = contentTypes;
	const index = types.indexOf(fields.type);
	const type = types[index < 0 ? 0 : (index + direction + types.length) % types.length] ?? fields.type;
	return {...fields, type};
}
