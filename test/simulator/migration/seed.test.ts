import {describe, expect, test} from 'vitest';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {bareSnapshot} from '../../support/snapshot.ts';
import {ask, json} from '../asking.ts';
import {listed} from '../firewall/firewall.ts';
import {execute, objectIn, packages, platformRuleset} from './migrating.ts';

const id = '00112233445566778899aabbccddeeff';
const foreignRule = 'aabbccddeeff00112233445566778899';
const groupId = 'de677e5818985db1285d0e80225f06e5';

const proposed = {
	name: 'default',
	rules: [
		{
			id: '',
			...execute(),
			action_parameters: {
				id: platformRuleset,
				overrides: {rules: [{id: foreignRule, action: 'log', enabled: true}]},
			},
		},
	],
};

const seed = (more: Partial<Snapshot> = {}): Snapshot =>
	bareSnapshot({
		place: 'https://api.example',
		zone: {id, name: 'real.example', plan: 'enterprise', label: 'zone real.example', account: undefined},
		check: {compatible: true, migration_state: 'start'},
		status: {migration_state: 'start'},
		waf: {id: 'waf', value: 'off', modified_on: '2026-01-02T03:04:05Z'},
		packages: [
			{
				package: {id: packages.owasp, name: 'Scores', detection_mode: 'anomaly', sensitivity: 'low'},
				groups: [{id: groupId, name: 'Group', mode: 'off', rules_count: 4, modified_rules_count: 2}],
				rules: [{id: '1', mode: 'on', allowed_modes: ['on', 'off'], group: {id: groupId, name: 'Group'}}],
			},
		],
		firewallRules: [
			{
				id: 'f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0',
				action: 'bypass',
				products: ['waf'],
				filter: {id: 'f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1', expression: 'not yet known to us', paused: false},
			},
		],
		pageRules: [{id: 'f2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f2', targets: [], actions: [{id: 'waf', value: 'on'}]}],
		proposed,
		...more,
	});

function seeded(more: Partial<Snapshot> = {}) {
	const simulator = createSimulator({seed: seed(more), rateLimit: false});
	const call = (path: string, init?: RequestInit) => ask(simulator, `/zones/${id}${path}`, init);
	const put = (rules: readonly JsonObject[]) =>
		call(
			'/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1',
			json('PUT', {rules}),
		);
	return {simulator, call, put};
}

describe('a world seeded with a zone from elsewhere', () => {
	test('holds only that zone', async () => {
		const {simulator} = seeded();
		const zones = listed(await ask(simulator, '/zones'));
		expect(zones).toMatchObject([{id, name: 'real.example', plan: {legacy_id: 'enterprise'}}]);
	});

	test('returns what was read there', async () => {
		const {call} = seeded();
		const given = seed();
		expect((await call('/settings/waf')).result).toMatchObject(given.waf ?? {});
		expect((await call('/pagerules')).result).toEqual(given.pageRules);
		expect((await call('/firewall/rules')).result).toMatchObject(given.firewallRules);
		const path = `/firewall/waf/packages/${packages.owasp}`;
		expect((await call('/firewall/waf/packages')).result).toMatchObject([given.packages[0]?.package]);
		expect((await call(`${path}/groups`)).result).toEqual(given.packages[0]?.groups);
		expect((await call(`${path}/rules`)).result).toEqual(given.packages[0]?.rules);
		expect((await call('/waf_migration/config?phase_two=1')).result).toEqual(proposed);
	});

	test('hides managed rulesets whose rules are unknown', async () => {
		const {call} = seeded();
		for (const path of ['', '/versions', '/versions/34'])
			expect((await call(`/rulesets/efb7b8c949ac4650a09736fc376e9aee${path}`)).status).toBe(404);
	});

	test('accepts rules of managed rulesets that are only known there', async () => {
		const {call, put} = seeded();
		expect((await put(proposed.rules)).errors).toEqual([]);
		// What else they hold is not known, so that they are not shown.
		expect((await call(`/rulesets/${platformRuleset}`)).status).toBe(404);
	});

	test('accepts an unknown expression if it was proposed there', async () => {
		const unknown = {...execute(), expression: 'field.of.tomorrow eq 1'};
		expect((await seeded({proposed: {name: 'default', rules: [unknown]}}).put([unknown])).status).toBe(200);
		expect((await seeded().put([unknown])).status).toBe(400);
	});

	test('proposes nothing if nothing was proposed there', async () => {
		expect((await seeded({proposed: null}).call('/waf_migration/config')).status).toBe(404);
	});

	test('has empty lists for everything that was not read', async () => {
		const {call} = seeded({packages: [], pageRules: [], waf: null});
		expect((await call('/firewall/waf/packages')).result).toEqual([]);
		expect((await call('/pagerules')).result).toEqual([]);
	});

	test('makes its zone eligible once the overrides are deleted', async () => {
		const override = {id: 'e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0', urls: ['a/*'], rules: {}};
		const {call, put} = seeded({check: {compatible: false}, overrides: [override]});
		expect((await call('/firewall/waf/overrides')).result).toEqual([override]);
		expect((await put([execute()])).status).toBe(400);
		await call(`/firewall/waf/overrides/${override.id}`, {method: 'DELETE'});
		expect((await put([execute()])).status).toBe(200);
	});

	test('keeps its zone ineligible if nothing that was read explains why', async () => {
		const {call} = seeded({check: {compatible: false}});
		expect((await call('/waf_migration/check?phase_two=1')).result).toEqual({compatible: false});
	});

	test('keeps the stage and the entry point of the zone', async () => {
		const entryPoint = {
			id: 'c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',
			name: 'default',
			kind: 'zone',
			phase: 'http_request_firewall_managed',
			version: '7',
			rules: [],
		};
		const {call, put} = seeded({status: {migration_state: 'validation'}, entryPoint});
		const path = '/rulesets/phases/http_request_firewall_managed/entrypoint';
		expect((await call(path)).result).toEqual(entryPoint);
		expect((await call('/waf_migration/status')).result).toMatchObject({migration_state: 'validation'});
		expect(objectIn(await put([execute()])).version).toBe('8');
	});

	test.each([
		[200, 'acme', 200],
		[201, 'acme', 400],
		[1, 'x'.repeat(4096), 200],
		[1, 'x'.repeat(4097), 400],
		[1, `${'é'.repeat(2048)}`, 200],
		[1, `${'é'.repeat(2048)}x`, 400],
	])('with %i firewall rules to migrate, of %s, gives %i', async (count, expression, status) => {
		const firewallRules = Array.from({length: count}, (_, index) => {
			const at = index.toString(16).padStart(31, '0');
			return {
				id: `a${at}`,
				action: 'bypass',
				products: ['waf'],
				filter: {id: `b${at}`, expression, paused: false},
			};
		});
		expect((await seeded({firewallRules}).put([execute()])).status).toBe(status);
	});

	test('is the same after a reset', async () => {
		const {simulator, call} = seeded();
		await call('/settings/waf', json('PATCH', {value: 'on'}));
		simulator.reset();
		expect(objectIn(await call('/settings/waf')).value).toBe('off');
	});
});
