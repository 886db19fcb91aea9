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
