import {describe, expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {unknownId} from '../firewall/firewall.ts';
import {
	buildBlockRule,
	createCustomPhase,
	customEntryPoint,
	getFirstError,
	getRuleset,
} from './custom-phase.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => `http.host eq "${name}"`) as [
	string,
	string,
	string,
	string,
];

async function createThreeRules() {
	const calls = createCustomPhase();
	const {id, rules} = await calls.createEntryPoint(a, b, c);
	const [first = '', second = '', third = ''] = rules;
	return {...calls, id, first, second, third};
}
type ThreeRules = Awaited<ReturnType<typeof createThreeRules>>;

describe('adding a rule', () => {
	test('appends it and returns the whole ruleset in its next version', async () => {
		const {rulesets: callRulesets, id} = await createThreeRules();
		const ruleset = getRuleset(
			await callRulesets('POST', `/${id}/rules`, buildBlockRule(d, {description: 'new'})),
		);
		expect(ruleset.version).toBe('2');
		expect(ruleset.rules.map(({expression}) => expression)).toEqual([a, b, c, d]);
		expect(ruleset.rules[3]).toMatchObject({
			action: 'block',
			description: 'new',
			enabled: true,
			version: '1',
		});
	});

	test.each<[string, (rules: ThreeRules) => JsonValue, readonly string[]]>([
		['before a rule', ({second}) => ({before: second}), [a, d, b, c]],
		['after a rule', ({second}) => ({after: second}), [a, b, d, c]],
		['before all', () => ({before: ''}), [d, a, b, c]],
		['after all', () => ({after: ''}), [a, b, c, d]],
		['at 1', () => ({index: 1}), [d, a, b, c]],
		['at 3', () => ({index: 3}), [a, b, d, c]],
		['at 4', () => ({index: 4}), [a, b, c, d]],
	])('puts it in place: %s', async (_, position, expected) => {
		const calls = await createThreeRules();
		await calls.rulesets('POST', `/${calls.id}/rules`, buildBlockRule(d, {position: position(calls)}));
		expect((await calls.readEntryPoint()).expressions).toEqual(expected);
	});

	test.each<[string, JsonValue, string]>([
		['before a rule that does not exist', {before: unknownId}, '/position/before'],
		['after a rule that does not exist', {after: unknownId}, '/position/after'],
		['at 0', {index: 0}, '/position/index'],
		['at 5', {index: 5}, '/position/index'],
		['at a text', {index: '1'}, '/position/index'],
		['nowhere', {}, '/position'],
		['at two positions', {before: '', index: 1}, '/position'],
		['at a number', 1, '/position'],
	])('gives 400 and adds nothing: %s', async (_, position, pointer) => {
		const {rulesets: callRulesets, id, readEntryPoint} = await createThreeRules();
		const response = await callRulesets('POST', `/${id}/rules`, buildBlockRule(d, {position}));
		expect(getFirstError(response)).toEqual([400, 20217, pointer]);
		expect(await readEntryPoint()).toEqual({expressions: [a, b, c], version: '1'});
	});

	test('to a missing ruleset gives 404', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		expect((await callRulesets('POST', `/${unknownId}/rules`, buildBlockRule(a))).status).toBe(404);
	});
});

describe('changing a rule', () => {
	test('replaces it completely, dropping omitted fields but keeping the ID', async () => {
		const {rulesets: callRulesets, id, second} = await createThreeRules();
		await callRulesets(
			'PATCH',
			`/${id}/rules/${second}`,
			buildBlockRule(b, {description: 'x', enabled: false}),
		);
		const ruleset = getRuleset(await callRulesets('PATCH', `/${id}/rules/${second}`, buildBlockRule(d)));
		expect(ruleset.version).toBe('3');
		expect(ruleset.rules[1]).toMatchObject({
			id: second,
			ref: second,
			version: '3',
			expression: d,
			description: '',
			enabled: true,
		});
	});

	test('in part gives 400', async () => {
		const {rulesets: callRulesets, id, second} = await createThreeRules();
		const response = await callRulesets('PATCH', `/${id}/rules/${second}`, {enabled: false});
		expect(getFirstError(response)).toEqual([400, 20217, '/action']);
	});

	test.each<[string, (rules: ThreeRules) => JsonValue, readonly string[]]>([
		['to the beginning', () => ({before: ''}), [b, a, c]],
		['to the end', () => ({after: ''}), [a, c, b]],
		['before the first', ({first}) => ({before: first}), [b, a, c]],
		['after the last', ({third}) => ({after: third}), [a, c, b]],
		['to 3', () => ({index: 3}), [a, c, b]],
		['to where it is', () => ({index: 2}), [a, b, c]],
	])('only by position moves it, %s', async (_, position, expected) => {
		const calls = await createThreeRules();
		const {rulesets: callRulesets, id, second} = calls;
		const ruleset = getRuleset(
			await callRulesets('PATCH', `/${id}/rules/${second}`, {position: position(calls)}),
		);
		expect(ruleset.rules.map(({expression}) => expression)).toEqual(expected);
		expect(ruleset.rules.find(rule => rule.id === second)).toMatchObject({version: '1'});
	});

	test('to a position next to itself gives 400', async () => {
		const {rulesets: callRulesets, id, second} = await createThreeRules();
		const response = await callRulesets('PATCH', `/${id}/rules/${second}`, {position: {before: second}});
		expect(getFirstError(response)).toEqual([400, 20217, '/position/before']);
	});

	test('can move it at the same time', async () => {
		const {rulesets: callRulesets, id, second, readEntryPoint} = await createThreeRules();
		await callRulesets('PATCH', `/${id}/rules/${second}`, buildBlockRule(d, {position: {index: 1}}));
		expect((await readEntryPoint()).expressions).toEqual([d, a, c]);
	});

	test('by deleting it returns the whole ruleset', async () => {
		const {rulesets: callRulesets, id, second} = await createThreeRules();
		const ruleset = getRuleset(await callRulesets('DELETE', `/${id}/rules/${second}`));
		expect([ruleset.version, ruleset.rules.map(({expression}) => expression)]).toEqual(['2', [a, c]]);
	});

	test.each(['PATCH', 'DELETE'])('gives 404 for %s of a missing rule', async method => {
		const {rulesets: callRulesets, id} = await createThreeRules();
		const body = method === 'PATCH' ? buildBlockRule(d) : undefined;
		expect((await callRulesets(method, `/${id}/rules/${unknownId}`, body)).status).toBe(404);
	});
});

