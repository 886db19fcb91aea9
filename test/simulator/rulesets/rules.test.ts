import {describe, expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {unknownId} from '../firewall/firewall.ts';
import {block, complaint, customEntryPoint, customPhaseOf, rulesetIn} from './custom-phase.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => `http.host eq "${name}"`) as [
	string,
	string,
	string,
	string,
];

async function three() {
	const calls = customPhaseOf();
	const {id, rules} = await calls.begin(a, b, c);
	const [first = '', second = '', third = ''] = rules;
	return {...calls, id, first, second, third};
}
type Three = Awaited<ReturnType<typeof three>>;

describe('adding a rule', () => {
	test('appends it and returns the whole ruleset in its next version', async () => {
		const {rulesets, id} = await three();
		const seen = rulesetIn(await rulesets('POST', `/${id}/rules`, block(d, {description: 'new'})));
		expect(seen.version).toBe('2');
		expect(seen.rules.map(({expression}) => expression)).toEqual([a, b, c, d]);
		expect(seen.rules[3]).toMatchObject({action: 'block', description: 'new', enabled: true, version: '1'});
	});

	test.each<[string, (rules: Three) => JsonValue, readonly string[]]>([
		['before a rule', ({second}) => ({before: second}), [a, d, b, c]],
		['after a rule', ({second}) => ({after: second}), [a, b, d, c]],
		['before all', () => ({before: ''}), [d, a, b, c]],
		['after all', () => ({after: ''}), [a, b, c, d]],
		['at 1', () => ({index: 1}), [d, a, b, c]],
		['at 3', () => ({index: 3}), [a, b, d, c]],
		['at 4', () => ({index: 4}), [a, b, c, d]],
	])('puts it in place: %s', async (_, position, expected) => {
		const calls = await three();
		await calls.rulesets('POST', `/${calls.id}/rules`, block(d, {position: position(calls)}));
		expect((await calls.current()).expressions).toEqual(expected);
	});

	test.each<[string, JsonValue, string]>([
		['before a rule that does not exist', {before: unknownId}, '/position/before'],
		['after a rule that does not exist', {after: unknownId}, '/position/after'],
		['at 0', {index: 0}, '/position/index'],
		['at 5', {index: 5}, '/position/index'],
		['at a text', {index: '1'}, '/position/index'],
		['nowhere', {}, '/position'],
		['at two places', {before: '', index: 1}, '/position'],
		['at a number', 1, '/position'],
	])('gives 400 and adds nothing: %s', async (_, position, pointer) => {
		const {rulesets, id, current} = await three();
		const seen = await rulesets('POST', `/${id}/rules`, block(d, {position}));
		expect(complaint(seen)).toEqual([400, 20217, pointer]);
		expect(await current()).toEqual({expressions: [a, b, c], version: '1'});
	});

	test('to a missing ruleset gives 404', async () => {
		const {rulesets} = customPhaseOf();
		expect((await rulesets('POST', `/${unknownId}/rules`, block(a))).status).toBe(404);
	});
});

describe('changing a rule', () => {
	test('replaces it completely, dropping omitted fields but keeping the ID', async () => {
		const {rulesets, id, second} = await three();
		await rulesets('PATCH', `/${id}/rules/${second}`, block(b, {description: 'x', enabled: false}));
		const seen = rulesetIn(await rulesets('PATCH', `/${id}/rules/${second}`, block(d)));
		expect(seen.version).toBe('3');
		expect(seen.rules[1]).toMatchObject({
			id: second,
			ref: second,
			version: '3',
			expression: d,
			description: '',
			enabled: true,
		});
	});

	test('in part gives 400', async () => {
		const {rulesets, id, second} = await three();
		const seen = await rulesets('PATCH', `/${id}/rules/${second}`, {enabled: false});
		expect(complaint(seen)).toEqual([400, 20217, '/action']);
	});

	test.each<[string, (rules: Three) => JsonValue, readonly string[]]>([
		['to the beginning', () => ({before: ''}), [b, a, c]],
		['to the end', () => ({after: ''}), [a, c, b]],
		['before the first', ({first}) => ({before: first}), [b, a, c]],
		['after the last', ({third}) => ({after: third}), [a, c, b]],
		['to 3', () => ({index: 3}), [a, c, b]],
		['to where it is', () => ({index: 2}), [a, b, c]],
	])('only by position moves it, %s', async (_, position, expected) => {
		const calls = await three();
		const {rulesets, id, second} = calls;
		const seen = rulesetIn(await rulesets('PATCH', `/${id}/rules/${second}`, {position: position(calls)}));
		expect(seen.rules.map(({expression}) => expression)).toEqual(expected);
		expect(seen.rules.find(rule => rule.id === second)).toMatchObject({version: '1'});
	});

	test('to a position next to itself gives 400', async () => {
		const {rulesets, id, second} = await three();
		const seen = await rulesets('PATCH', `/${id}/rules/${second}`, {position: {before: second}});
		expect(complaint(seen)).toEqual([400, 20217, '/position/before']);
	});

	test('can move it at the same time', async () => {
		const {rulesets, id, second, current} = await three();
		await rulesets('PATCH', `/${id}/rules/${second}`, block(d, {position: {index: 1}}));
		expect((await current()).expressions).toEqual([d, a, c]);
	});

	test('by deleting it returns the whole ruleset', async () => {
		const {rulesets, id, second} = await three();
		const seen = rulesetIn(await rulesets('DELETE', `/${id}/rules/${second}`));
		expect([seen.version, seen.rules.map(({expression}) => expression)]).toEqual(['2', [a, c]]);
	});

	test.each(['PATCH', 'DELETE'])('gives 404 for %s of a missing rule', async method => {
		const {rulesets, id} = await three();
		const body = method === 'PATCH' ? block(d) : undefined;
		expect((await rulesets(method, `/${id}/rules/${unknownId}`, body)).status).toBe(404);
	});
});

