import {describe, expect, test} from 'vitest';
import {deriveId, deriveRuleId} from '../../../source/simulator/waf/catalogue.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {getErrorCodes} from '../asking.ts';
import {getListedObjects, unknownId} from '../firewall/firewall.ts';
import {
	anomalyScoreRuleId,
	createSampleExecuteRule,
	createSampleZone,
	getResultObject,
	getResultRules,
	owaspRulesetId,
	platformRulesetId,
} from '../migration/migrating.ts';
import {getFirstError} from './custom-phase.ts';

const credentialsRuleset = 'c2e184081120413c86c3ab7e14069605';

const exceptionRule = (parameters: JsonObject): JsonObject => ({
	action: 'skip',
	expression: 'ssl',
	action_parameters: parameters,
});

const overrideRule = (overrides: JsonObject, ruleset = owaspRulesetId): JsonObject =>
	createSampleExecuteRule(ruleset, {action_parameters: {id: ruleset, overrides}});

describe('managed rulesets', () => {
	test('are listed with the zone, without rules', async () => {
		const rulesets = getListedObjects(await createSampleZone('pro').call('GET', '/rulesets'));
		expect(rulesets.map(({id, kind}) => [id, kind])).toEqual([
			[platformRulesetId, 'managed'],
			[owaspRulesetId, 'managed'],
			[credentialsRuleset, 'managed'],
		]);
		for (const one of rulesets) expect(one).not.toHaveProperty('rules');
	});

	test('show their rules with categories but without expressions', async () => {
		const {call} = createSampleZone('pro');
		const platformRules = getResultRules(await call('GET', `/rulesets/${platformRulesetId}`));
		expect(platformRules).toHaveLength(439);
		for (const rule of platformRules) {
			expect(rule.categories).not.toEqual([]);
			expect(rule).not.toHaveProperty('expression');
		}
		const owaspRules = getResultRules(await call('GET', `/rulesets/${owaspRulesetId}`));
		expect(owaspRules.at(-1)).toMatchObject({
			id: anomalyScoreRuleId,
			description: '949110: Inbound Anomaly Score Exceeded',
			score_threshold: 40,
		});
	});

	test('have many rules, each with its own ID and description', async () => {
		const {call} = createSampleZone('pro');
		const allRules = [];
		for (const id of [platformRulesetId, owaspRulesetId, credentialsRuleset])
			allRules.push(...getResultRules(await call('GET', `/rulesets/${id}`)));
		expect(allRules).toHaveLength(652);
		for (const name of ['id', 'description'])
			expect(new Set(allRules.map(rule => rule[name])).size).toBe(652);
		for (const {id} of allRules) expect(id).toMatch(/^[\da-f]{32}$/);
		expect(new Set(allRules.map(({action}) => action))).toEqual(
			new Set(['block', 'log', 'managed_challenge', 'score']),
		);
		expect(allRules.filter(({enabled}) => enabled === false)).toHaveLength(29);
	});

	test('keep their known IDs', async () => {
		const {call} = createSampleZone('pro');
		const findRule = async (ruleset: string, id: string) =>
			getResultRules(await call('GET', `/rulesets/${ruleset}`)).find(rule => rule.id === id);
		expect(await findRule(platformRulesetId, deriveRuleId('Platform PHP', 2))).toMatchObject({
			description: 'PHP - SQLi - Global Variables #2',
			categories: ['platform-php', 'sqli'],
		});
		expect(await findRule(platformRulesetId, deriveRuleId('Platform WordPress', 61))).toMatchObject({
			description: expect.stringMatching(
				/^WordPress:Comments < 3\.16\.0 - Information Disclosure - CVE:CVE-2019-9\d{4}$/,
			),
		});
		expect(await findRule(owaspRulesetId, deriveId('owasp rule 942150'))).toMatchObject({
			description: expect.stringMatching(/^942150: /),
			categories: ['paranoia-level-1', 'owasp-sqli', 'language-multi'],
		});
	});

	test('name no real vulnerability: their CVE numbers are too high for any year', async () => {
		const platformRules = getResultRules(
			await createSampleZone('pro').call('GET', `/rulesets/${platformRulesetId}`),
		);
		const cveNames = platformRules.flatMap(
			({description}) => String(description).match(/CVE-\d{4}-\d+/g) ?? [],
		);
		expect(cveNames.length).toBeGreaterThan(300);
		for (const name of cveNames) expect(name).toMatch(/^CVE-20[12]\d-9\d{4}$/);
	});

	test('of OWASP have rules on each paranoia level', async () => {
		const owaspRules = getResultRules(
			await createSampleZone('pro').call('GET', `/rulesets/${owaspRulesetId}`),
		);
		for (const level of [1, 2, 3, 4]) {
			const tag = `paranoia-level-${level}`;
			const levelRules = owaspRules.filter(
				({categories}) => Array.isArray(categories) && categories.includes(tag),
			);
			expect(levelRules.length).toBeGreaterThan(20);
		}
	});

	test('cannot be changed', async () => {
		const {call} = createSampleZone('pro');
		expect((await call('PUT', `/rulesets/${platformRulesetId}`, {rules: []})).status).toBe(400);
		expect((await call('DELETE', `/rulesets/${platformRulesetId}`)).status).toBe(400);
	});

	test('have the listed version', async () => {
		const {call} = createSampleZone('pro');
		const [{version} = {}] = getListedObjects(await call('GET', `/rulesets/${platformRulesetId}/versions`));
		const response = await call('GET', `/rulesets/${platformRulesetId}/versions/${version}`);
		expect(getResultRules(response)).toHaveLength(439);
	});

	test('do not exist on the Free plan', async () => {
		const {call} = createSampleZone('free');
		expect((await call('GET', '/rulesets')).result).toEqual([]);
		for (const path of ['', '/versions', '/versions/34']) {
			const response = await call('GET', `/rulesets/${platformRulesetId}${path}`);
			expect([response.status, getErrorCodes(response)]).toEqual([404, [10003]]);
		}
	});
});

