import type {Parser} from './parser.ts';
import type {Lexeme} from './token.ts';

const commentStart = /#|\/\/|\/\*/y;

/**
 * Finds the end of a comment at an offset; 0 if none starts there. Comments follow a space or start the text,
 * and are never where a value is expected.
 */
export function findCommentEnd(text: string, offset: number, inBraces: boolean): number {
	const firstCode = text.charCodeAt(offset);
	if (firstCode !== 0x23 && firstCode !== 0x2f) return 0;
	if (offset > 0 && !/\s/.test(text.charAt(offset - 1))) return 0;
	commentStart.lastIndex = offset;
	const [beginning] = commentStart.exec(text) ?? [];
	if (!beginning) return 0;
	const contentStart = offset + beginning.length;
	if (beginning === '/*') {
		const closing = text.indexOf('*/', contentStart);
		return closing < 0 ? text.length : closing + 2;
	}
	// In a set, a value may start with these characters: only a space after them makes it a comment.
	if (inBraces && !/\s/.test(text.charAt(contentStart))) return 0;
	const lineEnd = /[\r\n]/g;
	lineEnd.lastIndex = contentStart;
	return lineEnd.exec(text)?.index ?? text.length;
}

/** Reports a comment: the language has none. */
export function reportComment(parser: Parser, {start, end, text}: Lexeme): void {
	const spaceCount = /[ ]*$/.exec(parser.text.slice(Math.max(0, start - 80), start))?.[0].length ?? 0;
	const isWithin = text.startsWith('/*') && end < parser.text.length;
	parser.syntaxError(
		{start, end},
		"Expressions can't contain comments: use the rule's description instead.",
		{correction: {span: {start: isWithin ? start : start - spaceCount, end}, text: ''}},
	);
}
