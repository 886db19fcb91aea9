import {formatQuantity} from '../figures.ts';
import type {JsonNodeKind, JsonNodes, JsonPath} from './tree-nodes.ts';
import {readJsonNodes} from './tree-reading.ts';
import {buildTreeRows, hasComma} from './tree-rows.ts';

/** A row of the tree. Its strings are as in the value, not yet safe for a terminal. */
export type JsonRow = {
	readonly node: number;
	/** `end` is the row of a closing bracket; only `open` containers have one. */
	readonly shape: 'scalar' | 'open' | 'closed' | 'empty' | 'end';
	readonly kind: JsonNodeKind;
	readonly depth: number;
	/** The property name as written, with quotes; not on an `end` row. */
	readonly name?: string;
	/** The index in the containing array. */
	readonly index?: number;
	/** The scalar as written, cut to `maxRowUnits` UTF-16 units; a bracket; `{}`; `{ 5 fields }`. */
	readonly text: string;
	/** Number of UTF-16 units cut from name and text. */
	readonly cutUnits: number;
	readonly childCount: number;
	readonly comma: boolean;
};

/** Maximum UTF-16 units of a scalar in a row, and of a name. */
export const maxRowUnits = 2000;

/**
 * A new tree is opened level by level up to this many rows, and further if it has fewer rows than a small
 * screen.
 */
const maxOpenRows = 2000;
const minOpenRows = 20;

/**
 * A JSON value as rows, for a list that draws only what is visible. Immutable: `toggle` and the like return
 * another tree with the same nodes, so changes can be detected by comparing trees.
 */
export class JsonTree {
	readonly nodes: JsonNodes;
	/** 1 for each closed container. */
	readonly #closedFlags: Uint8Array;
	readonly #rows: Int32Array;

	private constructor(nodes: JsonNodes, closedFlags: Uint8Array) {
		this.nodes = nodes;
		this.#closedFlags = closedFlags;
		this.#rows = buildTreeRows(nodes, node => closedFlags[node] === 1);
	}

	/** Reads a text, and opens as much as fits a first screen; undefined as for `readJsonNodes`. */
	static read(text: string): JsonTree | undefined {
		const nodes = readJsonNodes(text);
		return nodes && JsonTree.create(nodes);
	}

	/**
	 * Creates a tree that is opened as far as a first screen needs, or like `previous` as far as possible.
	 */
	static create(nodes: JsonNodes, previous?: JsonTree): JsonTree {
		const closedFlags = previous
			? copyClosed(previous.nodes, previous.#closedFlags, nodes)
			: closeFromDepth(nodes, chooseOpenDepth(nodes));
		return new JsonTree(nodes, closedFlags);
	}

	/** Reads a changed text; containers that still exist stay open or closed. */
	reread(text: string): JsonTree | undefined {
		const nodes = readJsonNodes(text);
		return nodes && JsonTree.create(nodes, this);
	}

	get count(): number {
		return this.#rows.length;
	}

	/** Returns the row at an index, from 0; undefined after the last row. */
	at(row: number): JsonRow | undefined {
		const entry = this.#rows[row];
		if (entry === undefined) return undefined;
		return entry < 0 ? this.#buildEndRow(~entry) : this.#buildStartRow(entry);
	}

	/** Returns the row of a node; inside a closed container, that container's row. */
	findRow(node: number): number {
		let visibleNode = node;
		for (let ancestor = this.nodes.parent(node); ancestor >= 0; ancestor = this.nodes.parent(ancestor))
			if (this.#closedFlags[ancestor] === 1) visibleNode = ancestor;
		return this.#rows.indexOf(visibleNode);
	}

	/** Returns the row where the container around a row starts; for the outermost, its own row. */
	findParentRow(row: number): number {
		const node = this.#getNode(row);
		const parent = node === undefined ? -1 : this.nodes.parent(node);
		return parent < 0 ? this.findRow(0) : this.findRow(parent);
	}

	/** Opens or closes the container on a row; returns the same tree if the row has none. */
	toggle(row: number): JsonTree {
		const node = this.#getNode(row);
		if (node === undefined || this.nodes.childCount(node) === 0) return this;
		const closedFlags = this.#closedFlags.slice();
		closedFlags[node] = closedFlags[node] === 1 ? 0 : 1;
		return new JsonTree(this.nodes, closedFlags);
	}

	/** Opens all containers around a node, so that it has a row. */
	reveal(node: number): JsonTree {
		const closedFlags = this.#closedFlags.slice();
		let hasOpened = false;
		for (let ancestor = this.nodes.parent(node); ancestor >= 0; ancestor = this.nodes.parent(ancestor)) {
			hasOpened ||= closedFlags[ancestor] === 1;
			closedFlags[ancestor] = 0;
		}
		return hasOpened ? new JsonTree(this.nodes, closedFlags) : this;
	}

	openAll(): JsonTree {
		return new JsonTree(this.nodes, new Uint8Array(this.nodes.size));
	}

	closeAll(): JsonTree {
		return new JsonTree(this.nodes, closeFromDepth(this.nodes, 1));
	}

	path(row: number): JsonPath {
		const node = this.#getNode(row);
		return node === undefined ? [] : this.nodes.path(node);
	}

	#getNode(row: number): number | undefined {
		const entry = this.#rows[row];
		return entry === undefined || entry >= 0 ? entry : ~entry;
	}

	#buildStartRow(node: number): JsonRow {
		const {nodes} = this;
		const shape = this.#getShape(node);
		const name = nodes.nameStart(node) < 0 ? '' : cutText(nodes, nodes.nameStart(node), nodes.nameEnd(node));
		const text =
			shape === 'scalar'
				? cutText(nodes, nodes.start(node), nodes.end(node))
				: formatOpening(nodes, node, shape);
		const fullLength =
			nodes.nameEnd(node) -
			nodes.nameStart(node) +
			(shape === 'scalar' ? nodes.end(node) - nodes.start(node) : text.length);
		const parent = nodes.parent(node);
		return {
			node,
			shape,
			kind: nodes.kind(node),
			depth: nodes.depth(node),
			...(name ? {name} : parent >= 0 ? {index: nodes.memberIndex(node)} : {}),
			text,
			cutUnits: fullLength - name.length - text.length,
			childCount: nodes.childCount(node),
			comma: shape !== 'open' && hasComma(nodes, node),
		};
	}

