import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import type {ListRows} from '../list/list.ts';
import type {ZoneListState} from '../list/slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** The filters and rules of the open zone; `rows` are those of the list with the cursor. */
export type FirewallState = ZoneListState<Rule | Filter, ZoneWithLabel> & {
	/** In order of evaluation. */
	readonly rules: readonly Rule[];
	/** `undecided`: no rule has a priority, and the order by action differs from the order listed. */
	readonly order: 'certain' | 'undecided';
	readonly filters: readonly Filter[];
	/** Which of the two lists has the cursor. */
	readonly side: 'rules' | 'filters';
	/** The row from which `goToRelated` came last, to return to; undefined once the list was left otherwise. */
	readonly relatedFrom?: string | undefined;
	/** The other list, with the same search text. */
	readonly otherList: ListRows<Rule | Filter>;
	/** True if the zone has migrated to the new managed rules; read only if a rule bypasses `waf`. */
	readonly migrated?: boolean | undefined;
	/** True once the service refused a change because firewall rules are retired, although they can be read. */
	readonly areWritesRetired?: boolean | undefined;
};

/** Identifies a rule or filter of the lists. */
export type FirewallTarget = {readonly kind: 'rule' | 'filter'; readonly id: string};
