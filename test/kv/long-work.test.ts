import {expect, test} from 'vitest';
import {longWorkAhead, longWorkShort, longWorkText, workOfBoth} from '../../source/kv/long-work.ts';

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
	const names = {kind: 'remote', reads: 'names', times: 2} as const;
	expect(longWorkText(names, 0, 10 * million)).toContain('20,000 calls: 78 min');
	expect(longWorkText({kind: 'local', reads: 'both'}, 10 * million)).toBeUndefined();
	expect(longWorkText({kind: 'file', reads: 'both'}, 0, 10 * million)).toBeUndefined();
});

test('of two stores only those of the service are counted', () => {
	expect(workOfBoth('remote', 'remote', 'both')).toEqual({kind: 'remote', reads: 'both', times: 2});
	expect(workOfBoth('file', 'simulated', 'names')).toEqual({kind: 'simulated', reads: 'names', times: 1});
	expect(longWorkText(workOfBoth('local', 'file', 'both'), 0, 10 * million)).toBeUndefined();
});

test('before work begins: of the known number, else an example of at least the keys that are known', () => {
	const both = {kind: 'remote', reads: 'both'} as const;
	expect(longWorkAhead(both, {count: 1000, isWhole: true})).toBeUndefined();
	expect(longWorkAhead(both, {count: 3 * million, isWhole: true})).toContain(
		'3,000,000 keys take 33,000 calls',
	);
	expect(longWorkAhead(both, {count: 1000, isWhole: false})).toContain('1,000,000 keys take 11,000 calls');
	expect(longWorkAhead(both, {count: million, isWhole: false})).toContain('10,000,000 keys');
});

test('in a few words', () => {
	expect(longWorkShort({kind: 'remote', reads: 'both'}, 20_000)).toBe('1,000,000 keys take 41 min');
	expect(longWorkShort({kind: 'remote', reads: 'both'}, 10)).toBeUndefined();
});
