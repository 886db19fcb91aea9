import type {JsonTree} from './tree.ts';

/** A tree and the row of its cursor. Every function returns another one. */
export type TreeCursor = {readonly tree: JsonTree; readonly cursor: number};

/** Opens or closes the container under the cursor and moves the cursor to its row. */
export function toggleFoldAtCursor({tree, cursor}: TreeCursor): TreeCursor {
	const row = tree.at(cursor);
	if (!row) return {tree, cursor};
	const toggledTree = tree.toggle(cursor);
	return {tree: toggledTree, cursor: toggledTree.findRow(row.node)};
}

/** Opens a closed container, or enters an open one. */
export function unfoldOrEnterAtCursor({tree, cursor}: TreeCursor): TreeCursor {
	switch (tree.at(cursor)?.shape) {
		case 'closed':
			return toggleFoldAtCursor({tree, cursor});
		case 'open':
			return {tree, cursor: cursor + 1};
		default:
			return {tree, cursor};
	}
}

/** Closes the container under the cursor, or moves to its parent. */
export function foldOrLeaveAtCursor({tree, cursor}: TreeCursor): TreeCursor {
	const shape = tree.at(cursor)?.shape;
	if (shape === 'open' || shape === 'end') return toggleFoldAtCursor({tree, cursor});
	return {tree, cursor: tree.findParentRow(cursor)};
}
