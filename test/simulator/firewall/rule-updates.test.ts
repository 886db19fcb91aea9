import {describe, expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {createFirewall, toRefusal, unknownId} from './firewall.ts';

async function createFirewallWithRule(more: JsonObject = {}, plan: 'free' | 'enterprise' | 'pro' = 'pro') {
	const calls = createFirewall(plan);
	const filter = await calls.makeFilter('ssl', {description: 'TLS'});
	const rule = await calls.makeRule(filter, more);
	return {...calls, filter, rule, readRule: async () => (await calls.rules('GET', `/${rule}`)).result};
}

describe('PUT of one rule', () => {
	test('replaces it completely and drops omitted fields', async () => {
		const {
			rules: callRules,
			rule,
			filter,
			readRule,
		} = await createFirewallWithRule({
			priority: 3,
			paused: true,
			description: 'old',
			ref: 'r',
		});
		const response = await callRules('PUT', `/${rule}`, {
			id: rule,
			action: 'challenge',
			filter: {id: filter},
		});
		expect(response.result).toEqual({
			id: rule,
			paused: false,
			action: 'challenge',
			priority: null,
			filter: {id: filter, expression: 'ssl', paused: false, description: 'TLS'},
		});
		expect(await readRule()).toEqual(response.result);
	});

	test('pauses it', async () => {
		const {rules: callRules, rule, filter} = await createFirewallWithRule();
		const body = {id: rule, action: 'block', filter: {id: filter}, paused: true};
		expect((await callRules('PUT', `/${rule}`, body)).result).toMatchObject({paused: true});
	});

	test('gives it another filter', async () => {
		const {rules: callRules, rule, makeFilter} = await createFirewallWithRule();
		const other = await makeFilter('not ssl');
		const body = {id: rule, action: 'block', filter: {id: other}};
		expect((await callRules('PUT', `/${rule}`, body)).result).toMatchObject({filter: {id: other}});
	});

	test('never edits the filter', async () => {
		const {rules: callRules, rule, filter, filters: callFilters} = await createFirewallWithRule();
		const changed = {id: filter, expression: 'not ssl', paused: true, description: 'x'};
		expect((await callRules('PUT', `/${rule}`, {id: rule, action: 'block', filter: changed})).status).toBe(
			200,
		);
		expect((await callFilters('GET', `/${filter}`)).result).toEqual({
			id: filter,
			expression: 'ssl',
			paused: false,
			description: 'TLS',
		});
	});

	test.each<[string, JsonObject, string]>([
		['an id', {id: ''}, 'rule: id is required'],
		['the id of the path', {id: unknownId}, 'rule: id is another one than in the path'],
		['an action', {action: undefined as unknown as string}, 'rule: action is required'],
		['a filter', {filter: null}, 'rule: filter is required'],
		['the id of the filter', {filter: {}}, 'filter of the rule: id is required'],
		['an existing filter', {filter: {id: unknownId}}, `rule: there is no filter ${unknownId}`],
	])('without %s gives 400', async (_, wrong, message) => {
		const {rules: callRules, rule, filter, readRule} = await createFirewallWithRule();
		const before = await readRule();
		const body = {id: rule, action: 'challenge', filter: {id: filter}, ...wrong};
		expect(toRefusal(await callRules('PUT', `/${rule}`, body))).toEqual({
			status: 400,
			success: false,
			message,
		});
		expect(await readRule()).toEqual(before);
	});

	test('with an action the plan lacks gives 403', async () => {
		const {rules: callRules, rule, filter} = await createFirewallWithRule();
		const body = {id: rule, action: 'log', filter: {id: filter}};
		expect((await callRules('PUT', `/${rule}`, body)).status).toBe(403);
	});

	test('gives 404 if the rule does not exist', async () => {
		const {rules: callRules, filter} = await createFirewallWithRule();
		const body = {id: unknownId, action: 'block', filter: {id: filter}};
		expect((await callRules('PUT', `/${unknownId}`, body)).status).toBe(404);
	});
});

describe('PUT of several rules', () => {
	test('replaces all', async () => {
		const {rules: callRules, rule, filter, makeRule} = await createFirewallWithRule();
		const other = await makeRule(filter);
		const body = [other, rule].map(id => ({id, action: 'challenge', filter: {id: filter}}));
		expect((await callRules('PUT', '', body)).result).toMatchObject([
			{id: other, action: 'challenge'},
			{id: rule, action: 'challenge'},
		]);
	});

	test.each([
		['a rule that does not exist', 404, {id: unknownId}],
		['an invalid rule', 400, {action: 'blok'}],
	])('with %s changes none', async (_, status, wrong) => {
		const {rules: callRules, rule, filter, makeRule, readRule} = await createFirewallWithRule();
		const before = await readRule();
		const right = {id: rule, action: 'challenge', filter: {id: filter}};
		const body = [right, {...right, id: await makeRule(filter), ...wrong}];
		expect((await callRules('PUT', '', body)).status).toBe(status);
		expect(await readRule()).toEqual(before);
	});

	test('accepts 25 rules and rejects 26', async () => {
		const {rules: callRules, filter, makeRule} = await createFirewallWithRule({}, 'enterprise');
		const ids: string[] = [];
		for (let number = 0; number < 26; number++) ids.push(await makeRule(filter));
		const body = ids.map(id => ({id, action: 'challenge', filter: {id: filter}}));
		expect((await callRules('PUT', '', body.slice(1))).status).toBe(200);
		expect(toRefusal(await callRules('PUT', '', body))).toEqual({
			status: 400,
			success: false,
			message: 'At most 25 rules can be updated in one call, not 26.',
		});
	});

	test('with a repeated ID gives 400', async () => {
		const {rules: callRules, rule, filter} = await createFirewallWithRule();
		const same = {id: rule, action: 'block', filter: {id: filter}};
		expect(toRefusal(await callRules('PUT', '', [same, same])).message).toBe(
			'rule at index 1: its id stands twice',
		);
	});
});

describe('PATCH', () => {
	test('of one rule changes the priority and nothing else', async () => {
		const {
			rules: callRules,
			rule,
			readRule,
		} = await createFirewallWithRule({priority: 3, description: 'stays', paused: true});
		const before = await readRule();
		const response = await callRules('PATCH', `/${rule}`, {id: rule, priority: 1});
		expect(response.result).toEqual({...(before as JsonObject), priority: 1});
		expect(await readRule()).toEqual(response.result);
	});

	test('removes the priority with null', async () => {
		const {rules: callRules, rule} = await createFirewallWithRule({priority: 3});
		expect((await callRules('PATCH', `/${rule}`, {id: rule, priority: null})).result).toMatchObject({
			priority: null,
		});
	});

	test('of several rules changes all or none', async () => {
		const {rules: callRules, rule, filter, makeRule, readRule} = await createFirewallWithRule();
		const other = await makeRule(filter);
		const response = await callRules('PATCH', '', [
			{id: other, priority: 2},
			{id: rule, priority: 1},
		]);
		expect(response.result).toMatchObject([
			{id: other, priority: 2},
			{id: rule, priority: 1},
		]);
		const bad = [
			{id: rule, priority: 9},
			{id: unknownId, priority: 9},
		];
		expect((await callRules('PATCH', '', bad)).status).toBe(404);
		expect(await readRule()).toMatchObject({priority: 1});
	});

	test.each<[string, JsonObject, string]>([
		['another field', {priority: 1, paused: true}, 'rule: PATCH changes the priority only, not paused'],
		['no priority', {}, 'rule: priority is required'],
		['a bad priority', {priority: -5}, 'rule: priority must be a whole number from 0 to 2147483647, or null'],
	])('with %s gives 400', async (_, more, message) => {
		const {rules: callRules, rule} = await createFirewallWithRule();
		expect(toRefusal(await callRules('PATCH', `/${rule}`, {id: rule, ...more}))).toEqual({
			status: 400,
			success: false,
			message,
		});
	});
});

describe('a filter with an expression and no id', () => {
	const filter = {expression: 'not ssl'};

	test.each<[string, string, (rule: string) => string, (rule: string) => JsonValue]>([
		['PUT of one', 'PUT', rule => `/${rule}`, id => ({id, action: 'block', filter})],
		['PUT of several', 'PUT', () => '', id => [{id, action: 'block', filter}]],
		['DELETE of one', 'DELETE', rule => `/${rule}`, id => ({id, filter})],
		['DELETE of several', 'DELETE', () => '', id => [{id, filter}]],
	])('gives 405 for %s and changes nothing', async (_, method, path, body) => {
		const {rules: callRules, rule, readExpressions, readRule} = await createFirewallWithRule();
		const before = await readRule();
		const response = await callRules(method, path(rule), body(rule));
		expect(response.status).toBe(405);
		expect(response.headers.get('allow')).toBe('POST');
		expect(response.errors).toEqual([
			{
				code: 10405,
				message: `${method} is not allowed with a filter that has an expression and no id.`,
			},
		]);
		expect([await readRule(), await readExpressions()]).toEqual([before, ['ssl']]);
	});
});
