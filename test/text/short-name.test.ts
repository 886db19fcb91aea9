import {expect, test} from 'vitest';
import {measureColumns} from '../../source/text/columns.ts';
import {quoteKeyName, shortenKeyName} from '../../source/text/short-name.ts';

test('a long name keeps its beginning and end, and a message with it fits 80 columns', () => {
	const key = `user:${'0123456789'.repeat(50)}:profile`;
	const message = `Wrote 25,000,000 bytes to ${shortenKeyName(key)}. u undoes it.`;
	expect(message).toMatch(/ user:.*….*:profile\. u undoes it\.$/);
	expect(measureColumns(message)).toBeLessThanOrEqual(78);
	expect(shortenKeyName('user:1')).toBe('user:1');
	expect(quoteKeyName(' a b ')).toBe('" a b "');
	expect(shortenKeyName('a\u001bb')).not.toContain('\u001b');
});
