import {addressItems} from './address-set.ts';
import {holds} from './evaluate.ts';
import {type Address, leastBits} from './grammar/addresses.ts';
import type {Argument, Expression, Operand, RightSide} from './grammar/tree.ts';
import {withoutConstants} from './reach.ts';

/** The results that a condition can have. */
type Results = {readonly true: boolean; readonly false: boolean};

const either: Results = {true: true, false: true};
const always = (result: boolean): Results => ({true: result, false: !result});

/**
 * Finds the sources of the requests that an expression can match. `named`: only addresses named with
 * `ip.src`. `large`: the same, but the networks cover a large part of all addresses. `anywhere`: anything
 * else, including an expression that cannot be parsed.
 */
export function findSources(expression: string): 'named' | 'large' | 'anywhere' {
	const tree = withoutConstants(expression);
	if (!tree) return 'anywhere';
	const canBeOthers = (ofSet: Results): boolean =>
		possibleResults(tree, ({operator, right}) => {
			if (right.kind === 'list') return always(false);
			if (operator === 'eq' || operator === 'in') return ofSet;
			return operator === 'ne' ? always(true) : either;
		}).true;
	if (canBeOthers(always(false))) return 'anywhere';
	return isLarge(tree) && canBeOthers(either) ? 'large' : 'named';
}

/** True if an expression can match a request from this address. */
export function canMatchAddress(tree: Expression, address: Address): boolean {
	const request = {number: 0, version: address.version, field: () => address};
	return possibleResults(tree, comparison =>
		comparison.right.kind === 'list' ? either : always(holds(comparison, request)),
	).true;
}

type Comparison = Expression & {kind: 'comparison'};

/**
 * Computes the possible results of an expression if every condition on a field other than `ip.src` may be
 * true or false.
 */
function possibleResults(tree: Expression, ofAddress: (comparison: Comparison) => Results): Results {
	const resultsOf = (one: Expression): Results => {
		switch (one.kind) {
			case 'group':
				return resultsOf(one.inner);
			case 'not':
				return negated(resultsOf(one.operand));
			case 'logical':
				return one.operands.map(resultsOf).reduce((a, b) => joined(one.operator, a, b));
			case 'bare':
				return either;
			case 'comparison':
				return isAboutAddress(one) ? ofAddress(one) : either;
		}
	};
	return resultsOf(tree);
}

const negated = (results: Results): Results => ({true: results.false, false: results.true});

function joined(operator: 'and' | 'or' | 'xor', a: Results, b: Results): Results {
	switch (operator) {
		case 'and':
			return {true: a.true && b.true, false: a.false || b.false};
		case 'or':
			return {true: a.true || b.true, false: a.false && b.false};
		case 'xor':
			return {
				true: (a.true && b.false) || (a.false && b.true),
				false: (a.true && b.true) || (a.false && b.false),
			};
	}
}

/** True if a comparison tests only `ip.src`. */
function isAboutAddress({left, right}: Comparison): boolean {
	const fields = [...fieldsOf(left), ...fieldsOf(right)];
	return fields.length > 0 && fields.every(name => name === 'ip.src');
}

export function fieldsOf(one: Operand | RightSide | Argument): readonly string[] {
	if (one.kind === 'field') return [one.name];
	return one.kind === 'call' ? one.arguments.flatMap(fieldsOf) : [];
}

/** True if the named networks and ranges cover a large part of all addresses of one IP version. */
function isLarge(tree: Expression): boolean {
	const sizes = {4: 0n, 6: 0n};
	for (const {version, first, last} of addressItems(tree)) sizes[version] += last - first + 1n;
	return sizes[4] > 1n << BigInt(32 - leastBits[4]) || sizes[6] > 1n << BigInt(128 - leastBits[6]);
}
