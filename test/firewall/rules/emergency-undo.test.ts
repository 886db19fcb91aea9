import {describe, expect, test} from 'vitest';
import {createEmergencyRule} from '../../../source/firewall/rules/emergency.ts';
import {checkCustomRuleQuota, checkEmergency} from '../../../source/firewall/rules/emergency-check.ts';
import {createCustomRule, readCustomRulePlan} from '../../../source/firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft, EmergencySettled} from '../../../source/firewall/rules/emergency-draft.ts';
import {findSpareRule} from '../../../source/firewall/rules/emergency-quota.ts';
import {
	formatUndoCommand,
	type UndoableRule,
	undoEmergency,
} from '../../../source/firewall/rules/emergency-undo.ts';
import {readRulesetEntryPoint} from '../../../source/rulesets/calls.ts';
import {changeRuleset} from '../../../source/rulesets/change.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {never} from '../../service/scripted-transport.ts';
import {broken, openZone, type TestZone} from '../support/zone.ts';

const draft: EmergencyDraft = {filter: {expression: 'ip.src eq 192.0.2.9'}, action: 'block'};
const options = {signal: never};

async function blocked(at: TestZone): Promise<UndoableRule & {form: 'firewall rule'}> {
	const done = await createEmergencyRule(at.client, at.zone, draft, {
		signal: never,
		before: {rules: [], filter: undefined},
	});
	if (done.state !== 'created' || done.form !== 'firewall rule') throw new Error(done.state);
	at.forget();
	return done;
}

const undo = (at: TestZone, made: UndoableRule) => undoEmergency(at.client, at.zone, made, options);

describe('an emergency rule', () => {
	test('is undone with its filter, and the undo is recorded', async () => {
		const at = await openZone();
		const made = await blocked(at);
		const wrote: string[] = [];
		const sent: string[] = [];
		const undone = await undoEmergency(at.client, at.zone, made, {
			signal: never,
			onWrite: what => void wrote.push(what),
			onSend: what => void sent.push(what),
		});
		expect(undone.state).toBe('undone');
		expect(wrote).toEqual([`delete rule ${made.rule.id}`, `delete filter ${made.rule.filter.id}`]);
		expect(sent).toEqual(wrote);
		expect(await at.truth()).toEqual({rules: [], filters: []});
		expect(formatUndoCommand(at.zone, made)).toContain(`rule delete ${made.rule.id}`);
	});

	test.each([
		['its rule', 'firewall/rules'],
		['its filter', 'filters'],
	] as const)('stays if someone else has changed %s since', async (_what, what) => {
		const at = await openZone();
		const made = await blocked(at);
		const {rule} = made;
		if (what === 'filters') await at.change(what, {...rule.filter, expression: 'ip.src eq 192.0.2.10'});
		else await at.change(what, {...rule, filter: {id: rule.filter.id}, description: 'mine now'});
		expect(await undo(at, made)).toMatchObject({
			state: 'not undone',
			blockState: 'in force',
			failure: {code: 'changed_meanwhile'},
		});
		expect(at.writes()).toEqual([]);
	});

	test('leaves only its filter to delete if it is already gone', async () => {
		const at = await openZone();
		const made = await blocked(at);
		await at.direct.call(
			{
				method: 'DELETE',
				path: `/zones/${at.zone.id}/firewall/rules/${made.rule.id}`,
				repeat: 'never',
				writes: true,
			},
			never,
		);
		expect((await undo(at, made)).state).toBe('undone');
		expect(await at.truth()).toEqual({rules: [], filters: []});
		expect((await undo(at, made)).state).toBe('undone');
	});

	test('keeps its filter if another rule uses it by now', async () => {
		const at = await openZone();
		const made = await blocked(at);
		const other = await at.rule(made.rule.filter, {action: 'challenge'});
		expect(await undo(at, made)).toMatchObject({
			state: 'undone',
			sentence: expect.stringContaining(other.id),
		});
		expect((await at.truth()).rules).toMatchObject([{id: other.id}]);
	});

	test('is found deleted after a lost answer, and no deletion is sent twice', async () => {
		const at = await openZone();
		const made = await blocked(at);
		at.faults('method=DELETE lost-answer times=1');
		expect((await undo(at, made)).state).toBe('undone');
		expect(at.writes()).toHaveLength(2);
		expect(await at.truth()).toEqual({rules: [], filters: []});
	});

	test('is uncertain if its deletion may still arrive, and can be undone again', async () => {
		const at = await openZone();
		const made = await blocked(at);
		at.intercept(({method}) => (method === 'DELETE' ? broken() : undefined));
		expect(await undo(at, made)).toMatchObject({state: 'not undone', blockState: 'unknown'});
		at.intercept(() => undefined);
		expect((await undo(at, made)).state).toBe('undone');
		expect(await at.truth()).toEqual({rules: [], filters: []});
	});

	test('is inactive if only the deletion of its filter is rejected, and ledge says so', async () => {
		const at = await openZone();
		const made = await blocked(at);
		at.faults('method=DELETE path=/filters status=403');
		expect(await undo(at, made)).toMatchObject({
			state: 'not undone',
			blockState: 'partly undone',
			failure: {details: {left: expect.stringContaining(`Rule ${made.rule.id} was deleted.`)}},
		});
	});
});

