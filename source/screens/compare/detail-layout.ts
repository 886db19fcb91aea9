import {type DifferenceLayout, getDifferenceLayout} from '../review/difference-rows.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import type {ComparedKey} from './state.ts';

/** Minimum columns to show both stores side by side. */
const minSideBySideColumns = 80;

type LoadedComparedKey = Extract<ComparedKey, {state: 'read'}>;

/** Lays out the difference of a key, or returns a sentence in its place. */
export function getDetailLayout(
	{one, other, difference}: LoadedComparedKey,
	{columns, isSpoken = false}: Viewport,
): {
	readonly layout: DifferenceLayout | undefined;
	readonly placeholder: string;
	readonly sideBySide: boolean;
} {
	const sideBySide = columns >= minSideBySideColumns && !isSpoken && one !== undefined && other !== undefined;
	switch (difference.kind) {
		case 'lines':
			return {layout: getDifferenceLayout(difference, sideBySide), placeholder: '', sideBySide};
		case 'none':
			return {layout: undefined, placeholder: 'Value and metadata are the same.', sideBySide: false};
		case 'sizes': {
			const isSame = difference.stored?.digest === difference.mine?.digest;
			const placeholder = isSame
				? 'The values are the same.'
				: "The values can't be shown line by line: they are too large, or not text.";
			return {layout: undefined, placeholder, sideBySide: false};
		}
		default:
			return difference satisfies never;
	}
}

/** Computes the rows left for the difference below name, facts and titles. */
export const computeDetailRows = (rows: number, sideBySide: boolean): number =>
	rows - 3 - (sideBySide ? 1 : 0);
