import {expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {
	buildBlockRule,
	createCustomPhase,
	customEntryPoint,
	getFirstError,
	getRuleset,
} from './custom-phase.ts';

const entryPoint = '/phases/http_ratelimit/entrypoint';
const ratelimit = {
	characteristics: ['cf.colo.id', 'ip.src'],
	period: 60,
	requests_per_period: 20,
	mitigation_timeout: 600,
};
const buildLimit = (more: JsonObject = {}): JsonObject =>
	buildBlockRule('http.request.uri.path eq "/login"', {ratelimit, ...more});

test('rate limits are created and changed like custom rules', async () => {
	const {rulesets: callRulesets} = createCustomPhase();
	const created = getRuleset(await callRulesets('PUT', entryPoint, {rules: [buildLimit()]}));
	expect(created.rules).toMatchObject([{action: 'block', ratelimit, version: '1'}]);
	const path = `/${created.id}/rules/${created.rules[0]?.id}`;
	const changed = getRuleset(
		await callRulesets('PATCH', path, buildLimit({ratelimit: {...ratelimit, period: 10}})),
	);
	expect(changed).toMatchObject({version: '2', rules: [{ratelimit: {period: 10}, version: '2'}]});
});

test.each<[string, JsonObject, string]>([
	['without a limit', buildBlockRule('ssl'), '/rules/0/ratelimit'],
	['with skip', buildLimit({action: 'skip'}), '/rules/0/action'],
	['without characteristics', buildLimit({ratelimit: {period: 60}}), '/rules/0/ratelimit/characteristics'],
	[
		'without a period',
		buildLimit({ratelimit: {characteristics: ['cf.colo.id', 'ip.src']}}),
		'/rules/0/ratelimit/period',
	],
	[
		'for no requests',
		buildLimit({ratelimit: {...ratelimit, requests_per_period: 0}}),
		'/rules/0/ratelimit/requests_per_period',
	],
])('a rate limit %s is rejected with 400', async (_name, rule, pointer) => {
	const {rulesets: callRulesets} = createCustomPhase();
	expect(getFirstError(await callRulesets('PUT', entryPoint, {rules: [rule]}))).toEqual([
		400,
		20217,
		pointer,
	]);
});

test('a custom rule has no rate limit', async () => {
	const {rulesets: callRulesets} = createCustomPhase();
	expect(getFirstError(await callRulesets('PUT', customEntryPoint, {rules: [buildLimit()]}))).toEqual([
		400,
		20217,
		'/rules/0/ratelimit',
	]);
});
