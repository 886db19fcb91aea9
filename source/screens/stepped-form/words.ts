import {rulesByPlan} from '../../firewall/limits.ts';
import type {Action, FirewallZone, Product} from '../../firewall/rules/rule.ts';
import {planNames} from '../../service/plan.ts';
import {grouped} from '../../text/figures.ts';

/** What each action does to a request, in a line; those that are used most first. */
export const aboutActions: Readonly<Record<Action, string>> = {
	block: 'refuses the request; no rule after it is looked at',
	managed_challenge: 'the service chooses a challenge that fits the visitor',
	js_challenge: 'the browser has to run a script before it continues',
	challenge: 'the visitor has to solve an interactive challenge',
	allow: 'lets it through, past the rules after it',
	log: 'only notes it; the rules after it are looked at',
	bypass: 'leads it around products that you choose next',
};

/** The actions that stop or slow requests: those of an emergency. */
export const emergencyActions = [
	'block',
	'managed_challenge',
	'js_challenge',
	'challenge',
] as const satisfies readonly Action[];
export type EmergencyAction = (typeof emergencyActions)[number];

/** Products that requests can be led around, or let past. */
export const aboutProducts: Readonly<Record<Product, string>> = {
	zoneLockdown: 'Zone Lockdown: addresses that alone may see a path',
	uaBlock: 'User Agent Blocking',
	bic: 'Browser Integrity Check',
	hot: 'Hotlink Protection',
	securityLevel: 'Security Level: challenges by reputation',
	rateLimit: 'Rate Limiting (previous version)',
	waf: 'WAF managed rules (previous version)',
};

/** How full a zone is with one more rule; undefined if its plan is unknown. */
export const describeQuota = (
	{plan}: Pick<FirewallZone, 'plan'>,
	count: number,
	noun: 'rules' | 'custom rules',
): string | undefined =>
	plan &&
	`With it the zone has ${grouped(count)} of the ${grouped(rulesByPlan[plan])} ${noun} of the plan ${planNames[plan]}.`;
