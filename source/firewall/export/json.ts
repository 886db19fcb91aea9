import type {Filter} from '../rules/filter.ts';
import type {FirewallZone, Rule} from '../rules/rule.ts';

/** A rule that names its filter by id; a filter that was deleted under it is told. */
type ExportedRule = Omit<Rule, 'filter'> & {
	readonly filter: {readonly id: string; readonly deleted?: true};
};

/**
 * Filters and firewall rules of a zone with all that is needed to create them again: each filter once, whether a rule
 * uses it or not, and rules that name theirs by id. Both are in the order of the service.
 */
type ExportedFirewall = {
	readonly zone: {readonly id: string; readonly name: string};
	readonly filters: readonly Filter[];
	readonly rules: readonly ExportedRule[];
};

/** `firewall export --format json`. A filter that only a rule told of (made meanwhile) is taken from there. */
export function exportedFirewall(
	zone: Pick<FirewallZone, 'id' | 'name'>,
	filters: readonly Filter[],
	rules: readonly Rule[],
): ExportedFirewall {
	const known = new Map(filters.map(filter => [filter.id, filter]));
	for (const {filter} of rules)
		if (!('deleted' in filter) && !known.has(filter.id)) known.set(filter.id, filter);
	return {
		zone: {id: zone.id, name: zone.name},
		filters: [...known.values()],
		rules: rules.map(({filter, ...rule}) => ({
			...rule,
			filter: {id: filter.id, ...('deleted' in filter && {deleted: true})},
		})),
	};
}
