import type {JsonNodes} from './tree-nodes.ts';

/**
 * Builds the rows of a JSON value with one value per row: a node stands for the row where it starts, its
 * complement (`~node`) for the row of its closing bracket. The content of closed nodes has no rows.
 */
export function buildTreeRows(nodes: JsonNodes, isClosed: (node: number) => boolean): Int32Array {
	const rows = new Int32Array(nodes.size * 2);
	let rowCount = 0;
	for (let node = 0; node < nodes.size; ) {
		rows[rowCount++] = node;
		if (nodes.childCount(node) > 0 && !isClosed(node)) {
			node++;
			continue;
		}
		const next = nodes.nodeAfter(node);
		let ancestor = nodes.parent(node);
		while (ancestor >= 0 && nodes.nodeAfter(ancestor) === next) {
			rows[rowCount++] = ~ancestor;
			ancestor = nodes.parent(ancestor);
		}
		node = next;
	}
	return rows.slice(0, rowCount);
}

/** True if a comma follows the value: it is not the last in its container. */
export function hasComma(nodes: JsonNodes, node: number): boolean {
	const parent = nodes.parent(node);
	return parent >= 0 && nodes.nodeAfter(node) < nodes.nodeAfter(parent);
}
