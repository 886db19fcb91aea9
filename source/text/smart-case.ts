/** Whether a text that is searched for distinguishes upper and lower case: it does as soon as it has a capital. */
export const isCaseSensitive = (sought: string): boolean => /[\p{Lu}\p{Lt}]/u.test(sought);

/** Returns whether a text has the sought one in it, by smart case. The empty text is in all. */
export function holding(sought: string): (text: string) => boolean {
	if (isCaseSensitive(sought)) return text => text.includes(sought);
	const folded = sought.toLowerCase();
	return text => text.toLowerCase().includes(folded);
}
