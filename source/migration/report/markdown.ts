import {escapeLines, escapeText} from '../../text/safe-text.ts';

/**
 * Escapes text for Markdown, so that it appears as plain text on one line, also in a table cell: without
 * emphasis, links, images, mentions, HTML or formulas.
 */
export const escapeMarkdown = (text: string): string =>
	escapeText(text)
		.replace(/[&<>|@]/g, character => `&#${character.codePointAt(0)};`)
		.replace(/[\\`*[\]~$!{}]/g, '\\$&')
		.replace(/(?<!\w)_|_(?!\w)/g, '\\_')
		// Prevents automatic links.
		.replace(/:(?=\/\/)/g, '&#58;')
		.replace(/\b(www)\./gi, '$1&#46;')
		// At the start of a line: a list, heading, quotation, rule or code.
		.replace(/^ /, '&#32;')
		.replace(/^[#+=-]/, '\\$&')
		.replace(/^(\d+)([.)])/, '$1\\$2');

/** Formats text as a fenced code block. The fence is longer than any run of backticks in the text. */
export function formatCodeBlock(text: string, language = ''): string {
	const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = '`'.repeat(longestRun + 1);
	return `${fence}${language}\n${escapeLines(text).replace(/\n+$/, '')}\n${fence}`;
}

/** Formats text as code within a line, such as a path. Not for tables, where a `|` would end the cell. */
export function formatCodeSpan(text: string): string {
	const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = '`'.repeat(longestRun + 1);
	const gap = longestRun > 0 ? ' ' : '';
	return `${fence}${gap}${escapeText(text)}${gap}${fence}`;
}

/** Formats a table of plain text; empty without rows. */
export function formatMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
	if (rows.length === 0) return '';
	const formatRow = (cells: readonly string[]) =>
		`| ${cells.map(cell => escapeMarkdown(cell) || '–').join(' | ')} |`;
	return [formatRow(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(formatRow)].join('\n');
}

/** Formats a list; the lines are Markdown. */
export const formatMarkdownList = (lines: readonly string[]): string =>
	lines.map(line => `- ${line}`).join('\n');

/** Builds a section under a heading; empty without content. */
export function buildMarkdownSection(title: string, ...blocks: readonly string[]): string[] {
	const nonEmptyBlocks = blocks.filter(Boolean);
	return nonEmptyBlocks.length === 0 ? [] : [`## ${title}`, ...nonEmptyBlocks];
}
