import {compareKeys} from '../../text/utf8-order.ts';
import {listPrefixes} from '../key-index/prefixes.ts';

/** A prefix with its number of keys and its largest sub-prefixes, grouped as in the key tree. */
export type PrefixGroup = {
	readonly prefix: string;
	readonly keyCount: number;
	/** The largest sub-prefixes, largest first. */
	readonly groups: readonly PrefixGroup[];
	/** Totals of the smaller groups, which are not in `groups`. */
	readonly smaller: {readonly groupCount: number; readonly keyCount: number};
	/** Keys that do not share a longer prefix with any other key. */
	readonly ungroupedKeyCount: number;
};

/** A prefix of the latest name, with the counts so far; more keys may follow. */
type OpenGroup = {
	readonly prefix: string;
	keyCount: number;
	ungroupedKeyCount: number;
	groups: PrefixGroup[];
	smaller: {groupCount: number; keyCount: number};
};

/** Maximum depth of prefixes. */
export const maxPrefixDepth = 3;

const createOpenGroup = (prefix: string): OpenGroup => ({
	prefix,
	keyCount: 0,
	ungroupedKeyCount: 0,
	groups: [],
	smaller: {groupCount: 0, keyCount: 0},
});

/**
 * Counts keys by prefix in listing order. Memory does not grow with the keys: it holds the prefixes of the
 * last name, and the largest prefixes per level.
 */
export class PrefixCounts {
	readonly #depth: number;
	readonly #maxPerLevel: number;
	/** Bytes of the common prefix. */
	readonly #prefixBytes: number;
	#lastName: string | undefined;
	#path: OpenGroup[];

	/**
	 * `prefix`: common prefix of all names; `depth`: levels of prefixes, 1 to `maxPrefixDepth`; `maxPerLevel`:
	 * number of prefixes to keep per level.
	 */
	constructor({
		prefix = '',
		depth,
		maxPerLevel,
	}: {prefix?: string | undefined; depth: number; maxPerLevel: number}) {
		this.#depth = depth;
		this.#maxPerLevel = maxPerLevel;
		this.#prefixBytes = Buffer.byteLength(prefix);
		this.#path = [createOpenGroup(prefix)];
	}

	/** Counts a key. Returns false if it does not sort after the last one: it was listed twice. */
	add(name: string): boolean {
		if (this.#lastName !== undefined && compareKeys(name, this.#lastName) <= 0) return false;
		this.#lastName = name;
		const prefixes = listPrefixes(name, this.#prefixBytes);
		let sharedCount = 0;
		while (sharedCount < prefixes.length && this.#path[sharedCount + 1]?.prefix === prefixes[sharedCount])
			sharedCount++;
		this.#closeBelow(this.#path, sharedCount + 1);
		for (const prefix of prefixes.slice(sharedCount)) this.#path.push(createOpenGroup(prefix));
		for (const group of this.#path) group.keyCount++;
		const innermost = this.#path.at(-1);
		if (innermost) innermost.ungroupedKeyCount++;
		return true;
	}

	/** Counts so far. */
	get counts(): PrefixGroup {
		const path = this.#path.map(group => ({
			...group,
			groups: [...group.groups],
			smaller: {...group.smaller},
		}));
		this.#closeBelow(path, 1);
		const [root = createOpenGroup('')] = path;
		this.#keepLargest(root, this.#maxPerLevel);
		return root;
	}

	#closeBelow(path: OpenGroup[], length: number): void {
		while (path.length > length) {
			const group = path.pop();
			const parent = path.at(-1);
			if (group && parent) this.#close(group, parent);
		}
	}

	#close(group: OpenGroup, parent: OpenGroup): void {
		if (group.keyCount === 1) {
			parent.ungroupedKeyCount++;
			return;
		}
		this.#keepLargest(group, this.#maxPerLevel);
		const [firstGroup, secondGroup] = group.groups;
		// A chain of single prefixes counts as one: the longest.
		const isChain =
			firstGroup !== undefined && secondGroup === undefined && firstGroup.keyCount === group.keyCount;
		parent.groups.push(truncateLevels(isChain ? firstGroup : group, this.#depth));
		if (parent.groups.length > this.#maxPerLevel * 2) this.#keepLargest(parent, this.#maxPerLevel);
	}

	#keepLargest(group: OpenGroup, maxCount: number): void {
		group.groups.sort((one, other) => other.keyCount - one.keyCount || compareKeys(one.prefix, other.prefix));
		for (const {keyCount} of group.groups.splice(maxCount)) {
			group.smaller.groupCount++;
			group.smaller.keyCount += keyCount;
		}
	}
}

/** Copies a group with at most `levels` levels, its own included. */
function truncateLevels(group: PrefixGroup, levels: number): PrefixGroup {
	const {prefix, keyCount, groups, smaller, ungroupedKeyCount} = group;
	return {
		prefix,
		keyCount,
		groups: levels === 1 ? [] : groups.map(child => truncateLevels(child, levels - 1)),
		smaller: {...smaller},
		ungroupedKeyCount,
	};
}
