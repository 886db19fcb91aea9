import {expect, test} from 'vitest';
import {describeStartEffect, describeStopEffect} from '../../../source/screens/firewall/effects.ts';

test.each([
	['bypass', ['waf'], 'Requests that bypass waf are immediately checked by it again.'],
	['bypass', ['waf', 'bic'], 'Requests that bypass waf and bic are immediately checked by them again.'],
	[
		'skip',
		['remaining', 'rate-limits', 'waf'],
		'Requests that skip all later custom rules, rate limits and waf are immediately checked again.',
	],
])('a %s rule that stops names everything that checks again', (action, products, expected) => {
	expect(describeStopEffect({action, products})).toBe(expected);
});

test('a skip rule that starts says what later rules are skipped', () => {
	expect(describeStartEffect({action: 'skip', products: ['remaining', 'uaBlock']})).toBe(
		'Matching requests immediately skip all later custom rules and uaBlock.',
	);
});
