import {fieldNamed} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {behindName, isSign} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import {type Reading, spanOf} from './reading.ts';
import type {Lexeme} from './token.ts';

/** Reports `(http.host) eq "a"` and moves past the parenthesis, so that the name is read next. */
export function parenthesesAroundName(reading: Reading, open: Lexeme): boolean {
	const {lexemes, index, next} = reading;
	if (next?.kind !== 'word' || !isCompared(next.text)) return false;
	const place = behindName(lexemes, index + 1);
	const close = place === undefined ? undefined : lexemes[place];
	const operator = place === undefined ? undefined : lexemes[place + 1];
	if (!close || !isSign(close, ')') || !operator || !comparisonOperators.has(operator.text)) return false;
	const inner = reading.text.slice(open.end, close.start).trim();
	reading.unreadable(spanOf(open, close), 'Put parentheses around whole conditions, not around a field.', {
		engine: 'expected ComparisonOp',
		correction: inner,
	});
	reading.index++;
	return true;
}

/** True for names that need a comparison: all except Booleans. */
function isCompared(name: string): boolean {
	const type = fieldNamed(name)?.type ?? functionNamed(name)?.returns;
	return type !== undefined && (type === 'first' || type.kind !== 'Boolean');
}
