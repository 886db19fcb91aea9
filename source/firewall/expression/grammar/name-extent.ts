import type {Lexeme} from './token.ts';

/** Maximum number of lexemes to search for a closing bracket. */
const maxLexemes = 400;

/** Returns the index after a name, its arguments and its indexes; undefined if a bracket is not closed. */
export function findNameEnd(lexemes: readonly Lexeme[], index: number): number | undefined {
	let position: number | undefined = index + 1;
	if (isSign(lexemes[position], '(')) position = findBracketEnd(lexemes, position);
	while (position !== undefined && isSign(lexemes[position], '['))
		position = findBracketEnd(lexemes, position);
	return position;
}

/** Returns the index after the bracket that closes the one at `index`. */
export function findBracketEnd(lexemes: readonly Lexeme[], index: number): number | undefined {
	let depth = 0;
	for (let position = index; position < Math.min(lexemes.length, index + maxLexemes); position++) {
		const lexeme = lexemes[position];
		if (lexeme?.kind !== 'sign') continue;
		if ('([{'.includes(lexeme.text)) depth++;
		else if (')]}'.includes(lexeme.text) && --depth === 0) return position + 1;
	}
	return undefined;
}

export const isSign = (lexeme: Lexeme | undefined, sign: string): boolean =>
	lexeme?.kind === 'sign' && lexeme.text === sign;
