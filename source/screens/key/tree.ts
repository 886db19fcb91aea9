import {bisect} from '../../text/bisect.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {
	foldOrLeaveAtCursor,
	type TreeCursor,
	toggleFoldAtCursor,
	unfoldOrEnterAtCursor,
} from '../../text/json/tree-cursor.ts';
import {
	type JsonNodeKind,
	type JsonNodes,
	type JsonPath,
	parseJsonString,
} from '../../text/json/tree-nodes.ts';
import type {KeyView} from './value-view.ts';

/** A value in the tree, with its position in the source. */
export type JsonField = {
	/** Source of the whole document. */
	readonly text: string;
	readonly nodes: JsonNodes;
	/** Its node; `nodes.start(node)` and `nodes.end(node)` are its range in `text`. */
	readonly node: number;
	readonly kind: JsonNodeKind;
	readonly path: JsonPath;
	/** Source of this value. */
	readonly source: string;
};

/** Returns the value under the cursor; undefined outside the tree. */
export function getFieldAtCursor({form, tree, cursors}: KeyView): JsonField | undefined {
	const row = form === 'json' ? tree?.at(cursors.json) : undefined;
	if (!tree || !row) return undefined;
	const {nodes} = tree;
	const {node, kind} = row;
	return {text: nodes.text, nodes, node, kind, path: nodes.path(node), source: nodes.source(node)};
}

/** Returns the text to copy: a string's content, otherwise the JSON source. */
export const getFieldText = ({kind, source}: JsonField): string =>
	kind === 'string' ? parseJsonString(source) : source;

const createTreeMove =
	(move: (position: TreeCursor) => TreeCursor) =>
	(view: KeyView): KeyView => {
		if (!view.tree) return view;
		const {tree, cursor} = move({tree: view.tree, cursor: view.cursors.json});
		return {...view, tree, cursors: {...view.cursors, json: cursor}};
	};

/** Toggles the container under the cursor and moves the cursor to its row. */
export const toggleFold = createTreeMove(toggleFoldAtCursor);

/** Right: opens a closed container, or enters an open one. */
export const unfoldOrEnter = createTreeMove(unfoldOrEnterAtCursor);

/** Left: closes the container under the cursor, or moves to its parent. */
export const foldOrLeave = createTreeMove(foldOrLeaveAtCursor);

/** Opens all containers, or closes them if all are open. */
export function toggleAllFolds(view: KeyView): KeyView {
	const {tree, cursors} = view;
	const row = tree?.at(cursors.json);
	if (!tree || !row) return view;
	const openedTree = tree.openAll();
	return moveToNode(view, openedTree.count === tree.count ? tree.closeAll() : openedTree, row.node);
}

export const moveToNode = (view: KeyView, tree: JsonTree, node: number): KeyView => ({
	...view,
	tree,
	cursors: {...view.cursors, json: tree.findRow(node)},
});

/**
 * Returns the node whose row shows this source offset. Commas, closing brackets and white space belong to the
 * next node. Undefined after the last node.
 */
export function findNodeAt({nodes}: JsonTree, offset: number): number | undefined {
	const candidate = bisect(1, nodes.size, node => nodes.memberStart(node) <= offset) - 1;
	const end = nodes.isContainer(candidate) ? nodes.start(candidate) + 1 : nodes.end(candidate);
	if (offset < end) return candidate;
	return candidate + 1 < nodes.size ? candidate + 1 : undefined;
}

const plainNamePattern = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Formats a path: `$.roles[1]`. Names that are not identifiers are quoted. */
export const formatJsonPath = (path: JsonPath): string =>
	`$${path
		.map(step =>
			typeof step === 'number'
				? `[${step}]`
				: plainNamePattern.test(step)
					? `.${step}`
					: `[${JSON.stringify(step)}]`,
		)
		.join('')}`;
