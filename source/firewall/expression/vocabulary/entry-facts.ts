import type {ExpressionFunction, Field} from './entries.ts';
import {formatPhases} from './phases.ts';
import {planNames} from './plan.ts';

/**
 * Formats the plans that include a field or function: "all plans", "Business or higher", "Enterprise,
 * add-on".
 */
export function formatPlanAvailability({plan, addOn}: Pick<Field, 'plan' | 'addOn'>): string {
	const planText =
		plan === undefined || plan === 'free'
			? 'all plans'
			: plan === 'enterprise'
				? planNames[plan]
				: `${planNames[plan]} or higher`;
	return addOn ? `${planText}, add-on` : planText;
}

/**
 * Lists more facts about a field or function (values, phases, replacement), each a sentence without its full
 * stop.
 */
export function listEntryFacts(entry: Field | ExpressionFunction): readonly string[] {
	if ('parameters' in entry) return entry.phases ? [formatPhaseLimit(entry.phases)] : [];
	const {domain, exclusive, phases, replacement} = entry;
	return [
		...(domain?.enum ? [`Values: ${domain.enum.filter(value => value !== '').join(', ')}`] : []),
		...(domain?.int ? [`Values: ${domain.int[0]} to ${domain.int[1]}`] : []),
		...(exclusive && phases ? [formatPhaseLimit(phases)] : []),
		...(replacement === undefined ? [] : [`Deprecated: use ${replacement}`]),
	];
}

const formatPhaseLimit = (phases: Parameters<typeof formatPhases>[0]): string =>
	`Only in ${formatPhases(phases)}`;
