import type {UnreadReason} from '../zone/unavailable.ts';
import type {PlanRow} from './row.ts';

/** Row of a part of the zone that could not be read: never left out, which would look like none. */
export const unreadRow = (what: string, reason: UnreadReason | undefined): readonly PlanRow[] =>
	reason === undefined ? [] : [{what, now: reason, after: 'not known', mark: 'warning'}];
