import {expect, test} from 'vitest';
import {formatSpan, parseSpan} from '../../source/text/time-input.ts';

test.each([
	[90, '90s'],
	[120, '2m'],
	[129_600, '36h'],
	[86_400, '1d'],
	[604_800, '1w'],
])('%d seconds are the span %s, which is read as the same seconds', (seconds, span) => {
	expect(formatSpan(seconds)).toBe(span);
	expect(parseSpan(span)).toBe(seconds);
});
