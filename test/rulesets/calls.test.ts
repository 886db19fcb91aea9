import {describe, expect, test} from 'vitest';
import {addRule, createRuleset, entryPoint, putEntryPoint, rulesetById} from '../../source/rulesets/calls.ts';
import {customPhase, managedPhase, type RulesetRule} from '../../source/rulesets/ruleset.ts';
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
	test('a ruleset is given without what the service adds by itself', async () => {
		const {client, requests} = clientOf([envelope(answered)]);
		expect(await entryPoint(client, zone, managedPhase, never)).toEqual({
			id: 'r5',
			name: 'default',
			description: '',
			kind: 'zone',
			phase: customPhase,
			version: '7',
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
				{id: 'a2', action: 'block', expression: ''},
			],
		});
		expect(requests()).toEqual([{method: 'GET', path: entryPointOf(managedPhase)}]);
	});

	test('no entry point yet is no failure', async () => {
		const message = `could not find entrypoint ruleset in the "${customPhase}" phase`;
		const {client} = clientOf([refused(404, [{code: 10003, message}])]);
		expect(await entryPoint(client, zone, customPhase, never)).toBeUndefined();
	});

	test('a zone that is not there is one', async () => {
		const message = 'Could not route to /zones/x, perhaps your object identifier is invalid?';
		const {client} = clientOf([refused(404, [{code: 7003, message}])]);
		await expect(entryPoint(client, zone, customPhase, never)).rejects.toMatchObject({code: 'not_found'});
	});

	test('a ruleset that is not there is one, too', async () => {
		const {client, requests} = clientOf([refused(404, [{code: 10003, message: 'no'}])]);
		await expect(rulesetById(client, zone, 'a/b', never)).rejects.toMatchObject({code: 'not_found'});
		expect(requests()[0]?.path).toBe(`/zones/${zone}/rulesets/a%2Fb`);
	});

	test.each(['', '.', '..'])('the id %j is refused before anything is sent', async id => {
		const {client, requests} = clientOf([envelope(answered)]);
		await expect(async () => entryPoint(client, id, customPhase, never)).rejects.toMatchObject({
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
		await expect(entryPoint(client, zone, customPhase, never)).rejects.toMatchObject({
			code: 'answer_malformed',
		});
	});
});

describe('writing', () => {
	const writes = {
		createRuleset: {
			run: (client: ReturnType<typeof clientOf>['client']) =>
				createRuleset(client, zone, {name: 'default', phase: customPhase, rules: [block]}, never),
			request: {
				method: 'POST',
				path: `/zones/${zone}/rulesets`,
				body: {name: 'default', kind: 'zone', phase: customPhase, rules: [block]},
			},
		},
		'addRule at the first place': {
			run: (client: ReturnType<typeof clientOf>['client']) =>
				addRule(client, zone, 'r5', block, {position: {index: 1}}, never),
			request: {
				method: 'POST',
				path: `/zones/${zone}/rulesets/r5/rules`,
				body: {...block, position: {index: 1}},
			},
		},
		'addRule without a place': {
			run: (client: ReturnType<typeof clientOf>['client']) => addRule(client, zone, 'r5', block, {}, never),
			request: {method: 'POST', path: `/zones/${zone}/rulesets/r5/rules`, body: block},
		},
		putEntryPoint: {
			run: (client: ReturnType<typeof clientOf>['client']) =>
				putEntryPoint(client, zone, customPhase, [block], never),
			request: {method: 'PUT', path: entryPointOf(customPhase), body: {rules: [block]}},
		},
	};

	for (const [name, {run, request}] of Object.entries(writes)) {
		test(`${name} sends exactly this, and gives the ruleset of the answer`, async () => {
			const {client, requests} = clientOf([envelope(answered)]);
			expect(await run(client)).toMatchObject({id: 'r5', version: '7'});
			expect(requests()).toEqual([request]);
		});

		test.each([429, 500, 503])(`${name} is sent once, even after a %d`, async status => {
			const {client, requests} = clientOf([refused(status, [{code: 1, message: 'no'}])]);
			await expect(run(client)).rejects.toThrow();
			expect(requests()).toHaveLength(1);
		});

		test(`${name} in a dry run is shown and not sent`, async () => {
			const {client, requests, planned} = clientOf([], {dryRun: true});
			expect(await run(client)).toMatchObject({kind: 'zone', phase: customPhase});
			expect(requests()).toEqual([]);
			expect(JSON.parse(planned[0]?.body?.content ?? '')).toEqual(request.body);
		});
	}
});
