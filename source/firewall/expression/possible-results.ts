import {collectSourceAddresses} from './address-set.ts';
import {matchesRequest} from './evaluate.ts';
import {type Address, minPrefixBits} from './grammar/addresses.ts';
import type {Argument, Expression, Operand, RightSide} from './grammar/tree.ts';
import {parseAllowingConstants} from './traffic-share.ts';

/** The results that a condition can have. */
type Results = {readonly true: boolean; readonly false: boolean};

const eitherResult: Results = {true: true, false: true};
const createOnlyResult = (result: boolean): Results => ({true: result, false: !result});

/**
 * Finds the sources of the requests that an expression can match. `named`: only addresses named with
 * `ip.src`. `large`: the same, but the networks cover a large part of all addresses. `anywhere`: anything
 * else, including an expression that cannot be parsed.
 */
export function classifySources(expression: string): 'named' | 'large' | 'anywhere' {
	const tree = parseAllowingConstants(expression);
	if (!tree) return 'anywhere';
	const canMatchOthers = (listedResults: Results): boolean =>
		computeResults(tree, ({operator, right}) => {
			if (right.kind === 'list') return createOnlyResult(false);
			if (operator === 'eq' || operator === 'in') return listedResults;
			return operator === 'ne' ? createOnlyResult(true) : eitherResult;
		}).true;
	if (canMatchOthers(createOnlyResult(false))) return 'anywhere';
	return isLarge(tree) && canMatchOthers(eitherResult) ? 'large' : 'named';
}

/** True if an expression can match a request from this address. */
export function canMatchAddress(tree: Expression, address: Address): boolean {
	const request = {index: 0, version: address.version, field: () => address};
	return computeResults(tree, comparison =>
		comparison.right.kind === 'list' ? eitherResult : createOnlyResult(matchesRequest(comparison, request)),
	).true;
}

type Comparison = Expression & {kind: 'comparison'};

/**
 * Computes the possible results of an expression if every condition on a field other than `ip.src` may be
 * true or false.
 */
function computeResults(
	tree: Expression,
	computeAddressResults: (comparison: Comparison) => Results,
): Results {
	const compute = (one: Expression): Results => {
		switch (one.kind) {
			case 'group':
				return compute(one.inner);
			case 'not':
				return negateResults(compute(one.operand));
			case 'logical':
				return one.operands.map(compute).reduce((a, b) => combineResults(one.operator, a, b));
			case 'bare':
				return eitherResult;
			case 'comparison':
				return testsOnlyAddress(one) ? computeAddressResults(one) : eitherResult;
		}
	};
	return compute(tree);
}

const negateResults = (results: Results): Results => ({true: results.false, false: results.true});

function combineResults(operator: 'and' | 'or' | 'xor', a: Results, b: Results): Results {
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
function testsOnlyAddress({left, right}: Comparison): boolean {
	const fields = [...listOperandFields(left), ...listOperandFields(right)];
	return fields.length > 0 && fields.every(name => name === 'ip.src');
}

export function listOperandFields(node: Operand | RightSide | Argument): readonly string[] {
	if (node.kind === 'field') return [node.name];
	return node.kind === 'call' ? node.arguments.flatMap(listOperandFields) : [];
}

/** True if the named networks and ranges cover a large part of all addresses of one IP version. */
function isLarge(tree: Expression): boolean {
	const sizes = {4: 0n, 6: 0n};
	for (const {version, first, last} of collectSourceAddresses(tree)) sizes[version] += last - first + 1n;
	return sizes[4] > 1n << BigInt(32 - minPrefixBits[4]) || sizes[6] > 1n << BigInt(128 - minPrefixBits[6]);
}
