import {formatInteger} from '../../text/figures.ts';
import type {TrashBatch} from './batch.ts';

/** Capacity and retention of the trash. */
export const trashLimits = {
	/** Largest deletion that goes to the trash by default, in keys. */
	keys: 10_000,
	/** Bytes of all batches together. */
	bytes: 1_073_741_824,
	days: 7,
	milliseconds: 7 * 24 * 60 * 60 * 1000,
} as const;

/**
 * True if a deletion of `keyCount` keys goes to the trash. `trashChoice`: true for `--trash`, false for
 * `--no-trash`.
 */
export const shouldUseTrash = (keys: number, choice: boolean | undefined): boolean =>
	choice ?? keys <= trashLimits.keys;

/** Describes what happens to deleted keys, for the confirmation. */
export function describeTrashOutcome(keys: number, choice: boolean | undefined): string {
	if (shouldUseTrash(keys, choice))
		return `${keys === 1 ? 'It stays' : 'They stay'} in the trash for ${trashLimits.days} days.`;
	return choice === undefined && keys > trashLimits.keys
		? `This cannot be undone: only up to ${formatInteger(trashLimits.keys)} keys go to the trash unless --trash is given.`
		: 'This cannot be undone.';
}

/** Returns the days until a batch is removed, rounded up; `now` in milliseconds since the epoch. */
export const countDaysLeft = ({deleted}: Pick<TrashBatch, 'deleted'>, now: number): number =>
	Math.max(0, Math.ceil((deleted + trashLimits.milliseconds - now) / (24 * 60 * 60 * 1000)));
