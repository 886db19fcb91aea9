import {describe, expect, test} from 'vitest';
import {type Simulator, migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, json} from '../asking.ts';
import {
	createSampleSimulator,
	getFirstRows,
	hour,
	noon,
	query,
	queryEventGroups,
	toTimestamp,
} from './asking-analytics.ts';

const minute = 60_000;
const managedRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
/**
 * Rule of the new managed rules that the sample requests to /api/import trigger; the previous managed rules
 * have no such rule.
 */
const log4jRuleId = 'c9197a044477424ae00e69ee45e2ba0f';
const getEntryPointPath = (zone: string, phase: string) =>
	`/zones/${zone}/rulesets/phases/${phase}/entrypoint`;

const countEvents = async (
	simulator: Simulator,
	zone: string,
	[from, to]: [number, number],
	filter: string,
) =>
	(await queryEventGroups(simulator, zone, [from, to], '', filter)).reduce(
		(sum, {count}) => sum + Number(count),
		0,
	);

/** Inserts rules before the existing ones of an entry point. */
async function prepend(simulator: Simulator, zone: string, phase: string, rules: readonly JsonObject[]) {
	const currentResponse = await ask(simulator, getEntryPointPath(zone, phase));
	const existingRules = currentResponse.success
		? ((currentResponse.result as JsonObject).rules as readonly JsonObject[])
		: [];
	const {status} = await ask(
		simulator,
		getEntryPointPath(zone, phase),
		json('PUT', {rules: [...rules, ...existingRules]}),
	);
	expect(status).toBe(200);
}

