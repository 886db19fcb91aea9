import {describe, expect, test} from 'vitest';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';
import {ask, json} from '../asking.ts';
import {getListedObjects} from '../firewall/firewall.ts';
import {createSampleExecuteRule, getResultObject, platformRulesetId, wafPackageIds} from './migrating.ts';

const id = '00112233445566778899aabbccddeeff';
const foreignRuleId = 'aabbccddeeff00112233445566778899';
const groupId = 'de677e5818985db1285d0e80225f06e5';

const proposed = {
	name: 'default',
	rules: [
		{
			id: '',
			...createSampleExecuteRule(),
			action_parameters: {
				id: platformRulesetId,
				overrides: {rules: [{id: foreignRuleId, action: 'log', enabled: true}]},
			},
		},
	],
};

const createSeed = (snapshotFields: Partial<Snapshot> = {}): Snapshot =>
	buildBareSnapshot({
		place: 'https://api.example',
		zone: {id, name: 'real.example', plan: 'enterprise', label: 'zone real.example', account: undefined},
		check: {compatible: true, migration_state: 'start'},
		status: {migration_state: 'start'},
		waf: {id: 'waf', value: 'off', modified_on: '2026-01-02T03:04:05Z'},
		packages: [
			{
				package: {id: wafPackageIds.owasp, name: 'Scores', detection_mode: 'anomaly', sensitivity: 'low'},
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
		...snapshotFields,
	});

function createSeededZone(snapshotFields: Partial<Snapshot> = {}) {
	const simulator = createSimulator({seed: createSeed(snapshotFields), rateLimit: false});
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
		const {simulator} = createSeededZone();
		const zones = getListedObjects(await ask(simulator, '/zones'));
		expect(zones).toMatchObject([{id, name: 'real.example', plan: {legacy_id: 'enterprise'}}]);
	});

	test('returns what was read there', async () => {
		const {call} = createSeededZone();
		const snapshot = createSeed();
		expect((await call('/settings/waf')).result).toMatchObject(snapshot.waf ?? {});
		expect((await call('/pagerules')).result).toEqual(snapshot.pageRules);
		expect((await call('/firewall/rules')).result).toMatchObject(snapshot.firewallRules);
		const path = `/firewall/waf/packages/${wafPackageIds.owasp}`;
		expect((await call('/firewall/waf/packages')).result).toMatchObject([snapshot.packages[0]?.package]);
		expect((await call(`${path}/groups`)).result).toEqual(snapshot.packages[0]?.groups);
		expect((await call(`${path}/rules`)).result).toEqual(snapshot.packages[0]?.rules);
		expect((await call('/waf_migration/config?phase_two=1')).result).toEqual(proposed);
	});

	test('hides managed rulesets whose rules are unknown', async () => {
		const {call} = createSeededZone();
		for (const path of ['', '/versions', '/versions/34'])
			expect((await call(`/rulesets/efb7b8c949ac4650a09736fc376e9aee${path}`)).status).toBe(404);
	});

	test('accepts rules of managed rulesets that are only known there', async () => {
		const {call, put} = createSeededZone();
		expect((await put(proposed.rules)).errors).toEqual([]);
		// Their other rules are unknown, so the ruleset is not shown.
		expect((await call(`/rulesets/${platformRulesetId}`)).status).toBe(404);
	});

	test('accepts an unknown expression if it was proposed there', async () => {
		const unknownRule = {...createSampleExecuteRule(), expression: 'field.of.tomorrow eq 1'};
		expect(
			(await createSeededZone({proposed: {name: 'default', rules: [unknownRule]}}).put([unknownRule])).status,
		).toBe(200);
		expect((await createSeededZone().put([unknownRule])).status).toBe(400);
	});

	test('proposes nothing if nothing was proposed there', async () => {
		expect((await createSeededZone({proposed: null}).call('/waf_migration/config')).status).toBe(404);
	});

	test('has empty lists for everything that was not read', async () => {
		const {call} = createSeededZone({packages: [], pageRules: [], waf: null});
		expect((await call('/firewall/waf/packages')).result).toEqual([]);
		expect((await call('/pagerules')).result).toEqual([]);
	});

	test('makes its zone eligible once the overrides are deleted', async () => {
		const override = {id: 'e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0', urls: ['a/*'], rules: {}};
		const {call, put} = createSeededZone({check: {compatible: false}, overrides: [override]});
		expect((await call('/firewall/waf/overrides')).result).toEqual([override]);
		expect((await put([createSampleExecuteRule()])).status).toBe(400);
		await call(`/firewall/waf/overrides/${override.id}`, {method: 'DELETE'});
		expect((await put([createSampleExecuteRule()])).status).toBe(200);
	});

	test('keeps its zone ineligible if nothing that was read explains why', async () => {
		const {call} = createSeededZone({check: {compatible: false}});
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
		const {call, put} = createSeededZone({status: {migration_state: 'validation'}, entryPoint});
		const path = '/rulesets/phases/http_request_firewall_managed/entrypoint';
		expect((await call(path)).result).toEqual(entryPoint);
		expect((await call('/waf_migration/status')).result).toMatchObject({migration_state: 'validation'});
		expect(getResultObject(await put([createSampleExecuteRule()])).version).toBe('8');
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
			const idSuffix = index.toString(16).padStart(31, '0');
			return {
				id: `a${idSuffix}`,
				action: 'bypass',
				products: ['waf'],
				filter: {id: `b${idSuffix}`, expression, paused: false},
			};
		});
		expect((await createSeededZone({firewallRules}).put([createSampleExecuteRule()])).status).toBe(status);
	});

	test('is the same after a reset', async () => {
		const {simulator, call} = createSeededZone();
		await call('/settings/waf', json('PATCH', {value: 'on'}));
		simulator.reset();
		expect(getResultObject(await call('/settings/waf')).value).toBe('off');
	});
});
