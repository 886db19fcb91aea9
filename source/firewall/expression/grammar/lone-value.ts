import {phases} from '../vocabulary/phases.ts';
import {readOperand} from './operands.ts';
import {isNotLexeme, type Reading, shown, spanOf} from './reading.ts';
import type {Expression} from './tree.ts';

/** Reads an expression that returns a value: one field or one call, without a comparison. */
export function readValue(reading: Reading): Expression | undefined {
	const {current: first} = reading;
	if (!first) return undefined;
	const {rules} = phases[reading.phase];
	if (first.kind !== 'word' || isNotLexeme(first)) {
		reading.unreadable(first, `A field or a function is needed here, whose value is used: ${rules}.`);
		return undefined;
	}
	const read = readOperand(reading);
	if (!read || reading.gaveUp) return undefined;
	const {operand} = read;
	const {current: next} = reading;
	const last = reading.lexemes.at(-1);
	if (next && last)
		reading.unreadable(
			spanOf(next, last),
			`This is about ${rules}: the value of ${shown(reading.slice(operand))} is used, so nothing follows it.`,
		);
	return {kind: 'bare', start: operand.start, end: operand.end, operand};
}
