import {type PatternFinding, patternError} from '../regex/finding.ts';

/**
 * What is wrong with a pattern of `wildcard` and `strict wildcard`, as it is meant (quotes and escapes of the string
 * already read): `*` matches anything, only `\*` and `\\` are escapes, `**` is invalid.
 */
export function checkWildcard(pattern: string): readonly PatternFinding[] {
	const findings: PatternFinding[] = [];
	let place = 0;
	while (place < pattern.length) {
		const character = pattern.charAt(place);
		let end = place + 1;
		if (character === '*') {
			while (pattern.charAt(end) === '*') end++;
			if (end - place > 1)
				findings.push(
					patternError(
						place,
						end,
						'wildcard contains a double star',
						'One * matches any text already: two in a row are invalid.',
						'*',
					),
				);
		} else if (character === '\\') {
			const escaped = pattern.charAt(end);
			if (escaped === '*' || escaped === '\\') end++;
			else
				findings.push(
					patternError(
						place,
						end,
						'invalid escape sequence',
						'A backslash in a wildcard pattern comes before * or another backslash only.',
						'\\\\',
					),
				);
		}
		place = end;
	}
	return findings;
}
