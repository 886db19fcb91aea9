import {describe, expect, test} from 'vitest';
import {isSameOverride, parseWafOverride} from '../../../source/migration/zone/override.ts';
import type {JsonObject} from '../../../source/text/json.ts';

const kept: JsonObject = {id: 'o1', urls: ['acme.example/*'], rules: {'100015': 'disable'}};
const isSame = (one: JsonObject, other: JsonObject) =>
	isSameOverride(parseWafOverride(one), parseWafOverride(other));

describe('two overrides', () => {
	test.each([
		['an id of its own', {...kept, id: 'o2', zone_id: 'z', modified_on: '2026'}],
		['what holds where nothing is said', {...kept, priority: 0, paused: false, description: ''}],
		['what says nothing', {...kept, groups: {}, rewrite_action: null}],
	])('are the same with %s', (_what, other) => {
		expect(isSame(kept, other)).toBe(true);
	});

	test.each([
		['a field that ledge does not know', {...kept, exempt_methods: ['POST']}],
		[
			'a value that is not a string',
			{...kept, rules: {...(kept.rules as JsonObject), '100016': {mode: 'disable'}}},
		],
		['another URL', {...kept, urls: ['acme.example/pay/*']}],
		['a pause', {...kept, paused: true}],
	])('are not the same with %s', (_what, other) => {
		expect(isSame(kept, other)).toBe(false);
	});
});
