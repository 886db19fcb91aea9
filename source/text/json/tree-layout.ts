import type {Lines} from '../lines.ts';
import type {Numbering} from '../numbering.ts';
import {type Steps, YieldBudget} from '../steps.ts';
import type {JsonNodes} from './tree-nodes.ts';
import {readJsonInSteps} from './tree-reading.ts';
import {hasComma} from './tree-rows.ts';

/** Maximum indent, in levels: otherwise ten thousand levels would need a hundred million spaces. */
const deepestIndent = 50;

/**
 * Lays JSON out with one value per line and two spaces per level, to compare and show it. Numbers, escapes,
 * the order of properties and duplicate names stay as written. Undefined if it is not JSON, or longer than
 * `maxJsonSize`.
 */
export function* layOut(text: string, numbering: Numbering): Steps<Lines | undefined> {
	const nodes = yield* readJsonInSteps(text);
	if (!nodes) return undefined;
	const numbers: number[] = [];
	const budget = new YieldBudget();
	for (let node = 0; node < nodes.size; node++) {
		numbers.push(numbering.of(line(nodes, node)));
		if (budget.isStep()) yield;
		if (nodes.children(node) > 0) continue;
		for (let at = nodes.parent(node); at >= 0 && nodes.after(at) === node + 1; at = nodes.parent(at)) {
			numbers.push(numbering.of(closingLine(nodes, at)));
			if (budget.isStep()) yield;
		}
	}
	return {numbers, texts: numbering.texts};
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

/** Formats an empty container without its white space. */
function scalarOrEmpty(nodes: JsonNodes, node: number): string {
	if (!nodes.isContainer(node)) return nodes.source(node);
	return nodes.kind(node) === 'object' ? '{}' : '[]';
}

const indent = (nodes: JsonNodes, node: number): string =>
	'  '.repeat(Math.min(nodes.depth(node), deepestIndent));
