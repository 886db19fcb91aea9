import {columnsOf} from '../../text/columns.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {drawableLine} from '../../text/tabs.ts';
import {nodeAt, standingOn} from './tree.ts';
import {atRow, bytesPerRow, type KeyView, rowHere, sideways} from './value-view.ts';

/** Where a text was found, and whether the search went round the end of the value for it. */
type Found = {readonly view: KeyView; readonly around: boolean};

/** From where to look for a text: from the row of the cursor on, behind that row, or in the rows before it. */
type From = 'here' | 'behind' | 'before';

/**
 * The view with the cursor on the first row from here on (behind here, or the last one before here) that holds a text
 * exactly as it is written; at the end the search continues at the other end. `undefined` when the value does not hold it.
 */
export function find(view: KeyView, query: string, from: From, columns: number): Found | undefined {
	if (query === '') return undefined;
	const search = searches[view.form];
	const ahead = search(view, query, from, columns);
	if (ahead) return {view: ahead, around: false};
	const first = search(view, query, from === 'before' ? 'bottom' : 'top', columns);
	return first && {view: first, around: true};
}

type Search = (
	view: KeyView,
	query: string,
	from: From | 'top' | 'bottom',
	columns: number,
) => KeyView | undefined;

const searches: Readonly<Record<KeyView['form'], Search>> = {
	json: inTree,
	text(view, query, from, columns) {
		const {lines, at} = view;
		const row =
			from === 'before' || from === 'bottom'
				? lines.findLast(query, from === 'bottom' ? undefined : at.text)
				: lines.find(query, from === 'top' ? 0 : at.text + (from === 'behind' ? 1 : 0));
		return row === undefined ? undefined : inSight(atRow(view, row, columns), query, columns);
	},
	hex(view, query, from, columns) {
		const {bytes} = view;
		const perRow = bytesPerRow(columns);
		const row = rowHere(view, columns);
		const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const found =
			from === 'before' || from === 'bottom'
				? lastBefore(buffer, query, from === 'bottom' ? buffer.length : row * perRow)
				: buffer.indexOf(query, from === 'top' ? 0 : (row + (from === 'behind' ? 1 : 0)) * perRow);
		return found === -1 ? undefined : atRow(view, Math.floor(found / perRow), columns);
	},
};

function inTree(view: KeyView, query: string, from: From | 'top' | 'bottom'): KeyView | undefined {
	const {tree} = view;
	if (!tree) return undefined;
	const {text} = tree.nodes;
	const start = from === 'top' ? 0 : from === 'bottom' ? text.length : startIn(tree, view.at.json, from);
	const found =
		from === 'before' || from === 'bottom' ? lastBefore(text, query, start) : text.indexOf(query, start);
	const node = found === -1 ? undefined : nodeAt(tree, found);
	return node === undefined ? undefined : standingOn(view, tree.reveal(node), node);
}

/** Where in the source to begin, to find what is on a row, or only what comes behind it. */
function startIn(tree: JsonTree, row: number, from: From): number {
	const {nodes} = tree;
	const here = tree.at(row);
	if (!here) return 0;
	const {node, shape} = here;
	if (shape === 'end') return nodes.end(node);
	if (from !== 'behind') return nodes.memberStart(node);
	return nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node);
}

/** Where a text or bytes hold a text last that begins before an end. */
const lastBefore = (held: string | Buffer, query: string, end: number): number =>
	end === 0 ? -1 : held.lastIndexOf(query, end - 1);

/** Columns that the number of a line and what is around it take at most. */
const margins = 14;

/** Scrolls the text to the side until the place that was found on the row of the cursor is seen. */
function inSight(view: KeyView, query: string, columns: number): KeyView {
	const text = view.lines.at(view.at.text)?.text ?? '';
	const place = text.indexOf(query);
	if (place === -1) return view;
	const start = columnsOf(drawableLine(text.slice(0, place)));
	const end = start + columnsOf(drawableLine(query));
	const room = columns - margins;
	if (start > view.left && end < view.left + room) return view;
	if (end < room) return {...view, left: 0};
	return {...view, left: Math.floor(Math.max(0, start - room / 2) / sideways) * sideways};
}
