import {bisect} from '../../text/bisect.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {type JsonKind, type JsonNodes, type JsonPath, stringOf} from '../../text/json/tree-nodes.ts';
import type {KeyView} from './value-view.ts';

/** The value under the cursor in the tree, with its place in the source. */
export type Field = {
	/** The whole value as it is written. */
	readonly text: string;
	readonly nodes: JsonNodes;
	/** Which of the nodes it is; `nodes.start(node)` and `nodes.end(node)` are its place in the text. */
	readonly node: number;
	readonly kind: JsonKind;
	readonly path: JsonPath;
	/** The value as it is written. */
	readonly source: string;
};

/** The value under the cursor; `undefined` where no tree is in front. */
export function fieldOf({form, tree, at}: KeyView): Field | undefined {
	const row = form === 'json' ? tree?.at(at.json) : undefined;
	if (!tree || !row) return undefined;
	const {nodes} = tree;
	const {node, kind} = row;
	return {text: nodes.text, nodes, node, kind, path: nodes.path(node), source: nodes.source(node)};
}

/** What a field holds, for whoever takes it elsewhere: the text of a string, everything else as it is written. */
export const fieldText = ({kind, source}: Field): string => (kind === 'string' ? stringOf(source) : source);

/** Opens or closes the container under the cursor, and is on it. */
export function folded(view: KeyView): KeyView {
	const {tree, at} = view;
	const row = tree?.at(at.json);
	if (!tree || !row) return view;
	return standingOn(view, tree.toggle(at.json), row.node);
}

/** Right: opens what is closed, and goes into what is open. */
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

/** Left: closes the container under the cursor, or goes to the one around. */
export function foldedUp(view: KeyView): KeyView {
	const {tree, at} = view;
	const shape = tree?.at(at.json)?.shape;
	if (!tree || shape === 'open' || shape === 'end') return folded(view);
	return {...view, at: {...at, json: tree.parentRow(at.json)}};
}

/** Opens everything; closes everything where it is open already. */
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

/** The node whose row shows this place of the source; of commas, brackets and space between, the next node. */
export function nodeAt({nodes}: JsonTree, place: number): number | undefined {
	const low = bisect(1, nodes.size, node => nodes.memberStart(node) <= place) - 1;
	const end = nodes.isContainer(low) ? nodes.start(low) + 1 : nodes.end(low);
	if (place < end) return low;
	return low + 1 < nodes.size ? low + 1 : undefined;
}

const plainName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** A path as a person reads it: `$.roles[1]`. Names that are not plain words are in quotes. */
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
