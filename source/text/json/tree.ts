import {counted} from '../figures.ts';
import type {JsonKind, JsonNodes, JsonPath} from './tree-nodes.ts';
import {readJson} from './tree-reading.ts';
import {hasComma, rowsOf} from './tree-rows.ts';

/** One row of the tree. Its texts are as they are in the value, not yet safe for a terminal. */
export type JsonRow = {
	readonly node: number;
	/** `end` is the row of the closing bracket; only what is `open` has one. */
	readonly shape: 'scalar' | 'open' | 'closed' | 'empty' | 'end';
	readonly kind: JsonKind;
	readonly depth: number;
	/** The property name as it is written, with its quotes; not on the `end` row. */
	readonly name?: string;
	/** The position in the array around it, from 0. */
	readonly index?: number;
	/** The scalar as it is written, cut to `longestRow` UTF-16 units; a bracket; `{}`; `{ 5 fields }`. */
	readonly text: string;
	/** How many UTF-16 units of name and text were cut off. */
	readonly cut: number;
	readonly children: number;
	readonly comma: boolean;
};

/** The most UTF-16 units that a row returns of a scalar, and of a name. */
export const longestRow = 2000;

/** A tree opens as deep as this many rows allow, and deeper while the rows are not even enough for a small screen. */
const openedRows = 2000;
const fewestRows = 20;

/**
 * A JSON value as rows for a list that draws only what is in sight. A tree never changes: `toggle` and its like
 * give another one, which shares the nodes, so that whoever holds a tree can tell by comparing that it is another.
 */
export class JsonTree {
	readonly nodes: JsonNodes;
	/** 1 for each closed container. */
	readonly #closed: Uint8Array;
	readonly #rows: Int32Array;

	private constructor(nodes: JsonNodes, closed: Uint8Array) {
		this.nodes = nodes;
		this.#closed = closed;
		this.#rows = rowsOf(nodes, node => closed[node] === 1);
	}

	/** The tree of a text, opened so that the first screen says much; `undefined` as for `readJson`. */
	static read(text: string): JsonTree | undefined {
		const nodes = readJson(text);
		return nodes && JsonTree.of(nodes);
	}

	/** The tree of nodes that were read, opened as `read` does, or as far as possible like the one before. */
	static of(nodes: JsonNodes, before?: JsonTree): JsonTree {
		const closed = before
			? closedAlike(before.nodes, before.#closed, nodes)
			: closedFrom(nodes, firstDepth(nodes));
		return new JsonTree(nodes, closed);
	}

	/** The tree of a changed text, with everything that is still there open or closed as it is here. */
	reread(text: string): JsonTree | undefined {
		const nodes = readJson(text);
		return nodes && JsonTree.of(nodes, this);
	}

	get count(): number {
		return this.#rows.length;
	}

	at(row: number): JsonRow | undefined {
		const entry = this.#rows[row];
		if (entry === undefined) return undefined;
		return entry < 0 ? this.#endRow(~entry) : this.#startRow(entry);
	}

	/** The row of a node; of one inside something closed, the row of that. */
	rowOf(node: number): number {
		let shown = node;
		for (let around = this.nodes.parent(node); around >= 0; around = this.nodes.parent(around))
			if (this.#closed[around] === 1) shown = around;
		return this.#rows.indexOf(shown);
	}

	/** The row on which the container around a row starts; the row itself for the outermost. */
	parentRow(row: number): number {
		const node = this.#nodeAt(row);
		const parent = node === undefined ? -1 : this.nodes.parent(node);
		return parent < 0 ? this.rowOf(0) : this.rowOf(parent);
	}

	/** Opens or closes the container that starts or ends on the row; the same tree when there is none. */
	toggle(row: number): JsonTree {
		const node = this.#nodeAt(row);
		if (node === undefined || this.nodes.children(node) === 0) return this;
		const closed = this.#closed.slice();
		closed[node] = closed[node] === 1 ? 0 : 1;
		return new JsonTree(this.nodes, closed);
	}

	/** Opens whatever is around a node, so that it has a row of its own. */
	reveal(node: number): JsonTree {
		const closed = this.#closed.slice();
		let opened = false;
		for (let around = this.nodes.parent(node); around >= 0; around = this.nodes.parent(around)) {
			opened ||= closed[around] === 1;
			closed[around] = 0;
		}
		return opened ? new JsonTree(this.nodes, closed) : this;
	}

	openAll(): JsonTree {
		return new JsonTree(this.nodes, new Uint8Array(this.nodes.size));
	}

	closeAll(): JsonTree {
		return new JsonTree(this.nodes, closedFrom(this.nodes, 1));
	}

	path(row: number): JsonPath {
		const node = this.#nodeAt(row);
		return node === undefined ? [] : this.nodes.path(node);
	}

	#nodeAt(row: number): number | undefined {
		const entry = this.#rows[row];
		return entry === undefined || entry >= 0 ? entry : ~entry;
	}

	#startRow(node: number): JsonRow {
		const {nodes} = this;
		const shape = this.#shape(node);
		const name = nodes.nameStart(node) < 0 ? '' : cutText(nodes, nodes.nameStart(node), nodes.nameEnd(node));
		const text =
			shape === 'scalar' ? cutText(nodes, nodes.start(node), nodes.end(node)) : opening(nodes, node, shape);
		const whole =
			nodes.nameEnd(node) -
			nodes.nameStart(node) +
			(shape === 'scalar' ? nodes.end(node) - nodes.start(node) : text.length);
		const parent = nodes.parent(node);
		return {
			node,
			shape,
			kind: nodes.kind(node),
			depth: nodes.depth(node),
			...(name ? {name} : parent >= 0 ? {index: nodes.position(node)} : {}),
			text,
			cut: whole - name.length - text.length,
			children: nodes.children(node),
			comma: shape !== 'open' && hasComma(nodes, node),
		};
	}

