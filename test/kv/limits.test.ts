import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatExpiration} from '../../source/kv/keys.ts';
import {checkLifetime, findExpirationProblem, findTtlProblem, limits} from '../../source/kv/limits.ts';

const now = 1_800_000_000;

describe('how long a key may live', () => {
	test('an expiration that no date can tell is refused, with the measured figure', () => {
		expect(findExpirationProblem(limits.latestExpiration, now)).toBeUndefined();
		expect(findExpirationProblem(limits.latestExpiration + 1, now)?.why).toContain(
			String(limits.latestExpiration + 1),
		);
	});

	test('so is a ttl that ends there', () => {
		expect(findTtlProblem(limits.latestExpiration - now, now)).toBeUndefined();
		expect(findTtlProblem(limits.latestExpiration - now + 1, now)?.what).toBe('The ttl is too long.');
		expect(() => checkLifetime({ttl: limits.latestExpiration}, now)).toThrow('The ttl is too long.');
	});
});

describe('an expiry as it is printed', () => {
	test('is ISO 8601 with whole seconds, in years of more than four digits, too', () => {
		expect(formatExpiration(1_700_000_000)).toBe('2023-11-14T22:13:20Z');
		expect(formatExpiration(1_001_800_000_000)).toBe('+033715-10-12T09:46:40Z');
	});

	test('says the same moment for every moment that a date can tell', () => {
		fc.assert(
			fc.property(fc.integer({min: 0, max: limits.latestExpiration}), seconds => {
				expect(Date.parse(formatExpiration(seconds))).toBe(seconds * 1000);
			}),
		);
	});

	test('stays a number beyond that', () => {
		expect(formatExpiration(99_999_999_999_999)).toBe('99999999999999');
	});
});
