import type {ConfigurationFormat} from './discovery.ts';
import {findBlockCommentEnd} from './json-layout.ts';
import type {Container} from './layout.ts';

/** Line ends and indentation step of a file. */
type WritingStyle = {readonly lineEnd: string; readonly step: string};

/** Formatting of a new item at its place. */
type ItemShape = {
	/** Indentation of the line on which the item begins. */
	readonly indentation: string;
	/** True if the item is written over several lines (JSON only). */
	readonly isMultiline: boolean;
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
	const outerIndentation = getIndentation(text, start);
	if (format === 'toml' && !inside.includes('\n'))
		return `${before} ${write({indentation: outerIndentation, isMultiline: false})} ${after}`;
	const content = inside.trim() === '' ? '' : inside.replace(/\r?\n[ \t]*$/, '');
	const item = write({indentation: outerIndentation + style.step, isMultiline: true});
	return `${before}${content}${style.lineEnd}${outerIndentation}${style.step}${item}${style.lineEnd}${outerIndentation}${after}`;
}

function insertLast(text: string, container: Container, {format, style, write}: Insertion): string {
	const lastItem = container.items.at(-1);
	if (!lastItem) return text;
	const isMultiline = text.slice(lastItem.start, lastItem.end).includes('\n');
	const comma = container.comma === undefined ? ',' : '';
	const tailStart = container.comma === undefined ? lastItem.end : container.comma + 1;
	const lineEnd = findFirstLineEnd(text, tailStart, container.end - 1, format);
	if (lineEnd === undefined) {
		const insertOffset = tailStart + text.slice(tailStart, container.end - 1).trimEnd().length;
		const item = write({indentation: getIndentation(text, lastItem.start), isMultiline});
		return `${text.slice(0, insertOffset)}${comma} ${item}${text.slice(insertOffset)}`;
	}
	const itemIndentation = getIndentation(text, lastItem.start);
	const lineStart = text.lastIndexOf('\n', lastItem.start - 1) + 1;
	const beginsLine = text.slice(lineStart, lastItem.start).trim() === '';
	const indentation = beginsLine ? itemIndentation : getIndentation(text, container.start) + style.step;
	const item = write({indentation, isMultiline: isMultiline || container.kind === 'table'});
	const trailingComma = container.comma === undefined ? '' : ',';
	return [
		text.slice(0, lastItem.end),
		comma,
		text.slice(lastItem.end, lineEnd),
		style.lineEnd,
		indentation,
		item,
		trailingComma,
		text.slice(lineEnd),
	].join('');
}

/**
 * Finds the end of the line with an item's trailing space and comments; undefined if the bracket closes
 * first.
 */
function findFirstLineEnd(
	text: string,
	start: number,
	end: number,
	format: ConfigurationFormat,
): number | undefined {
	const comment = format === 'toml' ? '#' : '//';
	let offset = start;
	while (offset < end) {
		if (text.charAt(offset) === '\n') return text.charAt(offset - 1) === '\r' ? offset - 1 : offset;
		if (text.startsWith(comment, offset)) offset = text.indexOf('\n', offset);
		else if (format !== 'toml' && text.startsWith('/*', offset)) offset = findBlockCommentEnd(text, offset);
		else offset++;
	}
	return undefined;
}
