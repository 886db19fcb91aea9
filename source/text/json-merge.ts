import {applyEdits, type Edit, memberEdits, type NewMember} from './json-edit.ts';
import type {JsonNodes, JsonPath} from './json-tree-nodes.ts';
import {readJson} from './json-tree-reading.ts';
import {JsonValueIds} from './json-value-ids.ts';

export type JsonMerge =
	| {
			readonly kind: 'merged';
			/** What is stored, with my changes spliced in. */
			readonly text: string;
			/** The places that the others changed. */
			readonly taken: readonly JsonPath[];
			/** The places that I changed. */
			readonly kept: readonly JsonPath[];
	  }
	/** The places that both sides changed. */
	| {readonly kind: 'conflict'; readonly paths: readonly JsonPath[]}
	/** A sentence says which text cannot be merged, and why. */
	| {readonly kind: 'not json'; readonly why: string};

/** One of the three texts: its nodes, and for each the number that equal values share. */
type Version = {readonly nodes: JsonNodes; readonly ids: Int32Array};

type Versions = {readonly base: Version; readonly stored: Version; readonly mine: Version};

/** One place in the three versions: the node there, or -1. */
type Place = {readonly base: number; readonly stored: number; readonly mine: number};

/**
 * Merges two changes of one JSON text, if they touch different paths (decision 42): none that one side changed,
 * added or removed is at, above or below one of the other. The same change on both sides is a conflict, too: of
 * two that counted from 1 to 2 nobody knows. An element of an array is one thing, and an array of which the length
 * changed, or in which elements seem to have moved, is one as a whole, once both sides touched it.
 *
 * The result is the stored text with my changes in it: everything else keeps its layout and spelling. The order of
 * properties is no change. A text with a property name twice in one object is not merged (`not json`), nor is one
 * longer than `largestJson`.
 */
export function mergeJson(base: string, stored: string, mine: string): JsonMerge {
	const table = new JsonValueIds();
	const read = {
		base: version(base, 'What was read first', table),
		stored: version(stored, 'What is stored now', table),
		mine: version(mine, 'Your text', table),
	};
	for (const side of Object.values(read)) if ('why' in side) return {kind: 'not json', why: side.why};
	return new Merge(read as Versions).run();
}

function version(text: string, whose: string, table: JsonValueIds): Version | {readonly why: string} {
	const nodes = readJson(text);
	if (!nodes) return {why: `${whose} is not JSON, or is too large to be merged.`};
	const numbered = table.of(nodes);
	if ('ids' in numbered) return {nodes, ids: numbered.ids};
	return {why: `${whose} has the name ${nodes.nameSource(numbered.repeated)} twice in one object.`};
}

class Merge {
	readonly #versions: Versions;
	readonly #places: Place[] = [{base: 0, stored: 0, mine: 0}];
	readonly #taken: JsonPath[] = [];
	readonly #conflicts: JsonPath[] = [];
	readonly #mine: MyChanges;

	constructor(versions: Versions) {
		this.#versions = versions;
		this.#mine = new MyChanges(versions.stored.nodes, versions.mine.nodes);
	}

