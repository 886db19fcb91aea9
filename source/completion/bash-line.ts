/** A line as far as the cursor, as bash reads it. */
type BashLine = {
	/** The words without their quotes, the one at the cursor last; the name of the program is the first. */
	readonly words: readonly string[];
	/** What of the last word bash leaves as it is, without quotes: it replaces only what follows. */
	readonly kept: string;
	/** The quotes that are open at the cursor. */
	readonly quote: Quote;
};

type Quote = '' | '"' | "'";

/**
 * Reads a line as far as the cursor. `breaks` are the characters at which bash begins a new word when it completes
 * (`COMP_WORDBREAKS`); in quotes and behind a backslash they do not count. Nothing is expanded: `$(…)` stays as it is.
 */
export function readBashLine(line: string, breaks: string): BashLine {
	const words: string[] = [];
	let word = '';
	let isWord = false;
	let quote: Quote = '';
	/** Characters of the word before its last break, and before the quotes that are open. */
	let broken = 0;
	let opened = 0;
	for (let at = 0; at < line.length; at++) {
		const character = line.charAt(at);
		if (quote === "'") {
			if (character === "'") quote = '';
			else word += character;
		} else if (quote === '"') {
			const next = line.charAt(at + 1);
			if (character === '"') quote = '';
			else if (character === '\\' && next !== '' && '$`"\\'.includes(next)) word += line.charAt(++at);
			else word += character;
		} else if (character === '\\') {
			isWord = true;
			word += line.charAt(++at);
		} else if (character === '"' || character === "'") {
			isWord = true;
			quote = character;
			opened = word.length;
		} else if (/[ \t\n]/.test(character)) {
			if (isWord) words.push(word);
			word = '';
			isWord = false;
			broken = 0;
		} else {
			isWord = true;
			word += character;
			if (breaks.includes(character)) broken = word.length;
		}
	}
	return {words: [...words, word], kept: word.slice(0, quote === '' ? broken : opened), quote};
}

/** A text as it is inserted behind what bash keeps, in the quotes that are open. It never expands to anything else. */
export function quotedForBash(text: string, quote: Quote): string {
	if (quote !== '') {
		// In double quotes nothing takes the meaning from an exclamation mark: it is written in quotes of its own.
		const inside =
			quote === "'"
				? text.replaceAll("'", `'\\''`)
				: text.replace(/[$`"\\]/g, '\\$&').replaceAll('!', `"'!'"`);
		// bash closes the quotes by itself, but takes the same character at the end for that.
		return inside.endsWith(quote) ? inside + quote : inside;
	}
	return text.replace(/[^\p{L}\p{N}\p{M}_@%+=:,./-]/gu, '\\$&').replace(/^~/, '\\~');
}
