import {grouped} from '../../text/figures.ts';
import type {TrashBatch} from './batch.ts';

/** How much the trash keeps, and for how long. */
export const trashLimits = {
	/** How many keys of one deletion go to the trash without being asked for. */
	keys: {least: 2, most: 10_000},
	/** Of all batches together. */
	bytes: 1_073_741_824,
	days: 7,
	milliseconds: 7 * 24 * 60 * 60 * 1000,
} as const;

/** Whether a deletion of so many keys goes to the trash; `choice` is what was asked for, if anything was. */
export const goesToTrash = (keys: number, choice: boolean | undefined): boolean =>
	choice ?? (keys >= trashLimits.keys.least && keys <= trashLimits.keys.most);

/** What becomes of keys that are deleted, for the question before. */
export function wayBackText(keys: number, choice: boolean | undefined): string {
	if (goesToTrash(keys, choice))
		return `${keys === 1 ? 'It stays' : 'They stay'} in the trash for ${trashLimits.days} days.`;
	return choice === undefined && keys > trashLimits.keys.most
		? `This cannot be undone: only up to ${grouped(trashLimits.keys.most)} keys go to the trash unless --trash is given.`
		: 'This cannot be undone.';
}

/** Whole days until a batch is removed, rounded up; `now` in milliseconds since the epoch. */
export const daysLeft = ({deleted}: Pick<TrashBatch, 'deleted'>, now: number): number =>
	Math.max(0, Math.ceil((deleted + trashLimits.milliseconds - now) / (24 * 60 * 60 * 1000)));
