import {type Steps, YieldBudget} from '../steps.ts';
import {applyEdits, buildMemberEdits, type NewMember, type TextEdit} from './edit.ts';
import type {JsonNodes} from './tree-nodes.ts';
import {readJsonNodesInSteps} from './tree-reading.ts';
import {JsonValueIds} from './value-ids.ts';

/** A value in one of the texts, by its node. */
export type JsonNodeRef = {readonly nodes: JsonNodes; readonly node: number};

/** A value that one side changed; undefined where it is missing. */
export type JsonChange =
	| {readonly before: JsonNodeRef; readonly after: JsonNodeRef | undefined}
	| {readonly before: undefined; readonly after: JsonNodeRef};

/** A value that both sides changed: where it is, and what each side made of it; undefined if deleted. */
export type JsonConflict = {
	readonly place: JsonNodeRef;
	readonly theirs: JsonNodeRef | undefined;
	readonly mine: JsonNodeRef | undefined;
};

type JsonMerge =
	| {
			readonly kind: 'merged';
			/** The stored text with my changes. */
			readonly text: string;
			/** What others changed since the original version. */
			readonly theirChanges: readonly JsonChange[];
			/** What I changed. */
			readonly myChanges: readonly JsonChange[];
	  }
	/** The values that both sides changed. */
	| {readonly kind: 'conflict'; readonly conflicts: readonly JsonConflict[]}
	/** `why` is a sentence that names the text that cannot be merged, and the reason. */
	| {readonly kind: 'not json'; readonly why: string};

/** One of the three texts: its nodes, and for each an id that equal values share. */
type Version = {readonly nodes: JsonNodes; readonly ids: Int32Array};

type Versions = {readonly base: Version; readonly stored: Version; readonly mine: Version};

/** The node of one value in each version; -1 where it is missing. */
type VersionNodes = {readonly base: number; readonly stored: number; readonly mine: number};

/**
 * Merges two changed versions of one JSON text. They conflict if a path that one side changed, added or
 * removed is equal to, above or below a path of the other side. The same change on both sides is a conflict,
 * too, because both may have counted from 1 to 2. An array element is one value. An array that both sides
 * changed counts as one value if its length differs or if elements seem to have moved. The result is the
 * stored text with my changes; everything else keeps its layout and spelling. The order of properties does
 * not matter. A text with a duplicate property name in an object, or longer than `maxJsonSize`, is `not
 * json`.
 */
export function* mergeJson(base: string, stored: string, mine: string): Steps<JsonMerge> {
	const valueIds = new JsonValueIds();
	const results = {
		base: yield* readVersion(base, 'The original version', valueIds),
		stored: yield* readVersion(stored, 'The stored version', valueIds),
		mine: yield* readVersion(mine, 'Your version', valueIds),
	};
	for (const result of Object.values(results))
		if ('why' in result) return {kind: 'not json', why: result.why};
	return yield* new Merge(results as Versions).run();
}

function* readVersion(
	text: string,
	textName: string,
	valueIds: JsonValueIds,
): Steps<Version | {readonly why: string}> {
	const nodes = yield* readJsonNodesInSteps(text);
	if (!nodes) return {why: `${textName} is not JSON, or is too large to merge.`};
	const assignment = yield* valueIds.assignIds(nodes);
	if ('ids' in assignment) return {nodes, ids: assignment.ids};
	return {why: `${textName} has the name ${nodes.nameSource(assignment.duplicateNode)} twice in one object.`};
}

class Merge {
	readonly #versions: Versions;
	readonly #queue: VersionNodes[] = [{base: 0, stored: 0, mine: 0}];
	readonly #theirChanges: JsonChange[] = [];
	readonly #conflicts: JsonConflict[] = [];
	readonly #myChanges: MyChanges;
	readonly #budget = new YieldBudget();

	constructor(versions: Versions) {
		this.#versions = versions;
		this.#myChanges = new MyChanges(versions.stored.nodes, versions.mine.nodes);
	}

