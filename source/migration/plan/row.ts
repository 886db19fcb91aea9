import type {UnreadReason} from '../zone/unavailable.ts';

/**
 * `lost`: not migrated. `warning`: needs a check. `changed`: migrated with another effect. `same`: unchanged.
 * Undefined: migrated.
 */
export type PlanMark = 'warning' | 'lost' | 'changed' | 'same';

/** An old setting and its replacement. Contains raw data. */
export type PlanRow = {
	readonly what: string;
	readonly now: string;
	readonly after: string;
	readonly mark?: PlanMark;
};

/** Builds the row of a part that could not be read; omitting it would suggest an empty part. */
export const buildUnreadRow = (what: string, reason: UnreadReason | undefined): readonly PlanRow[] =>
	reason === undefined ? [] : [{what, now: reason, after: 'not known', mark: 'warning'}];
