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
	envelope,
	never,
	refused,
	type Scripted,
	scriptedClient,
	scriptedUrl,
} from '../service/scripted-transport.ts';

const zone = '0'.repeat(32);
const entryPointOf = (phase: string) => `/zones/${zone}/rulesets/phases/${phase}/entrypoint`;

/** A ruleset as the service gives it, with all that it adds by itself. */
const answered = {
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

function clientOf(script: Scripted[], options: {dryRun?: boolean; readOnly?: boolean} = {}) {
	const planned: PlannedCall[] = [];
	const events = {planned: (call: PlannedCall) => planned.push(call)};
	const {client, sent} = scriptedClient(script, {events, ...options});
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
		const {client, requests} = clientOf([envelope(answered)]);
		expect(await readRulesetEntryPoint(client, zone, managedPhase, never)).toEqual({
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
		expect(requests()).toEqual([{method: 'GET', path: entryPointOf(managedPhase)}]);
	});

	test('a missing entry point is not a failure', async () => {
		const message = `could not find entrypoint ruleset in the "${customPhase}" phase`;
		const {client} = clientOf([refused(404, [{code: 10003, message}])]);
		expect(await readRulesetEntryPoint(client, zone, customPhase, never)).toBeUndefined();
	});

	test('a missing zone is a failure', async () => {
		const message = 'Could not route to /zones/x, perhaps your object identifier is invalid?';
		const {client} = clientOf([refused(404, [{code: 7003, message}])]);
		await expect(readRulesetEntryPoint(client, zone, customPhase, never)).rejects.toMatchObject({
			code: 'not_found',
		});
	});

	test('versions returns the list and a single version', async () => {
		const {rules: _, ...listed} = answered;
		const {client, requests} = clientOf([envelope([listed]), envelope(answered)]);
		expect(await listRulesetVersions(client, zone, 'a/b', never)).toMatchObject([{version: '7', rules: []}]);
		expect(await readRulesetVersion(client, zone, 'a/b', '7', never)).toMatchObject({
			version: '7',
			rules: [{}, {}],
		});
		expect(requests().map(({path}) => path)).toEqual([
			`/zones/${zone}/rulesets/a%2Fb/versions`,
			`/zones/${zone}/rulesets/a%2Fb/versions/7`,
		]);
	});

	test('a version that the service no longer has is not a failure', async () => {
		const {client} = clientOf([refused(404, [{code: 10003, message: 'no'}])]);
		expect(await readRulesetVersion(client, zone, 'r5', '3', never)).toBeUndefined();
	});

	test.each(['', '.', '..'])('the id %j is refused before anything is sent', async id => {
		const {client, requests} = clientOf([envelope(answered)]);
		await expect(async () => readRulesetEntryPoint(client, id, customPhase, never)).rejects.toMatchObject({
			code: 'usage',
		});
		expect(requests()).toEqual([]);
	});

	test.each([
		['no object', []],
		['no id', {...answered, id: undefined}],
		['no phase', {...answered, phase: 5}],
		['rules that are none', {...answered, rules: {}}],
		['a rule without an action', {...answered, rules: [{}]}],
	])('an answer with %s is malformed', async (_what, result) => {
		const {client} = clientOf([envelope(result)]);
		await expect(readRulesetEntryPoint(client, zone, customPhase, never)).rejects.toMatchObject({
			code: 'answer_malformed',
		});
	});
});

describe('writing', () => {
	const there: Ruleset = {
		id: 'r5',
		name: 'default',
		kind: 'zone',
		phase: customPhase,
		version: '6',
		rules: [{...block, id: 'a1', ref: 'a1'}],
	};
	const send =
		(edit: RulesetEdit, before: Ruleset | undefined = there) =>
		(client: ReturnType<typeof clientOf>['client']) =>
			sendEdit(client, zone, customPhase, before, edit, never);
	const rules = `/zones/${zone}/rulesets/r5/rules`;
	const writes = {
		'a first rule': {
			run: (client: ReturnType<typeof clientOf>['client']) =>
				sendEdit(client, zone, customPhase, undefined, {kind: 'add', rule: block}, never),
			request: {
				method: 'POST',
				path: `/zones/${zone}/rulesets`,
				body: {name: 'default', kind: 'zone', phase: customPhase, rules: [block]},
			},
		},
		'a rule at the first place': {
			run: send({kind: 'add', rule: block, position: {index: 1}}),
			request: {method: 'POST', path: rules, body: {...block, position: {index: 1}}},
		},
		'a rule without a place': {
			run: send({kind: 'add', rule: block}),
			request: {method: 'POST', path: rules, body: block},
		},
		'a changed rule': {
			run: send({
				kind: 'change',
				id: 'a1',
				rule: {...block, id: 'a1', ref: 'mine', enabled: false, exposed_credential_check: {a: 1}},
			}),
			request: {
				method: 'PATCH',
				path: `${rules}/a1`,
				body: {...block, id: 'a1', ref: 'mine', enabled: false, exposed_credential_check: {a: 1}},
			},
		},
		'a moved rule': {
			run: send({kind: 'move', id: 'a/1', position: {before: 'a2'}}),
			request: {method: 'PATCH', path: `${rules}/a%2F1`, body: {position: {before: 'a2'}}},
		},
		'a deleted rule': {
			run: send({kind: 'delete', id: 'a1'}),
			request: {method: 'DELETE', path: `${rules}/a1`},
		},
		'all rules': {
			run: send({kind: 'replace', rules: [...there.rules, block]}),
			request: {
				method: 'PUT',
				path: entryPointOf(customPhase),
				body: {rules: [{...block, id: 'a1'}, block]},
			},
		},
	};

	for (const [name, {run, request}] of Object.entries(writes)) {
		test(`${name} sends exactly this, and returns the ruleset of the answer`, async () => {
			const {client, requests} = clientOf([envelope(answered)]);
			expect(await run(client)).toMatchObject({id: 'r5', version: '7'});
			expect(requests()).toEqual([request]);
		});

		test.each([429, 500, 503])(`${name} is sent once, even after a %d`, async status => {
			const {client, requests} = clientOf([refused(status, [{code: 1, message: 'no'}])]);
			await expect(run(client)).rejects.toThrow();
			expect(requests()).toHaveLength(1);
		});

		test(`${name} in a dry run is shown but not sent`, async () => {
			const {client, requests, planned} = clientOf([], {dryRun: true});
			expect(await run(client)).toMatchObject({kind: 'zone', phase: customPhase});
			expect(requests()).toEqual([]);
			const content = planned[0]?.body?.content;
			expect(content && JSON.parse(content)).toEqual('body' in request ? request.body : undefined);
		});
	}
});
