import {phases} from '../vocabulary/phases.ts';
import {readOperand} from './operands.ts';
import {abbreviate, isNegation, joinSpans, type Parser} from './parser.ts';
import type {Expression} from './tree.ts';

/** Reads an expression that returns a value: one field or one call, without a comparison. */
export function readLoneValue(parser: Parser): Expression | undefined {
	const {current: firstLexeme} = parser;
	if (!firstLexeme) return undefined;
	const {ruleNoun} = phases[parser.phase];
	if (firstLexeme.kind !== 'word' || isNegation(firstLexeme)) {
		parser.syntaxError(firstLexeme, `Expected a field or a function that returns the value for ${ruleNoun}.`);
		return undefined;
	}
	const typedOperand = readOperand(parser);
	if (!typedOperand || parser.gaveUp) return undefined;
	const {operand} = typedOperand;
	const {current: nextLexeme} = parser;
	const lastLexeme = parser.lexemes.at(-1);
	if (nextLexeme && lastLexeme)
		parser.syntaxError(
			joinSpans(nextLexeme, lastLexeme),
			`Nothing can follow ${abbreviate(parser.slice(operand))}: its value is used for ${ruleNoun}.`,
		);
	return {kind: 'bare', start: operand.start, end: operand.end, operand};
}
