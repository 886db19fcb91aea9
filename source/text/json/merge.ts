import {type Steps, YieldBudget} from '../steps.ts';
import {applyEdits, buildMemberEdits, type NewMember, type TextEdit} from './edit.ts';
import type {JsonNodes} from './tree-nodes.ts';
import {readJsonNodesInSteps} from './tree-reading.ts';
import {JsonValueIds} from './value-ids.ts';

/** A value in one of the texts. */
export type JsonPlace = {readonly nodes: JsonNodes; readonly node: number};

type JsonMerge =
	| {
			readonly kind: 'merged';
			/** The stored text with my changes. */
			readonly text: string;
			/** The places that others changed. */
			readonly taken: readonly JsonPlace[];
			/** The places that I changed. */
			readonly kept: readonly JsonPlace[];
	  }
	/** The places that both sides changed. */
	| {readonly kind: 'conflict'; readonly places: readonly JsonPlace[]}
	/** `why` is a sentence that names the text that cannot be merged, and the reason. */
	| {readonly kind: 'not json'; readonly why: string};

/** One of the three texts: its nodes, and for each an id that equal values share. */
type Version = {readonly nodes: JsonNodes; readonly ids: Int32Array};

type Versions = {readonly base: Version; readonly stored: Version; readonly mine: Version};

/** A place in the three versions: the node there, or -1. */
type Place = {readonly base: number; readonly stored: number; readonly mine: number};

/**
 * Merges two changes of one JSON text if no path that one side changed, added or removed is at, above or
 * below one of the other's. The same change on both sides is a conflict, too: both may have counted from 1 to
 * 2. An array element is one value. An array that both sides touched is one value as a whole if its length
 * differs, or elements seem to have moved. The result is the stored text with my changes; everything else
 * keeps its layout and spelling. The order of properties does not matter. A text with a duplicate property
 * name in an object, or longer than `maxJsonSize`, is `not json`.
 */
export function* mergeJson(base: string, stored: string, mine: string): Steps<JsonMerge> {
	const table = new JsonValueIds();
	const read = {
		base: yield* readVersion(base, 'What was read first', table),
		stored: yield* readVersion(stored, 'What is stored now', table),
		mine: yield* readVersion(mine, 'Your text', table),
	};
	for (const side of Object.values(read)) if ('why' in side) return {kind: 'not json', why: side.why};
	return yield* new Merge(read as Versions).run();
}

function* readVersion(
	text: string,
	whose: string,
	table: JsonValueIds,
): Steps<Version | {readonly why: string}> {
	const nodes = yield* readJsonNodesInSteps(text);
	if (!nodes) return {why: `${whose} is not JSON, or is too large to be merged.`};
	const numbered = yield* table.assignIds(nodes);
	if ('ids' in numbered) return {nodes, ids: numbered.ids};
	return {why: `${whose} has the name ${nodes.nameSource(numbered.repeated)} twice in one object.`};
}

class Merge {
	readonly #versions: Versions;
	readonly #places: Place[] = [{base: 0, stored: 0, mine: 0}];
	readonly #taken: JsonPlace[] = [];
	readonly #conflicts: JsonPlace[] = [];
	readonly #mine: MyChanges;
	readonly #budget = new YieldBudget();

	constructor(versions: Versions) {
		this.#versions = versions;
		this.#mine = new MyChanges(versions.stored.nodes, versions.mine.nodes);
	}

