import {bisect} from '../../text/bisect.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {type JsonKind, type JsonNodes, type JsonPath, stringOf} from '../../text/json/tree-nodes.ts';
import type {KeyView} from './value-view.ts';

/** A value in the tree, with its place in the source. */
export type Field = {
	/** Source of the whole document. */
	readonly text: string;
	readonly nodes: JsonNodes;
	/** Its node; `nodes.start(node)` and `nodes.end(node)` are its range in `text`. */
	readonly node: number;
	readonly kind: JsonKind;
	readonly path: JsonPath;
	/** Source of this value. */
	readonly source: string;
};

/** Returns the value under the cursor; undefined outside the tree. */
export function fieldOf({form, tree, at}: KeyView): Field | undefined {
	const row = form === 'json' ? tree?.at(at.json) : undefined;
	if (!tree || !row) return undefined;
	const {nodes} = tree;
	const {node, kind} = row;
	return {text: nodes.text, nodes, node, kind, path: nodes.path(node), source: nodes.source(node)};
}

/** Returns the text to copy: a string's content, otherwise the JSON source. */
export const fieldText = ({kind, source}: Field): string => (kind === 'string' ? stringOf(source) : source);

/** Toggles the container under the cursor and moves the cursor to its row. */
export function folded(view: KeyView): KeyView {
	const {tree, at} = view;
	const row = tree?.at(at.json);
	if (!tree || !row) return view;
	return standingOn(view, tree.toggle(at.json), row.node);
}

/** Right: opens a closed container, or enters an open one. */
export function unfolded(view: KeyView): KeyView {
	const {tree, at} = view;
	switch (tree?.at(at.json)?.shape) {
		case 'closed':
			return folded(view);
		case 'open':
			return {...view, at: {...at, json: at.json + 1}};
		default:
			return view;
	}
}

/** Left: closes the container under the cursor, or moves to its parent. */
export function foldedUp(view: KeyView): KeyView {
	const {tree, at} = view;
	const shape = tree?.at(at.json)?.shape;
	if (!tree || shape === 'open' || shape === 'end') return folded(view);
	return {...view, at: {...at, json: tree.parentRow(at.json)}};
}

/** Opens all containers, or closes them if all are open. */
export function allFolded(view: KeyView): KeyView {
	const {tree, at} = view;
	const row = tree?.at(at.json);
	if (!tree || !row) return view;
	const opened = tree.openAll();
	return standingOn(view, opened.count === tree.count ? tree.closeAll() : opened, row.node);
}

export const standingOn = (view: KeyView, tree: JsonTree, node: number): KeyView => ({
	...view,
	tree,
	at: {...view.at, json: tree.rowOf(node)},
});

/**
 * Returns the node whose row shows this source offset; for commas, brackets and white space, the next node.
 * Undefined after the last node.
 */
export function nodeAt({nodes}: JsonTree, place: number): number | undefined {
	const low = bisect(1, nodes.size, node => nodes.memberStart(node) <= place) - 1;
	const end = nodes.isContainer(low) ? nodes.start(low) + 1 : nodes.end(low);
	if (place < end) return low;
	return low + 1 < nodes.size ? low + 1 : undefined;
}

const plainName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Formats a path: `$.roles[1]`. Names that are not identifiers are quoted. */
export const pathText = (path: JsonPath): string =>
	`$${path
		.map(step =>
			typeof step === 'number'
				? `[${step}]`
				: plainName.test(step)
					? `.${step}`
					: `[${JSON.stringify(step)}]`,
		)
		.join('')}`;
