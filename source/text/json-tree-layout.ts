import type {JsonNodes} from './json-tree-nodes.ts';
import {readJson} from './json-tree-reading.ts';
import {hasComma, rowsOf} from './json-tree-rows.ts';

/** Deeper nesting is indented no further: ten thousand levels must not make a hundred million spaces. */
const deepestIndent = 50;

/**
 * A JSON text laid out one value a line, two spaces a level, for comparing and showing. Numbers, escapes, the
 * order of properties and repeated names stay as they are written. `undefined` when it is no JSON, or longer
 * than `largestJson`.
 */
export function layOut(text: string): readonly string[] | undefined {
	const nodes = readJson(text);
	if (!nodes) return undefined;
	const lines: string[] = [];
	for (const row of rowsOf(nodes, () => false))
		lines.push(row < 0 ? closingLine(nodes, ~row) : line(nodes, row));
	return lines;
}

function line(nodes: JsonNodes, node: number): string {
	const name = nodes.nameSource(node);
	const start = `${indent(nodes, node)}${name === undefined ? '' : `${name}: `}`;
	if (nodes.children(node) > 0) return `${start}${nodes.kind(node) === 'object' ? '{' : '['}`;
	return `${start}${scalarOrEmpty(nodes, node)}${hasComma(nodes, node) ? ',' : ''}`;
}

function closingLine(nodes: JsonNodes, node: number): string {
	const bracket = nodes.kind(node) === 'object' ? '}' : ']';
	return `${indent(nodes, node)}${bracket}${hasComma(nodes, node) ? ',' : ''}`;
}

/** An empty container may hold any white space in the text; on its line it holds none. */
function scalarOrEmpty(nodes: JsonNodes, node: number): string {
	if (!nodes.isContainer(node)) return nodes.source(node);
	return nodes.kind(node) === 'object' ? '{}' : '[]';
}

const indent = (nodes: JsonNodes, node: number): string =>
	'  '.repeat(Math.min(nodes.depth(node), deepestIndent));