	*run(): Steps<JsonMerge> {
		// The loop adds places while it runs, so nesting needs no stack.
		for (const place of this.#places) yield* this.#visit(place);
		if (this.#conflicts.length > 0) return {kind: 'conflict', places: this.#conflicts};
		const text = yield* this.#mine.buildText(this.#budget);
		return {kind: 'merged', text, taken: this.#taken, kept: this.#mine.places};
	}

	*#visit(place: Place): Steps<void> {
		const {base, stored, mine} = this.#versions;
		if (this.#budget.isStep()) yield;
		const theirs = !areEqualValues(base, place.base, stored, place.stored);
		const ours = !areEqualValues(base, place.base, mine, place.mine);
		if (theirs && ours) yield* this.#visitBoth(place);
		else if (theirs)
			yield* visitChanges({from: base, to: stored}, place.base, place.stored, this.#budget, change =>
				this.#taken.push(createPlace(base, change.from, stored, change.to)),
			);
		else if (ours)
			yield* visitChanges({from: stored, to: mine}, place.stored, place.mine, this.#budget, change =>
				this.#mine.add(change),
			);
	}

	/** Handles a place at or below which both sides changed something. */
	*#visitBoth(place: Place): Steps<void> {
		const {base, stored, mine} = this.#versions;
		const kind = getCommonKind(base.nodes, place.base, stored.nodes, place.stored);
		if (!kind || getCommonKind(base.nodes, place.base, mine.nodes, place.mine) !== kind)
			this.#addConflict(place);
		else if (kind === 'object') yield* this.#visitMembers(place);
		else yield* this.#visitElements(place);
	}

	*#visitMembers(place: Place): Steps<void> {
		const base = yield* collectMembers(this.#versions.base.nodes, place.base, this.#budget);
		const stored = yield* collectMembers(this.#versions.stored.nodes, place.stored, this.#budget);
		const mine = yield* collectMembers(this.#versions.mine.nodes, place.mine, this.#budget);
		for (const [names, known] of [
			[base, []],
			[stored, [base]],
			[mine, [base, stored]],
		] as const)
			for (const name of names.keys()) {
				if (this.#budget.isStep()) yield;
				if (known.some(members => members.has(name))) continue;
				const member = {
					base: base.get(name) ?? -1,
					stored: stored.get(name) ?? -1,
					mine: mine.get(name) ?? -1,
				};
				if (member.stored >= 0 && member.base >= 0 && member.mine >= 0) this.#places.push(member);
				else this.#visitPartial(member, place);
			}
	}

	/** Handles a property that is missing in one or two versions. */
	#visitPartial(member: Place, object: Place): void {
		const {base, stored, mine} = this.#versions;
		const theirs = !areEqualValues(base, member.base, stored, member.stored);
		const ours = !areEqualValues(base, member.base, mine, member.mine);
		if (theirs && ours) this.#addConflict(member);
		else if (theirs) this.#taken.push(createPlace(base, member.base, stored, member.stored));
		else if (ours) this.#mine.add({from: member.stored, to: member.mine, container: object.stored});
	}

	/** Handles the elements of arrays of equal length. */
	*#visitElements(place: Place): Steps<void> {
		const {base, stored, mine} = this.#versions;
		const isTheirs = (element: Place) => !areEqualValues(base, element.base, stored, element.stored);
		const isOurs = (element: Place) => !areEqualValues(base, element.base, mine, element.mine);
		const before = new Set<number | undefined>();
		const changed: Place[] = [];
		const end = base.nodes.after(place.base);
		let element: Place = {base: place.base + 1, stored: place.stored + 1, mine: place.mine + 1};
		while (element.base < end) {
			if (this.#budget.isStep()) yield;
			before.add(base.ids[element.base]);
			if (isTheirs(element) || isOurs(element)) changed.push(element);
			element = {
				base: base.nodes.after(element.base),
				stored: stored.nodes.after(element.stored),
				mine: mine.nodes.after(element.mine),
			};
		}
		for (const element of changed) {
			if (this.#budget.isStep()) yield;
			// An element that changed into a former element may have been moved: positions are unreliable
			// then.
			const isMoved =
				(isTheirs(element) && before.has(stored.ids[element.stored])) ||
				(isOurs(element) && before.has(mine.ids[element.mine]));
			if (isMoved) return this.#addConflict(place);
		}
		for (const element of changed) {
			if (this.#budget.isStep()) yield;
			if (isTheirs(element) && isOurs(element)) this.#addConflict(element);
			else this.#places.push(element);
		}
	}

	#addConflict(place: Place): void {
		const {base, stored} = this.#versions;
		this.#conflicts.push(createPlace(base, place.base, stored, place.stored));
	}
}

/** A change between two versions; `from` is -1 for an added value, `to` for a removed one. */
type Change = {
	readonly from: number;
	readonly to: number;
	/** The object that an added or removed property belongs to, in the earlier version. */
	readonly container: number;
};

/** Calls `visit` for each minimal change between two values: a property, an element, or a whole value. */
function* visitChanges(
	versions: {readonly from: Version; readonly to: Version},
	from: number,
	to: number,
	budget: YieldBudget,
	visit: (change: Change) => void,
): Steps<void> {
	const before = versions.from.nodes;
	const after = versions.to.nodes;
	/** Containers to compare member by member. */
	const pairs: (Change & {readonly kind: 'object' | 'array'})[] = [];
	const add = (pair: Change) => {
		if (areEqualValues(versions.from, pair.from, versions.to, pair.to)) return;
		const kind = getCommonKind(before, pair.from, after, pair.to);
		if (kind) pairs.push({...pair, kind});
		else visit(pair);
	};
	add({from, to, container: -1});
	for (const {kind, from: container, to: other} of pairs) {
		if (budget.isStep()) yield;
		if (kind === 'array') {
			let element = other + 1;
			for (let node = container + 1; node < before.after(container); node = before.after(node)) {
				add({from: node, to: element, container});
				element = after.after(element);
				if (budget.isStep()) yield;
			}
			continue;
		}
		const members = yield* collectMembers(after, other, budget);
		for (const [name, node] of yield* collectMembers(before, container, budget)) {
			add({from: node, to: members.get(name) ?? -1, container});
			members.delete(name);
			if (budget.isStep()) yield;
		}
		for (const node of members.values()) {
			add({from: -1, to: node, container});
			if (budget.isStep()) yield;
		}
	}
}

/** My changes, as edits of the stored text. */
class MyChanges {
	readonly #stored: JsonNodes;
	readonly #mine: JsonNodes;
	readonly #edits: TextEdit[] = [];
	readonly #containers = new Map<number, {removed: Set<number>; added: NewMember[]}>();
	readonly places: JsonPlace[] = [];

	constructor(stored: JsonNodes, mine: JsonNodes) {
		this.#stored = stored;
		this.#mine = mine;
	}

	/** Adds a change from the stored text to mine. */
	add({from, to, container}: Change): void {
		this.places.push(from < 0 ? {nodes: this.#mine, node: to} : {nodes: this.#stored, node: from});
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

	*buildText(budget: YieldBudget): Steps<string> {
		const edits = this.#edits;
		for (const [container, {removed, added}] of this.#containers)
			for (const edit of yield* buildMemberEdits(this.#stored, container, removed, added, budget))
				edits.push(edit);
		return yield* applyEdits(this.#stored.text, edits);
	}
}

/** True if two versions have equal values at these nodes, or neither has one. */
const areEqualValues = (one: Version, node: number, other: Version, otherNode: number): boolean =>
	node < 0 || otherNode < 0 ? node === otherNode : one.ids[node] === other.ids[otherNode];

/** Returns how two values can be compared: objects by property, arrays of equal length by position. */
function getCommonKind(
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

function* collectMembers(nodes: JsonNodes, object: number, budget: YieldBudget): Steps<Map<string, number>> {
	const members = new Map<string, number>();
	for (let child = object + 1; child < nodes.after(object); child = nodes.after(child)) {
		members.set(nodes.name(child) ?? '', child);
		if (budget.isStep()) yield;
	}
	return members;
}

const createPlace = (one: Version, node: number, other: Version, otherNode: number): JsonPlace =>
	node < 0 ? {nodes: other.nodes, node: otherNode} : {nodes: one.nodes, node};
