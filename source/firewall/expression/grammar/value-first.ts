import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {findNameEnd} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import {isNegation, joinSpans, type Parser} from './parser.ts';
import {isValueLexeme} from './several-values.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator} from './tree.ts';

const mirroredOperators: Partial<Record<ComparisonOperator, ComparisonOperator>> = {
	eq: 'eq',
	ne: 'ne',
	lt: 'gt',
	le: 'ge',
	gt: 'lt',
	ge: 'le',
};

/**
 * Reports a value before its field (`"a" eq http.host`, `"a" in http.host`, `80 < cf.edge.server_port < 90`)
 * and moves past the comparison. Returns false if there is none.
 */
export function reportValueFirst(parser: Parser, value: Lexeme): boolean {
	const {next, lexemes, index} = parser;
	const operator = next && comparisonOperators.get(next.text);
	const field = lexemes[index + 2];
	if (!operator || field?.kind !== 'word' || !(findField(field.text) || findFunction(field.text)))
		return false;
	const endIndex = findNameEnd(lexemes, index + 2);
	const fieldEnd = endIndex === undefined ? undefined : lexemes[endIndex - 1];
	if (endIndex === undefined || !fieldEnd) return false;
	const name = parser.slice(joinSpans(field, fieldEnd));
	const secondOperatorLexeme = lexemes[endIndex];
	const farValue = lexemes[endIndex + 1];
	const farOperator =
		secondOperatorLexeme && isValueLexeme(farValue)
			? comparisonOperators.get(secondOperatorLexeme.text)
			: undefined;
	const canCorrect =
		value.quoted?.closed !== false && (value.kind === 'word' || value.quoted?.form !== 'foreign');
	const isContainment = operator === 'in' || operator === 'contains';
	const text = farOperator
		? buildBounds(parser, {value, operator, name, farOperator, farValue})
		: isContainment
			? buildContains(value, field, name, endIndex === index + 3)
			: mirroredOperators[operator] && `${name} ${mirroredOperators[operator]} ${value.text}`;
	const lastLexeme = farOperator && farValue ? farValue : fieldEnd;
	parser.syntaxError(
		value,
		isContainment
			? 'Put the field first: to find a string within another, use contains.'
			: 'Put the field first, and the value after the operator.',
		{
			engineMessage: 'unknown identifier',
			correction: text && canCorrect ? {span: joinSpans(value, lastLexeme), text} : undefined,
		},
	);
	parser.index = farOperator ? endIndex + 2 : endIndex;
	return true;
}

/** Corrects `"a" in http.host`; for an array without an index, looks for an equal element. */
function buildContains(
	value: Lexeme,
	field: Lexeme,
	name: string,
	isSingleLexeme: boolean,
): string | undefined {
	const type = findField(field.text)?.type;
	if (value.kind !== 'string' || !type) return undefined;
	if (type.kind === 'String' || !isSingleLexeme) return `${name} contains ${value.text}`;
	return type.kind === 'Array' && type.of.kind === 'String' ? `any(${name}[*] eq ${value.text})` : undefined;
}

type Bounds = {
	readonly value: Lexeme;
	readonly operator: ComparisonOperator;
	readonly name: string;
	readonly farOperator: ComparisonOperator;
	readonly farValue: Lexeme | undefined;
};

/** Corrects `80 < x < 90` to two conditions, if both signs have the same direction. */
function buildBounds(
	parser: Parser,
	{value, operator, name, farOperator, farValue}: Bounds,
): string | undefined {
	const isSameDirection =
		operator.charAt(0) === farOperator.charAt(0) &&
		/^[lg][te]$/.test(operator) &&
		/^[lg][te]$/.test(farOperator);
	if (!isSameDirection || !farValue) return undefined;
	const bothBounds = `${name} ${mirroredOperators[operator]} ${value.text} and ${name} ${farOperator} ${farValue.text}`;
	const {previous} = parser;
	return (previous && isNegation(previous)) || parser.inAnyOrAll ? `(${bothBounds})` : bothBounds;
}
