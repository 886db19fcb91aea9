import {describe, expect, test} from 'vitest';
import {isSameOverride, parseWafOverride} from '../../../source/migration/zone/override.ts';
import type {JsonObject} from '../../../source/text/json.ts';

const storedOverride: JsonObject = {id: 'o1', urls: ['acme.example/*'], rules: {'100015': 'disable'}};
const isSame = (one: JsonObject, other: JsonObject) =>
	isSameOverride(parseWafOverride(one), parseWafOverride(other));

describe('two overrides', () => {
	test.each([
		['an id of its own', {...storedOverride, id: 'o2', zone_id: 'z', modified_on: '2026'}],
		['the default values given explicitly', {...storedOverride, priority: 0, paused: false, description: ''}],
		['empty settings', {...storedOverride, groups: {}, rewrite_action: null}],
	])('are the same with %s', (_what, other) => {
		expect(isSame(storedOverride, other)).toBe(true);
	});

	test.each([
		['a field that ledge does not know', {...storedOverride, exempt_methods: ['POST']}],
		[
			'a value that is not a string',
			{...storedOverride, rules: {...(storedOverride.rules as JsonObject), '100016': {mode: 'disable'}}},
		],
		['another URL', {...storedOverride, urls: ['acme.example/pay/*']}],
		['a pause', {...storedOverride, paused: true}],
	])('are not the same with %s', (_what, other) => {
		expect(isSame(storedOverride, other)).toBe(false);
	});
});
