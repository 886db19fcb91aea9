import {describe, expect, test} from 'vitest';
import {sampleZones, migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId, ask, request} from '../asking.ts';
import {createSampleSimulator, hour, noon, query, toTimestamp} from './asking-analytics.ts';

const blogZoneId = '61bf267f4af510ca281c94950d62fbea';

const buildGroupQuery = (zone: string, hours: number, fields = 'count', limit = 10) =>
	`{ viewer { zones(filter: {zoneTag: "${zone}"}) { firewallEventsAdaptiveGroups(
		filter: {datetime_geq: "${toTimestamp(noon - hours * hour)}", datetime_leq: "${toTimestamp(noon)}"} limit: ${limit}
	) { ${fields} } } } }`;

const tooManyFields = `count dimensions { action source ruleId rulesetId clientIP clientAsn clientCountryName userAgent
	clientRequestPath clientRequestQuery clientRequestHTTPHost description date datetime datetimeHour rayName }`;

test.each([
	['a day of a free zone', buildGroupQuery(blogZoneId, 24), undefined],
	[
		'more than a day of a free zone',
		buildGroupQuery(blogZoneId, 25),
		'cannot request data older than 86400s',
	],
	[
		'three days of a pro zone',
		buildGroupQuery(zones.shop, 72),
		"query time range is too large. Time range can't be wider than 86400s",
	],
	[
		'older events of a business zone',
		buildGroupQuery(zones.pay, 73),
		'cannot request data older than 259200s',
	],
	['30 days of an enterprise zone', buildGroupQuery(zones.acme, 720), undefined],
	['too many rows', buildGroupQuery(zones.acme, 1, 'count', 10_001), 'not greater than 10000'],
	['no rows', buildGroupQuery(zones.acme, 1, 'count', 0), 'limit must be positive'],
	[
		'too many fields',
		buildGroupQuery(blogZoneId, 1, tooManyFields),
		'number of fields cannot be more than 15',
	],
	[
		'single events of a free zone',
		`{ viewer { zones(filter: {zoneTag: "${blogZoneId}"}) { firewallEventsAdaptive(limit: 1) { action } } } }`,
		'does not have access to the path firewallEventsAdaptive',
	],
	[
		'eleven zones',
		`{ viewer { zones(filter: {zoneTag_in: ${JSON.stringify(sampleZones.slice(0, 11).map(({id}) => id))}}) { zoneTag } } }`,
		'10 zones',
	],
	[
		'two accounts',
		`{ viewer { accounts(filter: {accountTag_in: ["${accountId}", "${blogZoneId}"]}) { accountTag } } }`,
		'1 account',
	],
	['a missing limit', buildGroupQuery(zones.acme, 1).replace('limit: 10', ''), '(limit:)'],
	['an unknown dimension', buildGroupQuery(zones.acme, 1, 'dimensions { color }'), 'color'],
	[
		'an invalid time',
		buildGroupQuery(zones.acme, 1).replace(toTimestamp(noon), 'today'),
		'error parsing args',
	],
	['a text that is not a query', '{ viewer', 'Syntax Error'],
	['a mutation', 'mutation { viewer { zones } }', 'mutation'],
])('the limits of queries: %s', async (_what, text, problem) => {
	const {simulator} = createSampleSimulator();
	const {status, data, errors} = await query(simulator, text);
	expect(status).toBe(200);
	if (problem === undefined) {
		expect(errors).toBeNull();
		return;
	}
	expect(data).toBeNull();
	expect(errors?.[0]?.message).toContain(problem);
	expect(errors?.[0]?.extensions.timestamp).toBe(toTimestamp(noon));
});

test('the limits can be queried', async () => {
	const {simulator} = createSampleSimulator();
	const settings =
		'settings { firewallEventsAdaptive { enabled notOlderThan maxDuration maxNumberOfFields maxPageSize } }';
	const {data} = await query(
		simulator,
		`{ viewer { zones(filter: {zoneTag_in: ["${blogZoneId}", "${zones.acme}"]}) { zoneTag ${settings} } } }`,
	);
	expect((data?.viewer as JsonObject).zones).toEqual([
		{
			zoneTag: blogZoneId,
			settings: {
				firewallEventsAdaptive: {
					enabled: false,
					notOlderThan: 86_400,
					maxDuration: 86_400,
					maxNumberOfFields: 15,
					maxPageSize: 500,
				},
			},
		},
		{
			zoneTag: zones.acme,
			settings: {
				firewallEventsAdaptive: {
					enabled: true,
					notOlderThan: 2_592_000,
					maxDuration: 2_592_000,
					maxNumberOfFields: 30,
					maxPageSize: 10_000,
				},
			},
		},
	]);
});

describe('permissions', () => {
	const tokens = [
		{value: 'store', grants: ['account-analytics:read']},
		{value: 'events', grants: ['zone-analytics:read']},
	] as const;
	const accountQuery = `{ viewer { accounts(filter: {accountTag: "${accountId}"}) {
		kvOperationsAdaptiveGroups(limit: 1) { sum { requests } }
	} } }`;

	test.each([
		['store', 'the account', accountQuery, true],
		['events', 'the account', accountQuery, false],
		['store', 'a zone', buildGroupQuery(zones.acme, 1), false],
		['events', 'a zone', buildGroupQuery(zones.acme, 1), true],
		['simulated', 'a zone that does not exist', buildGroupQuery(accountId, 1), false],
		['simulated', 'an account that does not exist', accountQuery.replace(accountId, zones.acme), false],
	] as const)('apply to the token %s for %s', async (token, _what, text, allowed) => {
		const {simulator} = createSampleSimulator({tokens: ['simulated', ...tokens]});
		const {status, errors} = await query(simulator, text, {token});
		expect(status).toBe(200);
		if (allowed) expect(errors).toBeNull();
		else
			expect(errors).toEqual([
				expect.objectContaining({
					message: expect.stringContaining('not authorized'),
					extensions: {timestamp: toTimestamp(noon), code: 'authz'},
				}),
			]);
	});

	test('reject an unknown token as everywhere else', async () => {
		const {simulator} = createSampleSimulator();
		const response = await simulator.fetch(
			new Request(
				request('/graphql', {method: 'POST', body: '{}', headers: {authorization: 'Bearer other'}}),
			),
		);
		expect(response.status).toBe(403);
	});
});

test('queries have their own quota', async () => {
	const {simulator, clock} = createSampleSimulator();
	const text = `{ viewer { zones(filter: {zoneTag: "${blogZoneId}"}) { zoneTag } } }`;
	for (let number = 0; number < 300; number++) expect((await query(simulator, text)).status).toBe(200);
	const refused = await query(simulator, text);
	expect(refused.status).toBe(429);
	const {headers} = await ask(simulator, '/zones');
	expect(headers.get('x-ratelimit-remaining')).toBe('1199');
	clock.now += 301_000;
	expect((await query(simulator, text)).status).toBe(200);
});

test.each([
	'',
	'no',
	'[]',
	'{"variables":{}}',
])('a body without a query is rejected with 400: %j', async body => {
	const {simulator} = createSampleSimulator();
	const response = await simulator.fetch(request('/graphql', {method: 'POST', body}));
	expect(response.status).toBe(400);
	expect(await response.json()).toMatchObject({data: null, errors: [{path: null}]});
});
