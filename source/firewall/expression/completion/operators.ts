import {listComparisonOperators, regexPlan} from '../grammar/operators.ts';
import type {ComparisonOperator} from '../grammar/tree.ts';
import {hasRequiredPlan, type Plan, planNames} from '../vocabulary/plan.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import type {Offer} from './offer.ts';

const descriptions: Readonly<Record<ComparisonOperator, string>> = {
	eq: 'equals',
	ne: 'does not equal',
	lt: 'is less than',
	le: 'is less than or equal to',
	gt: 'is greater than',
	ge: 'is greater than or equal to',
	contains: 'contains this string',
	matches: 'matches a regular expression',
	wildcard: 'matches a pattern with *, ignoring case',
	'strict wildcard': 'matches a pattern with *, case-sensitive',
	in: 'is in a set or a list',
	bitwise_and: 'has one of these bits',
};

/** The most common first. */
const operatorOrder: readonly ComparisonOperator[] = [
	...(['eq', 'ne', 'contains', 'wildcard', 'in', 'matches', 'strict wildcard'] as const),
	...(['lt', 'le', 'gt', 'ge', 'bitwise_and'] as const),
];

export function listOperatorOffers(type: ValueType, plan: Plan | undefined): readonly Offer[] {
	const typeOperators = listComparisonOperators(type);
	return operatorOrder
		.filter(operator => typeOperators.includes(operator))
		.map(operator => {
			const about = descriptions[operator];
			if (operator === 'matches' && plan && !hasRequiredPlan(plan, regexPlan))
				return {
					text: operator,
					kind: 'operator',
					about: `${about}; needs the ${planNames[regexPlan]} plan`,
					last: true,
				};
			return {text: operator, kind: 'operator', about};
		});
}

export const strictOffer: Offer = {
	text: 'wildcard',
	kind: 'operator',
	about: descriptions['strict wildcard'],
};

export const logicalOffers: readonly Offer[] = [
	{text: 'and', kind: 'logical', about: 'both are true'},
	{text: 'or', kind: 'logical', about: 'at least one is true'},
	{text: 'xor', kind: 'logical', about: 'exactly one is true'},
];

export const notOffer: Offer = {text: 'not', kind: 'logical', about: 'what follows is not true'};

/** Creates an offer of a bracket or comma, with its effect. */
export const createPunctuationOffer = (text: string, about: string): Offer => ({
	text,
	kind: 'logical',
	about,
});