describe('a custom rule', () => {
	const createSkipRule = (parameters: JsonObject): JsonObject => ({
		action: 'skip',
		expression: a,
		action_parameters: parameters,
	});
	const customResponse = {status_code: 418, content: '{}', content_type: 'application/json'};

	test.each<[string, JsonObject]>([
		...['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'].map(
			(action): [string, JsonObject] => [action, buildBlockRule(a, {action})],
		),
		['skip of the ruleset', createSkipRule({ruleset: 'current'})],
		['skip of the phase', createSkipRule({phase: 'current'})],
		['skip of the phase and products', createSkipRule({phase: 'current', products: ['bic']})],
		[
			'skip of phases',
			createSkipRule({phases: ['http_ratelimit', 'http_request_sbfm', 'http_request_firewall_managed']}),
		],
		[
			'skip of products',
			createSkipRule({
				products: ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'],
			}),
		],
		[
			'skip of the ruleset, phases and products',
			createSkipRule({ruleset: 'current', phases: ['http_ratelimit'], products: ['waf']}),
		],
		['skip without a log', {...createSkipRule({ruleset: 'current'}), logging: {enabled: false}}],
		['block with a custom response', buildBlockRule(a, {action_parameters: {response: customResponse}})],
	])('is accepted: %s', async (_, rule) => {
		const {rulesets: callRulesets} = createCustomPhase();
		const ruleset = getRuleset(await callRulesets('PUT', customEntryPoint, {rules: [rule]}));
		expect(ruleset.rules).toMatchObject([rule]);
	});

	test.each<[string, JsonObject, string]>([
		['no action', {expression: a}, '/action'],
		['allow, which is an action of firewall rules', buildBlockRule(a, {action: 'allow'}), '/action'],
		['execute, which is an action of the managed phase', buildBlockRule(a, {action: 'execute'}), '/action'],
		['no expression', {action: 'block'}, '/expression'],
		['enabled as a text', buildBlockRule(a, {enabled: 'yes'}), '/enabled'],
		['a description that is not a string', buildBlockRule(a, {description: 1}), '/description'],
		['a description that is too long', buildBlockRule(a, {description: 'ä'.repeat(2049)}), '/description'],
		['logging without enabled', buildBlockRule(a, {logging: {}}), '/logging'],
		['an id that does not exist', buildBlockRule(a, {id: unknownId}), '/id'],
		['parameters that are not an object', buildBlockRule(a, {action_parameters: []}), '/action_parameters'],
		[
			'challenge with parameters',
			buildBlockRule(a, {action: 'challenge', action_parameters: {x: 1}}),
			'/action_parameters/x',
		],
		[
			'block with the parameters of skip',
			buildBlockRule(a, {action_parameters: {ruleset: 'current'}}),
			'/action_parameters/ruleset',
		],
		[
			'block with status 200',
			buildBlockRule(a, {action_parameters: {response: {...customResponse, status_code: 200}}}),
			'/action_parameters/response/status_code',
		],
		[
			'block without content',
			buildBlockRule(a, {action_parameters: {response: {...customResponse, content: ''}}}),
			'/action_parameters/response/content',
		],
		[
			'block with another type',
			buildBlockRule(a, {action_parameters: {response: {...customResponse, content_type: 'image/png'}}}),
			'/action_parameters/response/content_type',
		],
		['skip of nothing', createSkipRule({}), '/action_parameters'],
		['skip of another ruleset', createSkipRule({ruleset: unknownId}), '/action_parameters/ruleset'],
		['skip of another phase', createSkipRule({phase: 'http_ratelimit'}), '/action_parameters/phase'],
		[
			'skip of unknown phases',
			createSkipRule({phases: ['http_ratelimit', 'x']}),
			'/action_parameters/phases/1',
		],
		['skip of no phases', createSkipRule({phases: []}), '/action_parameters/phases'],
		['skip of unknown products', createSkipRule({products: ['cache']}), '/action_parameters/products/0'],
		[
			'skip of rulesets, as in the managed phase',
			createSkipRule({rulesets: [unknownId]}),
			'/action_parameters/rulesets',
		],
		[
			'skip of rules, as in the managed phase',
			createSkipRule({rules: {[unknownId]: [unknownId]}}),
			'/action_parameters/rules',
		],
		[
			'skip of ruleset and rulesets',
			createSkipRule({ruleset: 'current', rulesets: []}),
			'/action_parameters/ruleset',
		],
		[
			'skip of rules and ruleset',
			createSkipRule({rules: {}, ruleset: 'current'}),
			'/action_parameters/rules',
		],
		[
			'skip of phases and rulesets',
			createSkipRule({phases: ['http_ratelimit'], rulesets: []}),
			'/action_parameters/phases',
		],
		[
			'skip of the phase and phases',
			createSkipRule({phase: 'current', phases: ['http_ratelimit']}),
			'/action_parameters/phase',
		],
		[
			'skip of the phase and the ruleset',
			createSkipRule({phase: 'current', ruleset: 'current'}),
			'/action_parameters/phase',
		],
	])('is rejected with 400 and a pointer, without effect: %s', async (_, rule, pointer) => {
		const {rulesets: callRulesets, createEntryPoint, readEntryPoint} = createCustomPhase();
		await createEntryPoint(b);
		const response = await callRulesets('PUT', customEntryPoint, {rules: [buildBlockRule(c), rule]});
		expect(getFirstError(response)).toEqual([400, 20217, `/rules/1${pointer}`]);
		expect(await readEntryPoint()).toEqual({expressions: [b], version: '1'});
	});

	test('with an invalid expression is rejected with the engine message and no code', async () => {
		const {rulesets: callRulesets, createEntryPoint} = createCustomPhase();
		const {id} = await createEntryPoint(b);
		const message = expect.stringMatching(/^Filter parsing error:\n`ip\.src==34`\n +\^/);
		const putResponse = await callRulesets('PUT', customEntryPoint, {rules: [buildBlockRule('ip.src==34')]});
		expect([putResponse.status, putResponse.errors]).toEqual([
			400,
			[{message, source: {pointer: '/rules/0/expression'}}],
		]);
		const postResponse = await callRulesets('POST', `/${id}/rules`, buildBlockRule('ip.src==34'));
		expect([postResponse.status, postResponse.errors]).toEqual([
			400,
			[{message, source: {pointer: '/expression'}}],
		]);
	});

	test.each<[string, 'free' | 'pro' | 'business', JsonObject, string]>([
		['log', 'business', buildBlockRule(a, {action: 'log'}), '/rules/0/action'],
		['matches', 'pro', buildBlockRule('http.host matches "a"'), '/rules/0/expression'],
		['skip of waf', 'free', createSkipRule({products: ['waf']}), '/rules/0/action_parameters/products'],
	])('is rejected with 403 and a pointer for %s on %s', async (_, plan, rule, pointer) => {
		const {rulesets: callRulesets} = createCustomPhase(plan);
		const response = await callRulesets('PUT', customEntryPoint, {rules: [rule]});
		expect(getFirstError(response)).toEqual([403, null, pointer]);
		expect(response.errors[0]?.message).toMatch(/plan does not have .* it needs the \w+ plan/);
	});

	test.each([
		['free', 5],
		['pro', 20],
		['business', 100],
		['enterprise', 1000],
	] as const)('on %s is one of at most %i', async (plan, quota) => {
		const {rulesets: callRulesets} = createCustomPhase(plan);
		const rules = Array.from({length: quota + 1}, () => buildBlockRule(a));
		const ruleset = getRuleset(await callRulesets('PUT', customEntryPoint, {rules: rules.slice(1)}));
		for (const response of [
			await callRulesets('PUT', customEntryPoint, {rules}),
			await callRulesets('POST', `/${ruleset.id}/rules`, buildBlockRule(a)),
		]) {
			expect(getFirstError(response)).toEqual([400, 20217, '/rules']);
			expect(response.errors[0]?.message).toContain(
				`exceeded maximum number of rules for phase http_request_firewall_custom: ${quota} on the`,
			);
		}
	});

	test('is rejected with 400 if its ref is repeated', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('PUT', customEntryPoint, {
			rules: [buildBlockRule(a, {ref: 'r'}), buildBlockRule(b, {ref: 'r'})],
		});
		expect(getFirstError(response)).toEqual([400, 20217, '/rules/1/ref']);
	});

	test('is rejected with 400 in a phase that cannot be written', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('PUT', '/phases/http_request_sbfm/entrypoint', {rules: []});
		expect(getFirstError(response)).toEqual([400, 20217, '/phase']);
	});
});
