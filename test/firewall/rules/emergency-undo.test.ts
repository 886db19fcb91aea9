import {describe, expect, test} from 'vitest';
import {createEmergencyRule} from '../../../source/firewall/rules/emergency.ts';
import {checkCustomRuleQuota, checkEmergency} from '../../../source/firewall/rules/emergency-check.ts';
import {createCustomRule, readCustomRulePlan} from '../../../source/firewall/rules/emergency-custom-rule.ts';
import type {
	EmergencyDraft,
	EmergencyRecheckOutcome,
} from '../../../source/firewall/rules/emergency-draft.ts';
import {findSpareRule} from '../../../source/firewall/rules/emergency-quota.ts';
import {
	formatUndoCommand,
	type UndoableRule,
	undoEmergency,
} from '../../../source/firewall/rules/emergency-undo.ts';
import {readRulesetEntryPoint} from '../../../source/rulesets/calls.ts';
import {changeRuleset} from '../../../source/rulesets/change.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const draft: EmergencyDraft = {filter: {expression: 'ip.src eq 192.0.2.9'}, action: 'block'};
const options = {signal: neverAbortedSignal};

async function createBlock(testZone: TestZone): Promise<UndoableRule & {form: 'firewall rule'}> {
	const result = await createEmergencyRule(testZone.client, testZone.zone, draft, {
		signal: neverAbortedSignal,
		before: {rules: [], filter: undefined},
	});
	if (result.state !== 'created' || result.form !== 'firewall rule') throw new Error(result.state);
	testZone.forgetRequests();
	return result;
}

const undo = (testZone: TestZone, emergencyRule: UndoableRule) =>
	undoEmergency(testZone.client, testZone.zone, emergencyRule, options);

describe('an emergency rule', () => {
	test('is undone with its filter, and the undo is recorded', async () => {
		const testZone = await openZone();
		const emergencyRule = await createBlock(testZone);
		const reportedWrites: string[] = [];
		const reportedSends: string[] = [];
		const undoResult = await undoEmergency(testZone.client, testZone.zone, emergencyRule, {
			signal: neverAbortedSignal,
			onWritten: what => void reportedWrites.push(what),
			onSend: what => void reportedSends.push(what),
		});
		expect(undoResult.state).toBe('undone');
		expect(reportedWrites).toEqual([
			`delete rule ${emergencyRule.rule.id}`,
			`delete filter ${emergencyRule.rule.filter.id}`,
		]);
		expect(reportedSends).toEqual(reportedWrites);
		expect(await testZone.readState()).toEqual({rules: [], filters: []});
		expect(formatUndoCommand(testZone.zone, emergencyRule)).toContain(`rule delete ${emergencyRule.rule.id}`);
	});

	test.each([
		['its rule', 'firewall/rules'],
		['its filter', 'filters'],
	] as const)('stays if someone else has changed %s since', async (_what, what) => {
		const testZone = await openZone();
		const emergencyRule = await createBlock(testZone);
		const {rule} = emergencyRule;
		if (what === 'filters') await testZone.change(what, {...rule.filter, expression: 'ip.src eq 192.0.2.10'});
		else await testZone.change(what, {...rule, filter: {id: rule.filter.id}, description: 'mine now'});
		expect(await undo(testZone, emergencyRule)).toMatchObject({
			state: 'not undone',
			blockState: 'in force',
			failure: {code: 'changed_meanwhile'},
		});
		expect(testZone.listWrites()).toEqual([]);
	});

	test('leaves only its filter to delete if it is already gone', async () => {
		const testZone = await openZone();
		const emergencyRule = await createBlock(testZone);
		await testZone.direct.call(
			{
				method: 'DELETE',
				path: `/zones/${testZone.zone.id}/firewall/rules/${emergencyRule.rule.id}`,
				repeat: 'never',
				writes: true,
			},
			neverAbortedSignal,
		);
		expect((await undo(testZone, emergencyRule)).state).toBe('undone');
		expect(await testZone.readState()).toEqual({rules: [], filters: []});
		expect((await undo(testZone, emergencyRule)).state).toBe('undone');
	});

	test('keeps its filter if another rule uses it by now', async () => {
		const testZone = await openZone();
		const emergencyRule = await createBlock(testZone);
		const other = await testZone.createRule(emergencyRule.rule.filter, {action: 'challenge'});
		expect(await undo(testZone, emergencyRule)).toMatchObject({
			state: 'undone',
			sentence: expect.stringContaining(other.id),
		});
		expect((await testZone.readState()).rules).toMatchObject([{id: other.id}]);
	});

	test('is found deleted after a lost answer, and no deletion is sent twice', async () => {
		const testZone = await openZone();
		const emergencyRule = await createBlock(testZone);
		testZone.setFaults('method=DELETE lost-answer times=1');
		expect((await undo(testZone, emergencyRule)).state).toBe('undone');
		expect(testZone.listWrites()).toHaveLength(2);
		expect(await testZone.readState()).toEqual({rules: [], filters: []});
	});

	test('is uncertain if its deletion may still arrive, and can be undone again', async () => {
		const testZone = await openZone();
		const emergencyRule = await createBlock(testZone);
		testZone.intercept(({method}) => (method === 'DELETE' ? breakConnection() : undefined));
		expect(await undo(testZone, emergencyRule)).toMatchObject({state: 'not undone', blockState: 'unknown'});
		testZone.intercept(() => undefined);
		expect((await undo(testZone, emergencyRule)).state).toBe('undone');
		expect(await testZone.readState()).toEqual({rules: [], filters: []});
	});

	test('is inactive if only the deletion of its filter is rejected, and ledge says so', async () => {
		const testZone = await openZone();
		const emergencyRule = await createBlock(testZone);
		testZone.setFaults('method=DELETE path=/filters status=403');
		expect(await undo(testZone, emergencyRule)).toMatchObject({
			state: 'not undone',
			blockState: 'partly undone',
			failure: {details: {left: expect.stringContaining(`Rule ${emergencyRule.rule.id} was deleted.`)}},
		});
	});
});

