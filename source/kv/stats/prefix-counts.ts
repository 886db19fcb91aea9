import {compareKeys} from '../../text/utf8-order.ts';
import {prefixesOf} from '../key-index/prefixes.ts';

/** Keys below a prefix, and the prefixes below it with most keys; as the tree of keys groups them. */
export type PrefixGroup = {
	readonly prefix: string;
	readonly keys: number;
	/** The largest ones, the largest first. */
	readonly groups: readonly PrefixGroup[];
	/** What is not among `groups`: smaller ones. */
	readonly smaller: {readonly groups: number; readonly keys: number};
	/** Keys that share no longer prefix with another key. */
	readonly alone: number;
};

/** A prefix of the name that came last: more keys of it may follow. */
type OpenGroup = {
	readonly prefix: string;
	keys: number;
	alone: number;
	groups: PrefixGroup[];
	smaller: {groups: number; keys: number};
};

/** Levels of prefixes that are counted at most. */
export const mostDepth = 3;

const opened = (prefix: string): OpenGroup => ({
	prefix,
	keys: 0,
	alone: 0,
	groups: [],
	smaller: {groups: 0, keys: 0},
});

/**
 * Counts keys by prefix while they are listed, in the order of a listing. What it keeps does not grow with the keys: the
 * prefixes of the last name, and of every level those with most keys.
 */
export class PrefixCounts {
	readonly #depth: number;
	readonly #most: number;
	/** Bytes of the prefix that all keys share. */
	readonly #known: number;
	#last: string | undefined;
	#path: OpenGroup[];

	/** `prefix`: what all names begin with; `depth`: levels of prefixes, from 1 to `mostDepth`; `most`: prefixes of a level that are kept. */
	constructor({prefix = '', depth, most}: {prefix?: string | undefined; depth: number; most: number}) {
		this.#depth = depth;
		this.#most = most;
		this.#known = Buffer.byteLength(prefix);
		this.#path = [opened(prefix)];
	}

	/** Counts a key. Returns whether it did: a key that does not come behind the last one was listed twice. */
	add(name: string): boolean {
		if (this.#last !== undefined && compareKeys(name, this.#last) <= 0) return false;
		this.#last = name;
		const prefixes = prefixesOf(name, this.#known);
		let shared = 0;
		while (shared < prefixes.length && this.#path[shared + 1]?.prefix === prefixes[shared]) shared++;
		this.#closeBelow(this.#path, shared + 1);
		for (const prefix of prefixes.slice(shared)) this.#path.push(opened(prefix));
		for (const group of this.#path) group.keys++;
		const innermost = this.#path.at(-1);
		if (innermost) innermost.alone++;
		return true;
	}

	/** All keys until now. */
	get counts(): PrefixGroup {
		const path = this.#path.map(group => ({
			...group,
			groups: [...group.groups],
			smaller: {...group.smaller},
		}));
		this.#closeBelow(path, 1);
		const [whole = opened('')] = path;
		this.#keepLargest(whole, this.#most);
		return whole;
	}

	#closeBelow(path: OpenGroup[], length: number): void {
		while (path.length > length) {
			const group = path.pop();
			const around = path.at(-1);
			if (group && around) this.#close(group, around);
		}
	}

	#close(group: OpenGroup, around: OpenGroup): void {
		if (group.keys === 1) {
			around.alone++;
			return;
		}
		this.#keepLargest(group, this.#most);
		const [only, other] = group.groups;
		// A chain of prefixes with nothing beside them is one: the longest.
		const isChain = only !== undefined && other === undefined && only.keys === group.keys;
		around.groups.push(withLevels(isChain ? only : group, this.#depth));
		if (around.groups.length > this.#most * 2) this.#keepLargest(around, this.#most);
	}

	#keepLargest(group: OpenGroup, most: number): void {
		group.groups.sort((one, other) => other.keys - one.keys || compareKeys(one.prefix, other.prefix));
		for (const {keys} of group.groups.splice(most)) {
			group.smaller.groups++;
			group.smaller.keys += keys;
		}
	}
}

/** A group with so many levels, its own among them. */
function withLevels(group: PrefixGroup, levels: number): PrefixGroup {
	const {prefix, keys, groups, smaller, alone} = group;
	return {
		prefix,
		keys,
		groups: levels === 1 ? [] : groups.map(below => withLevels(below, levels - 1)),
		smaller: {...smaller},
		alone,
	};
}
