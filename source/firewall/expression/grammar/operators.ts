import type {Plan} from '../../../service/plan.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import type {ComparisonOperator, LogicalOperator} from './tree.ts';

/** How comparisons are written: words and signs. */
export const comparisonOperators: ReadonlyMap<string, ComparisonOperator> = new Map([
	['eq', 'eq'],
	['==', 'eq'],
	['ne', 'ne'],
	['!=', 'ne'],
	['lt', 'lt'],
	['<', 'lt'],
	['le', 'le'],
	['<=', 'le'],
	['gt', 'gt'],
	['>', 'gt'],
	['ge', 'ge'],
	['>=', 'ge'],
	['contains', 'contains'],
	['matches', 'matches'],
	['~', 'matches'],
	['wildcard', 'wildcard'],
	['strict wildcard', 'strict wildcard'],
	['in', 'in'],
	['&', 'bitwise_and'],
	['bitwise_and', 'bitwise_and'],
]);

export const logicalOperators: ReadonlyMap<string, LogicalOperator> = new Map([
	['and', 'and'],
	['&&', 'and'],
	['or', 'or'],
	['||', 'or'],
	['xor', 'xor'],
	['^^', 'xor'],
]);

/** The least plan that has regular expressions. */
export const matchesPlan: Plan = 'business';

/** What other languages write, and how it is written here. */
export const foreignOperators: ReadonlyMap<string, string> = new Map([
	['=', '=='],
	['===', '=='],
	['!==', '!='],
	['<>', '!='],
	['=>', '>='],
	['=<', '<='],
	['=~', '~'],
	['is', 'eq'],
	['equals', 'eq'],
	['equal', 'eq'],
	['neq', 'ne'],
	['gte', 'ge'],
	['lte', 'le'],
	['like', 'wildcard'],
	['regex', 'matches'],
	['match', 'matches'],
	['contain', 'contains'],
	['includes', 'contains'],
	['has', 'contains'],
	['strictwildcard', 'strict wildcard'],
	['strict_wildcard', 'strict wildcard'],
	['strict-wildcard', 'strict wildcard'],
]);

/** The same for logical operators. */
export const foreignLogical: ReadonlyMap<string, string> = new Map([
	['&', '&&'],
	['|', '||'],
	['^', '^^'],
]);

/** Functions that are taken for operators: `http.host ends_with ".org"`. */
export const functionsTakenForOperators: ReadonlyMap<string, string> = new Map([
	['starts_with', 'starts_with'],
	['ends_with', 'ends_with'],
	['startswith', 'starts_with'],
	['endswith', 'ends_with'],
	['begins_with', 'starts_with'],
]);

export const isNot = (text: string): boolean => text === 'not' || text === '!';

const ofText: readonly ComparisonOperator[] = [
	'eq',
	'ne',
	'lt',
	'le',
	'gt',
	'ge',
	'contains',
	'matches',
	'wildcard',
	'strict wildcard',
	'in',
];

/** The operators that values of a type can be compared with. */
export function operatorsOf(type: ValueType): readonly ComparisonOperator[] {
	switch (type.kind) {
		case 'String':
		case 'Bytes':
			return ofText;
		case 'Integer':
			return ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', 'bitwise_and'];
		case 'IP':
			return ['eq', 'ne', 'in'];
		default:
			return [];
	}
}
