/** True if the pattern has a capital, which makes the search case-sensitive. */
export const isCaseSensitive = (pattern: string): boolean => /[\p{Lu}\p{Lt}]/u.test(pattern);

/**
 * Creates a predicate for texts that contain the pattern, by smart case. Every text contains the empty
 * pattern.
 */
export function createSmartCaseFilter(pattern: string): (text: string) => boolean {
	if (isCaseSensitive(pattern)) return text => text.includes(pattern);
	const folded = pattern.toLowerCase();
	return text => text.toLowerCase().includes(folded);
}

/** Minimum characters of an id that find it: too many ids, which nobody reads, begin with shorter ones. */
const minIdCharacters = 4;

/** The rows that a search finds. `hasSplitWords`: none has the text as typed, so these have all of its words. */
export type TextMatches<Row> = {readonly rows: readonly Row[]; readonly hasSplitWords: boolean};

/**
 * Finds the rows that have a text in one of their texts, by smart case; if none has, those that have each of its
 * words in one of their texts, unless `isExact`. White space in any length is one space. An id is found by its
 * start.
 */
export function findTextMatches<Row>(
	rows: readonly Row[],
	typedText: string,
	getTexts: (row: Row) => readonly (string | undefined)[],
	getIds: (row: Row) => readonly (string | undefined)[] = () => [],
	isExact = false,
): TextMatches<Row> {
	const words = typedText.split(/\s+/).filter(Boolean);
	if (words.length === 0) return {rows, hasSplitWords: false};
	const phrase = words.join(' ');
	const isPhraseIn = createSmartCaseFilter(phrase);
	const isInSomeText = (isMatch: (text: string) => boolean, row: Row): boolean =>
		getTexts(row).some(text => text !== undefined && isMatch(text));
	const isIdStart = (row: Row): boolean =>
		phrase.length >= minIdCharacters &&
		getIds(row).some(id => id?.toLowerCase().startsWith(phrase.toLowerCase()));
	const isPhraseInText =
		words.length === 1 ? isPhraseIn : (text: string) => isPhraseIn(text.replaceAll(/\s+/g, ' '));
	const phraseRows = rows.filter(row => isInSomeText(isPhraseInText, row) || isIdStart(row));
	if (words.length === 1 || isExact || phraseRows.length > 0) return {rows: phraseRows, hasSplitWords: false};
	// A capital in one word makes all words case-sensitive, as it does the phrase.
	const fold = isCaseSensitive(phrase) ? (text: string) => text : (text: string) => text.toLowerCase();
	const foldedWords = words.map(fold);
	const wordRows = rows.filter(row => {
		const texts = getTexts(row).map(text => fold(text ?? ''));
		return foldedWords.every(word => texts.some(text => text.includes(word)));
	});
	return {rows: wordRows, hasSplitWords: wordRows.length > 0};
}
