import type {JsonValue} from '../../text/json.ts';
import type {Plan} from '../accounts/plan.ts';
import {getProductLack} from '../accounts/plan-lacks.ts';
import {acceptedProducts} from '../firewall/rule-values.ts';
import {refusePlan, refuseValue} from './errors.ts';
import type {GivenRule} from './given-rule.ts';

/** Phases that a custom rule can skip. */
const skippedPhases: readonly string[] = [
	'http_ratelimit',
	'http_request_sbfm',
	'http_request_firewall_managed',
];

const incompatible = [
	['ruleset', 'rulesets'],
	['rules', 'ruleset'],
	['phases', 'rulesets'],
] as const;

/** Checks what a custom rule with the action skip skips; other phases allow other parameters. */
export function checkCustomSkip(rule: GivenRule, plan: Plan, pointer: string): void {
	const at = `${pointer}/action_parameters`;
	const given = rule.action_parameters ?? {};
	const names = Object.keys(given);
	if (names.length === 0) refuseValue('the action skip needs one of ruleset, phase, phases, products', at);
	checkIncompatible(names, at);
	const excess = names.find(name => name !== 'phase' && name !== 'products');
	if (names.includes('phase') && excess !== undefined)
		refuseValue(`phase can be used together with products only, not with ${excess}`, `${at}/phase`);
	for (const [name, value] of Object.entries(given)) checkSkipped(name, value, plan, `${at}/${name}`);
}

/** Refuses parameters of skip that exclude each other. */
export function checkIncompatible(names: readonly string[], at: string): void {
	for (const [one, other] of incompatible)
		if (names.includes(one) && names.includes(other))
			refuseValue(`${one} cannot be used together with ${other}`, `${at}/${one}`);
}

function checkSkipped(name: string, value: JsonValue, plan: Plan, at: string): void {
	switch (name) {
		case 'ruleset':
		case 'phase':
			if (value !== 'current') refuseValue(`${name} must be "current"`, at);
			return;
		case 'phases':
			checkItems(value, skippedPhases, name, at);
			return;
		case 'products': {
			const lack = getProductLack(plan, checkItems(value, acceptedProducts, name, at));
			if (lack !== undefined) refusePlan(lack, at);
			return;
		}
		default:
			refuseValue(`the action skip has no parameter ${name} in this phase`, at);
	}
}

/** Requires a non-empty array of known strings. */
function checkItems(value: JsonValue, known: readonly string[], name: string, at: string): readonly string[] {
	if (!Array.isArray(value) || value.length === 0)
		return refuseValue(`${name} must be an array that names something`, at);
	return value.map((one: JsonValue, index) =>
		typeof one === 'string' && known.includes(one)
			? one
			: refuseValue(`${JSON.stringify(one)} is not a valid value for ${name}`, `${at}/${index}`),
	);
}
