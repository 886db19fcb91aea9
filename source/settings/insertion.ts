import type {ConfigurationFormat} from './discovery.ts';
import {findBlockCommentEnd} from './json-layout.ts';
import type {Container} from './layout.ts';

/** Line ends and indentation step of a file. */
type WritingStyle = {readonly lineEnd: string; readonly step: string};

/** Formatting of a new item at its place. */
type ItemShape = {
	/** Indentation of the line on which the item begins. */
	readonly indentation: string;
	/** Over several lines; JSON only. */
	readonly spread: boolean;
};

export type WriteItem = (shape: ItemShape, style: WritingStyle) => string;

export const getLineEnd = (text: string): string => /\r?\n/.exec(text)?.[0] ?? '\n';

/**
 * Inserts an item at the end of a list or table. Comments keep their lines, and the new item copies the last
 * one's style: on its own line or not, with a trailing comma or not.
 */
export function insertItem(
	text: string,
	container: Container,
	format: ConfigurationFormat,
	write: WriteItem,
): string {
	const style = {lineEnd: getLineEnd(text), step: /^([ \t]+)["[{]/m.exec(text)?.[1] ?? '  '};
	return (container.items.length === 0 ? insertFirst : insertLast)(text, container, {
		format,
		style,
		write: shape => write(shape, style),
	});
}

type Insertion = {
	readonly format: ConfigurationFormat;
	readonly style: WritingStyle;
	readonly write: (shape: ItemShape) => string;
};

/** Returns the indentation of the line at an offset. */
export function getIndentation(text: string, offset: number): string {
	const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
	return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

function insertFirst(text: string, container: Container, {format, style, write}: Insertion): string {
	const {start, end} = container;
	const [before, inside, after] = [
		text.slice(0, start + 1),
		text.slice(start + 1, end - 1),
		text.slice(end - 1),
	];
	const outer = getIndentation(text, start);
	if (format === 'toml' && !inside.includes('\n'))
		return `${before} ${write({indentation: outer, spread: false})} ${after}`;
	const kept = inside.trim() === '' ? '' : inside.replace(/\r?\n[ \t]*$/, '');
	const item = write({indentation: outer + style.step, spread: true});
	return `${before}${kept}${style.lineEnd}${outer}${style.step}${item}${style.lineEnd}${outer}${after}`;
}

function insertLast(text: string, container: Container, {format, style, write}: Insertion): string {
	const last = container.items.at(-1);
	if (!last) return text;
	const spread = text.slice(last.start, last.end).includes('\n');
	const comma = container.comma === undefined ? ',' : '';
	const from = container.comma === undefined ? last.end : container.comma + 1;
	const lineEnd = findFirstLineEnd(text, from, container.end - 1, format);
	if (lineEnd === undefined) {
		const at = from + text.slice(from, container.end - 1).trimEnd().length;
		const item = write({indentation: getIndentation(text, last.start), spread});
		return `${text.slice(0, at)}${comma} ${item}${text.slice(at)}`;
	}
	const own = getIndentation(text, last.start);
	const lineStart = text.lastIndexOf('\n', last.start - 1) + 1;
	const beginsLine = text.slice(lineStart, last.start).trim() === '';
	const indentation = beginsLine ? own : getIndentation(text, container.start) + style.step;
	const item = write({indentation, spread: spread || container.kind === 'table'});
	const trailing = container.comma === undefined ? '' : ',';
	return [
		text.slice(0, last.end),
		comma,
		text.slice(last.end, lineEnd),
		style.lineEnd,
		indentation,
		item,
		trailing,
		text.slice(lineEnd),
	].join('');
}

/**
 * Finds the end of the line with an item's trailing space and comments; undefined if the bracket closes
 * first.
 */
function findFirstLineEnd(
	text: string,
	from: number,
	to: number,
	format: ConfigurationFormat,
): number | undefined {
	const comment = format === 'toml' ? '#' : '//';
	let at = from;
	while (at < to) {
		if (text.charAt(at) === '\n') return text.charAt(at - 1) === '\r' ? at - 1 : at;
		if (text.startsWith(comment, at)) at = text.indexOf('\n', at);
		else if (format !== 'toml' && text.startsWith('/*', at)) at = findBlockCommentEnd(text, at);
		else at++;
	}
	return undefined;
}
