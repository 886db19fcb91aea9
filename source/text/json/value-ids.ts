import {Numbering} from '../numbering.ts';
import {sortInSteps} from '../sorting.ts';
import {type Steps, YieldBudget} from '../steps.ts';
import {type JsonNodes, parseJsonString} from './tree-nodes.ts';

/** A property of an object: the ids of its name and its value, and its node. */
type Member = {readonly nameId: number; readonly valueId: number; readonly node: number};

/** Maximum ids in one key; longer lists are numbered in pieces first. */
const idsPerKey = 1000;

/**
 * Assigns ids to the values of JSON texts so that equal values share one: comparing values of any size is
 * comparing two numbers. Strings and names are equal by content, numbers as written (`1` is not `1.0`, no
 * digit is lost), objects regardless of the order of properties.
 */
export class JsonValueIds {
	/** Keys of values; also of names (`:`) and of pieces of long lists of ids (`;`). */
	readonly #keys = new Numbering();
	readonly #budget = new YieldBudget();

	/** Returns the id of each node, or a property whose name occurs twice in its object. */
	*assignIds(nodes: JsonNodes): Steps<{readonly ids: Int32Array} | {readonly duplicateNode: number}> {
		const ids = new Int32Array(nodes.size);
		for (let node = nodes.size - 1; node >= 0; node--) {
			if (this.#budget.shouldYield()) yield;
			const kind = nodes.kind(node);
			if (kind === 'object') {
				const id = yield* this.#assignObjectId(nodes, node, ids);
				if (typeof id !== 'number') return id;
				ids[node] = id;
			} else if (kind === 'array')
				ids[node] = yield* this.#assignListId('[', yield* this.#collectElements(nodes, node, ids));
			else if (kind === 'string')
				ids[node] = this.#keys.assignNumber(`"${parseJsonString(nodes.source(node))}`);
			else ids[node] = this.#keys.assignNumber(nodes.source(node));
		}
		return {ids};
	}

	*#assignObjectId(
		nodes: JsonNodes,
		object: number,
		ids: Int32Array,
	): Steps<number | {readonly duplicateNode: number}> {
		const members: Member[] = [];
		for (let child = object + 1; child < nodes.nodeAfter(object); child = nodes.nodeAfter(child)) {
			members.push({
				nameId: this.#keys.assignNumber(`:${nodes.name(child) ?? ''}`),
				valueId: ids[child] ?? 0,
				node: child,
			});
			if (this.#budget.shouldYield()) yield;
		}
		const memberIds: number[] = [];
		let previousNameId = -1;
		for (const {nameId, valueId, node} of yield* sortInSteps(
			members,
			(one, other) => one.nameId - other.nameId,
		)) {
			if (nameId === previousNameId) return {duplicateNode: node};
			previousNameId = nameId;
			memberIds.push(nameId, valueId);
			if (this.#budget.shouldYield()) yield;
		}
		return yield* this.#assignListId('{', memberIds);
	}

	*#collectElements(nodes: JsonNodes, array: number, ids: Int32Array): Steps<number[]> {
		const elementIds: number[] = [];
		for (let child = array + 1; child < nodes.nodeAfter(array); child = nodes.nodeAfter(child)) {
			elementIds.push(ids[child] ?? 0);
			if (this.#budget.shouldYield()) yield;
		}
		return elementIds;
	}

	/** Returns the id of a list of ids. */
	*#assignListId(kind: '[' | '{', ids: readonly number[]): Steps<number> {
		let shortenedIds = ids;
		while (shortenedIds.length > idsPerKey) {
			const pieceIds: number[] = [];
			for (let from = 0; from < shortenedIds.length; from += idsPerKey) {
				pieceIds.push(this.#keys.assignNumber(`;${shortenedIds.slice(from, from + idsPerKey).join()}`));
				yield;
			}
			shortenedIds = pieceIds;
		}
		return this.#keys.assignNumber(`${kind}${shortenedIds.join()}`);
	}
}
