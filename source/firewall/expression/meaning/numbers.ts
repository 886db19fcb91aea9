import type {ComparisonOperator} from '../grammar/tree.ts';
import type {Domain} from '../vocabulary/entries.ts';

/**
 * Returns whether a comparison with a number is true for all values of a domain or for none; undefined if
 * only for some, or if the domain has no bounds.
 */
export function findConstantResult(
	{int, tolerate = []}: Domain,
	operator: ComparisonOperator,
	number: bigint,
): 'always' | 'never' | undefined {
	if (!int) return undefined;
	const least = BigInt(Math.min(int[0], ...tolerate));
	const most = BigInt(Math.max(int[1], ...tolerate));
	const isInside = number >= least && number <= most;
	switch (operator) {
		case 'eq':
			return isInside ? undefined : 'never';
		case 'ne':
			return isInside ? undefined : 'always';
		case 'lt':
			return number > most ? 'always' : number <= least ? 'never' : undefined;
		case 'le':
			return number >= most ? 'always' : number < least ? 'never' : undefined;
		case 'gt':
			return number < least ? 'always' : number >= most ? 'never' : undefined;
		case 'ge':
			return number <= least ? 'always' : number > most ? 'never' : undefined;
		default:
			return undefined;
	}
}