/** Creates a full zone of the Free plan, with one paused rule. */
async function createFullZone() {
	const testZone = await openZone('free');
	for (let number = 0; number < 4; number++)
		await testZone.createRule(await testZone.createFilter(`http.request.uri.path eq "/${number}"`), {
			action: 'block',
			priority: number + 5,
		});
	const filter = await testZone.createFilter('http.request.uri.path eq "/old"');
	const paused = await testZone.createRule(filter, {
		action: 'challenge',
		paused: true,
		priority: 9,
		description: 'old',
	});
	testZone.forgetRequests();
	return {at: testZone, paused};
}

describe('a full zone', () => {
	test('names a rule that only logs if none is paused, or else the last one', async () => {
		const {at: testZone, paused} = await createFullZone();
		const rules = (await testZone.readState()).rules.map(one => ({...one, paused: false}));
		const last = findSpareRule(rules);
		expect(last).toEqual({id: paused.id, name: expect.stringMatching(/^rule "old" .+, which runs last$/)});
		const [first, ...others] = rules;
		if (!first) throw new Error('no rule');
		expect(findSpareRule([{...first, action: 'log'}, ...others])).toEqual({
			id: first.id,
			name: expect.stringContaining('which only logs'),
		});
	});

	test('suggests a custom rule, which needs no room, and names a paused rule to delete', async () => {
		const {at: testZone, paused} = await createFullZone();
		const {rules} = await testZone.readState();
		const [finding] = checkEmergency(draft, testZone.zone, rules).filter(({about}) => about === 'quota');
		expect(finding?.severity).toBe('error');
		expect(finding?.failure.next).toContain('--custom-rule');
		expect(finding?.failure.next).toContain(`rule delete ${paused.id}`);
	});
});

const rule = (number: number, more: Partial<RulesetRule> = {}): RulesetRule => ({
	action: 'block',
	expression: `http.request.uri.path eq "/${number}"`,
	enabled: true,
	...more,
});

