import {safeLines, safeText} from '../../text/safe-text.ts';

/**
 * Text of others as Markdown that shows it and does nothing else: no emphasis, link, image, mention, HTML or formula,
 * wherever in a line it stands, in a cell of a table too. On one line.
 */
export const inline = (text: string): string =>
	safeText(text)
		.replace(/[&<>|@]/g, sign => `&#${sign.codePointAt(0)};`)
		.replace(/[\\`*[\]~$!{}]/g, '\\$&')
		.replace(/(?<!\w)_|_(?!\w)/g, '\\_')
		// What a reader would make a link of by itself.
		.replace(/:(?=\/\/)/g, '&#58;')
		.replace(/\b(www)\./gi, '$1&#46;')
		// What begins a list, a heading, a quotation, a rule or code at the beginning of a line.
		.replace(/^ /, '&#32;')
		.replace(/^[#+=-]/, '\\$&')
		.replace(/^(\d+)([.)])/, '$1\\$2');

/** Text of several lines between fences that nothing in it can end. */
export function codeBlock(text: string, language = ''): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}${language}\n${safeLines(text).replace(/\n+$/, '')}\n${fence}`;
}

/** The same on one line, to be copied as it is: a path. Not for tables, where a bar would end the cell. */
export function codeSpan(text: string): string {
	const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = '`'.repeat(longest + 1);
	const gap = longest > 0 ? ' ' : '';
	return `${fence}${gap}${safeText(text)}${gap}${fence}`;
}

/** A table of text of others; nothing where it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	if (rows.length === 0) return '';
	const line = (cells: readonly string[]) => `| ${cells.map(cell => inline(cell) || '–').join(' | ')} |`;
	return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A list of lines that are Markdown already. */
export const list = (lines: readonly string[]): string => lines.map(line => `- ${line}`).join('\n');

/** A part under its heading; nothing where it is empty. */
export function part(title: string, ...blocks: readonly string[]): string[] {
	const stated = blocks.filter(Boolean);
	return stated.length === 0 ? [] : [`## ${title}`, ...stated];
}
