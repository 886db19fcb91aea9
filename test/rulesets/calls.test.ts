import {describe, expect, test} from 'vitest';
import {
	listRulesetVersions,
	readRulesetEntryPoint,
	readRulesetVersion,
	sendEdit,
} from '../../source/rulesets/calls.ts';
import type {RulesetEdit} from '../../source/rulesets/edit.ts';
import {customPhase, managedPhase, type Ruleset, type RulesetRule} from '../../source/rulesets/ruleset.ts';
import type {PlannedCall} from '../../source/service/call.ts';
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	neverAbortedSignal,
	type ScriptedReply,
	scriptedUrl,
} from '../service/scripted-transport.ts';

const zoneId = '0'.repeat(32);
const getEntryPointPath = (phase: string) => `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`;

/** A ruleset as the service returns it, with the fields that the service adds. */
const serviceRuleset = {
	id: 'r5',
	name: 'default',
	description: '',
	kind: 'zone',
	phase: customPhase,
	version: '7',
	source: 'firewall_custom',
	last_updated: '2024-01-01T00:00:00.000000Z',
	rules: [
		{
			id: 'a1',
			version: '1',
			ref: 'a1',
			action: 'skip',
			action_parameters: {ruleset: 'current'},
			expression: 'ssl',
			description: '',
			enabled: false,
			logging: {enabled: true},
			last_updated: '2024-01-01T00:00:00.000000Z',
			categories: ['x'],
		},
		{id: 'a2', action: 'block', score_threshold: 3},
	],
};

const block: RulesetRule = {action: 'block', expression: 'ssl', enabled: true};

function createClient(script: ScriptedReply[], options: {dryRun?: boolean; readOnly?: boolean} = {}) {
	const planned: PlannedCall[] = [];
	const events = {planned: (call: PlannedCall) => planned.push(call)};
	const {client, sent} = createScriptedClient(script, {events, ...options});
	const requests = () =>
		sent.map(({method, url, body}) => ({
			method,
			path: url.replace(scriptedUrl, ''),
			...(body !== undefined && {body: JSON.parse(String(body))}),
		}));
	return {client, requests, planned};
}

describe('reading', () => {
	test('a ruleset leaves out fields added by the service', async () => {
		const {client, requests} = createClient([buildEnvelope(serviceRuleset)]);
		expect(await readRulesetEntryPoint(client, zoneId, managedPhase, neverAbortedSignal)).toEqual({
			id: 'r5',
			name: 'default',
			description: '',
			kind: 'zone',
			phase: customPhase,
			version: '7',
			last_updated: '2024-01-01T00:00:00.000000Z',
			rules: [
				{
					id: 'a1',
					ref: 'a1',
					action: 'skip',
					action_parameters: {ruleset: 'current'},
					expression: 'ssl',
					description: '',
					enabled: false,
					logging: {enabled: true},
				},
				{id: 'a2', action: 'block', expression: '', score_threshold: 3},
			],
		});
		expect(requests()).toEqual([{method: 'GET', path: getEntryPointPath(managedPhase)}]);
	});

	test('a missing entry point is not a failure', async () => {
		const message = `could not find entrypoint ruleset in the "${customPhase}" phase`;
		const {client} = createClient([buildErrorResponse(404, [{code: 10003, message}])]);
		expect(await readRulesetEntryPoint(client, zoneId, customPhase, neverAbortedSignal)).toBeUndefined();
	});

	test('a missing zone is a failure', async () => {
		const message = 'Could not route to /zones/x, perhaps your object identifier is invalid?';
		const {client} = createClient([buildErrorResponse(404, [{code: 7003, message}])]);
		await expect(
			readRulesetEntryPoint(client, zoneId, customPhase, neverAbortedSignal),
		).rejects.toMatchObject({
			code: 'not_found',
		});
	});

	test('versions returns the list and a single version', async () => {
		const {rules: _, ...listed} = serviceRuleset;
		const {client, requests} = createClient([buildEnvelope([listed]), buildEnvelope(serviceRuleset)]);
		expect(await listRulesetVersions(client, zoneId, 'a/b', neverAbortedSignal)).toMatchObject([
			{version: '7', rules: []},
		]);
		expect(await readRulesetVersion(client, zoneId, 'a/b', '7', neverAbortedSignal)).toMatchObject({
			version: '7',
			rules: [{}, {}],
		});
		expect(requests().map(({path}) => path)).toEqual([
			`/zones/${zoneId}/rulesets/a%2Fb/versions`,
			`/zones/${zoneId}/rulesets/a%2Fb/versions/7`,
		]);
	});

	test('a version that the service no longer has is not a failure', async () => {
		const {client} = createClient([buildErrorResponse(404, [{code: 10003, message: 'no'}])]);
		expect(await readRulesetVersion(client, zoneId, 'r5', '3', neverAbortedSignal)).toBeUndefined();
	});

	test.each(['', '.', '..'])('the id %j is refused before anything is sent', async id => {
		const {client, requests} = createClient([buildEnvelope(serviceRuleset)]);
		await expect(async () =>
			readRulesetEntryPoint(client, id, customPhase, neverAbortedSignal),
		).rejects.toMatchObject({
			code: 'usage',
		});
		expect(requests()).toEqual([]);
	});

	test.each([
		['no object', []],
		['no id', {...serviceRuleset, id: undefined}],
		['no phase', {...serviceRuleset, phase: 5}],
		['rules that are not a list', {...serviceRuleset, rules: {}}],
		['a rule without an action', {...serviceRuleset, rules: [{}]}],
	])('a response with %s is malformed', async (_what, result) => {
		const {client} = createClient([buildEnvelope(result)]);
		await expect(
			readRulesetEntryPoint(client, zoneId, customPhase, neverAbortedSignal),
		).rejects.toMatchObject({
			code: 'answer_malformed',
		});
	});
});

