import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {products} from './rule.ts';

/** The phases that a custom rule can skip, under the names that ledge has for them. */
const phases = {
	'rate-limits': 'http_ratelimit',
	'bot-fight-mode': 'http_request_sbfm',
	'managed-rules': 'http_request_firewall_managed',
} as const;

/** All that a custom rule with the action skip can skip: the custom rules behind it, phases, products. */
export const skippable: readonly string[] = ['remaining', ...Object.keys(phases), ...products];

/** What the parameters of skip say for these names of `skippable`. */
export function skipParameters(names: readonly string[]): JsonObject {
	const skippedPhases = Object.entries(phases).flatMap(([name, phase]) =>
		names.includes(name) ? [phase] : [],
	);
	const skippedProducts = products.filter(product => names.includes(product));
	return {
		...(names.includes('remaining') && {ruleset: 'current'}),
		...(skippedPhases.length > 0 && {phases: skippedPhases}),
		...(skippedProducts.length > 0 && {products: skippedProducts}),
	};
}

/** The names of what a rule skips; what ledge has no name for, as the service calls it. */
export function skippedBy({
	action_parameters: given = {},
}: Pick<RulesetRule, 'action_parameters'>): readonly string[] {
	const texts = (name: string): readonly string[] => {
		const value = given[name];
		return Array.isArray(value) ? value.map(String) : [];
	};
	const nameOf = (phase: string) => Object.entries(phases).find(([, id]) => id === phase)?.[0] ?? phase;
	return [
		...(given.ruleset === 'current' ? ['remaining'] : []),
		...(given.phase === 'current' ? ['phase'] : []),
		...texts('phases').map(nameOf),
		...texts('products'),
		...texts('rulesets'),
		...(isJsonObject(given.rules)
			? Object.values(given.rules).flatMap(ids => (Array.isArray(ids) ? ids.map(String) : []))
			: []),
	];
}
