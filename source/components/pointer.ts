import type {DOMElement} from 'ink';
import {createContext, type RefObject, use, useEffect, useLayoutEffect, useRef} from 'react';
import {CoveredContext} from './covered.ts';

/**
 * Visible part of a list, in a box whose first line is the first visible row (`first`); each row is one line.
 */
type RowsInSight = {
	readonly kind: 'rows';
	readonly first: number;
	readonly visibleCount: number;
	readonly cursor: number;
	/** False if another list has the cursor. */
	readonly hasCursor?: boolean;
};

/** Visible part of a text. `cursorRows`: the rows of the item under the cursor, `to` exclusive. */
type BodyInSight = {
	readonly kind: 'body';
	readonly first: number;
	readonly visibleCount: number;
	readonly cursorRows: {readonly from: number; readonly to: number};
};

type EntryInSight = {readonly kind: 'entry'; readonly isSelected: boolean};

/** What a click on a part of a line means: an action by its key, or a part of the path. */
export type ClickTarget =
	| {readonly kind: 'action'; readonly id: string; readonly key: string}
	| {readonly kind: 'path'; readonly index: number};

/** A part of a line that can be clicked, in columns of its box; `to` exclusive. */
export type ClickSpan = {readonly from: number; readonly to: number; readonly target: ClickTarget};

type SpansInSight = {readonly kind: 'spans'; readonly spans: readonly ClickSpan[]};

type InSight = RowsInSight | BodyInSight | EntryInSight | SpansInSight;

type Region = {readonly box: RefObject<DOMElement | null>; inSight: InSight};

export type RowHit = {
	readonly kind: Exclude<InSight['kind'], 'spans'>;
	/** Index of the row, to recognise it. */
	readonly row: number;
	/** Counts the rows between the cursor and this row as drawn now; in a text only the direction, 1 or -1. */
	countSteps(): number;
};

export type PointerHit = RowHit | {readonly kind: 'spans'; readonly target: ClickTarget};

/** Positions of the drawn lists, menus and clickable texts: maps screen positions to them. */
export class PointerRegions {
	readonly #regions = new Set<Region>();

	add(region: Region): void {
		this.#regions.add(region);
	}

	remove(region: Region): void {
		this.#regions.delete(region);
	}

	/** Index of the selected entry among the visible ones. */
	#findSelectedEntry(): number {
		return this.#listEntries().findIndex(({inSight}) => inSight.kind === 'entry' && inSight.isSelected);
	}

	/** Finds the screen row of the first cursor, counted from 0; undefined if none is visible. */
	findCurrentRow(): number | undefined {
		for (const {box, inSight} of this.#regions) {
			const bounds = measureBox(box.current);
			if (!bounds || inSight.kind === 'spans') continue;
			if (inSight.kind === 'entry') {
				if (inSight.isSelected) return bounds.top;
				continue;
			}
			const row = inSight.kind === 'rows' ? inSight.cursor : inSight.cursorRows.from;
			const line = row - inSight.first;
			if (line >= 0 && line < inSight.visibleCount) return bounds.top + line;
		}
		return undefined;
	}

	/** Counts the visible rows of the list with the cursor; undefined if none is drawn. */
	countListRows(): number | undefined {
		for (const {inSight} of this.#regions)
			if (inSight.kind === 'rows' && inSight.hasCursor !== false) return inSight.visibleCount;
		return undefined;
	}

	/** Returns what is at a screen position, counted from 0. */
	findHit(column: number, row: number): PointerHit | undefined {
		for (const region of this.#regions) {
			const bounds = measureBox(region.box.current);
			const line = row - (bounds?.top ?? 0);
			if (!bounds || line < 0 || line >= bounds.height) continue;
			if (column < bounds.left || column >= bounds.left + bounds.width) continue;
			const {inSight} = region;
			if (inSight.kind === 'spans') {
				const span = inSight.spans.find(
					({from, to}) => column - bounds.left >= from && column - bounds.left < to,
				);
				if (span) return {kind: 'spans', target: span.target};
				continue;
			}
			if (inSight.kind === 'entry') {
				const entryIndex = this.#listEntries().indexOf(region);
				return {kind: 'entry', row: entryIndex, countSteps: () => entryIndex - this.#findSelectedEntry()};
			}
			if (line >= inSight.visibleCount) continue;
			const targetRow = inSight.first + line;
			return {kind: inSight.kind, row: targetRow, countSteps: () => countStepsTo(region.inSight, targetRow)};
		}
		return undefined;
	}

	#listEntries(): readonly Region[] {
		const getTop = ({box}: Region) => measureBox(box.current)?.top ?? 0;
		return [...this.#regions]
			.filter(({inSight}) => inSight.kind === 'entry')
			.sort((one, other) => getTop(one) - getTop(other));
	}
}

function countStepsTo(inSight: InSight, row: number): number {
	if (inSight.kind === 'rows') return row - inSight.cursor;
	if (inSight.kind === 'entry' || inSight.kind === 'spans') return 0;
	return row < inSight.cursorRows.from ? -1 : row >= inSight.cursorRows.to ? 1 : 0;
}

function measureBox(box: DOMElement | null) {
	const ownNode = box?.yogaNode;
	if (!ownNode) return undefined;
	let left = 0;
	let top = 0;
	for (let node: DOMElement | undefined = box; node; node = node.parentNode) {
		left += node.yogaNode?.getComputedLeft() ?? 0;
		top += node.yogaNode?.getComputedTop() ?? 0;
	}
	return {left, top, width: ownNode.getComputedWidth(), height: ownNode.getComputedHeight()};
}

/** Regions that components register with; undefined outside the full screen. */
export const PointerContext = createContext<PointerRegions | undefined>(undefined);

/** Registers the visible content of the box that gets the returned ref. */
export function usePointerRegion(inSight: InSight | undefined): RefObject<DOMElement | null> {
	const regions = use(PointerContext);
	const isCovered = use(CoveredContext);
	const box = useRef<DOMElement | null>(null);
	const region = useRef<Region | undefined>(undefined);
	useLayoutEffect(() => {
		if (!regions) return;
		if (inSight === undefined || isCovered) {
			if (region.current) regions.remove(region.current);
			region.current = undefined;
		} else if (region.current) region.current.inSight = inSight;
		else {
			region.current = {box, inSight};
			regions.add(region.current);
		}
	});
	useEffect(
		() => () => {
			if (region.current) regions?.remove(region.current);
			region.current = undefined;
		},
		[regions],
	);
	return box;
}
