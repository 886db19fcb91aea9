import type {ComparisonOperator} from '../grammar/tree.ts';
import type {Domain} from '../vocabulary/entries.ts';

/**
 * Whether a comparison with a number holds for every value that a field can have, or for none; `undefined` where it
 * holds for some.
 */
export function alwaysOrNever(
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
