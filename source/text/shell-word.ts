import {safeText} from './safe-text.ts';

/**
 * A word for a shell. A word that holds what a screen would not show as it is (line ends, controls, marks of direction)
 * stands as `$'…'`, which bash, zsh and ksh read; a leading `=` has a meaning of its own for zsh.
 */
export function quoted(word: string): string {
	if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
	if (safeText(word) === word) return `'${word.replaceAll("'", `'\\''`)}'`;
	return `$'${[...word].map(inDollarQuotes).join('')}'`;
}

/** A character between `$'` and `'`: what is not shown as it is, by its bytes of UTF-8, which no locale changes. */
function inDollarQuotes(character: string): string {
	if (character === '\n') return '\\n';
	if (character === "'" || character === '\\') return `\\${character}`;
	if (safeText(character) === character) return character;
	return [...Buffer.from(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
