import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatExpiration} from '../../source/kv/keys.ts';
import {checkLifetime, findExpirationProblem, findTtlProblem, limits} from '../../source/kv/limits.ts';

const now = 1_800_000_000;

describe('the lifetime of a key', () => {
	test('is refused, with the figure, if its expiration is beyond any date', () => {
		expect(findExpirationProblem(limits.latestExpiration, now)).toBeUndefined();
		expect(findExpirationProblem(limits.latestExpiration + 1, now)?.why).toContain(
			String(limits.latestExpiration + 1),
		);
	});

	test('is refused if its ttl ends beyond any date', () => {
		expect(findTtlProblem(limits.latestExpiration - now, now)).toBeUndefined();
		expect(findTtlProblem(limits.latestExpiration - now + 1, now)?.what).toBe('The ttl is too long.');
		expect(() => checkLifetime({ttl: limits.latestExpiration}, now)).toThrow('The ttl is too long.');
	});
});

describe('a printed expiry', () => {
	test('is ISO 8601 with whole seconds, even for years of more than four digits', () => {
		expect(formatExpiration(1_700_000_000)).toBe('2023-11-14T22:13:20Z');
		expect(formatExpiration(1_001_800_000_000)).toBe('+033715-10-12T09:46:40Z');
	});

	test('is the same moment for every valid date', () => {
		fc.assert(
			fc.property(fc.integer({min: 0, max: limits.latestExpiration}), seconds => {
				expect(Date.parse(formatExpiration(seconds))).toBe(seconds * 1000);
			}),
		);
	});

	test('stays a number beyond any date', () => {
		expect(formatExpiration(99_999_999_999_999)).toBe('99999999999999');
	});
});
