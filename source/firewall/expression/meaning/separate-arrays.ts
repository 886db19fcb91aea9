import type {Parser} from '../grammar/parser.ts';
import type {Expression, Operand} from '../grammar/tree.ts';
import {ungroup} from './walk.ts';

/** A condition on each name or each value of a map: `any(http.request.headers.names[*] …)`. */
type ArrayCondition = {
	readonly map: string;
	readonly part: 'names' | 'values';
	readonly condition: Expression;
};

/**
 * Adds a hint to conditions on the names and on the values of a map, joined by `and`: a name and a value that
 * match need not belong together.
 */
export function addSeparateArraysHint(parser: Parser, operands: readonly Expression[]): void {
	const conditions = operands.flatMap(operand => findArrayCondition(operand) ?? []);
	const values = conditions.find(
		({map, part}) =>
			part === 'values' && conditions.some(other => other.map === map && other.part === 'names'),
	);
	if (values)
		parser.hint(
			values.condition,
			`This may be the value of another name: ${values.map}["…"] has the values of one name.`,
			{code: 'L117'},
		);
}

function findArrayCondition(operand: Expression): ArrayCondition | undefined {
	const condition = ungroup(operand);
	if (condition.kind !== 'bare' || condition.operand.kind !== 'call' || condition.operand.name !== 'any')
		return undefined;
	const [argument] = condition.operand.arguments;
	if (argument?.kind !== 'expression' || argument.expression.kind !== 'comparison') return undefined;
	const [, map, part] = /^(.+)\.(names|values)$/.exec(findFieldName(argument.expression.left) ?? '') ?? [];
	if (map === undefined || (part !== 'names' && part !== 'values')) return undefined;
	return {map, part, condition};
}

/** Finds the field of an operand, also in `lower(…)` and other functions of one argument. */
function findFieldName(operand: Operand): string | undefined {
	if (operand.kind === 'field') return operand.name;
	const [argument, ...otherArguments] = operand.kind === 'call' ? operand.arguments : [];
	return argument && argument.kind !== 'expression' && otherArguments.length === 0
		? findFieldName(argument)
		: undefined;
}
