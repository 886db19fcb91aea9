import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {findNameEnd, isSign} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import {joinSpans, type Parser} from './parser.ts';
import type {Lexeme} from './token.ts';

/**
 * Reports `(http.host) eq "a"` and moves past the opening parenthesis, so that the name is read next. Returns
 * false if the current parenthesis is not around a name.
 */
export function reportParenthesesAroundName(parser: Parser, open: Lexeme): boolean {
	const {lexemes, index, next} = parser;
	if (next?.kind !== 'word' || !needsComparison(next.text)) return false;
	const nameEnd = findNameEnd(lexemes, index + 1);
	const close = nameEnd === undefined ? undefined : lexemes[nameEnd];
	const operator = nameEnd === undefined ? undefined : lexemes[nameEnd + 1];
	if (!close || !isSign(close, ')') || !operator || !comparisonOperators.has(operator.text)) return false;
	const innerText = parser.text.slice(open.end, close.start).trim();
	parser.syntaxError(joinSpans(open, close), 'Put parentheses around whole conditions, not around a field.', {
		engineMessage: 'expected ComparisonOp',
		correction: innerText,
	});
	parser.index++;
	return true;
}

/** True for names that need a comparison: all except Booleans. */
function needsComparison(name: string): boolean {
	const type = findField(name)?.type ?? findFunction(name)?.returns;
	return type !== undefined && (type === 'first' || type.kind !== 'Boolean');
}
