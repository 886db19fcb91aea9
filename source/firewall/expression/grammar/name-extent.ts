import type {Lexeme} from './token.ts';

/** Maximum number of lexemes to search for a closing bracket. */
const maxLexemes = 400;

/** Returns the index after a name, its arguments and its indexes; undefined if a bracket is not closed. */
export function findNameEnd(lexemes: readonly Lexeme[], index: number): number | undefined {
	let endIndex: number | undefined = index + 1;
	if (isSign(lexemes[endIndex], '(')) endIndex = findBracketEnd(lexemes, endIndex);
	while (endIndex !== undefined && isSign(lexemes[endIndex], '['))
		endIndex = findBracketEnd(lexemes, endIndex);
	return endIndex;
}

/** Returns the index after the bracket that closes the one at `index`. */
export function findBracketEnd(lexemes: readonly Lexeme[], index: number): number | undefined {
	let depth = 0;
	for (let lexemeIndex = index; lexemeIndex < Math.min(lexemes.length, index + maxLexemes); lexemeIndex++) {
		const lexeme = lexemes[lexemeIndex];
		if (lexeme?.kind !== 'sign') continue;
		if ('([{'.includes(lexeme.text)) depth++;
		else if (')]}'.includes(lexeme.text) && --depth === 0) return lexemeIndex + 1;
	}
	return undefined;
}

export const isSign = (lexeme: Lexeme | undefined, sign: string): boolean =>
	lexeme?.kind === 'sign' && lexeme.text === sign;
