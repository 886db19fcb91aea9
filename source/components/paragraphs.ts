import {measureColumns, toDrawable} from '../text/columns.ts';
import {wrapText} from '../text/wrap.ts';

/** Name and gap at the start of a paragraph, as in `rule    479f74`, or its indentation. */
const namePrefix = /^(?:[a-z]{1,11} {2,10}| {2,13})(?=\S)/;

/**
 * Wraps paragraphs between words, as drawable lines. Line feeds start new ones. A paragraph that begins with
 * a name and a gap of several spaces keeps its columns: its text wraps in the second one.
 */
export const wrapParagraphs = (
	texts: readonly (string | undefined)[],
	columns: number,
	hangingIndent = 0,
): string[] => texts.flatMap(text => (text ? wrapParagraph(text, columns, hangingIndent) : []));

function wrapParagraph(text: string, columns: number, hangingIndent: number): string[] {
	const [name] = namePrefix.exec(text) ?? [''];
	if (name === '' || columns < 2 * name.length)
		return text.split('\n').flatMap(line => wrapText(toDrawable(line), columns, hangingIndent));
	const width = columns - name.length;
	const lines = text.slice(name.length).split('\n').map(toDrawable);
	return lines
		.flatMap(line => (measureColumns(line) <= width ? [line] : wrapText(line, width)))
		.map((line, index) => `${index === 0 ? name : ' '.repeat(name.length)}${line}`);
}
