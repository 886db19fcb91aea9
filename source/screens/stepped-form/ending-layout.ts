import {getBodyRows} from '../../components/layout.ts';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {clipLines} from '../../text/wrap.ts';
import {buildTextRows, type Row} from '../rows/rows.ts';
import type {FormResultText} from './state.ts';

type EndingLayout = {
	readonly title: readonly string[];
	readonly facts: readonly Row[];
	/** Rows that show facts; they scroll if there are more. */
	readonly factRows: number;
	/** Choices visible at once. */
	readonly choiceRows: number;
	/** Blank rows before the facts and before the choices. */
	readonly blankRows: number;
};

/** Lays out the result of a form in a terminal of this size. */
export function layOutEnding(
	{heading, facts}: FormResultText,
	mark: string,
	choiceCount: number,
	{columns, rows: height}: {readonly columns: number; readonly rows: number},
): EndingLayout {
	const body = getBodyRows(height);
	const rows = body - (body >= 14 ? 3 : 1);
	// On a small screen, facts and choices take precedence over blank rows.
	const isSmall = rows < 14;
	const blankRows = isSmall ? 0 : 1;
	const title = clipLines(wrapParagraphs([`${mark} ${heading}`], columns - 6, 2), isSmall ? 2 : 3);
	// In a low terminal not all choices are visible at once, so that some facts are.
	const choiceRows = Math.min(choiceCount, Math.max(2, rows - title.length - 2));
	return {
		title,
		facts: buildTextRows(facts, columns - 6),
		factRows: Math.max(0, rows - title.length - choiceRows - 2 * blankRows),
		choiceRows,
		blankRows,
	};
}
