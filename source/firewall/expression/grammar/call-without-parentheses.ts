import type {ExpressionFunction} from '../vocabulary/entries.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {behindName, isSign} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import type {Correction} from './problem.ts';
import {type Reading, shown, spanOf} from './reading.ts';
import {isValue} from './several-values.ts';
import type {Lexeme} from './token.ts';

/** Reports missing parentheses (`starts_with http.host "a"`, `any x[*] eq "b"`), and skips the condition. */
export function callWithoutParentheses(reading: Reading, name: Lexeme): boolean {
	const called = fieldNamed(name.text) ? undefined : functionNamed(name.text);
	const {lexemes, index} = reading;
	const first = lexemes[index + 1];
	if (!called || first?.kind !== 'word' || !(fieldNamed(first.text) || functionNamed(first.text)))
		return false;
	const behind = behindName(lexemes, index + 1);
	reading.pass();
	const end = reading.previous;
	reading.unreadable(
		name,
		`${name.text} is a function: what it looks at follows in parentheses, as ${name.text}(${shown(first.text)}${called.parameters.length > 1 ? ', …' : ''}).`,
		{
			engine: 'expected literal "("',
			correction:
				end && behind !== undefined ? written(reading, {name, called, first, behind, end}) : undefined,
		},
	);
	return true;
}

type Call = {
	readonly name: Lexeme;
	readonly called: ExpressionFunction;
	readonly first: Lexeme;
	readonly behind: number;
	readonly end: Lexeme;
};

function written(reading: Reading, {name, called, first, behind, end}: Call): Correction | undefined {
	const {lexemes} = reading;
	const condition = reading.slice(spanOf(first, end));
	if (called.name === 'any' || called.name === 'all')
		return {span: spanOf(name, end), text: `${called.name}(${condition})`};
	const last = lexemes[behind - 1];
	if (!last) return undefined;
	const field = reading.slice(spanOf(first, last));
	const comparison = lexemes[behind];
	if (called.parameters.length === 1)
		return comparison && comparisonOperators.has(comparison.text)
			? {span: spanOf(name, last), text: `${called.name}(${field})`}
			: undefined;
	const value = isSign(comparison, ',') ? lexemes[behind + 1] : comparison;
	return called.parameters.length === 2 && isValue(value) && value === end && value.quoted?.closed
		? {span: spanOf(name, value), text: `${called.name}(${field}, ${value.text})`}
		: undefined;
}
