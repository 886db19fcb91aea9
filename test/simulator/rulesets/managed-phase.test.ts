import {describe, expect, test} from 'vitest';
import {deriveId, deriveRuleId} from '../../../source/simulator/waf/catalogue.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {codes} from '../asking.ts';
import {listed, unknownId} from '../firewall/firewall.ts';
import {
	execute,
	objectIn,
	owaspRuleset,
	platformRuleset,
	rulesIn,
	thresholdRule,
	zoneOf,
} from '../migration/migrating.ts';
import {complaint} from './custom-phase.ts';

const credentialsRuleset = 'c2e184081120413c86c3ab7e14069605';

const except = (parameters: JsonObject): JsonObject => ({
	action: 'skip',
	expression: 'ssl',
	action_parameters: parameters,
});

const overriding = (overrides: JsonObject, ruleset = owaspRuleset): JsonObject =>
	execute(ruleset, {action_parameters: {id: ruleset, overrides}});

describe('managed rulesets', () => {
	test('are listed with the zone, without rules', async () => {
		const seen = listed(await zoneOf('pro').call('GET', '/rulesets'));
		expect(seen.map(({id, kind}) => [id, kind])).toEqual([
			[platformRuleset, 'managed'],
			[owaspRuleset, 'managed'],
			[credentialsRuleset, 'managed'],
		]);
		for (const one of seen) expect(one).not.toHaveProperty('rules');
	});

	test('show their rules with categories but without expressions', async () => {
		const {call} = zoneOf('pro');
		const platform = rulesIn(await call('GET', `/rulesets/${platformRuleset}`));
		expect(platform).toHaveLength(439);
		for (const rule of platform) {
			expect(rule.categories).not.toEqual([]);
			expect(rule).not.toHaveProperty('expression');
		}
		const owasp = rulesIn(await call('GET', `/rulesets/${owaspRuleset}`));
		expect(owasp.at(-1)).toMatchObject({
			id: thresholdRule,
			description: '949110: Inbound Anomaly Score Exceeded',
			score_threshold: 40,
		});
	});

	test('have many rules, each with its own ID and description', async () => {
		const {call} = zoneOf('pro');
		const all = [];
		for (const id of [platformRuleset, owaspRuleset, credentialsRuleset])
			all.push(...rulesIn(await call('GET', `/rulesets/${id}`)));
		expect(all).toHaveLength(652);
		for (const name of ['id', 'description']) expect(new Set(all.map(rule => rule[name])).size).toBe(652);
		for (const {id} of all) expect(id).toMatch(/^[\da-f]{32}$/);
		expect(new Set(all.map(({action}) => action))).toEqual(
			new Set(['block', 'log', 'managed_challenge', 'score']),
		);
		expect(all.filter(({enabled}) => enabled === false)).toHaveLength(29);
	});

	test('keep their known IDs', async () => {
		const {call} = zoneOf('pro');
		const found = async (ruleset: string, id: string) =>
			rulesIn(await call('GET', `/rulesets/${ruleset}`)).find(rule => rule.id === id);
		expect(await found(platformRuleset, deriveRuleId('Platform PHP', 2))).toMatchObject({
			description: 'PHP - SQLi - Global Variables #2',
			categories: ['platform-php', 'sqli'],
		});
		expect(await found(platformRuleset, deriveRuleId('Platform WordPress', 61))).toMatchObject({
			description: expect.stringMatching(
				/^WordPress:Comments < 3\.16\.0 - Information Disclosure - CVE:CVE-2019-9\d{4}$/,
			),
		});
		expect(await found(owaspRuleset, deriveId('owasp rule 942150'))).toMatchObject({
			description: expect.stringMatching(/^942150: /),
			categories: ['paranoia-level-1', 'owasp-sqli', 'language-multi'],
		});
	});

	test('name no real vulnerability: their CVE numbers are too high for any year', async () => {
		const platform = rulesIn(await zoneOf('pro').call('GET', `/rulesets/${platformRuleset}`));
		const named = platform.flatMap(({description}) => String(description).match(/CVE-\d{4}-\d+/g) ?? []);
		expect(named.length).toBeGreaterThan(300);
		for (const name of named) expect(name).toMatch(/^CVE-20[12]\d-9\d{4}$/);
	});

	test('of OWASP have rules on each paranoia level', async () => {
		const owasp = rulesIn(await zoneOf('pro').call('GET', `/rulesets/${owaspRuleset}`));
		for (const level of [1, 2, 3, 4]) {
			const tag = `paranoia-level-${level}`;
			const held = owasp.filter(({categories}) => Array.isArray(categories) && categories.includes(tag));
			expect(held.length).toBeGreaterThan(20);
		}
	});

	test('cannot be changed', async () => {
		const {call} = zoneOf('pro');
		expect((await call('PUT', `/rulesets/${platformRuleset}`, {rules: []})).status).toBe(400);
		expect((await call('DELETE', `/rulesets/${platformRuleset}`)).status).toBe(400);
	});

	test('have the listed version', async () => {
		const {call} = zoneOf('pro');
		const [{version} = {}] = listed(await call('GET', `/rulesets/${platformRuleset}/versions`));
		const seen = await call('GET', `/rulesets/${platformRuleset}/versions/${version}`);
		expect(rulesIn(seen)).toHaveLength(439);
	});

	test('do not exist on the Free plan', async () => {
		const {call} = zoneOf('free');
		expect((await call('GET', '/rulesets')).result).toEqual([]);
		for (const path of ['', '/versions', '/versions/34']) {
			const seen = await call('GET', `/rulesets/${platformRuleset}${path}`);
			expect([seen.status, codes(seen)]).toEqual([404, [10003]]);
		}
	});
});

