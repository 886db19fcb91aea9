import {describe, expect, test} from 'vitest';
import {parseWafOverride} from '../../../source/migration/zone/override.ts';
import {readWafOverrides} from '../../../source/migration/zone/read-overrides.ts';
import {never} from '../../service/scripted-transport.ts';
import {zone} from '../support/answers.ts';
import {one, zoneWith} from '../support/zone-with-overrides.ts';

describe('reading overrides', () => {
	test('types known fields and keeps everything', async () => {
		const [read] = await readWafOverrides(zoneWith([one]).client, zone.id, never);
		expect(read).toEqual({
			id: 'a1',
			urls: ['shop.example/checkout*'],
			groups: {},
			rules: {100015: 'disable'},
			rewriteAction: {block: 'challenge'},
			paused: false,
			priority: 5,
			description: 'checkout',
			raw: one,
		});
	});

	test('leaves fields of an unknown kind out of the types', () => {
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