describe('a custom rule', () => {
	const skip = (parameters: JsonObject): JsonObject => ({
		action: 'skip',
		expression: a,
		action_parameters: parameters,
	});
	const answer = {status_code: 418, content: '{}', content_type: 'application/json'};

	test.each<[string, JsonObject]>([
		...['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'].map(
			(action): [string, JsonObject] => [action, block(a, {action})],
		),
		['skip of the ruleset', skip({ruleset: 'current'})],
		['skip of the phase', skip({phase: 'current'})],
		['skip of the phase and products', skip({phase: 'current', products: ['bic']})],
		[
			'skip of phases',
			skip({phases: ['http_ratelimit', 'http_request_sbfm', 'http_request_firewall_managed']}),
		],
		[
			'skip of products',
			skip({products: ['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf']}),
		],
		[
			'skip of the ruleset, phases and products',
			skip({ruleset: 'current', phases: ['http_ratelimit'], products: ['waf']}),
		],
		['skip without a log', {...skip({ruleset: 'current'}), logging: {enabled: false}}],
		['block with an answer of its own', block(a, {action_parameters: {response: answer}})],
	])('is accepted: %s', async (_, rule) => {
		const {rulesets} = customPhaseOf();
		const seen = rulesetIn(await rulesets('PUT', customEntryPoint, {rules: [rule]}));
		expect(seen.rules).toMatchObject([rule]);
	});

	test.each<[string, JsonObject, string]>([
		['no action', {expression: a}, '/action'],
		['allow, which is an action of firewall rules', block(a, {action: 'allow'}), '/action'],
		['execute, which is one of the managed phase', block(a, {action: 'execute'}), '/action'],
		['no expression', {action: 'block'}, '/expression'],
		['enabled as a text', block(a, {enabled: 'yes'}), '/enabled'],
		['a description that is not a string', block(a, {description: 1}), '/description'],
		['logging that does not say', block(a, {logging: {}}), '/logging'],
		['an id that does not exist', block(a, {id: unknownId}), '/id'],
		['parameters that are no object', block(a, {action_parameters: []}), '/action_parameters'],
		[
			'challenge with parameters',
			block(a, {action: 'challenge', action_parameters: {x: 1}}),
			'/action_parameters/x',
		],
		['block with others', block(a, {action_parameters: {ruleset: 'current'}}), '/action_parameters/ruleset'],
		[
			'block with status 200',
			block(a, {action_parameters: {response: {...answer, status_code: 200}}}),
			'/action_parameters/response/status_code',
		],
		[
			'block without content',
			block(a, {action_parameters: {response: {...answer, content: ''}}}),
			'/action_parameters/response/content',
		],
		[
			'block with another type',
			block(a, {action_parameters: {response: {...answer, content_type: 'image/png'}}}),
			'/action_parameters/response/content_type',
		],
		['skip of nothing', skip({}), '/action_parameters'],
		['skip of another ruleset', skip({ruleset: unknownId}), '/action_parameters/ruleset'],
		['skip of another phase', skip({phase: 'http_ratelimit'}), '/action_parameters/phase'],
		['skip of unknown phases', skip({phases: ['http_ratelimit', 'x']}), '/action_parameters/phases/1'],
		['skip of no phases', skip({phases: []}), '/action_parameters/phases'],
		['skip of unknown products', skip({products: ['cache']}), '/action_parameters/products/0'],
		[
			'skip of rulesets, as in the managed phase',
			skip({rulesets: [unknownId]}),
			'/action_parameters/rulesets',
		],
		[
			'skip of rules, as in the managed phase',
			skip({rules: {[unknownId]: [unknownId]}}),
			'/action_parameters/rules',
		],
		['skip of ruleset and rulesets', skip({ruleset: 'current', rulesets: []}), '/action_parameters/ruleset'],
		['skip of rules and ruleset', skip({rules: {}, ruleset: 'current'}), '/action_parameters/rules'],
		[
			'skip of phases and rulesets',
			skip({phases: ['http_ratelimit'], rulesets: []}),
			'/action_parameters/phases',
		],
		[
			'skip of the phase and phases',
			skip({phase: 'current', phases: ['http_ratelimit']}),
			'/action_parameters/phase',
		],
		[
			'skip of the phase and the ruleset',
			skip({phase: 'current', ruleset: 'current'}),
			'/action_parameters/phase',
		],
	])('is rejected with 400 at its place, without effect: %s', async (_, rule, pointer) => {
		const {rulesets, begin, current} = customPhaseOf();
		await begin(b);
		const seen = await rulesets('PUT', customEntryPoint, {rules: [block(c), rule]});
		expect(complaint(seen)).toEqual([400, 20217, `/rules/1${pointer}`]);
		expect(await current()).toEqual({expressions: [b], version: '1'});
	});

	test('with an invalid expression is rejected with the engine message and no code', async () => {
		const {rulesets, begin} = customPhaseOf();
		const {id} = await begin(b);
		const message = expect.stringMatching(/^Filter parsing error:\n`ip\.src==34`\n +\^/);
		const whole = await rulesets('PUT', customEntryPoint, {rules: [block('ip.src==34')]});
		expect([whole.status, whole.errors]).toEqual([
			400,
			[{message, source: {pointer: '/rules/0/expression'}}],
		]);
		const one = await rulesets('POST', `/${id}/rules`, block('ip.src==34'));
		expect([one.status, one.errors]).toEqual([400, [{message, source: {pointer: '/expression'}}]]);
	});

	test.each<[string, 'free' | 'pro' | 'business', JsonObject, string]>([
		['log', 'business', block(a, {action: 'log'}), '/rules/0/action'],
		['matches', 'pro', block('http.host matches "a"'), '/rules/0/expression'],
		['skip of waf', 'free', skip({products: ['waf']}), '/rules/0/action_parameters/products'],
	])('is rejected with 403 at its place for %s on %s', async (_, plan, rule, pointer) => {
		const {rulesets} = customPhaseOf(plan);
		const seen = await rulesets('PUT', customEntryPoint, {rules: [rule]});
		expect(complaint(seen)).toEqual([403, null, pointer]);
		expect(seen.errors[0]?.message).toMatch(/plan does not have .* it needs the \w+ plan/);
	});

	test.each([
		['free', 5],
		['pro', 20],
		['business', 100],
		['enterprise', 1000],
	] as const)('on %s is one of at most %i', async (plan, most) => {
		const {rulesets} = customPhaseOf(plan);
		const rules = Array.from({length: most + 1}, () => block(a));
		const made = rulesetIn(await rulesets('PUT', customEntryPoint, {rules: rules.slice(1)}));
		for (const seen of [
			await rulesets('PUT', customEntryPoint, {rules}),
			await rulesets('POST', `/${made.id}/rules`, block(a)),
		]) {
			expect(complaint(seen)).toEqual([400, 20217, '/rules']);
			expect(seen.errors[0]?.message).toContain(
				`exceeded maximum number of rules for phase http_request_firewall_custom: ${most} on the`,
			);
		}
	});

	test('is rejected with 400 if its ref is repeated', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('PUT', customEntryPoint, {
			rules: [block(a, {ref: 'r'}), block(b, {ref: 'r'})],
		});
		expect(complaint(seen)).toEqual([400, 20217, '/rules/1/ref']);
	});

	test('is rejected with 400 in a phase that cannot be written', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('PUT', '/phases/http_ratelimit/entrypoint', {rules: []});
		expect(complaint(seen)).toEqual([400, 20217, '/phase']);
	});
});