describe('a change of the rules only changes later events', () => {
	test('an exception for a rule and a path ends its false positives', async () => {
		const {simulator, clock} = createSampleSimulator();
		const importFilter = `source: "firewallManaged" ruleId: "${log4jRuleId}" clientRequestPath: "/api/import"`;
		const before = await countEvents(simulator, zones.check, [noon - hour, noon], importFilter);
		await prepend(simulator, zones.check, 'http_request_firewall_managed', [
			{
				action: 'skip',
				expression: 'http.request.uri.path eq "/api/import"',
				action_parameters: {rules: {[managedRulesetId]: [log4jRuleId]}},
				description: 'Imports',
			},
		]);
		clock.now += 10 * minute;
		expect(before).toBeGreaterThan(30);
		expect(await countEvents(simulator, zones.check, [noon, clock.now], importFilter)).toBe(0);
		expect(await countEvents(simulator, zones.check, [noon - hour, noon - 2 * minute], importFilter)).toBe(
			before,
		);
		expect(
			await countEvents(simulator, zones.check, [noon, clock.now], 'source: "firewallManaged"'),
		).toBeGreaterThan(0);
	});

	test('a custom rule has its own events, and the managed rules have none for what it blocks', async () => {
		const {simulator, clock} = createSampleSimulator();
		await prepend(simulator, zones.check, 'http_request_firewall_custom', [
			{action: 'block', expression: 'http.request.uri.path wildcard "/API/imp*"', description: 'No imports'},
		]);
		clock.now += 10 * minute;
		const groups = await queryEventGroups(
			simulator,
			zones.check,
			[noon, clock.now],
			'source action description',
			'clientRequestPath: "/api/import"',
		);
		expect(groups.map(({dimensions}) => dimensions)).toEqual([
			{source: 'firewallCustom', action: 'block', description: 'No imports'},
		]);
	});

	test('a deleted ruleset keeps its earlier events', async () => {
		const {simulator, clock} = createSampleSimulator();
		const filter = 'source: "firewallCustom"';
		const before = await countEvents(simulator, zones.done, [noon - hour, noon], filter);
		const {result} = await ask(simulator, getEntryPointPath(zones.done, 'http_request_firewall_custom'));
		await simulator.fetch(
			new Request(
				`http://simulated.invalid/client/v4/zones/${zones.done}/rulesets/${(result as JsonObject).id}`,
				{
					method: 'DELETE',
					headers: {authorization: 'Bearer simulated'},
				},
			),
		);
		clock.now += 10 * minute;
		expect(before).toBeGreaterThan(0);
		expect(await countEvents(simulator, zones.done, [noon - hour, noon - 2 * minute], filter)).toBe(before);
		expect(await countEvents(simulator, zones.done, [noon, clock.now], filter)).toBe(0);
	});

	test('a new firewall rule blocks, and a paused one does not', async () => {
		const {simulator, clock} = createSampleSimulator();
		const scrapersRuleId = 'c4ee637c5e06249a89e16bfcef2c4a96';
		const path = `/zones/${zones.acme}/firewall/rules`;
		const {result} = await ask(simulator, `${path}/${scrapersRuleId}`);
		await ask(simulator, `${path}/${scrapersRuleId}`, json('PUT', {...(result as JsonObject), paused: true}));
		const createResponse = await ask(
			simulator,
			path,
			json('POST', [
				{action: 'block', filter: {expression: 'http.request.uri.path eq "/search"'}, priority: 1},
			]),
		);
		const [{id}] = createResponse.result as [{id: string}];
		clock.now += 20 * minute;
		const countBlocked = (rule: string, period: [number, number]) =>
			countEvents(simulator, zones.acme, period, `source: "firewallRules" action: "block" ruleId: "${rule}"`);
		expect(await countBlocked(scrapersRuleId, [noon - hour, noon])).toBeGreaterThan(0);
		expect(await countBlocked(scrapersRuleId, [noon, clock.now])).toBe(0);
		expect(await countBlocked(id, [noon - hour, noon])).toBe(0);
		expect(await countBlocked(id, [noon, clock.now])).toBeGreaterThan(0);
	});

	test('a firewall rule with an end blocks before the managed rules do, until then', async () => {
		const {simulator, clock} = createSampleSimulator();
		const end = noon + 20 * minute;
		const expression = `(ip.src eq 198.51.100.201) and http.request.timestamp.sec lt ${end / 1000}`;
		const {result} = await ask(
			simulator,
			`/zones/${zones.acme}/firewall/rules`,
			json('POST', [{action: 'block', filter: {expression}, priority: 0}]),
		);
		const [{id}] = result as [{id: string}];
		clock.now += hour;
		const count = (source: string, period: [number, number]) =>
			countEvents(simulator, zones.acme, period, `source: "${source}" clientIP: "198.51.100.201"`);
		const countByRule = (period: [number, number]) =>
			countEvents(simulator, zones.acme, period, `source: "firewallRules" ruleId: "${id}"`);
		expect(await count('waf', [noon - hour, noon])).toBeGreaterThan(0);
		expect(await count('waf', [noon, end])).toBe(0);
		expect(await countByRule([noon, end])).toBeGreaterThan(0);
		expect(await countByRule([end, clock.now])).toBe(0);
		expect(await count('waf', [end, clock.now])).toBeGreaterThan(0);
	});

	test('a zone has events of both versions once its validation begins', async () => {
		const {simulator, clock} = createSampleSimulator();
		const {result} = await ask(simulator, `/zones/${zones.acme}/waf_migration/config?phase_two=1`);
		const {rules} = result as {rules: JsonObject[]};
		const put = json('PUT', {rules: rules.map(({id: _, version: __, ref: ___, ...rule}) => rule)});
		const url = `${getEntryPointPath(zones.acme, 'http_request_firewall_managed')}?waf_migration=validation&phase_two=1`;
		expect((await ask(simulator, url, put)).status).toBe(200);
		clock.now += 10 * minute;
		const queryGroups = (range: [number, number]) =>
			queryEventGroups(simulator, zones.acme, range, 'source', 'source_in: ["waf", "firewallManaged"]');
		expect((await queryGroups([noon - hour, noon])).map(({dimensions}) => dimensions)).toEqual([
			{source: 'waf'},
		]);
		expect((await queryGroups([noon, clock.now])).map(({dimensions}) => dimensions)).toEqual(
			expect.arrayContaining([{source: 'waf'}, {source: 'firewallManaged'}]),
		);
		const importFilter = 'source: "firewallManaged" action: "block" clientRequestPath: "/api/import"';
		expect(await countEvents(simulator, zones.acme, [noon, clock.now], importFilter)).toBeGreaterThan(0);
	});

	test('the previous managed rules have no events once switched off or migrated', async () => {
		const {simulator, clock} = createSampleSimulator({migrationSeconds: 300});
		const countPreviousEvents = (from: number, to: number, zone: string) =>
			countEvents(simulator, zone, [from, to], 'source: "waf"');
		await ask(simulator, `/zones/${zones.plain}/settings/waf`, json('PATCH', {value: 'off'}));
		const {result} = await ask(simulator, `/zones/${zones.shop}/waf_migration/config?phase_two=1`);
		const {rules} = result as {rules: JsonObject[]};
		const put = json('PUT', {
			rules: rules.map(({id: _, version: __, ref: ___, ...rule}) => rule),
		});
		const url = `${getEntryPointPath(zones.shop, 'http_request_firewall_managed')}?waf_migration=pending&phase_two=1`;
		expect((await ask(simulator, url, put)).status).toBe(200);
		clock.now += 20 * minute;
		expect(await countPreviousEvents(noon - hour, noon, zones.plain)).toBeGreaterThan(0);
		expect(await countPreviousEvents(noon, clock.now, zones.plain)).toBe(0);
		expect(await countPreviousEvents(noon, noon + 5 * minute, zones.shop)).toBeGreaterThan(0);
		expect(await countPreviousEvents(noon + 5 * minute, clock.now, zones.shop)).toBe(0);
		const importCount = await countEvents(
			simulator,
			zones.shop,
			[noon + 5 * minute, clock.now],
			'source: "firewallManaged" clientRequestPath: "/api/import"',
		);
		expect(importCount).toBeGreaterThan(0);
	});
});

