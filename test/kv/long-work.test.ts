import {expect, test} from 'vitest';
import {longWorkText} from '../../source/kv/long-work.ts';

const million = 1_000_000;

test.each([
	['names', 10 * million, '10,000,000 keys take 10,000 calls: 37 min at the quota of the service.'],
	['both', 10 * million, '10,000,000 keys take 110,000 calls: 7 h 33 min at the quota of the service.'],
	['both', 100 * million, '100,000,000 keys take 1,100,000 calls: 76 h at the quota of the service.'],
	['values', million, '1,000,000 keys take 10,000 calls: 37 min at the quota of the service.'],
	['names', million, undefined],
	['both', 100_000, undefined],
] as const)('reading %s of %i keys', (reads, total, text) => {
	expect(longWorkText({kind: 'remote', reads}, 0, total)).toBe(text);
});

test('of an unknown number of keys it is an example, once many are done', () => {
	const both = {kind: 'remote', reads: 'both'} as const;
	expect(longWorkText(both, 19_999)).toBeUndefined();
	expect(longWorkText(both, 20_000)).toBe(
		'1,000,000 keys take 11,000 calls: 41 min at the quota of the service.',
	);
	expect(longWorkText(both, million)).toContain('10,000,000 keys take 110,000 calls');
	expect(longWorkText({kind: 'simulated', reads: 'names'}, 20_000)).toContain('10,000,000 keys');
});

test('two stores take twice the calls, and nothing limits local data and files', () => {
	const names = {kind: 'remote', reads: 'names', stores: 2} as const;
	expect(longWorkText(names, 0, 10 * million)).toContain('20,000 calls: 78 min');
	expect(longWorkText({kind: 'local', reads: 'both'}, 10 * million)).toBeUndefined();
	expect(longWorkText({kind: 'file', reads: 'both'}, 0, 10 * million)).toBeUndefined();
});