describe('rules of the managed phase', () => {
	test.each<[string, JsonObject]>([
		['a managed ruleset as it is', execute()],
		['with an override of all', overriding({action: 'log', enabled: false})],
		['with one of a category', overriding({categories: [{category: 'paranoia-level-3', enabled: false}]})],
		['with one of a rule', overriding({rules: [{id: thresholdRule, score_threshold: 25, action: 'log'}]})],
		['an exception of all that follows', except({ruleset: 'current'})],
		['of rulesets', except({rulesets: [platformRuleset, owaspRuleset]})],
		['of rules', except({rules: {[owaspRuleset]: [thresholdRule]}})],
		[
			'of rules and rulesets',
			except({rulesets: [platformRuleset], rules: {[owaspRuleset]: [thresholdRule]}}),
		],
	])('are accepted: %s', async (_, rule) => {
		const seen = await zoneOf('enterprise').put([rule]);
		expect(seen.errors).toEqual([]);
		expect(rulesIn(seen)).toHaveLength(1);
	});

	const at = '/rules/0/action_parameters';
	test.each<[string, JsonObject, string]>([
		['an action of another phase', {...execute(), action: 'block'}, '/rules/0/action'],
		['a ruleset that there is not', execute(unknownId), `${at}/id`],
		['an unknown parameter', execute(owaspRuleset, {action_parameters: {id: owaspRuleset, a: 1}}), `${at}/a`],
		['an action no override has', overriding({action: 'allow'}), `${at}/overrides/action`],
		['enabled that is neither', overriding({enabled: 'no'}), `${at}/overrides/enabled`],
		[
			'a category that there is not',
			overriding({categories: [{category: 'paranoia-level-5'}]}),
			`${at}/overrides/categories/0/category`,
		],
		[
			'a rule of another ruleset',
			overriding({rules: [{id: thresholdRule}]}, platformRuleset),
			`${at}/overrides/rules/0/id`,
		],
		[
			'a category of another ruleset',
			overriding({categories: [{category: 'paranoia-level-1', enabled: false}]}, platformRuleset),
			`${at}/overrides/categories/0/category`,
		],
		[
			'a rule that there is not',
			overriding({rules: [{id: thresholdRule}, {id: unknownId, action: 'log'}]}),
			`${at}/overrides/rules/1/id`,
		],
		[
			'a threshold of another rule than the one that has it',
			overriding({rules: [{id: deriveId('owasp rule 942150'), score_threshold: 25}]}),
			`${at}/overrides/rules/0/score_threshold`,
		],
		[
			'a threshold that is no number',
			overriding({rules: [{id: thresholdRule, score_threshold: '25'}]}),
			`${at}/overrides/rules/0/score_threshold`,
		],
		['an exception from nothing', except({}), at],
		['from another ruleset than the current', except({ruleset: owaspRuleset}), `${at}/ruleset`],
		['from unknown rulesets', except({rulesets: [unknownId]}), `${at}/rulesets/0`],
		[
			'from rules of another ruleset',
			except({rules: {[platformRuleset]: [thresholdRule]}}),
			`${at}/rules/${platformRuleset}/0`,
		],
		['from rules of no ruleset', except({rules: {[unknownId]: [thresholdRule]}}), `${at}/rules/${unknownId}`],
		['from rulesets and all', except({ruleset: 'current', rulesets: [owaspRuleset]}), `${at}/ruleset`],
		[
			'from rules and all',
			except({ruleset: 'current', rules: {[owaspRuleset]: [thresholdRule]}}),
			`${at}/rules`,
		],
		['from phases, as in the custom phase', except({phases: ['http_ratelimit']}), `${at}/phases`],
		['from products, as in the custom phase', except({products: ['waf']}), `${at}/products`],
	])('are rejected with 400: %s', async (_, rule, pointer) => {
		const {put, entryPoint} = zoneOf('enterprise');
		expect(complaint(await put([rule]))).toEqual([400, 20217, pointer]);
		expect((await entryPoint()).status).toBe(404);
	});

	test('are rejected with 400 if an ID belongs to no rule', async () => {
		const seen = await zoneOf('enterprise').put([execute(), {...execute(), id: unknownId}]);
		expect(complaint(seen)).toEqual([400, 20217, '/rules/1/id']);
	});

	test('cannot have a second entry point, which gives 400 and 20217', async () => {
		const {put, call} = zoneOf('enterprise');
		await put([execute()]);
		const phase = 'http_request_firewall_managed';
		const seen = await call('POST', '/rulesets', {name: 'n', kind: 'zone', phase, rules: []});
		expect(seen.errors).toEqual([
			{
				code: 20217,
				message: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${phase}`,
				source: {pointer: '/kind'},
			},
		]);
	});

	test('are rejected with 400 if an expression does not parse', async () => {
		const seen = await zoneOf('enterprise').put([{...execute(), expression: 'ip.src ='}]);
		expect([seen.status, seen.errors[0]?.source]).toEqual([400, {pointer: '/rules/0/expression'}]);
	});

	test('are rejected with 403 on the Free plan', async () => {
		expect((await zoneOf('free').put([execute(platformRuleset, {enabled: false})])).status).toBe(403);
	});

	test('cannot be enabled below Enterprise before the migration', async () => {
		const {put, call} = zoneOf('pro');
		const off = execute(platformRuleset, {enabled: false});
		const saved = objectIn(await put([off]));
		const [rule] = saved.rules as readonly JsonObject[];
		for (const seen of [
			await call('PUT', `/rulesets/${saved.id}`, {rules: [execute()]}),
			await call('POST', `/rulesets/${saved.id}/rules`, execute()),
			await call('PATCH', `/rulesets/${saved.id}/rules/${rule?.id}`, execute()),
		])
			expect(seen.status).toBe(403);
		expect((await call('POST', `/rulesets/${saved.id}/rules`, off)).status).toBe(200);
	});
});

test('every PUT creates a version of the entry point', async () => {
	const {put, call} = zoneOf('enterprise');
	await put([execute()]);
	await put([]);
	const path = '/rulesets/phases/http_request_firewall_managed/entrypoint/versions';
	expect(listed(await call('GET', path)).map(({version}) => version)).toEqual(['1', '2']);
	expect(rulesIn(await call('GET', `${path}/1`))).toHaveLength(1);
});
