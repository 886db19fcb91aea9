import type {Lexeme} from './token.ts';

/** Maximum number of lexemes to search for a closing bracket. */
const maxLexemes = 400;

/** Returns the index after a name, its arguments and its indexes; undefined if a bracket is not closed. */
export function findNameEnd(lexemes: readonly Lexeme[], index: number): number | undefined {
	let place: number | undefined = index + 1;
	if (isSign(lexemes[place], '(')) place = findBracketEnd(lexemes, place);
	while (place !== undefined && isSign(lexemes[place], '[')) place = findBracketEnd(lexemes, place);
	return place;
}

/** Returns the index after the bracket that closes the one at `index`. */
export function findBracketEnd(lexemes: readonly Lexeme[], index: number): number | undefined {
	let depth = 0;
	for (let place = index; place < Math.min(lexemes.length, index + maxLexemes); place++) {
		const lexeme = lexemes[place];
		if (lexeme?.kind !== 'sign') continue;
		if ('([{'.includes(lexeme.text)) depth++;
		else if (')]}'.includes(lexeme.text) && --depth === 0) return place + 1;
	}
	return undefined;
}

export const isSign = (lexeme: Lexeme | undefined, sign: string): boolean =>
	lexeme?.kind === 'sign' && lexeme.text === sign;
