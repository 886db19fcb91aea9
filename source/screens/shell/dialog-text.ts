import {wrapParagraphs} from '../../components/paragraphs.ts';
import {createSelectedLine, getBufferText, type TextBuffer} from '../../text/buffer/buffer.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {clipLines} from '../../text/wrap.ts';

/** The text of a dialog: its lines, how many were visible at once when last drawn, and how far it was read. */
export type DialogText = {
	/** First visible line. */
	readonly top: number;
	readonly lineCount: number;
	readonly visibleCount: number;
	/** Number of lines shown so far, counted from the first. */
	readonly readCount: number;
};

export const emptyDialogText: DialogText = {top: 0, lineCount: 0, visibleCount: 0, readCount: 0};

/** True if lines have not been visible yet. */
export const hasUnreadText = ({lineCount, readCount}: DialogText): boolean => readCount < lineCount;

/** True if lines follow the visible ones. */
export const hasTextBelow = ({top, visibleCount, lineCount}: DialogText): boolean =>
	top + visibleCount < lineCount;

/** Scrolls by `distance` lines. */
export function scrollDialogText(text: DialogText, distance: number): DialogText {
	const lastTop = Math.max(0, text.lineCount - text.visibleCount);
	return noticeDialogText({...text, top: Math.max(0, Math.min(lastTop, text.top + distance))}, text);
}

/** Returns the lines to scroll for the next page: all but the one that counts the rest. */
export const getPageLines = ({visibleCount}: DialogText): number => Math.max(1, visibleCount - 1);

/** Records what is visible. If the text wraps differently, the lines below count as unread again. */
export function noticeDialogText(
	text: DialogText,
	{lineCount, visibleCount}: Pick<DialogText, 'lineCount' | 'visibleCount'>,
): DialogText {
	const top = Math.max(0, Math.min(text.top, lineCount - visibleCount));
	const shownCount = top + visibleCount < lineCount ? top + Math.max(1, visibleCount - 1) : lineCount;
	const readCount = text.lineCount === lineCount ? Math.max(text.readCount, shownCount) : shownCount;
	return {top, lineCount, visibleCount, readCount};
}

/** Returns the visible lines; if more follow, the last one counts them and names the key. */
export function sliceDialogLines(
	lines: readonly string[],
	{top, visibleCount}: DialogText,
): readonly string[] {
	const hiddenCount = lines.length - top - visibleCount;
	const visibleLines = lines.slice(top, top + visibleCount);
	return hiddenCount <= 0 || visibleCount < 2
		? visibleLines
		: [...visibleLines.slice(0, -1), `… ${formatQuantity(hiddenCount + 1, 'more line')}: pagedown`];
}

type DialogLayout = {
	readonly heading: readonly string[];
	/** All lines of the text, wrapped. */
	readonly lines: readonly string[];
	readonly visibleCount: number;
	/** Blank rows above the heading, and below the text. */
	readonly topGap: 0 | 1;
	readonly gap: 0 | 1;
};

/** Rows that a text keeps beside its heading, if it has as many. */
const minTextRows = 2;

/**
 * Lays out heading and text in `rows`, those of the input excluded. If they do not fit, blank rows are left
 * out first, then the text scrolls, and the heading is cut to one row.
 */
export function layOutDialog(
	{
		title,
		note,
		lines: paragraphs,
	}: {readonly title: string; readonly note?: string | undefined; readonly lines: readonly string[]},
	{
		columns,
		rows,
		isFramed,
		isTight,
	}: {
		readonly columns: number;
		readonly rows: number;
		/** True in a popup, whose frame replaces the first blank row. */
		readonly isFramed: boolean;
		/** True to leave out blank rows and cut the heading anyway, because the input needs many rows. */
		readonly isTight: boolean;
	},
): DialogLayout {
	const lines = wrapParagraphs(paragraphs, columns);
	const fullTitle = note === undefined ? title : `${title} ${note}`;
	const wrappedTitle = clipLines(wrapParagraphs([fullTitle], columns), Math.max(2, Math.floor(rows / 2)));
	const gaps = isFramed ? 1 : 2;
	const isRoomy = !isTight && wrappedTitle.length + lines.length + gaps <= rows;
	const heading =
		isTight || rows - wrappedTitle.length < Math.min(minTextRows, lines.length)
			? [cutMiddle(toDrawable(fullTitle), columns)]
			: wrappedTitle;
	return {
		heading,
		lines,
		visibleCount: Math.min(lines.length, Math.max(1, rows - heading.length - (isRoomy ? gaps : 0))),
		topGap: isRoomy && !isFramed ? 1 : 0,
		gap: isRoomy ? 1 : 0,
	};
}

/** Returns the rows that a title and its text take, with their gaps, if all of it is shown. */
export function countTextRows(
	title: string,
	lines: readonly string[],
	size: {readonly columns: number; readonly rows: number; readonly isFramed: boolean},
): number {
	const {heading, visibleCount, topGap, gap} = layOutDialog({title, lines}, {...size, isTight: false});
	return heading.length + visibleCount + topGap + gap;
}

type NamedField = {readonly requiredInput?: string | undefined; readonly buffer: TextBuffer};

/** Returns what is wrong with a typed name; undefined if nothing is typed yet. */
export const describeNameMismatch = (field: NamedField): string | undefined =>
	getBufferText(field.buffer) === '' ? undefined : describeMissingInput(field);

export const describeMissingInput = ({requiredInput, buffer}: NamedField): string | undefined =>
	requiredInput === undefined || requiredInput === getBufferText(buffer)
		? undefined
		: `Does not match. Type ${toDrawable(requiredInput)}.`;

type TypedQuestion = {readonly title: string} & (
	| {readonly kind: 'field'; readonly buffer: TextBuffer; readonly initialText?: string}
	| {readonly kind: 'entry'; readonly value: string}
);

/** Creates the memory of what was typed in questions from which esc led back, by their titles. */
export function createTypedAnswers() {
	const texts = new Map<string, string>();
	return {
		note(question: TypedQuestion): void {
			const isField = question.kind === 'field';
			const text = isField ? getBufferText(question.buffer) : question.value;
			if (text === (isField ? question.initialText : '')) texts.delete(question.title);
			else texts.set(question.title, text);
		},
		/** Returns a question that opens again with what was typed in it before. */
		restore<Question extends TypedQuestion>(question: Question): Question {
			const text = texts.get(question.title);
			if (text === undefined) return question;
			return question.kind === 'field'
				? {...question, buffer: createSelectedLine(text)}
				: {...question, value: text};
		},
		clear: () => texts.clear(),
	};
}
