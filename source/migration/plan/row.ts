import type {UnreadReason} from '../zone/withheld.ts';

/**
 * `lost`: not migrated. `warning`: needs a check. `changed`: migrated with another effect. `same`: unchanged.
 */
export type PlanMark = 'warning' | 'lost' | 'changed' | 'same';

/**
 * An old setting (`now`) and its replacement (`after`). Without a mark, it is migrated with the same effect.
 * The texts are not escaped.
 */
export type PlanRow = {
	readonly what: string;
	readonly now: string;
	readonly after: string;
	readonly mark?: PlanMark;
};

/**
 * Builds the row of a part that could not be read: if it were omitted, the part would look empty. Returns no
 * row if the part was read.
 */
export const buildUnreadRows = (what: string, reason: UnreadReason | undefined): readonly PlanRow[] =>
	reason === undefined ? [] : [{what, now: reason, after: 'unknown', mark: 'warning'}];