	#endRow(node: number): JsonRow {
		const {nodes} = this;
		const kind = nodes.kind(node);
		return {
			node,
			shape: 'end',
			kind,
			depth: nodes.depth(node),
			text: kind === 'object' ? '}' : ']',
			cut: 0,
			children: nodes.children(node),
			comma: hasComma(nodes, node),
		};
	}

	#shape(node: number): 'scalar' | 'open' | 'closed' | 'empty' {
		if (!this.nodes.isContainer(node)) return 'scalar';
		if (this.nodes.children(node) === 0) return 'empty';
		return this.#closed[node] === 1 ? 'closed' : 'open';
	}
}

/** A piece of the text, cut to `longestRow` without halving a surrogate pair. */
function cutText({text}: JsonNodes, start: number, end: number): string {
	if (end - start <= longestRow) return text.slice(start, end);
	const last = text.charCodeAt(start + longestRow - 1);
	return text.slice(start, start + longestRow - (last >= 0xd800 && last < 0xdc00 ? 1 : 0));
}

function opening(nodes: JsonNodes, node: number, shape: 'open' | 'closed' | 'empty'): string {
	const isObject = nodes.kind(node) === 'object';
	if (shape === 'open') return isObject ? '{' : '[';
	if (shape === 'empty') return isObject ? '{}' : '[]';
	const children = nodes.children(node);
	return isObject ? `{ ${counted(children, 'field')} }` : `[ ${counted(children, 'element')} ]`;
}

/** Everything closed from a depth on. */
function closedFrom(nodes: JsonNodes, depth: number): Uint8Array {
	const closed = new Uint8Array(nodes.size);
	for (let node = 0; node < nodes.size; node++)
		if (nodes.children(node) > 0 && nodes.depth(node) >= depth) closed[node] = 1;
	return closed;
}

/** The depth from which a tree is closed at first. */
function firstDepth(nodes: JsonNodes): number {
	/** How many rows open up when the containers of each depth are opened: their members and closing brackets. */
	const opened: number[] = [];
	for (let node = 0; node < nodes.size; node++) {
		const children = nodes.children(node);
		if (children === 0) continue;
		const depth = nodes.depth(node);
		opened[depth] = (opened[depth] ?? 0) + children + 1;
	}
	let rows = 1;
	for (const [depth, more] of opened.entries()) {
		if (depth > 0 && rows >= fewestRows && rows + more > openedRows) return depth;
		rows += more;
	}
	return opened.length;
}

/** The closed containers of `nodes` that are closed in `before`, too: told by name in objects, by position in arrays. */
function closedAlike(before: JsonNodes, closedBefore: Uint8Array, nodes: JsonNodes): Uint8Array {
	const closed = new Uint8Array(nodes.size);
	const pairs: [before: number, now: number][] = [[0, 0]];
	for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
		const [old, now] = pair;
		if (before.kind(old) !== nodes.kind(now) || nodes.children(now) === 0) continue;
		closed[now] = closedBefore[old] ?? 0;
		const members = new Map<string | number, number>();
		for (let child = old + 1; child < before.after(old); child = before.after(child))
			if (before.children(child) > 0) members.set(before.name(child) ?? before.position(child), child);
		if (members.size === 0) continue;
		for (let child = now + 1; child < nodes.after(now); child = nodes.after(child)) {
			const match = members.get(nodes.name(child) ?? nodes.position(child));
			if (match !== undefined) pairs.push([match, child]);
		}
	}
	return closed;
}
