import {describe, expect, test} from 'vitest';
import {describeManagedChange} from '../../source/managed/change-words.ts';
import {
	buildProposalRequest,
	findProposalBlocker,
	type ManagedProposal,
	proposeConfiguration,
	proposeEdits,
	sendProposal,
} from '../../source/managed/proposal.ts';
import type {ManagedRulesState} from '../../source/managed/state.ts';
import {buildManagedView} from '../../source/managed/view.ts';
import type {ConfigurationEdit} from '../../source/migration/configuration/edits.ts';
import {managedRulesets, thresholdRuleId} from '../../source/migration/configuration/mapping.ts';
import type {RulesetOutcome} from '../../source/rulesets/change.ts';
import type {RulesetEdit} from '../../source/rulesets/edit.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {activeOwaspRuleId, activePlatformRuleId, type ManagedTest, openManagedZone} from './support.ts';

const {platform, owasp, credentials} = managedRulesets;
const threshold: ConfigurationEdit = {kind: 'score threshold', points: 25};
const exception: ConfigurationEdit = {
	kind: 'exception added',
	exception: {
		expression: 'http.host eq "search.example"',
		skips: {kind: 'rules', rules: {[owasp.id]: [thresholdRuleId]}},
		description: 'search',
	},
};

type PreparedProposal = ManagedTest & {
	readonly activeState: ManagedRulesState;
	readonly proposal: ManagedProposal;
	send(typed?: string): Promise<RulesetOutcome>;
};

async function prepareProposal(...edits: readonly ConfigurationEdit[]): Promise<PreparedProposal> {
	const zone = await openManagedZone();
	const activeState = await zone.read();
	const proposal = proposeEdits(activeState, edits);
	zone.testZone.forgetRequests();
	return {
		...zone,
		activeState,
		proposal,
		send: typed =>
			sendProposal(
				zone.testZone.client,
				activeState,
				proposal,
				{zoneName: typed},
				{signal: neverAbortedSignal},
			),
	};
}

describe('one changed rule takes one call', () => {
	test('for a threshold', async () => {
		const {testZone, send, proposal, activeState, readEntryPoint} = await prepareProposal(threshold);
		expect(await send()).toMatchObject({state: 'done', concurrentEdits: undefined});
		expect(testZone.listWrites()).toEqual([
			{
				method: 'PATCH',
				path: expect.stringMatching(`/rules/${activeOwaspRuleId}$`),
				body: {
					id: activeOwaspRuleId,
					action: 'execute',
					action_parameters: {
						id: owasp.id,
						version: 'latest',
						overrides: {
							categories: [
								{category: 'paranoia-level-3', enabled: false},
								{category: 'paranoia-level-4', enabled: false},
							],
							rules: [{id: thresholdRuleId, score_threshold: 25, action: 'managed_challenge'}],
						},
					},
					expression: 'true',
					description: '',
					enabled: true,
				},
			},
		]);
		expect(buildProposalRequest(activeState, proposal)).toEqual(testZone.listWrites()[0]);
		expect((await readEntryPoint())?.version).toBe('2');
	});

	test('for an exception, placed before what it skips', async () => {
		const {testZone, send, readEntryPoint} = await prepareProposal(exception);
		expect(await send()).toMatchObject({state: 'done', rule: {description: 'search'}});
		expect(testZone.listWrites()).toMatchObject([
			{
				method: 'POST',
				path: expect.stringMatching(/\/rules$/),
				body: {
					action: 'skip',
					action_parameters: {rules: {[owasp.id]: [thresholdRuleId]}},
					expression: 'http.host eq "search.example"',
					logging: {enabled: true},
					position: {after: activePlatformRuleId},
				},
			},
		]);
		expect((await readEntryPoint())?.rules.map(({action}) => action)).toEqual(['execute', 'skip', 'execute']);
	});

	test('but several take one PUT, and keep their ids', async () => {
		const {testZone, send, readEntryPoint, read} = await prepareProposal(exception, threshold, {
			kind: 'ruleset deployed',
			ruleset: credentials.id,
		});
		expect(await send()).toMatchObject({state: 'done', concurrentEdits: undefined});
		expect(testZone.listWrites()).toMatchObject([
			{
				method: 'PUT',
				path: expect.stringMatching(/\/entrypoint$/),
				body: {
					rules: [
						{id: activePlatformRuleId},
						{action: 'skip', description: 'search'},
						{id: activeOwaspRuleId, action_parameters: {overrides: {rules: [{score_threshold: 25}]}}},
						{action: 'execute', action_parameters: {id: credentials.id}},
					],
				},
			},
		]);
		const ids = (await readEntryPoint())?.rules.map(({id}) => id);
		expect([ids?.[0], ids?.[2]]).toEqual([activePlatformRuleId, activeOwaspRuleId]);
		const view = buildManagedView(await read());
		expect(view.rulesets.map(({ruleset, is}) => [ruleset, is])).toEqual([
			[platform.id, 'on'],
			[owasp.id, 'on'],
			[credentials.id, 'on'],
		]);
		expect(view.rulesets[1]?.owasp).toEqual({level: 2, threshold: 25, action: 'managed_challenge'});
		expect(view.exceptions).toMatchObject([
			{
				place: 2,
				affects: ['OWASP Core Ruleset'],
				named: [{id: thresholdRuleId, name: '949110: Inbound Anomaly Score Exceeded'}],
			},
		]);
		expect(view.notDeployed).toEqual([]);
	});
});

