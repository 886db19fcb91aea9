import {columnsOf, drawable} from '../text/columns.ts';
import {wrap} from '../text/wrap.ts';

/** Name and gap at the start of a paragraph, as in `rule    479f74`, or its indentation. */
const named = /^(?:[a-z]{1,11} {2,10}| {2,13})(?=\S)/;

/**
 * Wraps paragraphs between words, made safe. Line feeds start new ones. A paragraph that begins with a name
 * and a gap of several spaces keeps its columns: its text wraps in the second one.
 */
export const linesOf = (texts: readonly (string | undefined)[], columns: number, hang = 0): string[] =>
	texts.flatMap(text => (text ? paragraph(text, columns, hang) : []));

function paragraph(text: string, columns: number, hang: number): string[] {
	const [name] = named.exec(text) ?? [''];
	if (name === '' || columns < 2 * name.length)
		return text.split('\n').flatMap(line => wrap(drawable(line), columns, hang));
	const width = columns - name.length;
	const lines = text.slice(name.length).split('\n').map(drawable);
	return lines
		.flatMap(line => (columnsOf(line) <= width ? [line] : wrap(line, width)))
		.map((line, at) => `${at === 0 ? name : ' '.repeat(name.length)}${line}`);
}
