import type {Reading} from '../grammar/reading.ts';
import type {Lexeme} from '../grammar/token.ts';

/** Control characters but line breaks, and those that turn the direction of text or have no width. */
const hidden =
	/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\r(?!\n)|[\u{e0000}-\u{e007f}]/u;

/** Text in quotes that is not what it seems to be: the service takes it as it is. */
export function hiddenCharacters(reading: Reading, {start, text}: Lexeme): void {
	const found = hidden.exec(text);
	if (!found) return;
	const [character] = found;
	const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	reading.warning(
		{start: start + found.index, end: start + found.index + character.length},
		`This text holds a character that cannot be seen: U+${code}.`,
	);
}
