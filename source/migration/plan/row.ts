import type {UnreadReason} from '../zone/unavailable.ts';

/**
 * `lost`: not migrated. `warning`: look at it. `changed`: it is migrated, and does something else. `same`: it stays as
 * it is. None: it is migrated.
 */
export type PlanMark = 'warning' | 'lost' | 'changed' | 'same';

/** An old setting, and what becomes of it. All texts may hold raw text of data. */
export type PlanRow = {
	readonly what: string;
	readonly now: string;
	readonly after: string;
	readonly mark?: PlanMark;
};

/** Row of a part of the zone that could not be read: never left out, which would look like none. */
export const unreadRow = (what: string, reason: UnreadReason | undefined): readonly PlanRow[] =>
	reason === undefined ? [] : [{what, now: reason, after: 'not known', mark: 'warning'}];
