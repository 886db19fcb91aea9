import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	buildFilterArgument,
	chooseBucket,
	splitIntoWindows,
	timeDimensions,
} from '../../source/analytics/event-query.ts';

const now = Date.UTC(2026, 10, 23, 12);
const hours = 3_600_000;

describe('query ranges', () => {
	test('cover each second the plan keeps exactly once, and none exceeds the maximum duration', () => {
		fc.assert(
			fc.property(
				fc.integer({min: 1, max: 40 * 86_400}),
				fc.option(fc.integer({min: 3600, max: 40 * 86_400}), {nil: undefined}),
				fc.option(fc.integer({min: 2 * 86_400, max: 40 * 86_400}), {nil: undefined}),
				(seconds, retentionSeconds, maxSeconds) => {
					const wanted = {since: now - seconds * 1000, until: now};
					const limits = {
						retentionMs: retentionSeconds && retentionSeconds * 1000,
						maxDuration: maxSeconds && maxSeconds * 1000,
					};
					const {windows, since} = splitIntoWindows(wanted, limits, now);
					expect(since).toBeGreaterThanOrEqual(wanted.since);
					if (retentionSeconds === undefined || seconds < retentionSeconds - 60)
						expect(since).toBe(wanted.since);
					else expect(now - since).toBeLessThan(retentionSeconds * 1000);
					let end = now;
					for (const [index, window] of windows.entries()) {
						expect(window.until).toBe(index === 0 ? end : end - 1000);
						expect(window.until - window.since).toBeLessThan(
							maxSeconds === undefined ? Number.POSITIVE_INFINITY : maxSeconds * 1000 + 1,
						);
						end = window.since;
					}
					expect(end).toBe(since);
				},
			),
		);
	});

	test('choose a bucket size that limits the number of buckets', () => {
		expect(chooseBucket({since: now - hours, until: now}, 60)).toBe('datetimeMinute');
		expect(chooseBucket({since: now - hours, until: now}, 59)).toBe('datetimeFiveMinutes');
		expect(chooseBucket({since: now - 24 * hours, until: now}, 60)).toBe('datetimeHour');
		expect(chooseBucket({since: now - 7 * 24 * hours, until: now}, 60)).toBe('date');
		expect(timeDimensions.date).toBe(24 * hours);
	});
});

test('a filter contains only the requested conditions', () => {
	expect(buildFilterArgument({since: now - hours, until: now, rules: ['a'], paths: undefined})).toEqual({
		datetime_geq: '2026-11-23T11:00:00Z',
		datetime_leq: '2026-11-23T12:00:00Z',
		ruleId_in: ['a'],
	});
});
