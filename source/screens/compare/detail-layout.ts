import {type Layout, layoutFor} from '../review/difference-rows.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import type {ComparedKey} from './state.ts';

/** From so many columns on both sides are beside each other. */
const wide = 80;

type Read = Extract<ComparedKey, {state: 'read'}>;

/** The difference of a key as it is drawn, or a sentence in its place. */
export function detailLayout(
	{one, other, difference}: Read,
	{columns, isSpoken = false}: Viewport,
): {readonly layout: Layout | undefined; readonly instead: string; readonly sideBySide: boolean} {
	const sideBySide = columns >= wide && !isSpoken && one !== undefined && other !== undefined;
	switch (difference.kind) {
		case 'lines':
			return {layout: layoutFor(difference, sideBySide), instead: '', sideBySide};
		case 'none':
			return {layout: undefined, instead: 'Value and metadata are the same.', sideBySide: false};
		case 'sizes': {
			const isSame = difference.stored?.digest === difference.mine?.digest;
			const instead = isSame
				? 'The values are the same.'
				: 'The values cannot be shown line by line: they are too large, or no text.';
			return {layout: undefined, instead, sideBySide: false};
		}
		default:
			return difference satisfies never;
	}
}

/** Rows for the difference, below the name, what each side has, and the titles of the sides. */
export const detailRoom = (rows: number, sideBySide: boolean): number => rows - 3 - (sideBySide ? 1 : 0);
