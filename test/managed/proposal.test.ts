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
import {never} from '../service/scripted-transport.ts';
import {type ManagedTest, managedZone, owaspRule, platformRule} from './support.ts';

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

type Tried = ManagedTest & {
	readonly inForce: ManagedRulesState;
	readonly proposal: ManagedProposal;
	send(typed?: string): Promise<RulesetOutcome>;
};

async function proposed(...edits: readonly ConfigurationEdit[]): Promise<Tried> {
	const zone = await managedZone();
	const inForce = await zone.read();
	const proposal = proposeEdits(inForce, edits);
	zone.at.forget();
	return {
		...zone,
		inForce,
		proposal,
		send: typed => sendProposal(zone.at.client, inForce, proposal, {zoneName: typed}, {signal: never}),
	};
}

describe('one changed rule takes one call', () => {
	test('for a threshold', async () => {
		const {at, send, proposal, inForce, truth} = await proposed(threshold);
		expect(await send()).toMatchObject({state: 'done', concurrentEdits: undefined});
		expect(at.writes()).toEqual([
			{
				method: 'PATCH',
				path: expect.stringMatching(`/rules/${owaspRule}$`),
				body: {
					id: owaspRule,
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
		expect(buildProposalRequest(inForce, proposal)).toEqual(at.writes()[0]);
		expect((await truth())?.version).toBe('2');
	});

	test('for an exception, placed before what it skips', async () => {
		const {at, send, truth} = await proposed(exception);
		expect(await send()).toMatchObject({state: 'done', rule: {description: 'search'}});
		expect(at.writes()).toMatchObject([
			{
				method: 'POST',
				path: expect.stringMatching(/\/rules$/),
				body: {
					action: 'skip',
					action_parameters: {rules: {[owasp.id]: [thresholdRuleId]}},
					expression: 'http.host eq "search.example"',
					logging: {enabled: true},
					position: {after: platformRule},
				},
			},
		]);
		expect((await truth())?.rules.map(({action}) => action)).toEqual(['execute', 'skip', 'execute']);
	});

	test('and several take one PUT, keeping their ids', async () => {
		const {at, send, truth, read} = await proposed(exception, threshold, {
			kind: 'ruleset deployed',
			ruleset: credentials.id,
		});
		expect(await send()).toMatchObject({state: 'done', concurrentEdits: undefined});
		expect(at.writes()).toMatchObject([
			{
				method: 'PUT',
				path: expect.stringMatching(/\/entrypoint$/),
				body: {
					rules: [
						{id: platformRule},
						{action: 'skip', description: 'search'},
						{id: owaspRule, action_parameters: {overrides: {rules: [{score_threshold: 25}]}}},
						{action: 'execute', action_parameters: {id: credentials.id}},
					],
				},
			},
		]);
		const ids = (await truth())?.rules.map(({id}) => id);
		expect([ids?.[0], ids?.[2]]).toEqual([platformRule, owaspRule]);
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
	const {at, send} = await proposed(exception, threshold);
	await send();
	for (const {path} of at.writes()) expect(path).not.toContain('waf_migration');
});

describe('nothing is sent', () => {
	test.each(['previous', 'validation', 'pending'] as const)('to a zone in the stage %s', async stage => {
		const {at, read} = await managedZone(stage);
		const inForce = await read();
		const proposal = proposeEdits(inForce, [
			{kind: 'exception added', exception: {expression: 'ssl', skips: {kind: 'all'}}},
		]);
		at.forget();
		const outcome = await sendProposal(
			at.client,
			inForce,
			proposal,
			{zoneName: inForce.zone.name},
			{signal: never},
		);
		expect(outcome).toMatchObject({state: 'nothing', failure: {code: 'not_eligible', exitCode: 5}});
		expect(at.writes()).toEqual([]);
		expect(at.reads()).toEqual([]);
	});

	test.each<[string, ConfigurationEdit, RegExp]>([
		[
			'an id that is not in its ruleset',
			{kind: 'managed rule override', ruleset: owasp.id, id: 'f'.repeat(32), action: 'log'},
			/OWASP Core Ruleset has no rule f/,
		],
		[
			'a category that is not',
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
		const {at, send, inForce, proposal} = await proposed(edit);
		expect(findProposalBlocker(inForce, proposal)?.details.why).toMatch(why);
		expect(await send(inForce.zone.name)).toMatchObject({
			state: 'nothing',
			failure: {code: 'input_malformed'},
		});
		expect(at.writes()).toEqual([]);
	});

	test('without the zone name if a ruleset is turned off', async () => {
		const {at, send} = await proposed({kind: 'rule enabled', rule: 1, enabled: false});
		for (const typed of [undefined, '', 'acme.example'])
			expect(await send(typed)).toMatchObject({state: 'nothing', failure: {code: 'unconfirmed'}});
		expect(at.writes()).toEqual([]);
		expect(await send('done.acme.example')).toMatchObject({state: 'done'});
	});

	test('if nothing differs', async () => {
		const {proposal} = await proposed({kind: 'score threshold', points: 40});
		expect(proposal).toMatchObject({edit: undefined, differences: [], findings: [], reductions: []});
	});
});

test('a field that ledge does not know is an error, unless it is allowed', async () => {
	const {inForce} = await proposed();
	const odd: ConfigurationEdit = {
		kind: 'exception added',
		exception: {expression: 'http.request.future eq "a"', skips: {kind: 'rulesets', ids: [owasp.id]}},
	};
	const severities = (allowUnknown: boolean) =>
		proposeEdits(inForce, [odd], {allowUnknown}).findings.map(({severity}) => severity);
	expect(severities(false)).toContain('error');
	expect(severities(true)).not.toContain('error');
});

test('an existing problem is neither an error nor reported again', async () => {
	const now = await (await managedZone()).read();
	const strange = 'http.request.future eq "a"';
	const withStrange: ManagedRulesState = {
		...now,
		configuration: {
			name: 'default',
			rules: [
				{id: 'odd', action: 'skip', expression: strange, action_parameters: {rulesets: [owasp.id]}},
				...now.configuration.rules,
			],
		},
	};
	const [first, ...rest] = withStrange.configuration.rules;
	if (!first) throw new Error('There is no rule.');
	const changed = {name: 'default', rules: [{...first, description: 'b'}, ...rest]};
	expect(proposeConfiguration(withStrange, changed).findings).toEqual([]);
	// The same rule as a new one is judged.
	const {id: _, ...fresh} = first;
	const added = {name: 'default', rules: [fresh, ...rest]};
	expect(proposeConfiguration(now, added).findings.some(({severity}) => severity === 'error')).toBe(true);
});

/** What someone else does in between, and how a person reads it. */
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

describe.each(others)('someone else %s', (_what, editOf, sentence) => {
	const theirs = editOf({owasp: owaspRule, platform: platformRule});

	test('before the request: nothing is sent, and the change is named', async () => {
		const {at, send, byOthers} = await proposed(threshold);
		await byOthers(theirs);
		at.forget();
		const outcome = await send();
		expect(outcome).toMatchObject({state: 'changed meanwhile', failure: {code: 'changed_meanwhile'}});
		expect(
			outcome.state === 'changed meanwhile' && outcome.changes.map(one => describeManagedChange(one)).join(),
		).toMatch(sentence);
		expect(at.writes()).toEqual([]);
	});

	test('after the last read: the change is listed', async () => {
		const {at, send, byOthers} = await proposed(threshold);
		let isFirst = true;
		at.intercept(async request => {
			if (request.method === 'GET' || !isFirst) return undefined;
			isFirst = false;
			await byOthers(theirs);
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
		const {at, send, truth} = await proposed(...edits);
		at.faults(`method=${method} ${fault}`);
		const outcome = await send();
		expect(at.writes()).toHaveLength(1);
		const isChanged = (await truth())?.version !== '1';
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
