import {maxRulesByPlan} from '../../firewall/limits.ts';
import type {Action, FirewallZone, Product} from '../../firewall/rules/rule.ts';
import {planNames} from '../../service/plan.ts';
import {formatInteger} from '../../text/figures.ts';

/** The effect of each action on a request, the most common actions first. */
export const actionDescriptions: Readonly<Record<Action, string>> = {
	block: 'refuses the request; no rule after it is looked at',
	managed_challenge: 'the service chooses a challenge that fits the visitor',
	js_challenge: 'the browser has to run a script before it continues',
	challenge: 'the visitor has to solve an interactive challenge',
	allow: 'lets it through, past the rules after it',
	log: 'only notes it; the rules after it are looked at',
	bypass: 'leads it around products that you choose next',
};

/** Actions that block or challenge requests, for emergencies. */
export const emergencyActionNames = [
	'block',
	'managed_challenge',
	'js_challenge',
	'challenge',
] as const satisfies readonly Action[];
export type EmergencyAction = (typeof emergencyActionNames)[number];

/** Products that a rule can bypass or skip. */
export const productDescriptions: Readonly<Record<Product, string>> = {
	zoneLockdown: 'Zone Lockdown: addresses that alone may see a path',
	uaBlock: 'User Agent Blocking',
	bic: 'Browser Integrity Check',
	hot: 'Hotlink Protection',
	securityLevel: 'Security Level: challenges by reputation',
	rateLimit: 'Rate Limiting (previous version)',
	waf: 'WAF managed rules (previous version)',
};

/** Describes the quota of a zone with one more rule; undefined if its plan is unknown. */
export const describeQuota = (
	{plan}: Pick<FirewallZone, 'plan'>,
	count: number,
	noun: 'rules' | 'custom rules',
): string | undefined =>
	plan &&
	`With it the zone has ${formatInteger(count)} of the ${formatInteger(maxRulesByPlan[plan])} ${noun} of the plan ${planNames[plan]}.`;
