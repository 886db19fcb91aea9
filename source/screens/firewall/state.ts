import type {Filter} from '../../firewall/rules/filter.ts';
import type {FirewallZone, Rule} from '../../firewall/rules/rule.ts';
import type {ListRows} from '../list/list.ts';
import type {ZoneListed} from '../list/slice.ts';

/** A zone that was chosen, and how it is called in sentences and in the audit log. */
export type OpenedZone = FirewallZone & {
	readonly label?: string | undefined;
	/** As far as it could be read. */
	readonly account?: string | undefined;
	readonly accountId?: string | undefined;
};

/** The filters and rules of the zone that is open; the rows are of the list that has the cursor. */
export type FirewallState = ZoneListed<Rule | Filter, OpenedZone> & {
	/** In the order in which they are evaluated. */
	readonly rules: readonly Rule[];
	/** `undecided`: no rule has a priority, and by their actions they stand otherwise than as they were listed. */
	readonly order: 'certain' | 'undecided';
	readonly filters: readonly Filter[];
	/** Which of the two lists has the cursor. */
	readonly side: 'rules' | 'filters';
	/** The other list, narrowed by the same filter. */
	readonly behind: ListRows<Rule | Filter>;
	/** Whether the zone has the new managed rules only; asked for where a rule bypasses the managed rules. */
	readonly migrated?: boolean | undefined;
};

/** A rule or a filter of the lists. */
export type Place = {readonly kind: 'rule' | 'filter'; readonly id: string};
