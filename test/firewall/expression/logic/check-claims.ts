import {matchesRequest} from '../../../../source/firewall/expression/evaluate.ts';
import {analyse} from '../../../../source/firewall/expression/expressions.ts';
import type {Expression} from '../../../../source/firewall/expression/grammar/tree.ts';
import {
	type ConstantPart,
	findConstantParts,
} from '../../../../source/firewall/expression/logic/constant-parts.ts';
import type {SampleRequest} from '../../../../source/firewall/expression/sample-requests.ts';
import {type Choose, createChooser} from '../any-expression.ts';
import {collectBoundaryValues, makeBoundaryRequests, makeRelatedConditions} from './related-conditions.ts';

/** Requests that are tried before an expression that is not reported counts as constant. */
const maxConfirmingRequests = 4_000;

/** What was found about some expressions. */
export type Summary = {
	/** Claims that a request contradicts, with the expression. */
	readonly falseClaims: readonly string[];
	/** Constant expressions without a warning. */
	readonly missed: readonly string[];
	readonly constantCount: number;
	readonly claimCount: number;
};

/** Checks random expressions against requests made from the values that they name. */
export function checkClaims(seed: number, expressionCount: number, requestCount: number): Summary {
	const choose = createChooser(seed);
	const [falseClaims, missed]: string[][] = [[], []];
	let [constantCount, claimCount] = [0, 0];
	for (let index = 0; index < expressionCount; index++) {
		const {text, tree} = makeTree(choose);
		const values = collectBoundaryValues(tree);
		const requests = makeBoundaryRequests(values, requestCount);
		const results = requests.map(request => matchesRequest(tree, request));
		const {result, parts} = findConstantParts(tree, text);
		claimCount += parts.length;
		for (const part of parts)
			if (!isTrueClaim(tree, part, requests, results)) falseClaims?.push(`${part.result}: ${text}`);
		const [firstResult] = results;
		const constant = results.every(one => one === firstResult) ? firstResult : undefined;
		if (result !== undefined && constant !== result) falseClaims?.push(`${result}: ${text}`);
		if (result === undefined && constant !== undefined) {
			const moreRequests = makeBoundaryRequests(values, maxConfirmingRequests);
			if (moreRequests.some(request => matchesRequest(tree, request) !== constant)) continue;
		}
		if (constant === undefined) continue;
		constantCount++;
		if (result === undefined || analyse(text).warnings.length === 0) missed?.push(text);
	}
	return {falseClaims: falseClaims ?? [], missed: missed ?? [], constantCount, claimCount};
}

function makeTree(choose: Choose): {text: string; tree: Expression} {
	const text = makeRelatedConditions(choose);
	const {tree, errors} = analyse(text, {plan: 'enterprise'});
	if (!tree || errors.length > 0) throw new Error(`${text}: ${errors[0]?.sentence}`);
	return {text, tree};
}

function isTrueClaim(
	tree: Expression,
	{part, result, causes}: ConstantPart,
	requests: readonly SampleRequest[],
	results: readonly boolean[],
): boolean {
	const {start, end} = part;
	const node: Expression = 'node' in part ? part.node : part;
	const isNever = (one: Expression): boolean => requests.every(request => !matchesRequest(one, request));
	const negate = (operand: Expression): Expression => ({kind: 'not', operand, start, end});
	const isUnchangedBy = (value: boolean): boolean => {
		const changed = replaceNode(tree, node, value);
		return requests.every((request, index) => matchesRequest(changed, request) === results[index]);
	};
	switch (result) {
		case 'unneeded':
			return isUnchangedBy(true) || isUnchangedBy(false);
		case 'excluded':
			return isUnchangedBy('node' in part && !part.isTrue);
		default: {
			// In any(…), a condition is always true if it is for every element.
			const isAlways = result === 'always';
			const operands = causes.map(cause => (cause.isTrue === isAlways ? negate(cause.node) : cause.node));
			return (
				isNever(isAlways ? negate(node) : node) &&
				(operands.length < 2 || isNever({kind: 'logical', operator: 'and', operands, start, end}))
			);
		}
	}
}

function replaceNode(tree: Expression, node: Expression, value: boolean): Expression {
	const {start, end} = tree;
	if (tree === node) return {kind: 'bare', operand: {kind: 'boolean', value, start, end}, start, end};
	switch (tree.kind) {
		case 'group':
			return {...tree, inner: replaceNode(tree.inner, node, value)};
		case 'not':
			return {...tree, operand: replaceNode(tree.operand, node, value)};
		case 'logical':
			return {...tree, operands: tree.operands.map(operand => replaceNode(operand, node, value))};
		case 'bare': {
			if (tree.operand.kind !== 'call') return tree;
			const {operand} = tree;
			const replaced = operand.arguments.map(argument =>
				argument.kind === 'expression'
					? {...argument, expression: replaceNode(argument.expression, node, value)}
					: argument,
			);
			return {...tree, operand: {...operand, arguments: replaced}};
		}
		default:
			return tree;
	}
}
