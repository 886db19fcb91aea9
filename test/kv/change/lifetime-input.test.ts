import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatExpiry, formatTimeLeft, parseLifetime} from '../../../source/kv/change/lifetime-input.ts';
import {formatExpiration} from '../../../source/kv/keys.ts';
import {limits} from '../../../source/kv/limits.ts';

const now = Date.UTC(2026, 10, 22, 9, 10) / 1000;
const day = 86_400;

describe('a typed expiry', () => {
	test.each([
		['never', 'never'],
		[' NEVER ', 'never'],
		['3600', {ttl: 3600}],
		['60', {ttl: 60}],
		['90s', {ttl: 90}],
		['90 s', {ttl: 90}],
		['5min', {ttl: 300}],
		['24h', {ttl: day}],
		['+2h', {ttl: 7200}],
		['7d', {ttl: 7 * day}],
		['2w', {ttl: 14 * day}],
		['1h30m', {ttl: 5400}],
		['1d 12h', {ttl: 1.5 * day}],
		['1000000000s', {ttl: 1_000_000_000}],
		['@2000000000', {expiration: 2_000_000_000}],
		['2026-11-23', {expiration: now + day - 9 * 3600 - 600}],
		['2026-11-22T09:14', {expiration: now + 240}],
		['2026-11-22 09:14', {expiration: now + 240}],
		['2026-11-22 09:14 UTC', {expiration: now + 240}],
		['2026-11-22T09:14:05Z', {expiration: now + 245}],
		['2026-11-22T09:14:05.999Z', {expiration: now + 245}],
		['2026-11-22T11:14+02:00', {expiration: now + 240}],
		['2026-11-22T04:44:00-0430', {expiration: now + 240}],
		['2028-02-29', {expiration: Date.UTC(2028, 1, 29) / 1000}],
	])('%s', (typed, lifetime) => {
		expect(parseLifetime(typed, now)).toEqual({lifetime});
	});

	test.each([
		['', 'a duration of at least 60 s'],
		['soon', 'a duration of at least 60 s'],
		['-5', 'a duration'],
		['1.5h', 'a duration'],
		['5y', 'a duration'],
		['2027-02-29', 'a date such as'],
		['2027-13-01', 'a date such as'],
		['2027-01-01T24:00', 'a date such as'],
		['2027-01-01T10:00+24:00', 'a date such as'],
		['59', 'at least 60 seconds; this one is 59'],
		['0s', 'at least 60 seconds; this one is 0'],
		['99999999999999s', 'at most'],
		['9'.repeat(400), '9'],
		['1795311245', '@1795311245'],
		[
			'2026-11-22 09:10:59',
			'at least 60 s from now (2026-11-22T09:11:00Z or later); this one is 2026-11-22T09:10:59Z',
		],
		['2020-01-01', 'this one is 2020-01-01T00:00:00Z'],
		['@8640000000001', 'at most 8640000000000'],
	])('%s is refused with the reason', (typed, why) => {
		expect(parseLifetime(typed, now)).toEqual({
			problem: {what: expect.any(String), why: expect.stringContaining(why)},
		});
	});

	test('in the format that ledge prints is that same moment', () => {
		fc.assert(
			fc.property(fc.integer({min: now + 60, max: limits.latestExpiration}), expiration => {
				expect(parseLifetime(formatExpiration(expiration), now)).toEqual({lifetime: {expiration}});
			}),
		);
	});

	test('of any text is a lifetime that the service accepts, or a problem', () => {
		const text = fc.oneof(fc.string(), fc.stringMatching(/^[+@-]?[0-9smhdw :TZ-]{0,24}$/));
		fc.assert(
			fc.property(text, typed => {
				const parsed = parseLifetime(typed, now);
				if ('problem' in parsed || parsed.lifetime === 'never') return;
				const {lifetime} = parsed;
				if (typeof lifetime === 'string') throw new TypeError(`"${typed}" became ${lifetime}.`);
				const seconds = 'ttl' in lifetime ? lifetime.ttl : lifetime.expiration - now;
				expect(Number.isSafeInteger(seconds)).toBe(true);
				expect(seconds).toBeGreaterThanOrEqual(60);
				expect(now + seconds).toBeLessThanOrEqual(limits.latestExpiration);
			}),
		);
	});
});

describe('the time left', () => {
	test.each([
		[-1, 'expired'],
		[0, 'expired'],
		[1, 'in 1 s'],
		[40, 'in 40 s'],
		[119, 'in 119 s'],
		[120, 'in 2 min'],
		[299, 'in 4 min'],
		[7199, 'in 119 min'],
		[23 * 3600 + 3599, 'in 23 h'],
		[2 * day, 'in 2 d'],
		[800 * day, 'in 2 y'],
	])('of %d seconds is %s', (secondsLeft, text) => {
		expect(formatTimeLeft(now + secondsLeft, now)).toBe(text);
	});

	test('is never overstated', () => {
		const secondsPerUnit: Readonly<Record<string, number>> = {s: 1, min: 60, h: 3600, d: day, y: 31_557_600};
		fc.assert(
			fc.property(fc.integer({min: 1, max: 1e11}), secondsLeft => {
				const [, count, unit = ''] = formatTimeLeft(now + secondsLeft, now).split(' ');
				const shownSeconds = Number(count) * (secondsPerUnit[unit] ?? Number.NaN);
				expect(shownSeconds).toBeLessThanOrEqual(secondsLeft);
				expect(shownSeconds).toBeGreaterThan(secondsLeft / 2);
			}),
		);
	});

	test('is printed after the date', () => {
		expect(formatExpiry(now + 240, now)).toBe('2026-11-22 09:14 UTC (in 4 min)');
		expect(formatExpiry(now - 600, now)).toBe('2026-11-22 09:00 UTC (expired)');
	});

	test('is not computed for a moment beyond any date', () => {
		expect(formatExpiry(8_640_000_000_001, now)).toBe('8640000000001 (UNIX seconds)');
		expect(formatTimeLeft(8_640_000_000_001, now)).toBe('far off');
		expect(formatTimeLeft(-8_640_000_000_001, now)).toBe('expired');
	});
});
