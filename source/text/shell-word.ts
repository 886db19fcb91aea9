import {escapeText} from './safe-text.ts';

/**
 * Quotes a word for a shell. A word with characters that a screen does not show as they are (line ends,
 * controls, bidirectional marks) becomes `$'…'`, which bash, zsh and ksh support; a leading `=` is quoted for
 * zsh.
 */
export function quoteShellWord(word: string): string {
	if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
	if (escapeText(word) === word) return `'${word.replaceAll("'", `'\\''`)}'`;
	return `$'${[...word].map(escapeInDollarQuotes).join('')}'`;
}

/**
 * Escapes a character between `$'` and `'`; unsafe ones as UTF-8 bytes, which do not depend on the locale.
 */
function escapeInDollarQuotes(character: string): string {
	if (character === '\n') return '\\n';
	if (character === "'" || character === '\\') return `\\${character}`;
	if (escapeText(character) === character) return character;
	return [...Buffer.from(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
