import {fieldNamed} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {behindName} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import {isNotLexeme, type Reading, spanOf} from './reading.ts';
import {isValue} from './several-values.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator} from './tree.ts';

const turned: Partial<Record<ComparisonOperator, ComparisonOperator>> = {
	eq: 'eq',
	ne: 'ne',
	lt: 'gt',
	le: 'ge',
	gt: 'lt',
	ge: 'le',
};

/**
 * Reports a value before its field (`"a" eq http.host`, `"a" in http.host`, `80 < cf.edge.server_port < 90`)
 * and moves past it.
 */
export function valueFirst(reading: Reading, value: Lexeme): boolean {
	const {next, lexemes, index} = reading;
	const operator = next && comparisonOperators.get(next.text);
	const field = lexemes[index + 2];
	if (!operator || field?.kind !== 'word' || !(fieldNamed(field.text) || functionNamed(field.text)))
		return false;
	const end = behindName(lexemes, index + 2);
	const last = end === undefined ? undefined : lexemes[end - 1];
	if (end === undefined || !last) return false;
	const name = reading.slice(spanOf(field, last));
	const second = lexemes[end];
	const upper = lexemes[end + 1];
	const further = second && isValue(upper) ? comparisonOperators.get(second.text) : undefined;
	const isWhole =
		value.quoted?.closed !== false && (value.kind === 'word' || value.quoted?.form !== 'foreign');
	const isWithin = operator === 'in' || operator === 'contains';
	const text = further
		? between(reading, {value, operator, name, further, upper})
		: isWithin
			? pieceOf(value, field, name, end === index + 3)
			: turned[operator] && `${name} ${turned[operator]} ${value.text}`;
	const behind = further && upper ? upper : last;
	reading.unreadable(
		value,
		isWithin
			? 'The field comes first: a text within another is found with contains.'
			: 'The field comes first, and the value behind the operator.',
		{
			engine: 'unknown identifier',
			correction: text && isWhole ? {span: spanOf(value, behind), text} : undefined,
		},
	);
	reading.index = further ? end + 2 : end;
	return true;
}

/** Corrects `"a" in http.host`; for a list, looks for an equal element. */
function pieceOf(value: Lexeme, field: Lexeme, name: string, isPlain: boolean): string | undefined {
	const type = fieldNamed(field.text)?.type;
	if (value.kind !== 'string' || !type) return undefined;
	if (type.kind === 'String' || !isPlain) return `${name} contains ${value.text}`;
	return type.kind === 'Array' && type.of.kind === 'String' ? `any(${name}[*] eq ${value.text})` : undefined;
}

type Bounds = {
	readonly value: Lexeme;
	readonly operator: ComparisonOperator;
	readonly name: string;
	readonly further: ComparisonOperator;
	readonly upper: Lexeme | undefined;
};

/** Corrects `80 < x < 90` to two conditions, if both signs have the same direction. */
function between(reading: Reading, {value, operator, name, further, upper}: Bounds): string | undefined {
	const sameWay =
		operator.charAt(0) === further.charAt(0) && /^[lg][te]$/.test(operator) && /^[lg][te]$/.test(further);
	if (!sameWay || !upper) return undefined;
	const both = `${name} ${turned[operator]} ${value.text} and ${name} ${further} ${upper.text}`;
	const {previous} = reading;
	return (previous && isNotLexeme(previous)) || reading.overSeveral ? `(${both})` : both;
}