	run(): JsonMerge {
		// Places are added while the loop runs; nesting costs no stack.
		for (const place of this.#places) this.#visit(place);
		if (this.#conflicts.length > 0) return {kind: 'conflict', paths: this.#conflicts};
		return {kind: 'merged', text: this.#mine.text(), taken: this.#taken, kept: this.#mine.paths};
	}

	#visit(place: Place): void {
		const {base, stored, mine} = this.#versions;
		const theirs = !same(base, place.base, stored, place.stored);
		const ours = !same(base, place.base, mine, place.mine);
		if (theirs && ours) this.#visitBoth(place);
		else if (theirs)
			visitChanges({from: base, to: stored}, place.base, place.stored, change =>
				this.#taken.push(pathOf(base, change.from, stored, change.to)),
			);
		else if (ours)
			visitChanges({from: stored, to: mine}, place.stored, place.mine, change => this.#mine.add(change));
	}

	/** Both sides changed something at or below this place. */
	#visitBoth(place: Place): void {
		const {base, stored, mine} = this.#versions;
		const kind = commonKind(base.nodes, place.base, stored.nodes, place.stored);
		if (!kind || commonKind(base.nodes, place.base, mine.nodes, place.mine) !== kind) this.#conflict(place);
		else if (kind === 'object') this.#visitMembers(place);
		else this.#visitElements(place);
	}

	#visitMembers(place: Place): void {
		const base = membersOf(this.#versions.base.nodes, place.base);
		const stored = membersOf(this.#versions.stored.nodes, place.stored);
		const mine = membersOf(this.#versions.mine.nodes, place.mine);
		for (const name of new Set([...base.keys(), ...stored.keys(), ...mine.keys()])) {
			const member = {base: base.get(name) ?? -1, stored: stored.get(name) ?? -1, mine: mine.get(name) ?? -1};
			if (member.stored >= 0 && member.base >= 0 && member.mine >= 0) this.#places.push(member);
			else this.#visitPartial(member, place);
		}
	}

	/** A property that not all three versions have. */
	#visitPartial(member: Place, object: Place): void {
		const {base, stored, mine} = this.#versions;
		const theirs = !same(base, member.base, stored, member.stored);
		const ours = !same(base, member.base, mine, member.mine);
		if (theirs && ours) this.#conflict(member);
		else if (theirs) this.#taken.push(pathOf(base, member.base, stored, member.stored));
		else if (ours) this.#mine.add({from: member.stored, to: member.mine, container: object.stored});
	}

	#visitElements(place: Place): void {
		const {base, stored, mine} = this.#versions;
		const baseNodes = childrenOf(base.nodes, place.base);
		const storedNodes = childrenOf(stored.nodes, place.stored);
		const mineNodes = childrenOf(mine.nodes, place.mine);
		const before = new Set(baseNodes.map(node => base.ids[node]));
		const elements = baseNodes.map((node, at) => ({
			base: node,
			stored: storedNodes[at] ?? -1,
			mine: mineNodes[at] ?? -1,
		}));
		const isTheirs = (element: Place) => !same(base, element.base, stored, element.stored);
		const isOurs = (element: Place) => !same(base, element.base, mine, element.mine);
		// What was changed into something that stood elsewhere may have been moved: positions say nothing then.
		const moved = elements.some(
			element =>
				(isTheirs(element) && before.has(stored.ids[element.stored])) ||
				(isOurs(element) && before.has(mine.ids[element.mine])),
		);
		if (moved) this.#conflict(place);
		else
			for (const element of elements)
				if (isTheirs(element) && isOurs(element)) this.#conflict(element);
				else this.#places.push(element);
	}

	#conflict(place: Place): void {
		const {base, stored} = this.#versions;
		this.#conflicts.push(pathOf(base, place.base, stored, place.stored));
	}
}

/** A change between two versions: `from` is -1 for what was added, `to` for what was removed. */
type Change = {
	readonly from: number;
	readonly to: number;
	/** Of what was added or removed, the object in the version before. */
	readonly container: number;
};

/** Calls for each smallest change between two values: a property, an element, or a value as a whole. */
function visitChanges(
	versions: {readonly from: Version; readonly to: Version},
	from: number,
	to: number,
	visit: (change: Change) => void,
): void {
	const before = versions.from.nodes;
	const after = versions.to.nodes;
	const pairs: Change[] = [{from, to, container: -1}];
	for (const pair of pairs) {
		if (same(versions.from, pair.from, versions.to, pair.to)) continue;
		const kind = commonKind(before, pair.from, after, pair.to);
		if (kind === 'array') {
			const elements = childrenOf(after, pair.to);
			for (const [at, node] of childrenOf(before, pair.from).entries())
				pairs.push({from: node, to: elements[at] ?? -1, container: pair.from});
		} else if (kind === 'object') {
			const members = membersOf(after, pair.to);
			for (const [name, node] of membersOf(before, pair.from)) {
				pairs.push({from: node, to: members.get(name) ?? -1, container: pair.from});
				members.delete(name);
			}
			for (const node of members.values()) pairs.push({from: -1, to: node, container: pair.from});
		} else visit(pair);
	}
}

/** My changes, as edits of the stored text. */
class MyChanges {
	readonly #stored: JsonNodes;
	readonly #mine: JsonNodes;
	readonly #edits: Edit[] = [];
	readonly #containers = new Map<number, {removed: Set<number>; added: NewMember[]}>();
	readonly paths: JsonPath[] = [];

	constructor(stored: JsonNodes, mine: JsonNodes) {
		this.#stored = stored;
		this.#mine = mine;
	}

	/** A change from the stored text to mine. */
	add({from, to, container}: Change): void {
		this.paths.push(from < 0 ? this.#mine.path(to) : this.#stored.path(from));
		if (from >= 0 && to >= 0) {
			const text = this.#mine.source(to);
			this.#edits.push({start: this.#stored.start(from), end: this.#stored.end(from), text});
			return;
		}
		const changed = this.#containers.get(container) ?? {removed: new Set(), added: []};
		this.#containers.set(container, changed);
		if (from >= 0) changed.removed.add(from);
		else changed.added.push({name: this.#mine.name(to) ?? '', source: this.#mine.source(to)});
	}

	text(): string {
		const edits = [...this.#edits];
		for (const [container, {removed, added}] of this.#containers)
			for (const edit of memberEdits(this.#stored, container, removed, added)) edits.push(edit);
		return applyEdits(this.#stored.text, edits);
	}
}

/** Whether two versions hold the same value at their nodes, or both hold none. */
const same = (one: Version, node: number, other: Version, otherNode: number): boolean =>
	node < 0 || otherNode < 0 ? node === otherNode : one.ids[node] === other.ids[otherNode];

/** What two values can be compared by: objects by property, arrays of one length by position. */
function commonKind(
	one: JsonNodes,
	node: number,
	other: JsonNodes,
	otherNode: number,
): 'object' | 'array' | undefined {
	if (node < 0 || otherNode < 0) return undefined;
	const kind = one.kind(node);
	if (kind !== other.kind(otherNode)) return undefined;
	if (kind === 'array') return one.children(node) === other.children(otherNode) ? kind : undefined;
	return kind === 'object' ? kind : undefined;
}

function childrenOf(nodes: JsonNodes, container: number): number[] {
	const children: number[] = [];
	for (let child = container + 1; child < nodes.after(container); child = nodes.after(child))
		children.push(child);
	return children;
}

const membersOf = (nodes: JsonNodes, object: number): Map<string, number> =>
	new Map(childrenOf(nodes, object).map(child => [nodes.name(child) ?? '', child]));

const pathOf = (one: Version, node: number, other: Version, otherNode: number): JsonPath =>
	node < 0 ? other.nodes.path(otherNode) : one.nodes.path(node);
