import type {Parser} from '../grammar/parser.ts';
import type {Lexeme} from '../grammar/token.ts';

/** Control characters except line breaks, and characters without width or that change the text direction. */
const hiddenPattern =
	/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\r(?!\n)|[\u{e0000}-\u{e007f}]/u;

/** Warns of invisible characters in a string, which the service accepts as they are. */
export function checkHiddenCharacters(parser: Parser, {start, text}: Lexeme): void {
	const match = hiddenPattern.exec(text);
	if (!match) return;
	const [character] = match;
	const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	parser.warning(
		{start: start + match.index, end: start + match.index + character.length},
		`This string contains an invisible character: U+${code}.`,
		{code: 'L004'},
	);
}