	#buildEndRow(node: number): JsonRow {
		const {nodes} = this;
		const kind = nodes.kind(node);
		return {
			node,
			shape: 'end',
			kind,
			depth: nodes.depth(node),
			text: kind === 'object' ? '}' : ']',
			cutUnits: 0,
			childCount: nodes.childCount(node),
			comma: hasComma(nodes, node),
		};
	}

	#getShape(node: number): 'scalar' | 'open' | 'closed' | 'empty' {
		if (!this.nodes.isContainer(node)) return 'scalar';
		if (this.nodes.childCount(node) === 0) return 'empty';
		return this.#closedFlags[node] === 1 ? 'closed' : 'open';
	}
}

/** Maximum UTF-16 units of a container that is shown as written in a summary. */
const maxSummaryUnits = 30;

/** Formats a value in one line: as written if it is a scalar or short, otherwise like a closed row. */
export function formatJsonSummary(nodes: JsonNodes, node: number): string {
	const [start, end] = [nodes.start(node), nodes.end(node)];
	if (nodes.childCount(node) > 0 && end - start > maxSummaryUnits)
		return formatOpening(nodes, node, 'closed');
	return cutText(nodes, start, end);
}

/** Cuts a part of the text to `maxRowUnits`, without splitting a surrogate pair. */
function cutText({text}: JsonNodes, start: number, end: number): string {
	if (end - start <= maxRowUnits) return text.slice(start, end);
	const lastUnit = text.charCodeAt(start + maxRowUnits - 1);
	return text.slice(start, start + maxRowUnits - (lastUnit >= 0xd800 && lastUnit < 0xdc00 ? 1 : 0));
}

function formatOpening(nodes: JsonNodes, node: number, shape: 'open' | 'closed' | 'empty'): string {
	const isObject = nodes.kind(node) === 'object';
	if (shape === 'open') return isObject ? '{' : '[';
	if (shape === 'empty') return isObject ? '{}' : '[]';
	const childCount = nodes.childCount(node);
	return isObject
		? `{ ${formatQuantity(childCount, 'field')} }`
		: `[ ${formatQuantity(childCount, 'element')} ]`;
}

/** Closes all containers from a depth on. */
function closeFromDepth(nodes: JsonNodes, depth: number): Uint8Array {
	const closedFlags = new Uint8Array(nodes.size);
	for (let node = 0; node < nodes.size; node++)
		if (nodes.childCount(node) > 0 && nodes.depth(node) >= depth) closedFlags[node] = 1;
	return closedFlags;
}

/** Returns the first depth that is closed in a new tree. */
function chooseOpenDepth(nodes: JsonNodes): number {
	/** By depth, the rows added by opening its containers: members and closing brackets. */
	const rowsByDepth: number[] = [];
	for (let node = 0; node < nodes.size; node++) {
		const childCount = nodes.childCount(node);
		if (childCount === 0) continue;
		const depth = nodes.depth(node);
		rowsByDepth[depth] = (rowsByDepth[depth] ?? 0) + childCount + 1;
	}
	let rowCount = 1;
	for (const [depth, addedRows] of rowsByDepth.entries()) {
		if (depth > 0 && rowCount >= minOpenRows && rowCount + addedRows > maxOpenRows) return depth;
		rowCount += addedRows;
	}
	return rowsByDepth.length;
}

/**
 * Closes the containers of `nodes` that are closed in `oldNodes`. Containers match by name in objects, and by
 * position in arrays.
 */
function copyClosed(oldNodes: JsonNodes, oldClosed: Uint8Array, nodes: JsonNodes): Uint8Array {
	const closedFlags = new Uint8Array(nodes.size);
	const pairs: [before: number, now: number][] = [[0, 0]];
	for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
		const [oldNode, newNode] = pair;
		if (oldNodes.kind(oldNode) !== nodes.kind(newNode) || nodes.childCount(newNode) === 0) continue;
		closedFlags[newNode] = oldClosed[oldNode] ?? 0;
		const members = new Map<string | number, number>();
		for (let child = oldNode + 1; child < oldNodes.nodeAfter(oldNode); child = oldNodes.nodeAfter(child))
			if (oldNodes.childCount(child) > 0)
				members.set(oldNodes.name(child) ?? oldNodes.memberIndex(child), child);
		if (members.size === 0) continue;
		for (let child = newNode + 1; child < nodes.nodeAfter(newNode); child = nodes.nodeAfter(child)) {
			const match = members.get(nodes.name(child) ?? nodes.memberIndex(child));
			if (match !== undefined) pairs.push([match, child]);
		}
	}
	return closedFlags;
}
