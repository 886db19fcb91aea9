import type {Plan} from '../accounts/plan.ts';
import {getRequestedZone} from '../accounts/zone-routes.ts';
import {refuseRequest} from '../http/answer.ts';
import type {RequestContext} from '../http/route.ts';
import {isFirewall} from './retirement.ts';
import {type StoredFilter, StoredFilters} from './stored-filters.ts';
import {getStoredRules, type StoredFirewallRule, type StoredFirewallRules} from './stored-rules.ts';

/** The zone in the path, with its filters and rules. */
export type ZoneFirewall = {
	readonly plan: Plan;
	readonly filters: StoredFilters;
	readonly rules: StoredFirewallRules;
};

/** Returns the firewall of the zone in the path; refuses with 410 if it is retired. */
export function getFirewall(context: RequestContext): ZoneFirewall {
	const {id, plan} = getRequestedZone(context);
	if (isFirewall('retired', context.world, id))
		refuseRequest(410, {
			message: 'Firewall rules and filters have been retired for this zone: they are custom rules now.',
		});
	return {
		plan,
		filters: new StoredFilters(context.world, id, plan),
		rules: getStoredRules(context.world, id),
	};
}

/** Returns the firewall for a change; also refuses with code 10020 if it can only be read. */
export function getWritableFirewall(context: RequestContext): ZoneFirewall {
	const firewall = getFirewall(context);
	if (isFirewall('read-only', context.world, getRequestedZone(context).id))
		refuseRequest(403, {code: 10_020, message: 'firewallrules.api.maintenance_mode'});
	return firewall;
}

/** Returns the filter, or refuses with 404. */
export const getStoredFilter = ({filters}: ZoneFirewall, id: string): StoredFilter =>
	filters.get(id) ?? refuseRequest(404, {message: `filter not found: ${id}`});

/** Returns the rule, or refuses with 404. */
export const getStoredRule = ({rules}: ZoneFirewall, id: string): StoredFirewallRule =>
	rules.get(id) ?? refuseRequest(404, {message: `firewall rule not found: ${id}`});

/** Returns the id of the filter or rule in the path. */
export const getPathId = ({parameters}: RequestContext): string => parameters.filter ?? parameters.rule ?? '';
