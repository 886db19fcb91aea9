import {type PatternFinding, patternError} from '../regex/finding.ts';

const doubleStar = 'One * matches any text already: two in a row are invalid.';
const strayBackslash = 'A backslash in a wildcard pattern comes before * or another backslash only.';

/**
 * What is wrong with a pattern of `wildcard` and `strict wildcard`, as it is meant (quotes and escapes of the string
 * already read): `*` matches anything, only `\*` and `\\` are escapes, `**` is invalid.
 */
export function checkWildcard(pattern: string): readonly PatternFinding[] {
	return Array.from(pattern.matchAll(/\*+|\\[*\\]|\\/g)).flatMap(({0: found, index}) => {
		const end = index + found.length;
		const isEscape = found.startsWith('\\');
		if (isEscape ? found.length === 2 : found === '*') return [];
		return isEscape
			? patternError(index, end, 'invalid escape sequence', strayBackslash, '\\\\')
			: patternError(index, end, 'wildcard contains a double star', doubleStar, '*');
	});
}

/** Whether a text that is not compared as a regular expression looks like one: `^/admin`, `\\.php`, `a.*b`. */
export const isRegexLike = (text: string): boolean => /^\^|\\[.dws/]|\.[*+]/.test(text);

/** Whether a regular expression looks like a pattern in which a star is any text: `*.php`, or a star behind a slash. */
export const isGlobLike = (text: string): boolean =>
	/^[\w./* -]+\??$/.test(text) && /(?:^|\/)\*/.test(text) && !/\.\*|\*\*/.test(text);
