import type {JsonObject} from '../../text/json.ts';
import type {Collection} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import type {StoredFilters} from './stored-filters.ts';

/** A stored rule, with the id of its filter. */
export type StoredFirewallRule = JsonObject & {
	readonly id: string;
	readonly paused: boolean;
	readonly action: string;
	readonly priority: number | null;
	readonly filter: string;
	readonly products?: readonly string[];
	readonly description?: string;
	readonly ref?: string;
};

export type StoredFirewallRules = Collection<StoredFirewallRule>;

export const getStoredRules = ({resources}: Pick<World, 'resources'>, zoneId: string): StoredFirewallRules =>
	resources.getCollection('firewall-rule', zoneId);

export const listRulesByFilter = (
	rules: StoredFirewallRules,
	filterId: string,
): readonly StoredFirewallRule[] => rules.list().filter(rule => rule.filter === filterId);

/** Builds a rule with its filter, in the format of answers; a missing filter is marked as deleted. */
export function buildRuleResult(rule: StoredFirewallRule, filters: StoredFilters): JsonObject {
	const {filter: filterId, ...fields} = rule;
	return {...fields, filter: filters.get(filterId) ?? {id: filterId, deleted: true}};
}
