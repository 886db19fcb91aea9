import type {JsonValue} from '../../text/json.ts';
import {getUnavailableProductReason} from '../accounts/missing-features.ts';
import type {Plan} from '../accounts/plan.ts';
import {acceptedProducts} from '../firewall/rule-values.ts';
import {refusePlanFeature, refuseValue} from './errors.ts';
import type {RequestedRule} from './requested-rule.ts';

/** Phases that a custom rule can skip. */
const skippablePhases: readonly string[] = [
	'http_ratelimit',
	'http_request_sbfm',
	'http_request_firewall_managed',
];

const incompatibleNames = [
	['ruleset', 'rulesets'],
	['rules', 'ruleset'],
	['phases', 'rulesets'],
] as const;

/** Checks the parameters of a custom rule with the action `skip`; other phases allow other parameters. */
export function checkCustomSkip(rule: RequestedRule, plan: Plan, pointer: string): void {
	const parametersPointer = `${pointer}/action_parameters`;
	const parameters = rule.action_parameters ?? {};
	const names = Object.keys(parameters);
	if (names.length === 0)
		refuseValue('the action skip needs one of ruleset, phase, phases, products', parametersPointer);
	refuseIncompatibleParameters(names, parametersPointer);
	const extraName = names.find(name => name !== 'phase' && name !== 'products');
	if (names.includes('phase') && extraName !== undefined)
		refuseValue(
			`phase can be used together with products only, not with ${extraName}`,
			`${parametersPointer}/phase`,
		);
	for (const [name, value] of Object.entries(parameters))
		checkSkipParameter(name, value, plan, `${parametersPointer}/${name}`);
}

/** Refuses parameters of skip that exclude each other. */
export function refuseIncompatibleParameters(names: readonly string[], pointer: string): void {
	for (const [firstName, secondName] of incompatibleNames)
		if (names.includes(firstName) && names.includes(secondName))
			refuseValue(`${firstName} cannot be used together with ${secondName}`, `${pointer}/${firstName}`);
}

function checkSkipParameter(name: string, value: JsonValue, plan: Plan, pointer: string): void {
	switch (name) {
		case 'ruleset':
		case 'phase':
			if (value !== 'current') refuseValue(`${name} must be "current"`, pointer);
			return;
		case 'phases':
			checkItems(value, skippablePhases, name, pointer);
			return;
		case 'products': {
			const unavailableReason = getUnavailableProductReason(
				plan,
				checkItems(value, acceptedProducts, name, pointer),
			);
			if (unavailableReason !== undefined) refusePlanFeature(unavailableReason, pointer);
			return;
		}
		default:
			refuseValue(`the action skip has no parameter ${name} in this phase`, pointer);
	}
}

/** Requires a non-empty array of known strings. */
function checkItems(
	value: JsonValue,
	allowed: readonly string[],
	name: string,
	pointer: string,
): readonly string[] {
	if (!Array.isArray(value) || value.length === 0)
		return refuseValue(`${name} must be an array that names something`, pointer);
	return value.map((item: JsonValue, index) =>
		typeof item === 'string' && allowed.includes(item)
			? item
			: refuseValue(`${JSON.stringify(item)} is not a valid value for ${name}`, `${pointer}/${index}`),
	);
}
