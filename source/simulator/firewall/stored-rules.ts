import type {JsonObject} from '../../text/json.ts';
import type {Collection} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import type {StoredFilters} from './stored-filters.ts';

/** A rule as it is kept: of its filter only the id. */
export type StoredRule = JsonObject & {
	readonly id: string;
	readonly paused: boolean;
	readonly action: string;
	readonly priority: number | null;
	readonly filter: string;
	readonly products?: readonly string[];
	readonly description?: string;
	readonly ref?: string;
};

export type StoredRules = Collection<StoredRule>;

/** The firewall rules of one zone. */
export const storedRules = ({resources}: Pick<World, 'resources'>, zone: string): StoredRules =>
	resources.of('firewall-rule', zone);

/** The rules that use a filter. */
export const usersOf = (rules: StoredRules, filter: string): readonly StoredRule[] =>
	rules.all().filter(rule => rule.filter === filter);

/** A rule as an answer shows it; of a filter that is gone it says so. */
export function shownRule(rule: StoredRule, filters: StoredFilters): JsonObject {
	const {filter, ...rest} = rule;
	return {...rest, filter: filters.get(filter) ?? {id: filter, deleted: true}};
}
