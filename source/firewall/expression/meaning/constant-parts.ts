import {abbreviate, joinSpans, type Parser} from '../grammar/parser.ts';
import type {Correction, Span} from '../grammar/problem.ts';
import type {ComparisonOperator, Expression} from '../grammar/tree.ts';
import {type ConstantPart, findConstantParts} from '../logic/constant-parts.ts';
import type {SignedPart} from '../logic/parts.ts';

/**
 * Warns of parts that are never or always true, such as `x eq "a" and x eq "b"`. The service accepts them, and
 * a rule with `x ne "a" or x ne "b"` acts on all traffic. Adds hints to parts that make no difference.
 */
export function warnOfConstantParts(parser: Parser, tree: Expression): void {
	const {result: wholeResult, parts} = findConstantParts(tree, parser.text);
	const constantParts = parts.filter(({result}) => result === 'always' || result === 'never');
	for (const constantPart of parts) {
		const {part, result, causes} = constantPart;
		const [cause] = causes;
		if (result === 'unneeded' || result === 'excluded') {
			const text = cause ? formatPart(parser, cause) : '';
			if (result === 'unneeded') parser.hint(part, `This has no effect beside ${text}.`, {code: 'L144'});
			else parser.warning(part, `This part is never true: ${text} excludes it.`, {code: 'L142'});
			continue;
		}
		const span = causes.length > 1 ? spanCauses(causes) : part;
		const isCondition = causes.length === 0 && !('kind' in part && part.kind === 'logical');
		if (isCondition && hasProblemInside(parser, span)) continue;
		const values =
			causes.length === 2 ? listValues(parser, causes, result === 'always' ? 'ne' : 'eq') : undefined;
		const isWhole = wholeResult === (result === 'always');
		const consequence =
			!isWhole && wholeResult !== undefined && constantParts.length === 1
				? `, so the whole expression is ${wholeResult ? 'always' : 'never'} true`
				: '';
		parser.warning(
			span,
			`This ${isWhole ? 'is' : 'part is'} ${result} true${consequence}: ${formatReason(parser, constantPart, values)}`,
			{
				code: codes[result][values ? 'values' : isWhole ? 'whole' : 'part'],
				correction: result === 'always' ? buildCorrection(parser, constantPart) : undefined,
			},
		);
	}
}

const codes = {
	never: {values: 'L032', whole: 'L140', part: 'L142'},
	always: {values: 'L031', whole: 'L141', part: 'L143'},
} as const;

/** True if a condition has a warning or a hint of its own, which says more than that it is constant. */
const hasProblemInside = ({problems, hints}: Parser, {start, end}: Span): boolean =>
	[...problems, ...hints].some(({span}) => span.start >= start && span.end <= end);

const spanCauses = (causes: readonly SignedPart[]): Span => {
	const [first, last] = [causes[0], causes.at(-1)];
	return first && last ? joinSpans(first, last) : {start: 0, end: 0};
};

function formatReason(
	parser: Parser,
	{part, result, causes}: ConstantPart,
	values: ReturnType<typeof listValues>,
): string {
	const [first, second, ...others] = causes;
	const isAlways = result === 'always';
	if (first && second && others.length === 0) {
		if (values && isAlways)
			return `${abbreviate(values.name)} always differs from at least one of these values. To exclude them all, use "and", or "not … in {…}".`;
		if (values)
			return `${abbreviate(values.name)} can't be both ${values.texts.map(abbreviate).join(' and ')}. To match either, use "or", or "in {…}".`;
		const [one, other] = [formatPart(parser, first), formatPart(parser, second)];
		return isAlways
			? `every request matches ${one} or ${other}.`
			: `no request matches both ${one} and ${other}.`;
	}
	if (causes.length > 0)
		return isAlways
			? 'every request matches at least one of these conditions.'
			: 'no request matches all of these conditions.';
	if ('kind' in part && part.kind === 'logical')
		return `its conditions always have ${isAlways ? 'different results' : 'the same result'}.`;
	return isAlways ? 'every value matches.' : 'no value matches.';
}

/** Returns the values that conditions compare one field with, if they are all such comparisons. */
function listValues(
	parser: Parser,
	parts: readonly SignedPart[],
	operator: ComparisonOperator,
): {readonly name: string; readonly texts: readonly string[]} | undefined {
	const comparisons = parts.flatMap(({node, isTrue}) =>
		node.kind === 'comparison' && node.operator === operator && isTrue ? [node] : [],
	);
	const [name, ...otherNames] = new Set(comparisons.map(({left}) => parser.slice(left)));
	if (comparisons.length < parts.length || name === undefined || otherNames.length > 0) return undefined;
	return {name, texts: comparisons.map(({right}) => parser.slice(right))};
}

/** Builds `not x in {"a" "b"}` for `x ne "a" or x ne "b"`. */
function buildCorrection(parser: Parser, {part}: ConstantPart): Correction | undefined {
	if (!('kind' in part) || part.kind !== 'logical' || part.operator !== 'or') return undefined;
	const operands = part.operands.map(operand => {
		let node = operand;
		while (node.kind === 'group') node = node.inner;
		return {node, isTrue: true, start: operand.start, end: operand.end};
	});
	const values = listValues(parser, operands, 'ne');
	return values && {span: part, text: `not ${values.name} in {${values.texts.join(' ')}}`};
}

const formatPart = (parser: Parser, {node, isTrue}: SignedPart): string =>
	abbreviate(`${isTrue ? '' : 'not '}${parser.slice(node)}`);
