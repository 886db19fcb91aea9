import type {Lexeme} from './token.ts';

/** What a name and its brackets are looked for in; nothing that anyone means is longer. */
const longest = 400;

/** The index behind a name, its arguments and its indexes; `undefined` where a bracket of them is not closed. */
export function behindName(lexemes: readonly Lexeme[], index: number): number | undefined {
	let place: number | undefined = index + 1;
	if (isSign(lexemes[place], '(')) place = behindBrackets(lexemes, place);
	while (place !== undefined && isSign(lexemes[place], '[')) place = behindBrackets(lexemes, place);
	return place;
}

/** The index behind the bracket that closes the one at an index. */
export function behindBrackets(lexemes: readonly Lexeme[], index: number): number | undefined {
	let depth = 0;
	for (let place = index; place < Math.min(lexemes.length, index + longest); place++) {
		const lexeme = lexemes[place];
		if (lexeme?.kind !== 'sign') continue;
		if ('([{'.includes(lexeme.text)) depth++;
		else if (')]}'.includes(lexeme.text) && --depth === 0) return place + 1;
	}
	return undefined;
}

export const isSign = (lexeme: Lexeme | undefined, sign: string): boolean =>
	lexeme?.kind === 'sign' && lexeme.text === sign;