describe('writing', () => {
	const existingRuleset: Ruleset = {
		id: 'r5',
		name: 'default',
		kind: 'zone',
		phase: customPhase,
		version: '6',
		rules: [{...block, id: 'a1', ref: 'a1'}],
	};
	const send =
		(edit: RulesetEdit, before: Ruleset | undefined = existingRuleset) =>
		(client: ReturnType<typeof createClient>['client']) =>
			sendEdit(client, zoneId, customPhase, before, edit, neverAbortedSignal);
	const rulesPath = `/zones/${zoneId}/rulesets/r5/rules`;
	const writes = {
		'a first rule': {
			run: (client: ReturnType<typeof createClient>['client']) =>
				sendEdit(client, zoneId, customPhase, undefined, {kind: 'add', rule: block}, neverAbortedSignal),
			request: {
				method: 'POST',
				path: `/zones/${zoneId}/rulesets`,
				body: {name: 'default', kind: 'zone', phase: customPhase, rules: [block]},
			},
		},
		'a rule at the first position': {
			run: send({kind: 'add', rule: block, position: {index: 1}}),
			request: {method: 'POST', path: rulesPath, body: {...block, position: {index: 1}}},
		},
		'a rule without a position': {
			run: send({kind: 'add', rule: block}),
			request: {method: 'POST', path: rulesPath, body: block},
		},
		'a changed rule': {
			run: send({
				kind: 'change',
				id: 'a1',
				rule: {...block, id: 'a1', ref: 'mine', enabled: false, exposed_credential_check: {a: 1}},
			}),
			request: {
				method: 'PATCH',
				path: `${rulesPath}/a1`,
				body: {...block, id: 'a1', ref: 'mine', enabled: false, exposed_credential_check: {a: 1}},
			},
		},
		'a moved rule': {
			run: send({kind: 'move', id: 'a/1', position: {before: 'a2'}}),
			request: {method: 'PATCH', path: `${rulesPath}/a%2F1`, body: {position: {before: 'a2'}}},
		},
		'a deleted rule': {
			run: send({kind: 'delete', id: 'a1'}),
			request: {method: 'DELETE', path: `${rulesPath}/a1`},
		},
		'all rules': {
			run: send({kind: 'replace', rules: [...existingRuleset.rules, block]}),
			request: {
				method: 'PUT',
				path: getEntryPointPath(customPhase),
				body: {rules: [{...block, id: 'a1'}, block]},
			},
		},
	};

	for (const [name, {run, request}] of Object.entries(writes)) {
		test(`${name} sends exactly this, and returns the ruleset of the response`, async () => {
			const {client, requests} = createClient([buildEnvelope(serviceRuleset)]);
			expect(await run(client)).toMatchObject({id: 'r5', version: '7'});
			expect(requests()).toEqual([request]);
		});

		test.each([429, 500, 503])(`${name} is sent once, even after a %d`, async status => {
			const {client, requests} = createClient([buildErrorResponse(status, [{code: 1, message: 'no'}])]);
			await expect(run(client)).rejects.toThrow();
			expect(requests()).toHaveLength(1);
		});

		test(`${name} in a dry run is shown but not sent`, async () => {
			const {client, requests, planned} = createClient([], {dryRun: true});
			expect(await run(client)).toMatchObject({kind: 'zone', phase: customPhase});
			expect(requests()).toEqual([]);
			const content = planned[0]?.body?.content;
			expect(content && JSON.parse(content)).toEqual('body' in request ? request.body : undefined);
		});
	}
});
