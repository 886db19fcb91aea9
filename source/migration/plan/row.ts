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
