import {expect, test} from 'vitest';
import {startListener, migrationZones as zones} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, json} from '../asking.ts';
import {eventGroups, hour, noon, withSamples} from './asking-analytics.ts';

const platform = 'efb7b8c949ac4650a09736fc376e9aee';
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f';
const threshold = '6179ae15870a4bb7b2d480d4843b323c';
const log4j = 'c9197a044477424ae00e69ee45e2ba0f';
const path = `/zones/${zones.check}/rulesets/phases/http_request_firewall_managed/entrypoint`;

const execute = (id: string, overrides: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
	action: 'execute',
	expression: 'true',
	action_parameters: {id, overrides},
	...more,
});
const skip = (action_parameters: JsonObject, expression = 'true'): JsonObject => ({
	action: 'skip',
	expression,
	action_parameters,
	logging: {enabled: false},
});

/** What became of a kind of request in an hour after these rules were put in the place of all others. */
async function afterwards(rules: readonly JsonObject[], filter: string): Promise<readonly string[]> {
	const {simulator, clock} = withSamples();
	const {status, errors} = await ask(simulator, path, json('PUT', {rules}));
	expect(errors).toEqual([]);
	expect(status).toBe(200);
	clock.now += hour;
	const groups = await eventGroups(simulator, zones.check, [noon, clock.now], 'source action ruleId', filter);
	return groups
		.map(({dimensions}) => dimensions as JsonObject)
		.map(({source, action, ruleId}) => `${source} ${action}${ruleId === threshold ? ' by score' : ''}`)
		.sort();
}

const imports = 'clientRequestPath: "/api/import"';
const scripts = 'clientRequestPath: "/search"';

test.each<[string, readonly JsonObject[], string, readonly string[]]>([
	['as it is', [execute(platform)], imports, ['firewallManaged block']],
	['switched off', [execute(platform, {}, {enabled: false})], imports, []],
	['for another host', [execute(platform, {}, {expression: 'http.host eq "other.example"'})], imports, []],
	['logging', [execute(platform, {action: 'log'})], imports, ['firewallManaged log']],
	[
		'a category that challenges',
		[execute(platform, {categories: [{category: 'apache-log4j', action: 'js_challenge'}]})],
		imports,
		['firewallManaged jschallenge'],
	],
	[
		'a rule that is off in a category that is on',
		[
			execute(platform, {
				categories: [{category: 'apache-log4j', enabled: true}],
				rules: [{id: log4j, enabled: false}],
			}),
		],
		imports,
		[],
	],
	['all behind it skipped', [skip({ruleset: 'current'}), execute(platform)], imports, []],
	['the ruleset skipped', [skip({rulesets: [platform]}), execute(platform)], imports, []],
	[
		'another ruleset skipped',
		[skip({rulesets: [owasp]}), execute(platform)],
		imports,
		['firewallManaged block'],
	],
	['skipped too late', [execute(platform), skip({ruleset: 'current'})], imports, ['firewallManaged block']],
	[
		'skipped on another path',
		[skip({ruleset: 'current'}, 'http.request.uri.path eq "/"'), execute(platform)],
		imports,
		['firewallManaged block'],
	],
	[
		'a score above the threshold, with the action of the override',
		[execute(owasp, {rules: [{id: threshold, score_threshold: 40, action: 'managed_challenge'}]})],
		scripts,
		['firewallManaged managed_challenge by score'],
	],
	[
		'a score below the threshold, which leaves the request to the previous rules',
		[execute(owasp, {rules: [{id: threshold, score_threshold: 500}]})],
		scripts,
		['waf challenge', 'waf log'],
	],
	[
		'a score of few rules, because the paranoia levels above the first are off',
		[
			execute(owasp, {
				categories: [2, 3, 4].map(level => ({category: `paranoia-level-${level}`, enabled: false})),
				rules: [{id: threshold, score_threshold: 40, action: 'block'}],
			}),
		],
		scripts,
		['waf challenge', 'waf log'],
	],
	[
		'a log of both versions',
		[execute(platform), execute(owasp, {rules: [{id: threshold, score_threshold: 40, action: 'log'}]})],
		scripts,
		['firewallManaged log', 'firewallManaged log by score', 'waf challenge', 'waf log'],
	],
])('the new managed rules: %s', async (_what, rules, filter, expected) => {
	expect(await afterwards(rules, filter)).toEqual(expected);
});

test('a server answers queries too', async () => {
	const {simulator} = withSamples();
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