/** A full zone of the Free plan, with one paused rule. */
async function full() {
	const at = await openZone('free');
	for (let number = 0; number < 4; number++)
		await at.rule(await at.filter(`http.request.uri.path eq "/${number}"`), {
			action: 'block',
			priority: number + 5,
		});
	const filter = await at.filter('http.request.uri.path eq "/old"');
	const paused = await at.rule(filter, {action: 'challenge', paused: true, priority: 9, description: 'old'});
	at.forget();
	return {at, paused};
}

describe('a full zone', () => {
	test('names a rule that only logs if none is paused, or else the last one', async () => {
		const {at, paused} = await full();
		const rules = (await at.truth()).rules.map(one => ({...one, paused: false}));
		const last = findSpareRule(rules);
		expect(last).toEqual({id: paused.id, name: expect.stringMatching(/^rule "old" .+, which runs last$/)});
		const [first, ...others] = rules;
		if (!first) throw new Error('no rule');
		expect(findSpareRule([{...first, action: 'log'}, ...others])).toEqual({
			id: first.id,
			name: expect.stringContaining('which only logs'),
		});
	});

	test('names a custom rule as the way that needs no room, and the paused rule that can be deleted', async () => {
		const {at, paused} = await full();
		const {rules} = await at.truth();
		const [finding] = checkEmergency(draft, at.zone, rules).filter(({about}) => about === 'quota');
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

async function written(at: TestZone, rules: readonly RulesetRule[]): Promise<Ruleset> {
	const shown = await readRulesetEntryPoint(at.direct, at.zone.id, customPhase, never);
	const change = {
		zoneId: at.zone.id,
		phase: customPhase,
		baseline: shown,
		edit: {kind: 'replace', rules},
		inspectCommand: '',
	} as const;
	const done = await changeRuleset(at.direct, change, {signal: never});
	if (done.state !== 'done') throw done.failure;
	at.forget();
	return done.ruleset;
}

const custom = async (at: TestZone) =>
	(await readRulesetEntryPoint(at.direct, at.zone.id, customPhase, never))?.rules ?? [];

/** Five custom rules, of which the one at this place is paused. */
async function fullOfCustomRules(place: number) {
	const at = await openZone('free');
	const all = [0, 1, 2, 3, 4].map(number => rule(number, {enabled: number !== place, ref: `r${number}`}));
	const entry = await written(at, all);
	const paused = entry.rules[place];
	if (paused?.id === undefined) throw new Error('no rule');
	return {at, id: paused.id};
}

async function asCustomRule(at: TestZone) {
	const plan = await readCustomRulePlan(at.client, at.zone, draft, never);
	return {plan, done: await createCustomRule(at.client, at.zone, plan, {signal: never})};
}

function madeOf(done: EmergencySettled): UndoableRule {
	if (done.state !== 'created') throw new Error(done.state);
	return done;
}

describe('an emergency custom rule', () => {
	test.each([
		['two other rules', [rule(0), rule(1)]],
		['no other rule', []],
	])('is undone, with %s', async (_what, others) => {
		const at = await openZone();
		const before = await written(at, others);
		const {done} = await asCustomRule(at);
		const made = madeOf(done);
		at.forget();
		expect((await undo(at, made)).state).toBe('undone');
		expect(at.writes()).toHaveLength(1);
		expect(await custom(at)).toEqual(before.rules);
		expect((await undo(at, made)).state).toBe('undone');
		expect(at.writes()).toHaveLength(1);
	});

	test('stays if someone else has changed it since', async () => {
		const at = await openZone();
		const {done} = await asCustomRule(at);
		const made = madeOf(done);
		const [mine, ...rest] = await custom(at);
		await written(at, [{...rule(7), ...(mine?.id !== undefined && {id: mine.id})}, ...rest]);
		expect(await undo(at, made)).toMatchObject({
			state: 'not undone',
			blockState: 'in force',
			failure: {code: 'changed_meanwhile'},
		});
		expect(at.writes()).toEqual([]);
	});

	test('is found deleted after a lost answer', async () => {
		const at = await openZone();
		const {done} = await asCustomRule(at);
		at.faults('method=DELETE lost-answer');
		expect((await undo(at, madeOf(done))).state).toBe('undone');
	});

	test('names the paused rule that can be deleted if the zone is full', async () => {
		const {at, id} = await fullOfCustomRules(2);
		const plan = await readCustomRulePlan(at.client, at.zone, draft, never);
		const [finding] = checkCustomRuleQuota(draft, at.zone, plan);
		expect(finding).toMatchObject({severity: 'error', about: 'quota'});
		expect(finding?.failure.next).toContain(`rules delete ${id}`);
	});
});
