import {buildSpellings} from '../checks/other-names.ts';
import type {Plan} from '../vocabulary/plan.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import type {ComparisonOperator, LogicalOperator} from './tree.ts';

const textOperators: readonly ComparisonOperator[] = [
	...(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains'] as const),
	...(['matches', 'wildcard', 'strict wildcard', 'in'] as const),
];
const operatorSigns = {'==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge'} as const;

/** Comparison operators by word or sign. */
export const comparisonOperators: ReadonlyMap<string, ComparisonOperator> = new Map<
	string,
	ComparisonOperator
>([
	...[...textOperators, 'bitwise_and' as const].map(word => [word, word] as const),
	...Object.entries({...operatorSigns, '~': 'matches', '&': 'bitwise_and'} as const),
]);

export const logicalOperators: ReadonlyMap<string, LogicalOperator> = new Map(
	Object.entries({and: 'and', '&&': 'and', or: 'or', '||': 'or', xor: 'xor', '^^': 'xor'} as const),
);

/** The lowest plan with regular expressions. */
export const regexPlan: Plan = 'business';

/** Operators of other languages, and their equivalents. */
export const foreignOperators: ReadonlyMap<string, string> = buildSpellings({
	'==': '= ===',
	'!=': '!== <>',
	'>=': '=>',
	'<=': '=<',
	'~': '=~',
	eq: 'is equals equal',
	ne: 'neq',
	ge: 'gte',
	le: 'lte',
	wildcard: 'like',
	matches: 'regex match',
	contains: 'contain includes has',
	'strict wildcard': 'strictwildcard strict_wildcard strict-wildcard',
});

/** Logical operators of other languages, and their equivalents. */
export const foreignConnectives: ReadonlyMap<string, string> = new Map([
	['&', '&&'],
	['|', '||'],
	['^', '^^'],
]);

/** Functions that people use as operators: `http.host ends_with ".org"`. */
export const functionsTakenForOperators: ReadonlyMap<string, string> = buildSpellings({
	starts_with: 'starts_with startswith begins_with',
	ends_with: 'ends_with endswith',
});

export const isNegationOperator = (text: string): boolean => text === 'not' || text === '!';

/** Lists the operators for values of a type. */
export function listComparisonOperators(type: ValueType): readonly ComparisonOperator[] {
	switch (type.kind) {
		case 'String':
		case 'Bytes':
			return textOperators;
		case 'Integer':
			return ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', 'bitwise_and'];
		case 'IP':
			return ['eq', 'ne', 'in'];
		default:
			return [];
	}
}
