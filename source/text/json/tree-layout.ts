import type {NumberedLines} from '../lines.ts';
import type {Numbering} from '../numbering.ts';
import {type Steps, YieldBudget} from '../steps.ts';
import type {JsonNodes} from './tree-nodes.ts';
import {readJsonNodesInSteps} from './tree-reading.ts';
import {hasComma} from './tree-rows.ts';

/** Maximum indent, in levels: otherwise ten thousand levels would need a hundred million spaces. */
const maxIndentDepth = 50;

/**
 * Lays JSON out with one value per line and two spaces per level, to compare and show it. Numbers, escapes,
 * the order of properties and duplicate names stay as written. Undefined if it is not JSON, or longer than
 * `maxJsonSize`.
 */
export function* layOutJson(text: string, numbering: Numbering): Steps<NumberedLines | undefined> {
	const nodes = yield* readJsonNodesInSteps(text);
	if (!nodes) return undefined;
	const numbers: number[] = [];
	const budget = new YieldBudget();
	for (let node = 0; node < nodes.size; node++) {
		numbers.push(numbering.assignNumber(formatLine(nodes, node)));
		if (budget.shouldYield()) yield;
		if (nodes.childCount(node) > 0) continue;
		for (
			let ancestor = nodes.parent(node);
			ancestor >= 0 && nodes.nodeAfter(ancestor) === node + 1;
			ancestor = nodes.parent(ancestor)
		) {
			numbers.push(numbering.assignNumber(formatClosingLine(nodes, ancestor)));
			if (budget.shouldYield()) yield;
		}
	}
	return {numbers, texts: numbering.texts};
}

function formatLine(nodes: JsonNodes, node: number): string {
	const name = nodes.nameSource(node);
	const start = `${getIndent(nodes, node)}${name === undefined ? '' : `${name}: `}`;
	if (nodes.childCount(node) > 0) return `${start}${nodes.kind(node) === 'object' ? '{' : '['}`;
	return `${start}${formatScalar(nodes, node)}${hasComma(nodes, node) ? ',' : ''}`;
}

function formatClosingLine(nodes: JsonNodes, node: number): string {
	const bracket = nodes.kind(node) === 'object' ? '}' : ']';
	return `${getIndent(nodes, node)}${bracket}${hasComma(nodes, node) ? ',' : ''}`;
}

/** Formats an empty container without its white space. */
function formatScalar(nodes: JsonNodes, node: number): string {
	if (!nodes.isContainer(node)) return nodes.source(node);
	return nodes.kind(node) === 'object' ? '{}' : '[]';
}

const getIndent = (nodes: JsonNodes, node: number): string =>
	'  '.repeat(Math.min(nodes.depth(node), maxIndentDepth));
