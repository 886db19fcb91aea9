/** The largest JSON, in bytes, that is shown as a tree, compared by fields and merged: 2 MiB. */
export const largestJson = 2 * 1024 * 1024;

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null';

/** A place in a JSON value, from the outside in: property names, and positions in arrays. */
export type JsonPath = readonly (string | number)[];

const kinds: readonly JsonKind[] = ['object', 'array', 'string', 'number', 'true', 'false', 'null'];

/** Where each figure of a node is in its record. */
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
 * The values of a JSON text with the places in the text where they stand, so that numbers, escapes and repeated
 * names stay as they are written. A node is a number: 0 is the whole value, and a value's own values follow it
 * directly (those of one container: `for (child = node + 1; child < after(node); child = after(child))`).
 * Kept packed, 40 bytes a node: 2 MiB can hold a million.
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

	/** Adds a node that starts here; it ends with `close`. For the reader only. */
	add(kind: JsonKind, start: number, parent: number, nameStart: number, nameEnd: number): number {
		const node = this.#size++;
		const at = node * recordSize;
		if (at === this.#records.length) {
			const grown = new Int32Array(at * 2);
			grown.set(this.#records);
			this.#records = grown;
		}
		const records = this.#records;
		records[at + field.kind] = kinds.indexOf(kind);
		records[at + field.start] = start;
		records[at + field.nameStart] = nameStart;
		records[at + field.nameEnd] = nameEnd;
		records[at + field.parent] = parent;
		if (parent < 0) return node;
		const position = this.children(parent);
		records[at + field.position] = position;
		records[at + field.depth] = this.depth(parent) + 1;
		records[parent * recordSize + field.children] = position + 1;
		return node;
	}

	/** Records where a node ends; everything inside it was added before. For the reader only. */
	close(node: number, end: number): void {
		this.#records[node * recordSize + field.end] = end;
		this.#records[node * recordSize + field.after] = this.#size;
	}

	kind(node: number): JsonKind {
		return kinds[this.#figure(node, field.kind)] ?? 'null';
	}

	isContainer(node: number): boolean {
		return this.#figure(node, field.kind) < 2;
	}

	/** Where the value starts in the text, in UTF-16 units. */
	start(node: number): number {
		return this.#figure(node, field.start);
	}

	/** Where the text goes on after the value. */
	end(node: number): number {
		return this.#figure(node, field.end);
	}

	/** Where the property name starts, with its quote; -1 for what has no name. */
	nameStart(node: number): number {
		return this.#figure(node, field.nameStart);
	}

	nameEnd(node: number): number {
		return this.#figure(node, field.nameEnd);
	}

	/** Where the property or element starts: at its name if it has one. */
	memberStart(node: number): number {
		const name = this.nameStart(node);
		return name < 0 ? this.start(node) : name;
	}

	/** The container that a node is in; -1 for the whole value. */
	parent(node: number): number {
		return this.#figure(node, field.parent);
	}

	/** Which one of its container's members it is, from 0. */
	position(node: number): number {
		return this.#figure(node, field.position);
	}

	/** How many containers are around it. */
	depth(node: number): number {
		return this.#figure(node, field.depth);
	}

	/** The node that follows this one and all that is inside it. */
	after(node: number): number {
		return this.#figure(node, field.after);
	}

	/** How many members a container has. */
	children(node: number): number {
		return this.#figure(node, field.children);
	}

	source(node: number): string {
		return this.text.slice(this.start(node), this.end(node));
	}

	/** The property name as it is written, quotes and escapes included. */
	nameSource(node: number): string | undefined {
		const start = this.nameStart(node);
		return start < 0 ? undefined : this.text.slice(start, this.nameEnd(node));
	}

	/** The property name that is meant. */
	name(node: number): string | undefined {
		const source = this.nameSource(node);
		return source === undefined ? undefined : stringOf(source);
	}

	path(node: number): JsonPath {
		const path: (string | number)[] = [];
		for (let at = node; this.parent(at) >= 0; at = this.parent(at))
			path.push(this.name(at) ?? this.position(at));
		return path.reverse();
	}

	/** The node at a path, of properties with one name the last (as `JSON.parse` has it); `undefined` if there is none. */
	find(path: JsonPath): number | undefined {
		let node: number | undefined = 0;
		for (const step of path) {
			if (node === undefined) return undefined;
			let found: number | undefined;
			for (let child: number = node + 1; child < this.after(node); child = this.after(child))
				if ((this.name(child) ?? this.position(child)) === step) found = child;
			node = found;
		}
		return node;
	}

	#figure(node: number, which: number): number {
		return this.#records[node * recordSize + which] ?? 0;
	}
}

/** What a JSON string literal says. */
export const stringOf = (source: string): string =>
	source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
