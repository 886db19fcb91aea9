import type {DOMElement} from 'ink';
import {createContext, type RefObject, use, useEffect, useLayoutEffect, useRef} from 'react';

/**
 * Visible part of a list, in a box whose first line is the first visible row (`first`); each row is one line.
 */
type RowsInSight = {
	readonly kind: 'rows';
	readonly first: number;
	readonly shown: number;
	readonly cursor: number;
};

/** Visible part of a text. `cursorRows`: the rows of the item under the cursor, `to` exclusive. */
type BodyInSight = {
	readonly kind: 'body';
	readonly first: number;
	readonly shown: number;
	readonly at: {readonly from: number; readonly to: number};
};

type EntryInSight = {readonly kind: 'entry'; readonly isSelected: boolean};

type InSight = RowsInSight | BodyInSight | EntryInSight;

type Region = {readonly box: RefObject<DOMElement | null>; inSight: InSight};

export type PointerHit = {
	readonly kind: InSight['kind'];
	/** Index of the row, to recognise it. */
	readonly row: number;
	/** Rows from the cursor to it as drawn now; in a text only the direction, 1 or -1. */
	countSteps(): number;
};

/** Positions of the drawn lists and menus: maps screen lines to rows. */
export class PointerRegions {
	readonly #regions = new Set<Region>();

	add(region: Region): void {
		this.#regions.add(region);
	}

	remove(region: Region): void {
		this.#regions.delete(region);
	}

	/** Index of the selected entry among the visible ones. */
	#selectedEntry(): number {
		return this.#entries().findIndex(({inSight}) => inSight.kind === 'entry' && inSight.isSelected);
	}

	/** Returns what is at a screen position, counted from 0. */
	findHit(column: number, row: number): PointerHit | undefined {
		for (const region of this.#regions) {
			const place = getBoxPlace(region.box.current);
			const line = row - (place?.top ?? 0);
			if (!place || line < 0 || line >= place.height) continue;
			if (column < place.left || column >= place.left + place.width) continue;
			const {inSight} = region;
			if (inSight.kind === 'entry') {
				const at = this.#entries().indexOf(region);
				return {kind: 'entry', row: at, countSteps: () => at - this.#selectedEntry()};
			}
			if (line >= inSight.shown) continue;
			const wanted = inSight.first + line;
			return {kind: inSight.kind, row: wanted, countSteps: () => countStepsTo(region.inSight, wanted)};
		}
		return undefined;
	}

	#entries(): readonly Region[] {
		const getTop = ({box}: Region) => getBoxPlace(box.current)?.top ?? 0;
		return [...this.#regions]
			.filter(({inSight}) => inSight.kind === 'entry')
			.sort((one, other) => getTop(one) - getTop(other));
	}
}

function countStepsTo(inSight: InSight, row: number): number {
	if (inSight.kind === 'rows') return row - inSight.cursor;
	if (inSight.kind === 'entry') return 0;
	return row < inSight.at.from ? -1 : row >= inSight.at.to ? 1 : 0;
}

function getBoxPlace(box: DOMElement | null) {
	const own = box?.yogaNode;
	if (!own) return undefined;
	let left = 0;
	let top = 0;
	for (let node: DOMElement | undefined = box; node; node = node.parentNode) {
		left += node.yogaNode?.getComputedLeft() ?? 0;
		top += node.yogaNode?.getComputedTop() ?? 0;
	}
	return {left, top, width: own.getComputedWidth(), height: own.getComputedHeight()};
}

/** Regions that components register with; undefined without a mouse. */
export const PointerContext = createContext<PointerRegions | undefined>(undefined);

/** Registers the visible content of the box that gets the returned ref. */
export function useInSight(inSight: InSight | undefined): RefObject<DOMElement | null> {
	const regions = use(PointerContext);
	const box = useRef<DOMElement | null>(null);
	const region = useRef<Region | undefined>(undefined);
	useLayoutEffect(() => {
		if (!regions) return;
		if (inSight === undefined) {
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
