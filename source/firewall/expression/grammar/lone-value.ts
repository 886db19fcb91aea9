import {phases} from '../vocabulary/phases.ts';
import {readOperand} from './operands.ts';
import {abbreviate, isNegation, joinSpans, type Parser} from './reading.ts';
import type {Expression} from './tree.ts';

/** Reads an expression that returns a value: one field or one call, without a comparison. */
export function readLoneValue(parser: Parser): Expression | undefined {
	const {current: first} = parser;
	if (!first) return undefined;
	const {rules} = phases[parser.phase];
	if (first.kind !== 'word' || isNegation(first)) {
		parser.syntaxError(first, `A field or a function is needed here, whose value is used: ${rules}.`);
		return undefined;
	}
	const read = readOperand(parser);
	if (!read || parser.gaveUp) return undefined;
	const {operand} = read;
	const {current: next} = parser;
	const last = parser.lexemes.at(-1);
	if (next && last)
		parser.syntaxError(
			joinSpans(next, last),
			`This is about ${rules}: the value of ${abbreviate(parser.slice(operand))} is used, so nothing follows it.`,
		);
	return {kind: 'bare', start: operand.start, end: operand.end, operand};
}
