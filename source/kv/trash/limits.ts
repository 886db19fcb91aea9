import {formatInteger} from '../../text/figures.ts';
import type {TrashBatch} from './batch.ts';

/** Capacity and retention of the trash. */
export const trashLimits = {
	/** Largest deletion that goes to the trash by default, in keys. */
	maxDefaultKeys: 10_000,
	/** Bytes of all batches together. */
	maxBytes: 1_073_741_824,
	retentionDays: 7,
	retentionMs: 7 * 24 * 60 * 60 * 1000,
} as const;

/**
 * True if a deletion of `keyCount` keys goes to the trash. `trashChoice`: true for `--trash`, false for
 * `--no-trash`.
 */
export const shouldUseTrash = (keyCount: number, trashChoice: boolean | undefined): boolean =>
	trashChoice ?? keyCount <= trashLimits.maxDefaultKeys;

/** Describes what happens to deleted keys, for the confirmation. */
export function describeTrashOutcome(keyCount: number, trashChoice: boolean | undefined): string {
	if (shouldUseTrash(keyCount, trashChoice))
		return `${keyCount === 1 ? 'It stays' : 'They stay'} in the trash for ${trashLimits.retentionDays} days.`;
	return trashChoice === undefined && keyCount > trashLimits.maxDefaultKeys
		? `This cannot be undone: only up to ${formatInteger(trashLimits.maxDefaultKeys)} keys go to the trash unless --trash is given.`
		: 'This cannot be undone.';
}

/** Returns the days until a batch is removed, rounded up; `now` in milliseconds since the epoch. */
export const countDaysLeft = ({deleted}: Pick<TrashBatch, 'deleted'>, now: number): number =>
	Math.max(0, Math.ceil((deleted + trashLimits.retentionMs - now) / (24 * 60 * 60 * 1000)));
