import {maxRulesByPlan} from '../../firewall/limits.ts';
import type {FirewallZone, Product, RuleAction} from '../../firewall/rules/rule.ts';
import {zonePlanNames} from '../../service/plan.ts';
import {formatInteger} from '../../text/figures.ts';

/** The effect of each action on a request, the most common actions first. */
export const actionDescriptions: Readonly<Record<RuleAction, string>> = {
	block: 'blocks the request; later rules are not checked',
	managed_challenge: 'the service chooses a challenge that fits the visitor',
	js_challenge: 'the browser has to run a script before it continues',
	challenge: 'the visitor has to solve an interactive challenge',
	allow: 'lets the request through, skipping later rules',
	log: 'only logs the request; later rules are checked',
	bypass: 'bypasses products that you choose next',
};

/** Actions that block or challenge requests, for emergencies. */
export const emergencyActionNames = [
	'block',
	'managed_challenge',
	'js_challenge',
	'challenge',
] as const satisfies readonly RuleAction[];
export type EmergencyAction = (typeof emergencyActionNames)[number];

/** Products that a rule can bypass or skip. */
export const productDescriptions: Readonly<Record<Product, string>> = {
	zoneLockdown: 'Zone Lockdown: limits a path to certain addresses',
	uaBlock: 'User Agent Blocking',
	bic: 'Browser Integrity Check',
	hot: 'Hotlink Protection',
	securityLevel: 'Security Level: challenges by reputation',
	rateLimit: 'Rate Limiting (previous version)',
	waf: 'WAF managed rules (previous version)',
};

/**
 * Describes the quota of a zone that will have `newRuleCount` rules; undefined if its plan is unknown.
 */
export const describeQuota = (
	{plan}: Pick<FirewallZone, 'plan'>,
	newRuleCount: number,
	noun: 'rules' | 'custom rules',
): string | undefined =>
	plan &&
	`The zone will then have ${formatInteger(newRuleCount)} of the ${formatInteger(maxRulesByPlan[plan])} ${noun} allowed on the ${zonePlanNames[plan]} plan.`;
