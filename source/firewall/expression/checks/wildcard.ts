import {createPatternError, type PatternFinding} from '../regex/finding.ts';

const doubleStar = 'One * already matches any text: ** is invalid.';
const strayBackslash = 'In a wildcard pattern, a backslash can only precede * or another backslash.';

/**
 * Checks a pattern of `wildcard` or `strict wildcard` after the escapes of its string are resolved: `*`
 * matches any text, only `\*` and `\\` are escapes, and `**` is invalid.
 */
export function checkWildcard(pattern: string): readonly PatternFinding[] {
	return Array.from(pattern.matchAll(/\*+|\\[*\\]|\\/g)).flatMap(({0: part, index}) => {
		const end = index + part.length;
		const isEscape = part.startsWith('\\');
		if (isEscape ? part.length === 2 : part === '*') return [];
		return isEscape
			? createPatternError(index, end, 'invalid escape sequence', strayBackslash, '\\\\')
			: createPatternError(index, end, 'wildcard contains a double star', doubleStar, '*');
	});
}

/** True if a text, used as plain text, looks like a regular expression: `^/admin`, `\\.php`, `a.*b`. */
export const isRegexLike = (text: string): boolean => /^\^|\\[.dws/]|\.[*+]/.test(text);

/** True if a regular expression looks like a wildcard pattern: `*.php`, or a star after a slash. */
export const isGlobLike = (text: string): boolean =>
	/^[\w./* -]+\??$/.test(text) && /(?:^|\/)\*/.test(text) && !/\.\*|\*\*/.test(text);