test('a proposal never starts a migration', async () => {
	const {testZone, send} = await prepareProposal(exception, threshold);
	await send();
	for (const {path} of testZone.listWrites()) expect(path).not.toContain('waf_migration');
});

describe('nothing is sent', () => {
	test.each(['previous', 'validation', 'pending'] as const)('to a zone in the stage %s', async stage => {
		const {testZone, read} = await openManagedZone(stage);
		const activeState = await read();
		const proposal = proposeEdits(activeState, [
			{kind: 'exception added', exception: {expression: 'ssl', skips: {kind: 'all'}}},
		]);
		testZone.forgetRequests();
		const outcome = await sendProposal(
			testZone.client,
			activeState,
			proposal,
			{zoneName: activeState.zone.name},
			{signal: neverAbortedSignal},
		);
		expect(outcome).toMatchObject({state: 'nothing', failure: {code: 'not_eligible', exitCode: 5}});
		expect(testZone.listWrites()).toEqual([]);
		expect(testZone.listReads()).toEqual([]);
	});

	test.each<[string, ConfigurationEdit, RegExp]>([
		[
			'an id that is not in its ruleset',
			{kind: 'managed rule override', ruleset: owasp.id, id: 'f'.repeat(32), action: 'log'},
			/OWASP Core Ruleset has no rule f/,
		],
		[
			'a category that is not in its ruleset',
			{kind: 'category override', ruleset: owasp.id, category: 'wordpress', enabled: false},
			/has no category wordpress/,
		],
		[
			'a ruleset that the zone lacks',
			{kind: 'ruleset deployed', ruleset: 'f'.repeat(32)},
			/no managed ruleset f/,
		],
		[
			'a broken expression',
			{kind: 'exception added', exception: {expression: 'http.host =', skips: {kind: 'all'}}},
			/Expression error at line 1/,
		],
	])('with %s', async (_what, edit, why) => {
		const {testZone, send, activeState, proposal} = await prepareProposal(edit);
		expect(findProposalBlocker(activeState, proposal)?.details.why).toMatch(why);
		expect(await send(activeState.zone.name)).toMatchObject({
			state: 'nothing',
			failure: {code: 'input_malformed'},
		});
		expect(testZone.listWrites()).toEqual([]);
	});

	test('without the zone name if a ruleset is turned off', async () => {
		const {testZone, send} = await prepareProposal({kind: 'rule enabled', rule: 1, enabled: false});
		for (const typed of [undefined, '', 'acme.example'])
			expect(await send(typed)).toMatchObject({state: 'nothing', failure: {code: 'unconfirmed'}});
		expect(testZone.listWrites()).toEqual([]);
		expect(await send('done.acme.example')).toMatchObject({state: 'done'});
	});

	test('if nothing differs', async () => {
		const {proposal} = await prepareProposal({kind: 'score threshold', points: 40});
		expect(proposal).toMatchObject({edit: undefined, differences: [], findings: [], reductions: []});
	});
});

test('a field that ledge does not know is an error, unless it is allowed', async () => {
	const {activeState} = await prepareProposal();
	const unknownFieldEdit: ConfigurationEdit = {
		kind: 'exception added',
		exception: {expression: 'http.request.future eq "a"', skips: {kind: 'rulesets', ids: [owasp.id]}},
	};
	const severities = (allowUnknown: boolean) =>
		proposeEdits(activeState, [unknownFieldEdit], {allowUnknown}).findings.map(({severity}) => severity);
	expect(severities(false)).toContain('error');
	expect(severities(true)).not.toContain('error');
});

