import {bisect} from './bisect.ts';

/**
 * A set of integers, stored as disjoint ranges [from, to): for example the finished entries of a long list.
 * Memory grows with the number of gaps; adding in ascending order takes constant time.
 */
export class Ranges {
	/** from, to, from, to, … in ascending order. */
	readonly #edges: number[] = [];
	#size = 0;

	constructor(pairs: Iterable<readonly [from: number, to: number]> = []) {
		for (const [from, to] of pairs) this.add(from, to);
	}

	/** Number of integers in the set. */
	get size(): number {
		return this.#size;
	}

	/** Adds [from, to), which may touch or overlap existing ranges. */
	add(from: number, to: number): void {
		if (from >= to) return;
		const edges = this.#edges;
		let start = this.#findEdgeAfter(from - 1);
		let end = this.#findEdgeAfter(to);
		let low = from;
		let high = to;
		if (start % 2 === 1) low = edges[--start] ?? from;
		if (end % 2 === 1) high = edges[end++] ?? to;
		for (let index = start; index < end; index += 2)
			this.#size -= (edges[index + 1] ?? 0) - (edges[index] ?? 0);
		this.#size += high - low;
		edges.splice(start, end - start, low, high);
	}

	remove(number: number): void {
		const edges = this.#edges;
		const index = this.#findEdgeAfter(number);
		if (index % 2 === 0) return;
		const from = edges[index - 1] ?? number;
		const to = edges[index] ?? number + 1;
		const remainingEdges = [
			...(from < number ? [from, number] : []),
			...(number + 1 < to ? [number + 1, to] : []),
		];
		edges.splice(index - 1, 2, ...remainingEdges);
		this.#size--;
	}

	has(number: number): boolean {
		return this.#findEdgeAfter(number) % 2 === 1;
	}

	/** Yields the ranges as pairs [from, to), in ascending order. */
	*[Symbol.iterator](): IterableIterator<[from: number, to: number]> {
		for (let index = 0; index < this.#edges.length; index += 2)
			yield [this.#edges[index] ?? 0, this.#edges[index + 1] ?? 0];
	}

	/** Returns the index of the first edge greater than the number; odd if the number is in a range. */
	#findEdgeAfter(number: number): number {
		const edges = this.#edges;
		// Work usually proceeds upward, so the number is mostly beyond the last edge.
		if ((edges.at(-1) ?? 0) <= number) return edges.length;
		return bisect(0, edges.length, edgeIndex => (edges[edgeIndex] ?? 0) <= number);
	}
}