describe('rules of the managed phase', () => {
	test.each<[string, JsonObject]>([
		['a managed ruleset without overrides', createSampleExecuteRule()],
		['override of all', overrideRule({action: 'log', enabled: false})],
		[
			'override of one category',
			overrideRule({categories: [{category: 'paranoia-level-3', enabled: false}]}),
		],
		[
			'override of one rule',
			overrideRule({rules: [{id: anomalyScoreRuleId, score_threshold: 25, action: 'log'}]}),
		],
		['exception from all later rules', exceptionRule({ruleset: 'current'})],
		['exception from rulesets', exceptionRule({rulesets: [platformRulesetId, owaspRulesetId]})],
		['exception from rules', exceptionRule({rules: {[owaspRulesetId]: [anomalyScoreRuleId]}})],
		[
			'exception from rules and rulesets',
			exceptionRule({rulesets: [platformRulesetId], rules: {[owaspRulesetId]: [anomalyScoreRuleId]}}),
		],
	])('are accepted: %s', async (_, rule) => {
		const response = await createSampleZone('enterprise').put([rule]);
		expect(response.errors).toEqual([]);
		expect(getResultRules(response)).toHaveLength(1);
	});

	const parametersPointer = '/rules/0/action_parameters';
	test.each<[string, JsonObject, string]>([
		['an action of another phase', {...createSampleExecuteRule(), action: 'block'}, '/rules/0/action'],
		['an unknown ruleset', createSampleExecuteRule(unknownId), `${parametersPointer}/id`],
		[
			'an unknown parameter',
			createSampleExecuteRule(owaspRulesetId, {action_parameters: {id: owaspRulesetId, a: 1}}),
			`${parametersPointer}/a`,
		],
		['an action no override has', overrideRule({action: 'allow'}), `${parametersPointer}/overrides/action`],
		[
			'enabled that is neither true nor false',
			overrideRule({enabled: 'no'}),
			`${parametersPointer}/overrides/enabled`,
		],
		[
			'an unknown category',
			overrideRule({categories: [{category: 'paranoia-level-5'}]}),
			`${parametersPointer}/overrides/categories/0/category`,
		],
		[
			'a rule of another ruleset',
			overrideRule({rules: [{id: anomalyScoreRuleId}]}, platformRulesetId),
			`${parametersPointer}/overrides/rules/0/id`,
		],
		[
			'a category of another ruleset',
			overrideRule({categories: [{category: 'paranoia-level-1', enabled: false}]}, platformRulesetId),
			`${parametersPointer}/overrides/categories/0/category`,
		],
		[
			'an unknown rule',
			overrideRule({rules: [{id: anomalyScoreRuleId}, {id: unknownId, action: 'log'}]}),
			`${parametersPointer}/overrides/rules/1/id`,
		],
		[
			'a threshold of a rule that has none',
			overrideRule({rules: [{id: deriveId('owasp rule 942150'), score_threshold: 25}]}),
			`${parametersPointer}/overrides/rules/0/score_threshold`,
		],
		[
			'a threshold that is not a number',
			overrideRule({rules: [{id: anomalyScoreRuleId, score_threshold: '25'}]}),
			`${parametersPointer}/overrides/rules/0/score_threshold`,
		],
		['exception from nothing', exceptionRule({}), parametersPointer],
		[
			'exception from another ruleset than current',
			exceptionRule({ruleset: owaspRulesetId}),
			`${parametersPointer}/ruleset`,
		],
		[
			'exception from unknown rulesets',
			exceptionRule({rulesets: [unknownId]}),
			`${parametersPointer}/rulesets/0`,
		],
		[
			'exception from rules of another ruleset',
			exceptionRule({rules: {[platformRulesetId]: [anomalyScoreRuleId]}}),
			`${parametersPointer}/rules/${platformRulesetId}/0`,
		],
		[
			'exception from rules of an unknown ruleset',
			exceptionRule({rules: {[unknownId]: [anomalyScoreRuleId]}}),
			`${parametersPointer}/rules/${unknownId}`,
		],
		[
			'exception from rulesets and all',
			exceptionRule({ruleset: 'current', rulesets: [owaspRulesetId]}),
			`${parametersPointer}/ruleset`,
		],
		[
			'exception from rules and all',
			exceptionRule({ruleset: 'current', rules: {[owaspRulesetId]: [anomalyScoreRuleId]}}),
			`${parametersPointer}/rules`,
		],
		[
			'exception from phases (only custom)',
			exceptionRule({phases: ['http_ratelimit']}),
			`${parametersPointer}/phases`,
		],
		[
			'exception from products (only custom)',
			exceptionRule({products: ['waf']}),
			`${parametersPointer}/products`,
		],
	])('are rejected with 400: %s', async (_, rule, pointer) => {
		const {put, readEntryPoint} = createSampleZone('enterprise');
		expect(getFirstError(await put([rule]))).toEqual([400, 20217, pointer]);
		expect((await readEntryPoint()).status).toBe(404);
	});

	test('are rejected with 400 if an ID belongs to no rule', async () => {
		const response = await createSampleZone('enterprise').put([
			createSampleExecuteRule(),
			{...createSampleExecuteRule(), id: unknownId},
		]);
		expect(getFirstError(response)).toEqual([400, 20217, '/rules/1/id']);
	});

	test('cannot have a second entry point, which gives 400 and 20217', async () => {
		const {put, call} = createSampleZone('enterprise');
		await put([createSampleExecuteRule()]);
		const phase = 'http_request_firewall_managed';
		const response = await call('POST', '/rulesets', {name: 'n', kind: 'zone', phase, rules: []});
		expect(response.errors).toEqual([
			{
				code: 20217,
				message: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${phase}`,
				source: {pointer: '/kind'},
			},
		]);
	});

	test('are rejected with 400 if an expression does not parse', async () => {
		const response = await createSampleZone('enterprise').put([
			{...createSampleExecuteRule(), expression: 'ip.src ='},
		]);
		expect([response.status, response.errors[0]?.source]).toEqual([400, {pointer: '/rules/0/expression'}]);
	});

	test('are rejected with 403 on the Free plan', async () => {
		expect(
			(await createSampleZone('free').put([createSampleExecuteRule(platformRulesetId, {enabled: false})]))
				.status,
		).toBe(403);
	});

	test('cannot be enabled below Enterprise before the migration', async () => {
		const {put, call} = createSampleZone('pro');
		const disabledRule = createSampleExecuteRule(platformRulesetId, {enabled: false});
		const saved = getResultObject(await put([disabledRule]));
		const [rule] = saved.rules as readonly JsonObject[];
		for (const response of [
			await call('PUT', `/rulesets/${saved.id}`, {rules: [createSampleExecuteRule()]}),
			await call('POST', `/rulesets/${saved.id}/rules`, createSampleExecuteRule()),
			await call('PATCH', `/rulesets/${saved.id}/rules/${rule?.id}`, createSampleExecuteRule()),
		])
			expect(response.status).toBe(403);
		expect((await call('POST', `/rulesets/${saved.id}/rules`, disabledRule)).status).toBe(200);
	});
});

test('every PUT creates a version of the entry point', async () => {
	const {put, call} = createSampleZone('enterprise');
	await put([createSampleExecuteRule()]);
	await put([]);
	const path = '/rulesets/phases/http_request_firewall_managed/entrypoint/versions';
	expect(getListedObjects(await call('GET', path)).map(({version}) => version)).toEqual(['1', '2']);
	expect(getResultRules(await call('GET', `${path}/1`))).toHaveLength(1);
});
