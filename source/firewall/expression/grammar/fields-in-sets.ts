import {fieldNamed} from '../vocabulary/fields.ts';
import type {Lexeme} from './lexer.ts';
import {behindName, isSign} from './name-extent.ts';
import type {Correction} from './problem.ts';
import {type Reading, shown, spanOf} from './reading.ts';
import type {LeftSide} from './right-side.ts';

/**
 * `http.host in {http.referer}` and `http.host in http.request.headers.names`: a field where values are written out.
 * Whether there was one; then it is passed.
 */
export function fieldInSet(reading: Reading, side: LeftSide, first: Lexeme): boolean {
	const field = first.kind === 'word' && first.text.includes('.') ? fieldNamed(first.text) : undefined;
	const {lexemes, index} = reading;
	const behind = field && behindName(lexemes, index);
	const last = behind === undefined ? undefined : lexemes[behind - 1];
	if (!field || !last || behind === undefined) return false;
	const name = reading.slice(spanOf(first, last));
	const open = lexemes[index - 1];
	const close = lexemes[behind];
	const inBraces = isSign(open, '{') && isSign(close, '}');
	const isAlone = inBraces || open?.start === side.operatorSpan.start;
	const end = inBraces && close ? close.end : last.end;
	reading.unreadable(
		spanOf(first, last),
		`A set holds only values that are written out: ${shown(name)} is a field, and eq compares with it.`,
		{
			engine: 'expected " or r',
			correction: isAlone && behind === index + 1 ? comparedWith(reading, side, name, end) : undefined,
		},
	);
	reading.index = behind;
	return true;
}

/** The comparison with one field, or with what a list of texts holds. */
function comparedWith(reading: Reading, side: LeftSide, name: string, end: number): Correction | undefined {
	const type = fieldNamed(name)?.type;
	if (!type || !side.type || side.isEach) return undefined;
	if (type.kind === side.type.kind) return {span: {start: side.operatorSpan.start, end}, text: `eq ${name}`};
	return type.kind === 'Array' && type.of.kind === side.type.kind
		? {span: {start: side.left.start, end}, text: `has_value(${name}, ${reading.slice(side.left)})`}
		: undefined;
}