describe('events', () => {
	test('have a request, a rule and a ray, latest first', async () => {
		const {simulator} = createSampleSimulator();
		const events = getFirstRows(
			await query(
				simulator,
				`{ viewer { zones(filter: {zoneTag: "${zones.check}"}) { firewallEventsAdaptive(
					filter: {datetime_geq: "${toTimestamp(noon - hour)}", datetime_leq: "${toTimestamp(noon)}", source: "firewallManaged"}
					limit: 50 orderBy: [datetime_DESC]
				) { datetime rayName ruleId rulesetId clientIP clientRequestPath clientRequestHTTPHost action } } } }`,
			),
		);
		expect(events).toHaveLength(50);
		const times = events.map(({datetime}) => Date.parse(String(datetime)));
		expect(times).toEqual(times.toSorted((one, other) => other - one));
		// Events appear a few minutes late.
		expect(times[0]).toBeLessThan(noon - 2 * minute);
		expect(times[0]).toBeGreaterThan(noon - 5 * minute);
		for (const event of events) expect(event.rayName).toMatch(/^[0-9a-f]{16}$/);
	});

	test('are empty for a zone that is not active', async () => {
		const {simulator} = createSampleSimulator();
		const movedZoneId = 'c256443891715f74f4f9dcc73d79961c';
		const groups = await query(
			simulator,
			`{ viewer { zones(filter: {zoneTag: "${movedZoneId}"}) { firewallEventsAdaptiveGroups(limit: 9) { count } } } }`,
		);
		expect(getFirstRows(groups)).toEqual([]);
	});

	test('show partners challenged by the previous managed rules but not by the new ones', async () => {
		const {simulator} = createSampleSimulator();
		const groups = await queryEventGroups(
			simulator,
			zones.check,
			[noon - hour, noon],
			'source action',
			'clientRequestPath: "/partner/orders"',
		);
		expect(groups.map(({dimensions}) => dimensions)).toEqual([{source: 'waf', action: 'challenge'}]);
	});
});