async function writeCustomRules(testZone: TestZone, rules: readonly RulesetRule[]): Promise<Ruleset> {
	const shown = await readRulesetEntryPoint(
		testZone.direct,
		testZone.zone.id,
		customPhase,
		neverAbortedSignal,
	);
	const change = {
		zoneId: testZone.zone.id,
		phase: customPhase,
		baseline: shown,
		edit: {kind: 'replace', rules},
		inspectCommand: '',
	} as const;
	const result = await changeRuleset(testZone.direct, change, {signal: neverAbortedSignal});
	if (result.state !== 'done') throw result.failure;
	testZone.forgetRequests();
	return result.ruleset;
}

const readCustomRules = async (testZone: TestZone) =>
	(await readRulesetEntryPoint(testZone.direct, testZone.zone.id, customPhase, neverAbortedSignal))?.rules ??
	[];

/** Creates a zone with five custom rules, of which the one at this index is paused. */
async function createZoneFullOfCustomRules(pausedIndex: number) {
	const testZone = await openZone('free');
	const all = [0, 1, 2, 3, 4].map(number =>
		rule(number, {enabled: number !== pausedIndex, ref: `r${number}`}),
	);
	const entry = await writeCustomRules(testZone, all);
	const paused = entry.rules[pausedIndex];
	if (paused?.id === undefined) throw new Error('no rule');
	return {at: testZone, id: paused.id};
}

async function createEmergencyCustomRule(testZone: TestZone) {
	const plan = await readCustomRulePlan(testZone.client, testZone.zone, draft, neverAbortedSignal);
	return {
		plan,
		result: await createCustomRule(testZone.client, testZone.zone, plan, {signal: neverAbortedSignal}),
	};
}

function expectCreated(result: EmergencyRecheckOutcome): UndoableRule {
	if (result.state !== 'created') throw new Error(result.state);
	return result;
}

describe('an emergency custom rule', () => {
	test.each([
		['two other rules', [rule(0), rule(1)]],
		['no other rule', []],
	])('is undone, with %s', async (_what, others) => {
		const testZone = await openZone();
		const before = await writeCustomRules(testZone, others);
		const {result} = await createEmergencyCustomRule(testZone);
		const emergencyRule = expectCreated(result);
		testZone.forgetRequests();
		expect((await undo(testZone, emergencyRule)).state).toBe('undone');
		expect(testZone.listWrites()).toHaveLength(1);
		expect(await readCustomRules(testZone)).toEqual(before.rules);
		expect((await undo(testZone, emergencyRule)).state).toBe('undone');
		expect(testZone.listWrites()).toHaveLength(1);
	});

	test('stays if someone else has changed it since', async () => {
		const testZone = await openZone();
		const {result} = await createEmergencyCustomRule(testZone);
		const emergencyRule = expectCreated(result);
		const [mine, ...rest] = await readCustomRules(testZone);
		await writeCustomRules(testZone, [{...rule(7), ...(mine?.id !== undefined && {id: mine.id})}, ...rest]);
		expect(await undo(testZone, emergencyRule)).toMatchObject({
			state: 'not undone',
			blockState: 'in force',
			failure: {code: 'changed_meanwhile'},
		});
		expect(testZone.listWrites()).toEqual([]);
	});

	test('is found deleted after a lost answer', async () => {
		const testZone = await openZone();
		const {result} = await createEmergencyCustomRule(testZone);
		testZone.setFaults('method=DELETE lost-answer');
		expect((await undo(testZone, expectCreated(result))).state).toBe('undone');
	});

	test('names the paused rule that can be deleted if the zone is full', async () => {
		const {at: testZone, id} = await createZoneFullOfCustomRules(2);
		const plan = await readCustomRulePlan(testZone.client, testZone.zone, draft, neverAbortedSignal);
		const [finding] = checkCustomRuleQuota(draft, testZone.zone, plan);
		expect(finding).toMatchObject({severity: 'error', about: 'quota'});
		expect(finding?.failure.next).toContain(`rules delete ${id}`);
	});
});
