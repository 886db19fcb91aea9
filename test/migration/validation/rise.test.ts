import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {detectRise, getComparedSpan} from '../../../source/migration/validation/rise.ts';
import {summarizeValidation} from '../../../source/migration/validation/summary.ts';
import {describeRise} from '../../../source/migration/validation/words.ts';
import {createVersionEvents, hour, repeatEvent, validationStart} from './support.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 24, 12);
const createValidationRate = (mostInHour: number) => ({
	rate: {since: validationStart, until: validationStart + 5 * hour, mostInHour},
});
const createReading = (count: number, minutes = 60, sampleInterval = 1) => ({
	since: now - minutes * minute,
	until: now,
	stopped: count,
	sampleInterval,
});

describe('a rise in requests stopped by the new rules', () => {
	test.each([
		['nothing was stopped in validation', 0, 20, true],
		['fewer than 20 more', 0, 19, false],
		['half as many more, and clearly', 100, 151, true],
		['less than half as many more', 100, 149, false],
		['as many as in the busiest hour', 100, 100, false],
		['more, but by chance', 30, 45, false],
	])('%s: %d in validation, then %d', (_name, maxInHour, count, isRise) => {
		expect(detectRise(createValidationRate(maxInHour), createReading(count)) !== undefined).toBe(isRise);
	});

	test('is measured over equal times', () => {
		expect(detectRise(createValidationRate(120), createReading(70, 60))).toBeUndefined();
		expect(detectRise(createValidationRate(120), createReading(70, 15))).toMatchObject({
			stopped: 70,
			expectedMax: 30,
		});
	});

	test('in sampled events has to be clearer', () => {
		expect(detectRise(createValidationRate(100), createReading(170))).toBeDefined();
		expect(detectRise(createValidationRate(100), createReading(170, 60, 10))).toBeUndefined();
		expect(detectRise(createValidationRate(100), createReading(400, 60, 10))).toMatchObject({
			isSampled: true,
		});
	});

	test('is reported with both counts and both times', () => {
		const rise = detectRise(createValidationRate(40), createReading(340));
		expect(rise && describeRise(rise)).toBe(
			'The new managed rules stopped 340 requests in 60 minutes (2026-11-24 11:00 to 12:00 UTC); validation showed at most 40 in the same length of time (2026-11-20 12:00 to 17:00 UTC).',
		);
	});

	test('grows with the number of stopped requests, and shrinks with the number in validation', () => {
		fc.assert(
			fc.property(fc.nat(500), fc.nat(2000), fc.integer({min: 10, max: 60}), (maxInHour, count, minutes) => {
				if (detectRise(createValidationRate(maxInHour), createReading(count, minutes)) === undefined) return;
				expect(detectRise(createValidationRate(maxInHour), createReading(count + 1, minutes))).toBeDefined();
				expect(
					detectRise(createValidationRate(Math.max(0, maxInHour - 1)), createReading(count, minutes)),
				).toBeDefined();
			}),
		);
	});

	test('is not looked for without a rate from validation, nor right after the end', () => {
		expect(detectRise({}, createReading(1000))).toBeUndefined();
		expect(getComparedSpan(now - 9 * minute, now)).toBeUndefined();
		expect(getComparedSpan(now - 20 * minute, now)).toEqual({since: now - 20 * minute, until: now});
		expect(getComparedSpan(now - 20 * hour, now)).toEqual({since: now - hour, until: now});
	});
});

describe('the rate a rise is compared with', () => {
	const summarizeRate = (events: Parameters<typeof createVersionEvents>[0], lastChange?: number) =>
		summarizeValidation(createVersionEvents(events), () => undefined, lastChange).summary.rate;
	const earlyEvents = repeatEvent(3, 50, {at: validationStart + hour / 2});
	const lateEvents = repeatEvent(3, 8, {at: validationStart + 2.5 * hour});

	test('is the busiest full hour', () => {
		expect(summarizeRate([...earlyEvents, ...lateEvents])).toEqual({
			since: validationStart,
			until: validationStart + 3 * hour,
			mostInHour: 50,
		});
	});

	test('covers the time since the last change, if that includes a full hour', () => {
		expect(summarizeRate([...earlyEvents, ...lateEvents], validationStart + 1.5 * hour)).toMatchObject({
			since: validationStart + 2 * hour,
			mostInHour: 8,
		});
		expect(summarizeRate([...earlyEvents, ...lateEvents], validationStart + 2.5 * hour)).toMatchObject({
			mostInHour: 50,
		});
	});
});
