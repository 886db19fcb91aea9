import type {Filter} from '../rules/filter.ts';
import type {FirewallZone, Rule} from '../rules/rule.ts';

/** A rule that refers to its filter by id; `deleted` if that filter was deleted. */
type ExportedRule = Omit<Rule, 'filter'> & {
	readonly filter: {readonly id: string; readonly deleted?: true};
};

/**
 * The filters and firewall rules of a zone, complete enough to create them again: each filter once, used or
 * not, and rules that refer to them by id. Both in the order of the service.
 */
type ExportedFirewall = {
	readonly zone: {readonly id: string; readonly name: string};
	readonly filters: readonly Filter[];
	readonly rules: readonly ExportedRule[];
};

/**
 * Builds the result of `firewall export --format json`. Adds filters that only a rule contains (created after
 * the listing).
 */
export function buildFirewallExport(
	zone: Pick<FirewallZone, 'id' | 'name'>,
	filters: readonly Filter[],
	rules: readonly Rule[],
): ExportedFirewall {
	const listedFilters = new Map(filters.map(filter => [filter.id, filter]));
	for (const {filter} of rules)
		if (!('deleted' in filter) && !listedFilters.has(filter.id)) listedFilters.set(filter.id, filter);
	return {
		zone: {id: zone.id, name: zone.name},
		filters: [...listedFilters.values()],
		rules: rules.map(({filter, ...rule}) => ({
			...rule,
			filter: {id: filter.id, ...('deleted' in filter && {deleted: true})},
		})),
	};
}
