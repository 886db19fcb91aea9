import {isScalar, type Node, Scalar} from 'yaml';

/**
 * Returns the offset in a YAML or JSON file at which a character of a text stands; undefined if its form is not
 * followed: folded over lines, or made of aliases. `offset` counts UTF-16 units of the text.
 */
export function findSourceOffset(source: string, node: Node | undefined, offset: number): number | undefined {
	if (!isScalar(node) || typeof node.value !== 'string' || !node.range) return undefined;
	const [start, end] = node.range;
	switch (node.type) {
		case Scalar.PLAIN:
			return source.slice(start, end) === node.value ? start + offset : undefined;
		case Scalar.QUOTE_SINGLE:
			return skipCharacters(source, start + 1, offset, text => (text.startsWith("''") ? 2 : 1));
		case Scalar.QUOTE_DOUBLE:
			return skipCharacters(source, start + 1, offset, measureEscape);
		case Scalar.BLOCK_LITERAL:
			return findBlockOffset(source, start, node.value, offset);
		default:
			return undefined;
	}
}

/** Moves over characters of one line, each as long as `measure` says. */
function skipCharacters(
	source: string,
	start: number,
	count: number,
	measure: (text: string) => number | undefined,
): number | undefined {
	let position = start;
	for (let index = 0; index < count; index++) {
		const length = source[position] === '\n' ? undefined : measure(source.slice(position, position + 2));
		if (length === undefined) return undefined;
		position += length;
	}
	return position;
}

/** Returns the length of a character or an escape; undefined for one that stands for two UTF-16 units. */
function measureEscape(text: string): number | undefined {
	if (!text.startsWith('\\')) return 1;
	switch (text[1]) {
		case 'x':
			return 4;
		case 'u':
			return 6;
		case 'U':
		case '\n':
		case '\r':
			return undefined;
		default:
			return 2;
	}
}

/** The lines of a block begin after its header, all with the same indentation. */
function findBlockOffset(source: string, start: number, value: string, offset: number): number | undefined {
	const before = value.slice(0, offset);
	const lineIndex = before.split('\n').length - 1;
	let lineStart = source.indexOf('\n', start) + 1;
	for (let index = 0; index < lineIndex; index++) lineStart = source.indexOf('\n', lineStart) + 1;
	const line = value.split('\n')[lineIndex] ?? '';
	const indentation = source.indexOf(line, lineStart) - lineStart;
	if (indentation < 0 || !/^ *$/.test(source.slice(lineStart, lineStart + indentation))) return undefined;
	return lineStart + indentation + offset - (before.lastIndexOf('\n') + 1);
}