	*run(): Steps<JsonMerge> {
		// The loop adds to the queue while it runs, so nesting needs no stack.
		for (const versionNodes of this.#queue) yield* this.#visit(versionNodes);
		if (this.#conflicts.length > 0) return {kind: 'conflict', conflicts: this.#conflicts};
		const text = yield* this.#myChanges.buildText(this.#budget);
		return {kind: 'merged', text, theirChanges: this.#theirChanges, myChanges: this.#myChanges.changes};
	}

	*#visit(versionNodes: VersionNodes): Steps<void> {
		const {base, stored, mine} = this.#versions;
		if (this.#budget.shouldYield()) yield;
		const storedChanged = !areEqualValues(base, versionNodes.base, stored, versionNodes.stored);
		const mineChanged = !areEqualValues(base, versionNodes.base, mine, versionNodes.mine);
		if (storedChanged && mineChanged) yield* this.#visitChangedByBoth(versionNodes);
		else if (storedChanged)
			yield* visitChanges(
				{from: base, to: stored},
				versionNodes.base,
				versionNodes.stored,
				this.#budget,
				change => this.#theirChanges.push(createChange(base.nodes, change.from, stored.nodes, change.to)),
			);
		else if (mineChanged)
			yield* visitChanges(
				{from: stored, to: mine},
				versionNodes.stored,
				versionNodes.mine,
				this.#budget,
				change => this.#myChanges.add(change),
			);
	}

	/** Handles a value that both sides changed. */
	*#visitChangedByBoth(versionNodes: VersionNodes): Steps<void> {
		const {base, stored, mine} = this.#versions;
		const kind = getCommonKind(base.nodes, versionNodes.base, stored.nodes, versionNodes.stored);
		if (!kind || getCommonKind(base.nodes, versionNodes.base, mine.nodes, versionNodes.mine) !== kind)
			this.#addConflict(versionNodes);
		else if (kind === 'object') yield* this.#visitMembers(versionNodes);
		else yield* this.#visitElements(versionNodes);
	}

	*#visitMembers(versionNodes: VersionNodes): Steps<void> {
		const base = yield* collectMembers(this.#versions.base.nodes, versionNodes.base, this.#budget);
		const stored = yield* collectMembers(this.#versions.stored.nodes, versionNodes.stored, this.#budget);
		const mine = yield* collectMembers(this.#versions.mine.nodes, versionNodes.mine, this.#budget);
		for (const [versionMembers, earlierVersions] of [
			[base, []],
			[stored, [base]],
			[mine, [base, stored]],
		] as const)
			for (const name of versionMembers.keys()) {
				if (this.#budget.shouldYield()) yield;
				if (earlierVersions.some(members => members.has(name))) continue;
				const member = {
					base: base.get(name) ?? -1,
					stored: stored.get(name) ?? -1,
					mine: mine.get(name) ?? -1,
				};
				if (member.stored >= 0 && member.base >= 0 && member.mine >= 0) this.#queue.push(member);
				else this.#visitPartial(member, versionNodes);
			}
	}

	/** Handles a property that is missing in one or two versions. */
	#visitPartial(member: VersionNodes, object: VersionNodes): void {
		const {base, stored, mine} = this.#versions;
		const storedChanged = !areEqualValues(base, member.base, stored, member.stored);
		const mineChanged = !areEqualValues(base, member.base, mine, member.mine);
		if (storedChanged && mineChanged) this.#addConflict(member);
		else if (storedChanged)
			this.#theirChanges.push(createChange(base.nodes, member.base, stored.nodes, member.stored));
		else if (mineChanged)
			this.#myChanges.add({from: member.stored, to: member.mine, container: object.stored});
	}

	/** Handles the elements of arrays of equal length. */
	*#visitElements(versionNodes: VersionNodes): Steps<void> {
		const {base, stored, mine} = this.#versions;
		const isChangedInStored = (element: VersionNodes) =>
			!areEqualValues(base, element.base, stored, element.stored);
		const isChangedInMine = (element: VersionNodes) =>
			!areEqualValues(base, element.base, mine, element.mine);
		const baseIds = new Set<number | undefined>();
		const changedElements: VersionNodes[] = [];
		const end = base.nodes.nodeAfter(versionNodes.base);
		let element: VersionNodes = {
			base: versionNodes.base + 1,
			stored: versionNodes.stored + 1,
			mine: versionNodes.mine + 1,
		};
		while (element.base < end) {
			if (this.#budget.shouldYield()) yield;
			baseIds.add(base.ids[element.base]);
			if (isChangedInStored(element) || isChangedInMine(element)) changedElements.push(element);
			element = {
				base: base.nodes.nodeAfter(element.base),
				stored: stored.nodes.nodeAfter(element.stored),
				mine: mine.nodes.nodeAfter(element.mine),
			};
		}
		for (const element of changedElements) {
			if (this.#budget.shouldYield()) yield;
			// An element that now equals another former element may have been moved, so positions are
			// unreliable.
			const mayBeMoved =
				(isChangedInStored(element) && baseIds.has(stored.ids[element.stored])) ||
				(isChangedInMine(element) && baseIds.has(mine.ids[element.mine]));
			if (mayBeMoved) return this.#addConflict(versionNodes);
		}
		for (const element of changedElements) {
			if (this.#budget.shouldYield()) yield;
			if (isChangedInStored(element) && isChangedInMine(element)) this.#addConflict(element);
			else this.#queue.push(element);
		}
	}

	#addConflict(versionNodes: VersionNodes): void {
		const {base, stored, mine} = this.#versions;
		const theirs = createNodeRef(stored.nodes, versionNodes.stored);
		const place = createNodeRef(base.nodes, versionNodes.base) ?? theirs;
		if (place) this.#conflicts.push({place, theirs, mine: createNodeRef(mine.nodes, versionNodes.mine)});
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
	const fromNodes = versions.from.nodes;
	const toNodes = versions.to.nodes;
	/** Containers to compare member by member. */
	const pairs: (Change & {readonly kind: 'object' | 'array'})[] = [];
	const addPair = (pair: Change) => {
		if (areEqualValues(versions.from, pair.from, versions.to, pair.to)) return;
		const kind = getCommonKind(fromNodes, pair.from, toNodes, pair.to);
		if (kind) pairs.push({...pair, kind});
		else visit(pair);
	};
	addPair({from, to, container: -1});
	for (const {kind, from: container, to: otherContainer} of pairs) {
		if (budget.shouldYield()) yield;
		if (kind === 'array') {
			let element = otherContainer + 1;
			for (
				let node = container + 1;
				node < fromNodes.nodeAfter(container);
				node = fromNodes.nodeAfter(node)
			) {
				addPair({from: node, to: element, container});
				element = toNodes.nodeAfter(element);
				if (budget.shouldYield()) yield;
			}
			continue;
		}
		const members = yield* collectMembers(toNodes, otherContainer, budget);
		for (const [name, node] of yield* collectMembers(fromNodes, container, budget)) {
			addPair({from: node, to: members.get(name) ?? -1, container});
			members.delete(name);
			if (budget.shouldYield()) yield;
		}
		for (const node of members.values()) {
			addPair({from: -1, to: node, container});
			if (budget.shouldYield()) yield;
		}
	}
}

/** My changes, as edits of the stored text. */
class MyChanges {
	readonly #stored: JsonNodes;
	readonly #myChanges: JsonNodes;
	readonly #edits: TextEdit[] = [];
	readonly #containers = new Map<number, {removed: Set<number>; added: NewMember[]}>();
	readonly changes: JsonChange[] = [];

	constructor(stored: JsonNodes, mine: JsonNodes) {
		this.#stored = stored;
		this.#myChanges = mine;
	}

	/** Adds a change from the stored text to mine. */
	add({from, to, container}: Change): void {
		this.changes.push(createChange(this.#stored, from, this.#myChanges, to));
		if (from >= 0 && to >= 0) {
			const text = this.#myChanges.source(to);
			this.#edits.push({start: this.#stored.start(from), end: this.#stored.end(from), text});
			return;
		}
		const containerChanges = this.#containers.get(container) ?? {removed: new Set(), added: []};
		this.#containers.set(container, containerChanges);
		if (from >= 0) containerChanges.removed.add(from);
		else
			containerChanges.added.push({name: this.#myChanges.name(to) ?? '', source: this.#myChanges.source(to)});
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
	if (kind === 'array') return one.childCount(node) === other.childCount(otherNode) ? kind : undefined;
	return kind === 'object' ? kind : undefined;
}

function* collectMembers(nodes: JsonNodes, object: number, budget: YieldBudget): Steps<Map<string, number>> {
	const members = new Map<string, number>();
	for (let child = object + 1; child < nodes.nodeAfter(object); child = nodes.nodeAfter(child)) {
		members.set(nodes.name(child) ?? '', child);
		if (budget.shouldYield()) yield;
	}
	return members;
}

/** At least one of `from` and `to` is a node; the other is -1 if the value is missing there. */
function createChange(fromNodes: JsonNodes, from: number, toNodes: JsonNodes, to: number): JsonChange {
	const before = createNodeRef(fromNodes, from);
	return before
		? {before, after: createNodeRef(toNodes, to)}
		: {before: undefined, after: {nodes: toNodes, node: to}};
}

const createNodeRef = (nodes: JsonNodes, node: number): JsonNodeRef | undefined =>
	node < 0 ? undefined : {nodes, node};
