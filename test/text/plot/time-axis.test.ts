import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {buildTimeTicks, formatBucketTime} from '../../../source/text/plot/time-axis.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse('2026-11-22T15:00:00Z');

const buildLabels = (span: number, bucketMs: number, columns: number, from = start) =>
	buildTimeTicks(from, span, bucketMs, columns).map(({label}) => label);

describe('a time axis', () => {
	test.each([
		[minute, 1000, 50, ['15:00:00', '15:00:15', '15:00:30', '15:00:45']],
		[5 * minute, 1000, 60, ['15:00', '15:01', '15:02', '15:03', '15:04']],
		[hour, minute, 50, ['15:00', '15:10', '15:20', '15:30', '15:40', '15:50']],
		[hour, 30 * minute, 200, ['15:00', '15:30']],
		[day, 5 * minute, 55, ['16:00', '20:00', '23 Nov', '04:00', '08:00', '12:00']],
		[7 * day, hour, 50, ['23 Nov', '25 Nov', '27 Nov']],
		[31 * day, day, 70, ['23 Nov', '28 Nov', '3 Dec', '8 Dec', '13 Dec', '18 Dec']],
		[800 * day, day, 60, ['2027-04-22', '2027-10-21', '2028-04-20']],
	])('over %d ms in buckets of %d ms and %d columns has round times', (span, bucketMs, columns, expected) => {
		expect(buildLabels(span, bucketMs, columns)).toEqual(expected);
	});

	test('has only the beginning if nothing else fits, and nothing if that does not', () => {
		expect(buildLabels(minute, minute, 7, start + 30_000)).toEqual(['15:00']);
		expect(buildLabels(minute, minute, 4)).toEqual([]);
	});

	test('has each label at its time, without touching the next or passing the end', () => {
		fc.assert(
			fc.property(
				fc.integer({min: Date.parse('2020-01-01'), max: Date.parse('2030-01-01')}),
				fc.constantFrom(1000, minute, 5 * minute, hour, day),
				fc.integer({min: 1, max: 1500}),
				fc.integer({min: 20, max: 200}),
				(from, step, buckets, columns) => {
					const span = step * buckets;
					const ticks = buildTimeTicks(from, span, step, columns);
					expect(ticks.length).toBeGreaterThan(0);
					let nextFreeColumn = 0;
					for (const {column, label} of ticks) {
						expect(column).toBeGreaterThanOrEqual(nextFreeColumn);
						nextFreeColumn = column + label.length + 2;
						expect(column + label.length).toBeLessThanOrEqual(columns);
						if (ticks.length > 1) expectInColumn(label, column, from, span, columns);
					}
				},
			),
		);
	});
});

/** Expects the time of a label to be in the time span of its column. */
function expectInColumn(label: string, column: number, from: number, span: number, columns: number): void {
	const begin = from + (column * span) / columns;
	const end = begin + span / columns;
	const year = new Date(end).getUTCFullYear();
	const possibleTimes = label.includes(':')
		? toDates(begin, end).map(date => Date.parse(`${date}T${label.length === 5 ? `${label}:00` : label}Z`))
		: [
				Date.parse(label.includes('-') ? label : `${label} ${year} UTC`),
				Date.parse(`${label} ${year - 1} UTC`),
			];
	expect(possibleTimes.some(time => time >= begin - 1 && time < end)).toBe(true);
}

const toDates = (...times: readonly number[]): string[] =>
	times.map(time => new Date(time).toISOString().slice(0, 10));

test('the time of a bucket is as precise as its length', () => {
	expect([day, hour, 1000].map(step => formatBucketTime(start, step))).toEqual([
		'2026-11-22',
		'2026-11-22 15:00',
		'2026-11-22 15:00:00',
	]);
});
