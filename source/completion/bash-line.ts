/** A line up to the cursor, as bash splits it. */
type BashLine = {
	/** Words without their quotes: the first is the program's name, the last is the word at the cursor. */
	readonly words: readonly string[];
	/** Part of the last word that bash keeps, without quotes: a completion replaces only the rest. */
	readonly keptPrefix: string;
	/** Quotes open at the cursor. */
	readonly quote: Quote;
};

type Quote = '' | '"' | "'";

/**
 * Splits a line up to the cursor into words. `breaks` are the characters at which bash starts a new word for
 * completion (`COMP_WORDBREAKS`); they do not count in quotes or after a backslash. Nothing is expanded:
 * `$(…)` stays.
 */
export function parseBashLine(line: string, breaks: string): BashLine {
	const words: string[] = [];
	let word = '';
	let isInWord = false;
	let quote: Quote = '';
	/** Length of the word up to its last break character, and up to the open quote. */
	let breakEnd = 0;
	let quoteStart = 0;
	for (let index = 0; index < line.length; index++) {
		const character = line.charAt(index);
		if (quote === "'") {
			if (character === "'") quote = '';
			else word += character;
		} else if (quote === '"') {
			const next = line.charAt(index + 1);
			if (character === '"') quote = '';
			else if (character === '\\' && next !== '' && '$`"\\'.includes(next)) word += line.charAt(++index);
			else word += character;
		} else if (character === '\\') {
			isInWord = true;
			word += line.charAt(++index);
		} else if (character === '"' || character === "'") {
			isInWord = true;
			quote = character;
			quoteStart = word.length;
		} else if (/[ \t\n]/.test(character)) {
			if (isInWord) words.push(word);
			word = '';
			isInWord = false;
			breakEnd = 0;
		} else {
			isInWord = true;
			word += character;
			if (breaks.includes(character)) breakEnd = word.length;
		}
	}
	return {words: [...words, word], keptPrefix: word.slice(0, quote === '' ? breakEnd : quoteStart), quote};
}

/** Quotes `text` for insertion after the kept prefix, inside the open quotes. The result never expands. */
export function quoteForBash(text: string, quote: Quote): string {
	if (quote !== '') {
		// Double quotes do not escape an exclamation mark, so it gets single quotes.
		const escapedText =
			quote === "'"
				? text.replaceAll("'", `'\\''`)
				: text.replace(/[$`"\\]/g, '\\$&').replaceAll('!', `"'!'"`);
		// bash closes the quotes itself, but would take a trailing quote character for the closing one.
		return escapedText.endsWith(quote) ? escapedText + quote : escapedText;
	}
	return text.replace(/[^\p{L}\p{N}\p{M}_@%+=:,./-]/gu, '\\$&').replace(/^~/, '\\~');
}
