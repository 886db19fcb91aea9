import {describe, expect, test} from 'vitest';
import {parseWafOverride} from '../../../source/migration/zone/override.ts';
import {readWafOverrides} from '../../../source/migration/zone/read-overrides.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {zone} from '../support/answers.ts';
import {checkoutOverride, createZoneWithOverrides} from '../support/zone-with-overrides.ts';

describe('reading overrides', () => {
	test('parses known fields and keeps the original', async () => {
		const [override] = await readWafOverrides(
			createZoneWithOverrides([checkoutOverride]).client,
			zone.id,
			neverAbortedSignal,
		);
		expect(override).toEqual({
			id: 'a1',
			urls: ['shop.example/checkout*'],
			groups: {},
			rules: {100015: 'disable'},
			rewriteAction: {block: 'challenge'},
			paused: false,
			priority: 5,
			description: 'checkout',
			raw: checkoutOverride,
		});
	});

	test('drops values of the wrong type', () => {
		expect(
			parseWafOverride({id: 'x', urls: 'all', groups: [], rules: {a: 1, b: 'log'}, paused: 'yes'}),
		).toMatchObject({
			urls: [],
			groups: {},
			rules: {b: 'log'},
			paused: false,
			priority: undefined,
		});
	});
});
