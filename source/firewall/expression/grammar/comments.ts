import type {Reading} from './reading.ts';
import type {Lexeme} from './token.ts';

const beginnings = /#|\/\/|\/\*/y;

/**
 * Finds the end of a comment at an offset; 0 if none starts there. Comments follow a space or start the text,
 * and are never where a value is expected.
 */
export function commentEnd(text: string, offset: number, inBraces: boolean): number {
	const first = text.charCodeAt(offset);
	if (first !== 0x23 && first !== 0x2f) return 0;
	if (offset > 0 && !/\s/.test(text.charAt(offset - 1))) return 0;
	beginnings.lastIndex = offset;
	const [beginning] = beginnings.exec(text) ?? [];
	if (!beginning) return 0;
	const behind = offset + beginning.length;
	if (beginning === '/*') {
		const closing = text.indexOf('*/', behind);
		return closing < 0 ? text.length : closing + 2;
	}
	if (inBraces && !/\s/.test(text.charAt(behind))) return 0;
	const rest = /[\r\n]/g;
	rest.lastIndex = behind;
	return rest.exec(text)?.index ?? text.length;
}

/** Reports a comment: the language has none. */
export function comment(reading: Reading, {start, end, text}: Lexeme): void {
	const before = /[ ]*$/.exec(reading.text.slice(Math.max(0, start - 80), start))?.[0].length ?? 0;
	const isWithin = text.startsWith('/*') && end < reading.text.length;
	reading.unreadable(
		{start, end},
		'There are no comments in expressions: the description of the rule has place for one.',
		{correction: {span: {start: isWithin ? start : start - before, end}, text: ''}},
	);
}
