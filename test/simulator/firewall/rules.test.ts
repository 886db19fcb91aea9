import {describe, expect, test} from 'vitest';
import {bypassableProducts, ruleActionNames} from '../../../source/firewall/rules/rule.ts';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {createFirewall, getListedObjects, toRefusal, unknownId} from './firewall.ts';

describe('rules on existing filters', () => {
	test('are created in array order and shown with their filter', async () => {
		const {rules: callRules, makeFilter} = createFirewall();
		const id = await makeFilter('ssl', {description: 'TLS', ref: 'tls', paused: true});
		const response = await callRules('POST', '', [
			{filter: {id}, action: 'block'},
			{
				filter: {id},
				action: 'bypass',
				products: ['waf', 'bic'],
				priority: 7,
				paused: true,
				description: 'b',
				ref: 'r',
			},
		]);
		expect(response.status).toBe(200);
		const filter = {id, expression: 'ssl', paused: true, description: 'TLS', ref: 'tls'};
		const someId = expect.stringMatching(/^[0-9a-f]{32}$/);
		expect(response.result).toEqual([
			{id: someId, paused: false, action: 'block', priority: null, filter},
			{
				id: someId,
				paused: true,
				action: 'bypass',
				priority: 7,
				products: ['waf', 'bic'],
				description: 'b',
				ref: 'r',
				filter,
			},
		]);
		expect(getListedObjects(await callRules('GET'))).toEqual(response.result);
	});

	test.each(
		ruleActionNames.filter(action => action !== 'bypass'),
	)('accept the action %s on enterprise', async action => {
		const {rules: callRules, makeFilter} = createFirewall('enterprise');
		const response = await callRules('POST', '', [{filter: {id: await makeFilter('ssl')}, action}]);
		expect(response.result).toMatchObject([{action}]);
	});

	test('accept every product on pro', async () => {
		const {rules: callRules, makeFilter} = createFirewall('pro');
		const body = [
			{filter: {id: await makeFilter('ssl')}, action: 'bypass', products: [...bypassableProducts]},
		];
		expect((await callRules('POST', '', body)).result).toMatchObject([{products: [...bypassableProducts]}]);
	});

	test.each<[string, JsonObject, string]>([
		['no action', {action: undefined as unknown as string}, 'action is required'],
		[
			'an unknown action',
			{action: 'blok'},
			'unknown action "blok"; there are log, bypass, allow, challenge, managed_challenge, js_challenge, block',
		],
		['bypass without products', {action: 'bypass'}, 'the action bypass needs products'],
		['bypass with no product at all', {action: 'bypass', products: []}, 'the action bypass needs products'],
		[
			'an unknown product',
			{action: 'bypass', products: ['waf', 'cache']},
			'unknown product "cache"; there are zoneLockdown, uaBlock, bic, hot, securityLevel, rateLimit, waf',
		],
		['products as a text', {action: 'bypass', products: 'waf'}, 'products must be an array'],
		['products with block', {products: ['waf']}, 'products go with the action bypass only, not with block'],
		['a priority below 0', {priority: -1}, 'priority must be a whole number from 0 to 2147483647, or null'],
		['priority 1.5', {priority: 1.5}, 'priority must be a whole number from 0 to 2147483647, or null'],
		[
			'too large a priority',
			{priority: 2 ** 31},
			'priority must be a whole number from 0 to 2147483647, or null',
		],
		[
			'a priority as a text',
			{priority: '1'},
			'priority must be a whole number from 0 to 2147483647, or null',
		],
		['paused as a text', {paused: 'no'}, 'paused must be true or false'],
		[
			'501 characters of description',
			{description: 'd'.repeat(501)},
			'description has 501 characters, 500 are allowed',
		],
		['51 characters of ref', {ref: 'r'.repeat(51)}, 'ref has 51 characters, 50 are allowed'],
		['a filter that does not exist', {filter: {id: unknownId}}, `there is no filter ${unknownId}`],
		['a filter of null', {filter: null}, 'filter is required'],
	])('are rejected with 400 for %s, with the whole array', async (_, wrong, message) => {
		const {rules: callRules, makeFilter, countRules} = createFirewall('enterprise');
		const right = {filter: {id: await makeFilter('ssl')}, action: 'block'};
		const response = await callRules('POST', '', [right, {...right, ...wrong}]);
		expect(toRefusal(response)).toEqual({
			status: 400,
			success: false,
			message: `rule at index 1: ${message}`,
		});
		expect(await countRules()).toBe(0);
	});

	test('are rejected with 400 if a filter has neither ID nor expression', async () => {
		const {rules: callRules} = createFirewall();
		const response = await callRules('POST', '', [{filter: {}, action: 'block'}]);
		expect(toRefusal(response)).toEqual({
			status: 400,
			success: false,
			message: 'filter of the rule at index 0: id is required',
		});
	});

	test.each([
		['no array', {action: 'block'}],
		['an empty array', []],
		['nothing', undefined],
	])('are rejected with 400 if the body is %s', async (_, body) => {
		const {rules: callRules} = createFirewall();
		expect(toRefusal(await callRules('POST', '', body)).message).toBe(
			'The body must be an array of firewall rules.',
		);
	});

	test('can have the priorities 0 and 2147483647', async () => {
		const {rules: callRules, makeFilter} = createFirewall();
		const filter = {id: await makeFilter('ssl')};
		const body = [0, 2_147_483_647].map(priority => ({filter, action: 'block', priority}));
		expect((await callRules('POST', '', body)).result).toMatchObject([
			{priority: 0},
			{priority: 2_147_483_647},
		]);
	});

	test.each(['free', 'pro', 'business'] as const)('give 403 naming the plan for log on %s', async plan => {
		const {rules: callRules, makeFilter, countRules} = createFirewall(plan);
		const response = await callRules('POST', '', [{filter: {id: await makeFilter('ssl')}, action: 'log'}]);
		expect(response.status).toBe(403);
		expect(response.errors[0]?.message).toMatch(
			/^The (Free|Pro|Business) plan does not have the action log: it needs the Enterprise plan\.$/,
		);
		expect(await countRules()).toBe(0);
	});

	test.each(['zoneLockdown', 'waf'])('give 403 for bypass of %s on free', async product => {
		const {rules: callRules, makeFilter} = createFirewall('free');
		const body = [{filter: {id: await makeFilter('ssl')}, action: 'bypass', products: ['bic', product]}];
		expect(toRefusal(await callRules('POST', '', body))).toEqual({
			status: 403,
			success: false,
			message: `The Free plan does not have the product ${product}: it needs the Pro plan or a higher one.`,
		});
	});
});

