import {describe, expect, test} from 'vitest';
import {type Simulator, migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, json} from '../asking.ts';
import {eventGroups, hour, noon, query, rowsIn, time, withSamples} from './asking-analytics.ts';

const minute = 60_000;
const managed = 'efb7b8c949ac4650a09736fc376e9aee';
/** What an import trips: a rule of the new managed rules that the previous ones do not have. */
const log4j = 'c9197a044477424ae00e69ee45e2ba0f';
const entryPoint = (zone: string, phase: string) => `/zones/${zone}/rulesets/phases/${phase}/entrypoint`;

const counted = async (simulator: Simulator, zone: string, [from, to]: [number, number], filter: string) =>
	(await eventGroups(simulator, zone, [from, to], '', filter)).reduce(
		(sum, {count}) => sum + Number(count),
		0,
	);

/** Puts rules before those that an entry point has. */
async function prepend(simulator: Simulator, zone: string, phase: string, rules: readonly JsonObject[]) {
	const before = await ask(simulator, entryPoint(zone, phase));
	const kept = before.success ? ((before.result as JsonObject).rules as readonly JsonObject[]) : [];
	const {status} = await ask(simulator, entryPoint(zone, phase), json('PUT', {rules: [...rules, ...kept]}));
	expect(status).toBe(200);
}

