/** True if the pattern has a capital, which makes the search case-sensitive. */
export const isCaseSensitive = (sought: string): boolean => /[\p{Lu}\p{Lt}]/u.test(sought);

/**
 * Creates a predicate for texts that contain the pattern, by smart case. Every text contains the empty
 * pattern.
 */
export function holding(sought: string): (text: string) => boolean {
	if (isCaseSensitive(sought)) return text => text.includes(sought);
	const folded = sought.toLowerCase();
	return text => text.toLowerCase().includes(folded);
}