describe('the quota', () => {
	test.each([
		['free', 5, 'Free'],
		['pro', 20, 'Pro'],
		['business', 100, 'Business'],
		['enterprise', 1000, 'Enterprise'],
	] as const)('of %s is %i rules, including paused ones', async (plan, quota, name) => {
		const {rules: callRules, makeFilter, countRules} = createFirewall(plan);
		const filter = {id: await makeFilter('ssl')};
		const rule = {filter, action: 'block', paused: true};
		expect((await callRules('POST', '', Array<JsonValue>(quota).fill(rule))).status).toBe(200);
		expect(toRefusal(await callRules('POST', '', [rule]))).toEqual({
			status: 403,
			success: false,
			message: `The ${name} plan allows ${quota} firewall rules in a zone: there are ${quota}, and 1 more were asked for.`,
		});
		expect(await countRules()).toBe(quota);
	});

	test('rejects an array that exceeds it as a whole', async () => {
		const {rules: callRules, makeFilter, countRules} = createFirewall('free');
		const rule = {filter: {id: await makeFilter('ssl')}, action: 'block'};
		expect((await callRules('POST', '', Array<JsonValue>(6).fill(rule))).status).toBe(403);
		expect(await countRules()).toBe(0);
	});

	test('has room again after a rule is deleted', async () => {
		const {rules: callRules, makeFilter, makeRule} = createFirewall('free');
		const filter = await makeFilter('ssl');
		const first = await makeRule(filter);
		for (let number = 0; number < 4; number++) await makeRule(filter);
		await callRules('DELETE', `/${first}`);
		expect((await callRules('POST', '', [{filter: {id: filter}, action: 'block'}])).status).toBe(200);
	});
});

