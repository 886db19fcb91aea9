import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {bypassableProducts} from './rule.ts';

/** Phases that a custom rule can skip, by ledge's names. */
const phases = {
	'rate-limits': 'http_ratelimit',
	'bot-fight-mode': 'http_request_sbfm',
	'managed-rules': 'http_request_firewall_managed',
} as const;

/** What the action `skip` can skip: remaining custom rules, phases, products. */
export const skippable: readonly string[] = ['remaining', ...Object.keys(phases), ...bypassableProducts];

/** Builds the parameters of `skip` for these names of `skippable`. */
export function buildSkipParameters(names: readonly string[]): JsonObject {
	const skippedPhases = Object.entries(phases).flatMap(([name, phase]) =>
		names.includes(name) ? [phase] : [],
	);
	const skippedProducts = bypassableProducts.filter(product => names.includes(product));
	return {
		...(names.includes('remaining') && {ruleset: 'current'}),
		...(skippedPhases.length > 0 && {phases: skippedPhases}),
		...(skippedProducts.length > 0 && {products: skippedProducts}),
	};
}

/** Lists what a rule skips by ledge's names, else by the service's. */
export function listSkippedNames({
	action_parameters: parameters = {},
}: Pick<RulesetRule, 'action_parameters'>): readonly string[] {
	const getTexts = (name: string): readonly string[] => {
		const value = parameters[name];
		return Array.isArray(value) ? value.map(String) : [];
	};
	const getPhaseName = (phase: string) => Object.entries(phases).find(([, id]) => id === phase)?.[0] ?? phase;
	return [
		...(parameters.ruleset === 'current' ? ['remaining'] : []),
		...(parameters.phase === 'current' ? ['phase'] : []),
		...getTexts('phases').map(getPhaseName),
		...getTexts('products'),
		...getTexts('rulesets'),
		...(isJsonObject(parameters.rules)
			? Object.values(parameters.rules).flatMap(ids => (Array.isArray(ids) ? ids.map(String) : []))
			: []),
	];
}

/** Formats one of these names for a sentence: `all later custom rules`, `rate limits`, `waf`. */
export const formatSkippedName = (name: string): string =>
	name === 'remaining' ? 'all later custom rules' : name in phases ? name.replaceAll('-', ' ') : name;

/** True if a rule lets matching requests past all later rules of its phase. */
export const skipsLaterRules = (rule: Pick<RulesetRule, 'action' | 'action_parameters'>): boolean =>
	rule.action === 'skip' && listSkippedNames(rule).some(name => name === 'remaining' || name === 'phase');