test('an existing problem is neither an error nor reported again', async () => {
	const activeState = await (await openManagedZone()).read();
	const unknownFieldExpression = 'http.request.future eq "a"';
	const stateWithUnknownField: ManagedRulesState = {
		...activeState,
		configuration: {
			name: 'default',
			rules: [
				{
					id: 'odd',
					action: 'skip',
					expression: unknownFieldExpression,
					action_parameters: {rulesets: [owasp.id]},
				},
				...activeState.configuration.rules,
			],
		},
	};
	const [first, ...rest] = stateWithUnknownField.configuration.rules;
	if (!first) throw new Error('There is no rule.');
	const changed = {name: 'default', rules: [{...first, description: 'b'}, ...rest]};
	expect(proposeConfiguration(stateWithUnknownField, changed).findings).toEqual([]);
	// The same rule is checked if it is new.
	const {id: _, ...newRule} = first;
	const added = {name: 'default', rules: [newRule, ...rest]};
	expect(proposeConfiguration(activeState, added).findings.some(({severity}) => severity === 'error')).toBe(
		true,
	);
});

/** What someone else does in between, and how ledge describes it. */
const others: readonly (readonly [
	string,
	(ids: {owasp: string; platform: string}) => RulesetEdit,
	RegExp,
])[] = [
	[
		'deletes a ruleset',
		({platform: id}) => ({kind: 'delete', id}),
		/\(Managed Ruleset\) was deleted from position 1/,
	],
	[
		'changes the same one',
		({owasp: id}) => ({
			kind: 'change',
			id,
			rule: {action: 'execute', expression: 'ssl', action_parameters: {id: owasp.id}},
		}),
		/\(OWASP Core Ruleset\) was changed: .*expression: true → ssl/,
	],
	[
		'moves one',
		({owasp: id}) => ({kind: 'move', id, position: {before: ''}}),
		/was moved from position 2 to 1/,
	],
];

describe.each(others)('someone else %s', (_what, buildEdit, sentence) => {
	const theirEdit = buildEdit({owasp: activeOwaspRuleId, platform: activePlatformRuleId});

	test('before the request: nothing is sent, and the change is named', async () => {
		const {testZone, send, editAsSomeoneElse} = await prepareProposal(threshold);
		await editAsSomeoneElse(theirEdit);
		testZone.forgetRequests();
		const outcome = await send();
		expect(outcome).toMatchObject({state: 'changed meanwhile', failure: {code: 'changed_meanwhile'}});
		expect(
			outcome.state === 'changed meanwhile' && outcome.changes.map(one => describeManagedChange(one)).join(),
		).toMatch(sentence);
		expect(testZone.listWrites()).toEqual([]);
	});

	test('after the last read: the change is listed', async () => {
		const {testZone, send, editAsSomeoneElse} = await prepareProposal(threshold);
		let isFirst = true;
		testZone.intercept(async request => {
			if (request.method === 'GET' || !isFirst) return undefined;
			isFirst = false;
			await editAsSomeoneElse(theirEdit);
			return undefined;
		});
		const outcome = await send();
		expect(
			outcome.state === 'done' &&
				outcome.concurrentEdits?.changes.map(one => describeManagedChange(one)).join(),
		).toMatch(sentence);
	});
});

describe.each([
	['a threshold', [threshold], 'PATCH'],
	['an exception', [exception], 'POST'],
	['several', [exception, threshold], 'PUT'],
] as const)('%s', (_what, edits, method) => {
	test.each([
		'lost-answer',
		'status=500',
		'status=429',
		'status=409',
		'status=503',
		'late-status=502',
	])('with %s is sent once, and its outcome is reported correctly', async fault => {
		const {testZone, send, readEntryPoint} = await prepareProposal(...edits);
		testZone.setFaults(`method=${method} ${fault}`);
		const outcome = await send();
		expect(testZone.listWrites()).toHaveLength(1);
		const isChanged = (await readEntryPoint())?.version !== '1';
		if (outcome.state === 'done') expect(isChanged).toBe(true);
		else if (outcome.state === 'nothing') expect(isChanged).toBe(false);
		else expect(outcome.state).toBe('unsure');
	});
});

test('a change to an exception names it by its description and expression', () => {
	const rule = {
		id: 'e'.repeat(32),
		action: 'skip',
		action_parameters: {ruleset: 'current'},
		expression: 'http.host eq "import.example"',
		description: 'the importer',
		enabled: true,
	};
	for (const change of [
		{kind: 'changed', before: rule, rule: {...rule, enabled: false}, position: 1},
		{kind: 'moved', rule, previousPosition: 1, position: 2},
		{kind: 'removed', rule, position: 1},
	] as const)
		expect(describeManagedChange(change, 'planned'), change.kind).toMatch(
			/"the importer".* where http\.host eq "import\.example"/,
		);
});