describe('the list of rules', () => {
	async function createThreeRules() {
		const calls = createFirewall();
		const filter = {id: await calls.makeFilter('ssl')};
		const response = await calls.rules('POST', '', [
			{filter, action: 'block', description: 'Köln', paused: true},
			{filter, action: 'challenge', description: 'köln 2'},
			{filter, action: 'js_challenge'},
		]);
		return {...calls, ids: getListedObjects(response).map(({id}) => String(id))};
	}

	test.each([
		['action=challenge', [1]],
		['action=CHALLENGE', []],
		['description=K%C3%96LN', [0, 1]],
		['paused=true', [0]],
		['paused=false&description=k', [1]],
	])('is narrowed by ?%s', async (query, expected) => {
		const {rules: callRules, ids} = await createThreeRules();
		expect(
			getListedObjects(await callRules('GET', `?${query}`)).map(({id}) => ids.indexOf(String(id))),
		).toEqual(expected);
	});

	test('is narrowed by ?id', async () => {
		const {rules: callRules, ids} = await createThreeRules();
		expect(getListedObjects(await callRules('GET', `?id=${ids[2]}`)).map(({id}) => id)).toEqual([ids[2]]);
	});

	test('comes in pages, with an empty page past the end', async () => {
		const {rules: callRules, makeFilter} = createFirewall('business');
		const rule = {filter: {id: await makeFilter('ssl')}, action: 'block'};
		await callRules('POST', '', Array<JsonValue>(30).fill(rule));
		expect((await callRules('GET')).info).toMatchObject({per_page: 25, count: 25, total_count: 30});
		expect(getListedObjects(await callRules('GET', '?page=2'))).toHaveLength(5);
		expect(getListedObjects(await callRules('GET', '?page=3'))).toEqual([]);
		expect((await callRules('GET', '?per_page=4')).status).toBe(400);
	});

	test('gives one rule by its ID', async () => {
		const {rules: callRules, ids} = await createThreeRules();
		expect((await callRules('GET', `/${ids[1]}`)).result).toMatchObject({id: ids[1], action: 'challenge'});
	});

	test.each(['GET', 'DELETE'])('gives 404 for %s of a missing rule', async method => {
		const {rules: callRules} = createFirewall();
		expect(toRefusal(await callRules(method, `/${unknownId}`))).toEqual({
			status: 404,
			success: false,
			message: `firewall rule not found: ${unknownId}`,
		});
	});
});

describe('deleting rules', () => {
	async function createOneRule(more: JsonObject = {}) {
		const calls = createFirewall();
		const filter = await calls.makeFilter('ssl');
		return {...calls, filter, rule: await calls.makeRule(filter, more)};
	}

	test('by path answers with an array and keeps the filter', async () => {
		const {rules: callRules, rule, readExpressions, countRules} = await createOneRule();
		expect((await callRules('DELETE', `/${rule}`)).result).toEqual([{id: rule}]);
		expect([await countRules(), await readExpressions()]).toEqual([0, ['ssl']]);
	});

	test('by ?id skips missing ones', async () => {
		const {rules: callRules, rule, filter, makeRule, countRules} = await createOneRule();
		const other = await makeRule(filter);
		const response = await callRules('DELETE', `?id=${rule}&id=${unknownId}&id=${other}`);
		expect([response.status, response.result]).toEqual([200, [{id: rule}, {id: other}]]);
		expect(await countRules()).toBe(0);
	});

	test.each([
		['{id}', (id: string): JsonValue => ({id})],
		['[{id}]', (id: string): JsonValue => [{id}]],
	])('works with the body %s', async (_, body) => {
		const {rules: callRules, rule, countRules} = await createOneRule();
		expect((await callRules('DELETE', '', body(rule))).result).toEqual([{id: rule}]);
		expect(await countRules()).toBe(0);
	});

	test('without an ID gives 200 and deletes nothing', async () => {
		const {rules: callRules, countRules} = await createOneRule();
		const response = await callRules('DELETE');
		expect([response.status, response.result, await countRules()]).toEqual([200, [], 1]);
	});

	test('with delete_filter_if_unused also deletes the filter', async () => {
		const {rules: callRules, rule, readExpressions} = await createOneRule();
		expect((await callRules('DELETE', `/${rule}`, {delete_filter_if_unused: true})).result).toEqual([
			{id: rule},
		]);
		expect(await readExpressions()).toEqual([]);
	});

	test('with delete_filter_if_unused keeps a filter until its last rule is deleted', async () => {
		const {rules: callRules, rule, filter, makeRule, readExpressions} = await createOneRule();
		const other = await makeRule(filter);
		expect((await callRules('DELETE', `/${rule}`, {delete_filter_if_unused: true})).status).toBe(200);
		expect(await readExpressions()).toEqual(['ssl']);
		await callRules('DELETE', `?id=${other}&delete_filter_if_unused=true`);
		expect(await readExpressions()).toEqual([]);
	});

	test('gives 400 if delete_filter_if_unused is neither true nor false', async () => {
		const {rules: callRules, rule, countRules} = await createOneRule();
		expect((await callRules('DELETE', `/${rule}`, {delete_filter_if_unused: 'yes'})).status).toBe(400);
		expect(await countRules()).toBe(1);
	});
});
