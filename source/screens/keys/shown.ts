import {counted, grouped} from '../../text/figures.ts';
import type {KeysState} from './slice.ts';

/** Whether a filter can show no other keys than those that it shows now. */
export const isAllShown = ({listing, rows}: KeysState): boolean =>
	listing.state === 'complete' && rows.advance(0);

/** How many keys are listed: `390`, and `390+` where there may be more. */
const listedText = ({index, listing}: KeysState): string =>
	`${grouped(index.count)}${listing.state === 'complete' ? '' : '+'}`;

/** What a filter shows of the keys: `150 of 390`. */
export const shownText = (keys: KeysState): string =>
	`${grouped(keys.rows.count)}${isAllShown(keys) ? '' : '+'} of ${listedText(keys)}`;

/** What an action on all of them does it with: "the 150 shown of 390", "all 390 keys". */
export function meantText(keys: KeysState): string {
	if (keys.filter === '') return `all ${listedText(keys)} keys`;
	return `the ${counted(keys.rows.count, 'key')} shown, of ${listedText(keys)}`;
}
