import {expect, test} from 'vitest';
import {startListener, migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, json} from '../asking.ts';
import {createSampleSimulator, hour, noon, queryEventGroups} from './asking-analytics.ts';

const platformRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f';
const thresholdRuleId = '6179ae15870a4bb7b2d480d4843b323c';
const log4jRuleId = 'c9197a044477424ae00e69ee45e2ba0f';
const entryPointPath = `/zones/${zones.check}/rulesets/phases/http_request_firewall_managed/entrypoint`;

const executeRule = (id: string, overrides: JsonObject = {}, otherFields: JsonObject = {}): JsonObject => ({
	action: 'execute',
	expression: 'true',
	action_parameters: {id, overrides},
	...otherFields,
});
const skipRule = (action_parameters: JsonObject, expression = 'true'): JsonObject => ({
	action: 'skip',
	expression,
	action_parameters,
	logging: {enabled: false},
});

/** Replaces all rules, waits an hour, and returns the outcomes of the events that match `filter`. */
async function queryOutcomes(rules: readonly JsonObject[], filter: string): Promise<readonly string[]> {
	const {simulator, clock} = createSampleSimulator();
	const {status, errors} = await ask(simulator, entryPointPath, json('PUT', {rules}));
	expect(errors).toEqual([]);
	expect(status).toBe(200);
	clock.now += hour;
	const groups = await queryEventGroups(
		simulator,
		zones.check,
		[noon, clock.now],
		'source action ruleId',
		filter,
	);
	return groups
		.map(({dimensions}) => dimensions as JsonObject)
		.map(({source, action, ruleId}) => `${source} ${action}${ruleId === thresholdRuleId ? ' by score' : ''}`)
		.sort();
}

const importFilter = 'clientRequestPath: "/api/import"';
const searchFilter = 'clientRequestPath: "/search"';

test.each<[string, readonly JsonObject[], string, readonly string[]]>([
	['unchanged', [executeRule(platformRulesetId)], importFilter, ['firewallManaged block']],
	['switched off', [executeRule(platformRulesetId, {}, {enabled: false})], importFilter, []],
	[
		'for another host',
		[executeRule(platformRulesetId, {}, {expression: 'http.host eq "other.example"'})],
		importFilter,
		[],
	],
	['logging', [executeRule(platformRulesetId, {action: 'log'})], importFilter, ['firewallManaged log']],
	[
		'a category that challenges',
		[executeRule(platformRulesetId, {categories: [{category: 'apache-log4j', action: 'js_challenge'}]})],
		importFilter,
		['firewallManaged jschallenge'],
	],
	[
		'a rule that is off in a category that is on',
		[
			executeRule(platformRulesetId, {
				categories: [{category: 'apache-log4j', enabled: true}],
				rules: [{id: log4jRuleId, enabled: false}],
			}),
		],
		importFilter,
		[],
	],
	[
		'all later rules skipped',
		[skipRule({ruleset: 'current'}), executeRule(platformRulesetId)],
		importFilter,
		[],
	],
	[
		'the ruleset skipped',
		[skipRule({rulesets: [platformRulesetId]}), executeRule(platformRulesetId)],
		importFilter,
		[],
	],
	[
		'another ruleset skipped',
		[skipRule({rulesets: [owaspRulesetId]}), executeRule(platformRulesetId)],
		importFilter,
		['firewallManaged block'],
	],
	[
		'skipped too late',
		[executeRule(platformRulesetId), skipRule({ruleset: 'current'})],
		importFilter,
		['firewallManaged block'],
	],
	[
		'skipped on another path',
		[skipRule({ruleset: 'current'}, 'http.request.uri.path eq "/"'), executeRule(platformRulesetId)],
		importFilter,
		['firewallManaged block'],
	],
	[
		'a score above the threshold, with the action of the override',
		[
			executeRule(owaspRulesetId, {
				rules: [{id: thresholdRuleId, score_threshold: 40, action: 'managed_challenge'}],
			}),
		],
		searchFilter,
		['firewallManaged managed_challenge by score'],
	],
	[
		'a score below the threshold, which leaves the request to the previous rules',
		[executeRule(owaspRulesetId, {rules: [{id: thresholdRuleId, score_threshold: 500}]})],
		searchFilter,
		['waf challenge', 'waf log'],
	],
	[
		'a score of few rules, because the paranoia levels above the first are off',
		[
			executeRule(owaspRulesetId, {
				categories: [2, 3, 4].map(level => ({category: `paranoia-level-${level}`, enabled: false})),
				rules: [{id: thresholdRuleId, score_threshold: 40, action: 'block'}],
			}),
		],
		searchFilter,
		['waf challenge', 'waf log'],
	],
	[
		'a log of both versions',
		[
			executeRule(platformRulesetId),
			executeRule(owaspRulesetId, {rules: [{id: thresholdRuleId, score_threshold: 40, action: 'log'}]}),
		],
		searchFilter,
		['firewallManaged log', 'firewallManaged log by score', 'waf challenge', 'waf log'],
	],
])('the new managed rules: %s', async (_what, rules, filter, expected) => {
	expect(await queryOutcomes(rules, filter)).toEqual(expected);
});

test('a server answers queries too', async () => {
	const {simulator} = createSampleSimulator();
	await using server = await startListener(simulator, {port: 0});
	const response = await fetch(`${server.url}/graphql`, {
		method: 'POST',
		headers: {authorization: 'Bearer simulated', 'content-type': 'application/json'},
		body: JSON.stringify({
			query: `query ($zone: string) { viewer { zones(filter: {zoneTag: $zone}) { firewallEventsAdaptiveGroups(limit: 1) { count } } } }`,
			variables: {zone: zones.acme},
		}),
	});
	expect(response.headers.get('content-type')).toBe('application/json');
	expect(await response.json()).toEqual({
		data: {viewer: {zones: [{firewallEventsAdaptiveGroups: [{count: expect.any(Number)}]}]}},
		errors: null,
	});
});
