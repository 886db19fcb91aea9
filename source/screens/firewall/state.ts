import type {Failure} from '../../failure.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {FirewallZone, Rule} from '../../firewall/rules/rule.ts';
import type {Rereading} from '../shell/rereading.ts';

/** A zone that was chosen, and how it is called in sentences and in the audit log. */
export type OpenedZone = FirewallZone & {
	readonly label?: string | undefined;
	/** As far as it could be read. */
	readonly account?: string | undefined;
	readonly accountId?: string | undefined;
};

/** The filters and rules of the zone that is open. */
export type FirewallState = {
	readonly zone: OpenedZone;
	/** `stale`: since they were read something was written, and they could not be refreshed. */
	readonly reading: Rereading;
	readonly failure?: Failure | undefined;
	/** In the order in which they are evaluated. */
	readonly rules: readonly Rule[];
	/** `undecided`: no rule has a priority, and by their actions they stand otherwise than as they were listed. */
	readonly order: 'certain' | 'undecided';
	readonly filters: readonly Filter[];
	/** Which of the two lists has the cursor. */
	readonly side: 'rules' | 'filters';
	readonly cursors: {readonly rules: number; readonly filters: number};
	/** What rules and filters are narrowed by. */
	readonly sought: string;
	/** What the cursors were put on last, or were on when narrowing began: what is returned to when nothing is left. */
	readonly lastOn: {readonly rules?: string | undefined; readonly filters?: string | undefined};
	/** Set while all of what is selected is shown in place of the lists: its first row in view. */
	readonly detail?: number | undefined;
	/** Whether the zone has the new managed rules only; asked for where a rule bypasses the managed rules. */
	readonly migrated?: boolean | undefined;
	/** What was made, and is not in the lists yet: the cursor goes to it as soon as it is read. */
	readonly awaited?: Place | undefined;
};

/** A rule or a filter of the lists. */
export type Place = {readonly kind: 'rule' | 'filter'; readonly id: string};