describe('a change of the rules only changes later events', () => {
	test('an exception for a rule and a path ends its false positives', async () => {
		const {simulator, clock} = withSamples();
		const onImports = `source: "firewallManaged" ruleId: "${log4j}" clientRequestPath: "/api/import"`;
		const before = await counted(simulator, zones.check, [noon - hour, noon], onImports);
		await prepend(simulator, zones.check, 'http_request_firewall_managed', [
			{
				action: 'skip',
				expression: 'http.request.uri.path eq "/api/import"',
				action_parameters: {rules: {[managed]: [log4j]}},
				description: 'Imports',
			},
		]);
		clock.now += 10 * minute;
		expect(before).toBeGreaterThan(30);
		expect(await counted(simulator, zones.check, [noon, clock.now], onImports)).toBe(0);
		expect(await counted(simulator, zones.check, [noon - hour, noon - 2 * minute], onImports)).toBe(before);
		expect(
			await counted(simulator, zones.check, [noon, clock.now], 'source: "firewallManaged"'),
		).toBeGreaterThan(0);
	});

	test('a custom rule has its own events and leaves none of them to the managed rules', async () => {
		const {simulator, clock} = withSamples();
		await prepend(simulator, zones.check, 'http_request_firewall_custom', [
			{action: 'block', expression: 'http.request.uri.path wildcard "/API/imp*"', description: 'No imports'},
		]);
		clock.now += 10 * minute;
		const groups = await eventGroups(
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
		const {simulator, clock} = withSamples();
		const filter = 'source: "firewallCustom"';
		const before = await counted(simulator, zones.done, [noon - hour, noon], filter);
		const {result} = await ask(simulator, entryPoint(zones.done, 'http_request_firewall_custom'));
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
		expect(await counted(simulator, zones.done, [noon - hour, noon - 2 * minute], filter)).toBe(before);
		expect(await counted(simulator, zones.done, [noon, clock.now], filter)).toBe(0);
	});

	test('a new firewall rule blocks, and a paused one does not', async () => {
		const {simulator, clock} = withSamples();
		const scrapers = 'c4ee637c5e06249a89e16bfcef2c4a96';
		const path = `/zones/${zones.acme}/firewall/rules`;
		const {result} = await ask(simulator, `${path}/${scrapers}`);
		await ask(simulator, `${path}/${scrapers}`, json('PUT', {...(result as JsonObject), paused: true}));
		const made = await ask(
			simulator,
			path,
			json('POST', [
				{action: 'block', filter: {expression: 'http.request.uri.path eq "/search"'}, priority: 1},
			]),
		);
		const [{id}] = made.result as [{id: string}];
		clock.now += 20 * minute;
		const blocked = (rule: string, time: [number, number]) =>
			counted(simulator, zones.acme, time, `source: "firewallRules" action: "block" ruleId: "${rule}"`);
		expect(await blocked(scrapers, [noon - hour, noon])).toBeGreaterThan(0);
		expect(await blocked(scrapers, [noon, clock.now])).toBe(0);
		expect(await blocked(id, [noon - hour, noon])).toBe(0);
		expect(await blocked(id, [noon, clock.now])).toBeGreaterThan(0);
	});

	test('a zone has events of both versions once its validation begins', async () => {
		const {simulator, clock} = withSamples();
		const {result} = await ask(simulator, `/zones/${zones.acme}/waf_migration/config?phase_two=1`);
		const {rules} = result as {rules: JsonObject[]};
		const put = json('PUT', {rules: rules.map(({id: _, version: __, ref: ___, ...rule}) => rule)});
		const url = `${entryPoint(zones.acme, 'http_request_firewall_managed')}?waf_migration=validation&phase_two=1`;
		expect((await ask(simulator, url, put)).status).toBe(200);
		clock.now += 10 * minute;
		const groups = (range: [number, number]) =>
			eventGroups(simulator, zones.acme, range, 'source', 'source_in: ["waf", "firewallManaged"]');
		expect((await groups([noon - hour, noon])).map(({dimensions}) => dimensions)).toEqual([{source: 'waf'}]);
		expect((await groups([noon, clock.now])).map(({dimensions}) => dimensions)).toEqual(
			expect.arrayContaining([{source: 'waf'}, {source: 'firewallManaged'}]),
		);
		const imports = 'source: "firewallManaged" action: "block" clientRequestPath: "/api/import"';
		expect(await counted(simulator, zones.acme, [noon, clock.now], imports)).toBeGreaterThan(0);
	});

	test('the previous managed rules have no events once switched off or migrated', async () => {
		const {simulator, clock} = withSamples({migrationSeconds: 300});
		const previous = (from: number, to: number, zone: string) =>
			counted(simulator, zone, [from, to], 'source: "waf"');
		await ask(simulator, `/zones/${zones.plain}/settings/waf`, json('PATCH', {value: 'off'}));
		const {result} = await ask(simulator, `/zones/${zones.shop}/waf_migration/config?phase_two=1`);
		const {rules} = result as {rules: JsonObject[]};
		const put = json('PUT', {
			rules: rules.map(({id: _, version: __, ref: ___, ...rule}) => rule),
		});
		const url = `${entryPoint(zones.shop, 'http_request_firewall_managed')}?waf_migration=pending&phase_two=1`;
		expect((await ask(simulator, url, put)).status).toBe(200);
		clock.now += 20 * minute;
		expect(await previous(noon - hour, noon, zones.plain)).toBeGreaterThan(0);
		expect(await previous(noon, clock.now, zones.plain)).toBe(0);
		expect(await previous(noon, noon + 5 * minute, zones.shop)).toBeGreaterThan(0);
		expect(await previous(noon + 5 * minute, clock.now, zones.shop)).toBe(0);
		const now = await counted(
			simulator,
			zones.shop,
			[noon + 5 * minute, clock.now],
			'source: "firewallManaged" clientRequestPath: "/api/import"',
		);
		expect(now).toBeGreaterThan(0);
	});
});

describe('events', () => {
	test('have a request, a rule and a ray, latest first', async () => {
		const {simulator} = withSamples();
		const events = rowsIn(
			await query(
				simulator,
				`{ viewer { zones(filter: {zoneTag: "${zones.check}"}) { firewallEventsAdaptive(
					filter: {datetime_geq: "${time(noon - hour)}", datetime_leq: "${time(noon)}", source: "firewallManaged"}
					limit: 50 orderBy: [datetime_DESC]
				) { datetime rayName ruleId rulesetId clientIP clientRequestPath clientRequestHTTPHost action } } } }`,
			),
		);
		expect(events).toHaveLength(50);
		const times = events.map(({datetime}) => Date.parse(String(datetime)));
		expect(times).toEqual(times.toSorted((one, other) => other - one));
		// They are a few minutes behind.
		expect(times[0]).toBeLessThan(noon - 2 * minute);
		expect(times[0]).toBeGreaterThan(noon - 5 * minute);
		for (const event of events) expect(event.rayName).toMatch(/^[0-9a-f]{16}$/);
	});

	test('are empty for a zone that is not active', async () => {
		const {simulator} = withSamples();
		const moved = 'c256443891715f74f4f9dcc73d79961c';
		const groups = await query(
			simulator,
			`{ viewer { zones(filter: {zoneTag: "${moved}"}) { firewallEventsAdaptiveGroups(limit: 9) { count } } } }`,
		);
		expect(rowsIn(groups)).toEqual([]);
	});

	test('show partners challenged by the previous managed rules but not by the new ones', async () => {
		const {simulator} = withSamples();
		const groups = await eventGroups(
			simulator,
			zones.check,
			[noon - hour, noon],
			'source action',
			'clientRequestPath: "/partner/orders"',
		);
		expect(groups.map(({dimensions}) => dimensions)).toEqual([{source: 'waf', action: 'challenge'}]);
	});
});
