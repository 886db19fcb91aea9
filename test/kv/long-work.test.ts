import {expect, test} from 'vitest';
import {
	buildTwoStoreWork,
	describeLongWork,
	formatLongDuration,
	predictLongWork,
	summarizeLongWork,
} from '../../source/kv/long-work.ts';
import {estimateCallSeconds, fullQuota} from '../../source/service/limiter.ts';

const million = 1_000_000;

test.each([
	['names', 10 * million, '10,000,000 keys take 10,000 calls: 37 min at the quota of the service.'],
	['both', 10 * million, '10,000,000 keys take 110,000 calls: 7 h 33 min at the quota of the service.'],
	['both', 100 * million, '100,000,000 keys take 1,100,000 calls: 76 h at the quota of the service.'],
	['values', million, '1,000,000 keys take 10,000 calls: 37 min at the quota of the service.'],
	['names', million, undefined],
	['both', 100_000, undefined],
] as const)('the estimate for loading %s of %i keys', (content, total, text) => {
	expect(describeLongWork({content, quota: fullQuota}, 0, total)).toBe(text);
});

test('the estimate for an unknown number of keys is an example, given once many are done', () => {
	const bothWork = {content: 'both', quota: fullQuota} as const;
	expect(describeLongWork(bothWork, 19_999)).toBeUndefined();
	expect(describeLongWork(bothWork, 20_000)).toBe(
		'The total is not known yet. For example, 1,000,000 keys take 11,000 calls: 41 min at the quota of the service.',
	);
	expect(describeLongWork(bothWork, million)).toContain('10,000,000 keys take 110,000 calls');
	expect(describeLongWork({content: 'names', quota: fullQuota}, 20_000)).toContain('10,000,000 keys');
});

test('two stores take twice the calls, and local data and files have no limit', () => {
	const namesWork = {content: 'names', callFactor: 2, quota: fullQuota} as const;
	expect(describeLongWork(namesWork, 0, 10 * million)).toContain('20,000 calls: 78 min');
	expect(describeLongWork({content: 'both', quota: undefined}, 10 * million)).toBeUndefined();
	expect(describeLongWork({content: 'both', quota: undefined}, 0, 10 * million)).toBeUndefined();
});

test('only stores of the service are counted', () => {
	const [remote, file] = [{quota: () => fullQuota}, {}];
	expect(buildTwoStoreWork(remote, remote, 'both')).toEqual({
		content: 'both',
		callFactor: 2,
		quota: fullQuota,
	});
	expect(buildTwoStoreWork(file, remote, 'names')).toEqual({
		content: 'names',
		callFactor: 1,
		quota: fullQuota,
	});
	expect(describeLongWork(buildTwoStoreWork(file, file, 'both'), 0, 10 * million)).toBeUndefined();
});

test('the prediction uses the known total, or else an example of at least the known keys', () => {
	const bothWork = {content: 'both', quota: fullQuota} as const;
	expect(predictLongWork(bothWork, {count: 1000, isTotal: true})).toBeUndefined();
	expect(predictLongWork(bothWork, {count: 3 * million, isTotal: true})).toContain(
		'3,000,000 keys take 33,000 calls',
	);
	expect(predictLongWork(bothWork, {count: 1000, isTotal: false})).toContain(
		'1,000,000 keys take 11,000 calls',
	);
	expect(predictLongWork(bothWork, {count: million, isTotal: false})).toContain('10,000,000 keys');
});

test('the summary has the estimate in a few words, and short work has none', () => {
	expect(summarizeLongWork({content: 'both', quota: fullQuota}, 20_000)).toBe(
		'total unknown, e.g. 1,000,000 keys take 41 min',
	);
	expect(summarizeLongWork({content: 'both', quota: fullQuota}, 10)).toBeUndefined();
});

test.each([
	// Loading takes 10,000 calls: first the wait, then `calls` of them at once, then 4 per second.
	[{calls: 1000, waitSeconds: 0}, '38 min'],
	[{calls: 0, waitSeconds: 0}, '42 min'],
	[{calls: 0, waitSeconds: 240}, '46 min'],
	[{calls: 1200, waitSeconds: 300}, '42 min'],
])('the estimate with %j left of the quota', (quota, time) => {
	expect(summarizeLongWork({content: 'values', quota}, 0, million)).toBe(`1,000,000 keys take ${time}`);
});

test('remaining calls need no waiting, and a used-up quota makes even one call wait', () => {
	const twoCallsLeft = {content: 'names', quota: {calls: 2, waitSeconds: 0}} as const;
	expect(formatLongDuration(2000, twoCallsLeft)).toBeUndefined();
	expect(formatLongDuration(6, {content: 'both', quota: {calls: 1200, waitSeconds: 280}})).toBe('5 min');
	expect(estimateCallSeconds(2, twoCallsLeft.quota)).toBeLessThan(1);
	expect(estimateCallSeconds(6, twoCallsLeft.quota)).toBe(1);
	expect(estimateCallSeconds(0, {calls: 0, waitSeconds: 60})).toBe(0);
});
