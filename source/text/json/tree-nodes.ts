/** Maximum size of JSON to show as a tree, compare by fields and merge: 2 MiB. */
export const maxJsonSize = 2 * 1024 * 1024;

export type JsonNodeKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null';

/** A path into a JSON value: property names, and indexes in arrays. */
export type JsonPath = readonly (string | number)[];

const kinds: readonly JsonNodeKind[] = ['object', 'array', 'string', 'number', 'true', 'false', 'null'];

/** Offsets of the fields in a node's record. */
const field = {
	kind: 0,
	start: 1,
	end: 2,
	nameStart: 3,
	nameEnd: 4,
	parent: 5,
	position: 6,
	depth: 7,
	after: 8,
	children: 9,
} as const;
const recordSize = 10;

/**
 * The values of a JSON text with their positions in it, so that numbers, escapes and duplicate names stay as
 * written. A node is a number: 0 is the whole value, and a value's descendants follow it directly (iterate
 * children: `for (child = node + 1; child < nodeAfter(node); child = nodeAfter(child))`). Packed into 40
 * bytes per node: 2 MiB can contain a million.
 */
export class JsonNodes {
	readonly text: string;
	#records: Int32Array;
	#size = 0;

	constructor(text: string) {
		this.text = text;
		this.#records = new Int32Array(((text.length >> 4) + 8) * recordSize);
	}

	get size(): number {
		return this.#size;
	}

	/** Adds a node that starts at `start`; `close` ends it. Only the reader calls this. */
	add(kind: JsonNodeKind, start: number, parent: number, nameStart: number, nameEnd: number): number {
		const node = this.#size++;
		const recordStart = node * recordSize;
		if (recordStart === this.#records.length) {
			const grown = new Int32Array(recordStart * 2);
			grown.set(this.#records);
			this.#records = grown;
		}
		const records = this.#records;
		records[recordStart + field.kind] = kinds.indexOf(kind);
		records[recordStart + field.start] = start;
		records[recordStart + field.nameStart] = nameStart;
		records[recordStart + field.nameEnd] = nameEnd;
		records[recordStart + field.parent] = parent;
		if (parent < 0) return node;
		const memberIndex = this.childCount(parent);
		records[recordStart + field.position] = memberIndex;
		records[recordStart + field.depth] = this.depth(parent) + 1;
		records[parent * recordSize + field.children] = memberIndex + 1;
		return node;
	}

	/** Records the end of a node, after all its descendants were added. Only the reader calls this. */
	close(node: number, end: number): void {
		this.#records[node * recordSize + field.end] = end;
		this.#records[node * recordSize + field.after] = this.#size;
	}

	kind(node: number): JsonNodeKind {
		return kinds[this.#getField(node, field.kind)] ?? 'null';
	}

	isContainer(node: number): boolean {
		return this.#getField(node, field.kind) < 2;
	}

	/** Where the value starts in the text, in UTF-16 units. */
	start(node: number): number {
		return this.#getField(node, field.start);
	}

	/** Where the value ends in the text (exclusive). */
	end(node: number): number {
		return this.#getField(node, field.end);
	}

	/** Where the property name starts, with its quote; -1 without a name. */
	nameStart(node: number): number {
		return this.#getField(node, field.nameStart);
	}

	nameEnd(node: number): number {
		return this.#getField(node, field.nameEnd);
	}

	/** Where the property or element starts: at its name if it has one. */
	memberStart(node: number): number {
		const nameStart = this.nameStart(node);
		return nameStart < 0 ? this.start(node) : nameStart;
	}

	/** The container of a node; -1 for the whole value. */
	parent(node: number): number {
		return this.#getField(node, field.parent);
	}

	/** The index among the members of its container. */
	memberIndex(node: number): number {
		return this.#getField(node, field.position);
	}

	/** The number of containers that contain the node. */
	depth(node: number): number {
		return this.#getField(node, field.depth);
	}

	/** The first node after this one and its descendants. */
	nodeAfter(node: number): number {
		return this.#getField(node, field.after);
	}

	/** The number of members of a container. */
	childCount(node: number): number {
		return this.#getField(node, field.children);
	}

	source(node: number): string {
		return this.text.slice(this.start(node), this.end(node));
	}

	/** The property name as written, with quotes and escapes. */
	nameSource(node: number): string | undefined {
		const start = this.nameStart(node);
		return start < 0 ? undefined : this.text.slice(start, this.nameEnd(node));
	}

	/** The decoded property name. */
	name(node: number): string | undefined {
		const source = this.nameSource(node);
		return source === undefined ? undefined : parseJsonString(source);
	}

	path(node: number): JsonPath {
		const path: (string | number)[] = [];
		for (let ancestor = node; this.parent(ancestor) >= 0; ancestor = this.parent(ancestor))
			path.push(this.name(ancestor) ?? this.memberIndex(ancestor));
		return path.reverse();
	}

	/**
	 * Finds the node at a path; the last one of duplicate names, like `JSON.parse`. Undefined if there is
	 * none.
	 */
	find(path: JsonPath): number | undefined {
		let node: number | undefined = 0;
		for (const step of path) {
			if (node === undefined) return undefined;
			let match: number | undefined;
			for (let child: number = node + 1; child < this.nodeAfter(node); child = this.nodeAfter(child))
				if ((this.name(child) ?? this.memberIndex(child)) === step) match = child;
			node = match;
		}
		return node;
	}

	#getField(node: number, offset: number): number {
		return this.#records[node * recordSize + offset] ?? 0;
	}
}

/** Decodes a JSON string literal. */
export const parseJsonString = (source: string): string =>
	source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
