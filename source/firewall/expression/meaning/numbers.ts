import type {ComparisonOperator} from '../grammar/tree.ts';
import type {Domain} from '../vocabulary/entries.ts';

/**
 * Returns whether a comparison with a number is true for all values of a domain or for none; undefined if
 * only for some, or if the domain has no bounds.
 */
export function findConstantResult(
	{int, tolerate = []}: Domain,
	operator: ComparisonOperator,
	comparedValue: bigint,
): 'always' | 'never' | undefined {
	if (!int) return undefined;
	const minimum = BigInt(Math.min(int[0], ...tolerate));
	const maximum = BigInt(Math.max(int[1], ...tolerate));
	const isInside =
		(comparedValue >= BigInt(int[0]) && comparedValue <= BigInt(int[1])) ||
		tolerate.some(value => BigInt(value) === comparedValue);
	switch (operator) {
		case 'eq':
			return isInside ? undefined : 'never';
		case 'ne':
			return isInside ? undefined : 'always';
		case 'lt':
			return comparedValue > maximum ? 'always' : comparedValue <= minimum ? 'never' : undefined;
		case 'le':
			return comparedValue >= maximum ? 'always' : comparedValue < minimum ? 'never' : undefined;
		case 'gt':
			return comparedValue < minimum ? 'always' : comparedValue >= maximum ? 'never' : undefined;
		case 'ge':
			return comparedValue <= minimum ? 'always' : comparedValue > maximum ? 'never' : undefined;
		default:
			return undefined;
	}
}
