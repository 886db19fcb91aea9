import type {Filter} from '../../firewall/rules/filter.ts';
import type {Action, Product, Rule} from '../../firewall/rules/rule.ts';
import {named, usersOf} from '../../firewall/rules/users.ts';

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

/** Describes an existing filter to someone who typed an expression that matches the same requests. */
export function describeSameFilter(
	{id, description, expression, paused}: Filter,
	typed: string,
	rules: readonly Rule[],
): {readonly isExact: boolean; readonly title: string; readonly lines: readonly string[]} {
	const isExact = expression === typed;
	const users = usersOf(id, rules);
	return {
		isExact,
		title: `A filter ${isExact ? 'with this expression' : 'for the same requests'} exists already`,
		lines: [
			`${id}${description ? ` ${description}` : ''}`,
			...(isExact ? [] : [`It is written differently: ${expression}`]),
			users.length > 0 ? `On it: ${named(users)}.` : 'No rule uses it.',
			...(paused ? ['It is paused, so no rule on it does anything.'] : []),
		],
	};
}
