import {addMember, type NewMember, removeMember, renameMember, replaceScalar} from '../../text/json/edit.ts';
import {JsonTree} from '../../text/json/tree.ts';
import type {TreeCursor} from '../../text/json/tree-cursor.ts';
import type {JsonNodes} from '../../text/json/tree-nodes.ts';

/** The state before a change: the text, and the node under the cursor. */
type TreeStep = {readonly text: string; readonly node: number};

/** A JSON value whose structure is edited. A change affects only its place; all other bytes stay unchanged. */
export type TreeEntry = TreeCursor & {
	readonly kind: 'tree';
	/** The changes that can be undone, oldest first. */
	readonly past: readonly TreeStep[];
};

/** Maximum changes that can be undone, and their total UTF-16 units. */
const undoLimits = {changes: 100, units: 16 * 1024 * 1024};

export const createTreeEntry = ({tree, cursor}: TreeCursor): TreeEntry => ({
	kind: 'tree',
	tree,
	cursor,
	past: [],
});

/**
 * Continues the edit of one scalar as a tree that has its new source as a change. The cursor goes to the node
 * at `position` if that shows the same text.
 */
export function continueAsTree(
	{nodes, node}: {readonly nodes: JsonNodes; readonly node: number},
	source: string,
	position: TreeCursor,
): TreeEntry | undefined {
	const entry = replaceField(createTreeEntry(goToNode(JsonTree.create(nodes), node)), source);
	return entry && position.tree.nodes.text === nodes.text
		? {...entry, ...goToNode(entry.tree, getNodeAtCursor(position))}
		: entry;
}

/** Returns the node under the cursor; on a closing bracket, its container. */
export const getNodeAtCursor = ({tree, cursor}: TreeCursor): number => tree.at(cursor)?.node ?? 0;

/** Moves the cursor, clamped to the rows. */
export const moveInTree = (entry: TreeEntry, distance: number): TreeEntry => ({
	...entry,
	cursor: Math.max(0, Math.min(entry.tree.count - 1, entry.cursor + distance)),
});

/** Deletes the member under the cursor. The cursor stays on its row, or goes to the last one. */
export function deleteField(entry: TreeEntry): TreeEntry | undefined {
	const node = getNodeAtCursor(entry);
	const row = entry.tree.findRow(node);
	return changeText(entry, removeMember(entry.tree.nodes, node), tree => ({
		tree,
		cursor: Math.min(row, tree.count - 1),
	}));
}

/** Renames the property under the cursor. */
export function renameField(entry: TreeEntry, name: string): TreeEntry | undefined {
	const node = getNodeAtCursor(entry);
	return changeText(entry, renameMember(entry.tree.nodes, node, name), tree => goToNode(tree, node));
}

/** Replaces the scalar under the cursor by JSON. */
export function replaceField(entry: TreeEntry, source: string): TreeEntry | undefined {
	const node = getNodeAtCursor(entry);
	return changeText(entry, replaceScalar(entry.tree.nodes, node, source), tree => goToNode(tree, node));
}

/** Adds a member at the end of the container that `getTargetContainer` returns, and goes to it. */
export function addField(entry: TreeEntry, member: NewMember): TreeEntry | undefined {
	const container = getTargetContainer(entry);
	return changeText(entry, addMember(entry.tree.nodes, container, member), tree =>
		goToNode(tree, [...listMembers(tree.nodes, container)].at(-1) ?? container),
	);
}

/** Returns the container that a new member goes to: the one under the cursor, else the one around it. */
export function getTargetContainer(position: TreeCursor): number {
	const node = getNodeAtCursor(position);
	const {nodes} = position.tree;
	return nodes.isContainer(node) ? node : nodes.parent(node);
}

/** True if a property of an object, other than `except`, has this name. */
export function hasField(nodes: JsonNodes, object: number, name: string, except?: number): boolean {
	for (const member of listMembers(nodes, object))
		if (member !== except && nodes.name(member) === name) return true;
	return false;
}

function* listMembers(nodes: JsonNodes, container: number): Generator<number> {
	for (let member = container + 1; member < nodes.nodeAfter(container); member = nodes.nodeAfter(member))
		yield member;
}

/** Undoes the last change; folds stay. */
export function undoTreeChange(entry: TreeEntry): TreeEntry | undefined {
	const step = entry.past.at(-1);
	const tree = step && entry.tree.reread(step.text);
	return step && tree && {...entry, ...goToNode(tree, step.node), past: entry.past.slice(0, -1)};
}

function goToNode(tree: JsonTree, node: number): TreeCursor {
	const revealedTree = tree.reveal(node);
	return {tree: revealedTree, cursor: revealedTree.findRow(node)};
}

/**
 * Replaces the text and keeps the previous one to undo; undefined if the new text is too large for a tree.
 */
function changeText(
	entry: TreeEntry,
	text: string,
	findPosition: (tree: JsonTree) => TreeCursor,
): TreeEntry | undefined {
	const tree = entry.tree.reread(text);
	if (!tree) return undefined;
	const past = [...entry.past, {text: entry.tree.nodes.text, node: getNodeAtCursor(entry)}];
	return {...entry, ...findPosition(tree), past: dropOldSteps(past)};
}

function dropOldSteps(past: readonly TreeStep[]): readonly TreeStep[] {
	let units = 0;
	const firstKept = past.findLastIndex(({text}, index) => {
		units += text.length;
		return units > undoLimits.units || past.length - index > undoLimits.changes;
	});
	return past.slice(firstKept + 1);
}
