import type {ExpressionFunction, Field} from './entries.ts';
import {phasesInWords} from './phases.ts';
import {planNames} from './plan.ts';

/**
 * Formats the plans that include a field or function: "all plans", "Business or higher", "Enterprise,
 * add-on".
 */
export function planWords({plan, addOn}: Pick<Field, 'plan' | 'addOn'>): string {
	const words =
		plan === undefined || plan === 'free'
			? 'all plans'
			: plan === 'enterprise'
				? planNames[plan]
				: `${planNames[plan]} or higher`;
	return addOn ? `${words}, add-on` : words;
}

/**
 * Lists more facts about a field or function (values, phases, replacement), each a sentence without its full
 * stop.
 */
export function factsOf(one: Field | ExpressionFunction): readonly string[] {
	if ('parameters' in one) return one.phases ? [onlyIn(one.phases)] : [];
	const {domain, exclusive, phases, replacement} = one;
	return [
		...(domain?.enum ? [`Values: ${domain.enum.filter(value => value !== '').join(', ')}`] : []),
		...(domain?.int ? [`Values: ${domain.int[0]} to ${domain.int[1]}`] : []),
		...(exclusive && phases ? [onlyIn(phases)] : []),
		...(replacement === undefined ? [] : [`Deprecated: use ${replacement}`]),
	];
}

const onlyIn = (phases: Parameters<typeof phasesInWords>[0]): string => `Only in ${phasesInWords(phases)}`;
