import type {Plan} from '../accounts/plan.ts';
import {zoneNamed} from '../accounts/zone-routes.ts';
import {refuse} from '../http/answer.ts';
import type {Ask} from '../http/route.ts';
import {isFirewallRetired} from './retired-firewall.ts';
import {type StoredFilter, StoredFilters} from './stored-filters.ts';
import {type StoredRule, type StoredRules, storedRules} from './stored-rules.ts';

/** The zone in the path, with its filters and rules. */
export type Firewall = {readonly plan: Plan; readonly filters: StoredFilters; readonly rules: StoredRules};

export function firewallOf(ask: Ask): Firewall {
	const {id, plan} = zoneNamed(ask);
	if (isFirewallRetired(ask.world, id))
		refuse(410, {
			message: 'Firewall rules and filters have been retired for this zone: they are custom rules now.',
		});
	return {plan, filters: new StoredFilters(ask.world, id, plan), rules: storedRules(ask.world, id)};
}

/** Returns the filter, or refuses with 404. */
export const filterNamed = ({filters}: Firewall, id: string): StoredFilter =>
	filters.get(id) ?? refuse(404, {message: `filter not found: ${id}`});

/** Returns the rule, or refuses with 404. */
export const ruleNamed = ({rules}: Firewall, id: string): StoredRule =>
	rules.get(id) ?? refuse(404, {message: `firewall rule not found: ${id}`});

/** Returns the id of the filter or rule in the path. */
export const idInPath = ({parameters}: Ask): string => parameters.filter ?? parameters.rule ?? '';
