import type {Lexeme} from './lexer.ts';
import {isSign} from './name-extent.ts';
import {type Reading, spanOf} from './reading.ts';
import type {LeftSide} from './right-side.ts';
import {readBraces} from './sets.ts';
import type {RightSide} from './tree.ts';

/** `{{1.1.1.1}}`: one pair is enough; what stands within is read as ever. */
export function doubledBraces(reading: Reading, side: LeftSide, open: Lexeme): RightSide | undefined {
	let inner = open;
	for (; reading.isAt('{'); reading.index++) inner = reading.current ?? inner;
	reading.index--;
	const found = reading.found.length;
	const set = readBraces(reading, side, inner);
	const close = reading.previous;
	while (reading.isAt('}')) reading.index++;
	const last = reading.previous;
	const isClosed = isSign(close, '}') && last !== undefined && close !== undefined;
	reading.unreadable(open, 'A set has one pair of braces.', {
		correction: isClosed ? {span: spanOf(open, last), text: reading.slice(spanOf(inner, close))} : undefined,
	});
	const told = reading.found.pop();
	if (told) reading.found.splice(found, 0, told);
	return set;
}
