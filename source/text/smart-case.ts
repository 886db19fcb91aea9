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

/** Creates a predicate for rows that contain every word of the pattern in one of their texts, by smart case. */
export function createSmartCaseWordFilter(
	pattern: string,
): (texts: readonly (string | undefined)[]) => boolean {
	const isSensitive = isCaseSensitive(pattern);
	const words = (isSensitive ? pattern : pattern.toLowerCase()).split(/\s+/).filter(Boolean);
	return texts => {
		const searchedTexts = isSensitive ? texts : texts.map(text => text?.toLowerCase());
		return words.every(word => searchedTexts.some(text => text?.includes(word)));
	};
}
