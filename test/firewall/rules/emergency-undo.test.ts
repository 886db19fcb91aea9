import {describe, expect, test} from 'vitest';
import {beforeEmergency, emergencyCreate} from '../../../source/firewall/rules/emergency.ts';
import {customRuleFindings, emergencyFindings} from '../../../source/firewall/rules/emergency-check.ts';
import {
	createCustomRule,
	type EmergencyCustomRule,
	planCustomRule,
} from '../../../source/firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {
	emergencyReplacing,
	replacementRequests,
} from '../../../source/firewall/rules/emergency-replacement.ts';
import {type Made, undoCommands, undoEmergency} from '../../../source/firewall/rules/emergency-undo.ts';
import {notReplaceable} from '../../../source/firewall/rules/emergency-ways.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {entryPoint} from '../../../source/rulesets/calls.ts';
import {changeRuleset} from '../../../source/rulesets/change.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {never} from '../../service/scripted-transport.ts';
import {broken, openZone, type TestZone} from '../support/zone.ts';

const draft: EmergencyDraft = {filter: {expression: 'ip.src eq 192.0.2.9'}, action: 'block'};
const options = {signal: never};

async function blocked(at: TestZone): Promise<Made & {form: 'firewall rule'}> {
	const done = await emergencyCreate(at.client, at.zone, draft, {
		signal: never,
		before: {rules: [], filter: undefined},
	});
	if (done.state !== 'created') throw new Error(done.state);
	at.forget();
	return {form: 'firewall rule', rule: done.rule};
}

const undo = (at: TestZone, made: Made) => undoEmergency(at.client, at.zone, made, options);

describe('an emergency rule', () => {
	test('is undone with its filter, and the undoing is recorded', async () => {
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
		expect(undoCommands(at.zone, made)).toEqual([expect.stringContaining(`rule delete ${made.rule.id}`)]);
	});

	test.each([
		['its rule', 'firewall/rules'],
		['its filter', 'filters'],
	] as const)('stays where someone else has changed %s since', async (_what, what) => {
		const at = await openZone();
		const made = await blocked(at);
		const {rule} = made;
		if (what === 'filters') await at.change(what, {...rule.filter, expression: 'ip.src eq 192.0.2.10'});
		else await at.change(what, {...rule, filter: {id: rule.filter.id}, description: 'mine now'});
		expect(await undo(at, made)).toMatchObject({state: 'nothing', failure: {code: 'changed_meanwhile'}});
		expect(at.writes()).toEqual([]);
	});

	test('that is gone leaves only its filter to delete', async () => {
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

	test('keeps its filter where another rule uses it by now', async () => {
		const at = await openZone();
		const made = await blocked(at);
		const other = await at.rule(made.rule.filter, {action: 'challenge'});
		expect(await undo(at, made)).toMatchObject({
			state: 'undone',
			sentence: expect.stringContaining(other.id),
		});
		expect((await at.truth()).rules).toMatchObject([{id: other.id}]);
	});

	test('whose deletion is lost is found gone, and not sent twice', async () => {
		const at = await openZone();
		const made = await blocked(at);
		at.faults('method=DELETE lost-answer times=1');
		expect((await undo(at, made)).state).toBe('undone');
		expect(at.writes()).toHaveLength(2);
		expect(await at.truth()).toEqual({rules: [], filters: []});
	});

	test('whose deletion may still arrive is unsure, can be looked for, and undone again', async () => {
		const at = await openZone();
		const made = await blocked(at);
		at.intercept(({method}) => (method === 'DELETE' ? broken() : undefined));
		const undone = await undo(at, made);
		if (undone.state !== 'unsure') throw new Error(undone.state);
		expect((await undone.lookAgain(at.client, options)).state).toBe('unsure');
		at.intercept(() => undefined);
		expect((await undo(at, made)).state).toBe('undone');
		expect((await undone.lookAgain(at.client, options)).state).toBe('partly');
		expect(await at.truth()).toEqual({rules: [], filters: []});
	});

	test('whose filter is refused is no longer in force, and that is said', async () => {
		const at = await openZone();
		const made = await blocked(at);
		at.faults('method=DELETE path=/filters status=403');
		expect(await undo(at, made)).toMatchObject({
			state: 'partly',
			failure: {
				details: {
					left: expect.stringMatching(new RegExp(`^Rule .+ \\(block, ${made.rule.id}\\) is deleted\\.`)),
				},
			},
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
	return {at, paused, filter};
}

async function replacing(at: TestZone, rule: Rule) {
	const before = await beforeEmergency(at.client, at.zone, draft, never);
	return emergencyReplacing(at.client, at.zone, draft, rule, {signal: never, before});
}

describe('a full zone', () => {
	test('names the paused rule that can be replaced', async () => {
		const {at, paused} = await full();
		const {rules} = await at.truth();
		const [finding] = emergencyFindings(draft, at.zone, rules).filter(({about}) => about === 'quota');
		expect(finding?.severity).toBe('error');
		expect(finding?.failure.next).toContain(`--replace ${paused.id}`);
	});

	test('has the block in the place of a paused rule, with the calls that were shown', async () => {
		const {at, paused, filter} = await full();
		const done = await replacing(at, paused);
		expect(done).toMatchObject({state: 'created', replaced: {id: paused.id}});
		expect(at.writes()).toEqual(replacementRequests(at.zone, draft, paused));
		const {rules, filters} = await at.truth();
		expect(rules).toHaveLength(5);
		expect(rules.some(({id}) => id === paused.id)).toBe(false);
		expect(filters.some(({id}) => id === filter.id)).toBe(true);
	});

	test('is as before once that is undone, but for the id of the rule', async () => {
		const {at, paused} = await full();
		const before = await at.truth();
		const done = await replacing(at, paused);
		if (done.state !== 'created') throw new Error(done.state);
		const made: Made = {form: 'firewall rule', rule: done.rule, replaced: done.replaced};
		expect(undoCommands(at.zone, made)).toEqual([
			expect.stringContaining(`rule delete ${done.rule.id}`),
			expect.stringContaining(`--filter-id ${paused.filter.id}`),
		]);
		expect((await undo(at, made)).state).toBe('undone');
		const after = await at.truth();
		const withoutId = ({id, ...rule}: Rule) => rule;
		expect(after.rules.map(withoutId)).toEqual(before.rules.map(withoutId));
		expect(after.filters).toEqual(before.filters);
		at.forget();
		expect((await undo(at, made)).state).toBe('undone');
		expect(at.writes()).toEqual([]);
	});

	test('keeps a rule that is in force by now', async () => {
		const {at, paused, filter} = await full();
		await at.change('firewall/rules', {...paused, filter: {id: filter.id}, paused: false});
		expect(await replacing(at, paused)).toMatchObject({
			state: 'nothing',
			failure: {code: 'changed_meanwhile'},
		});
		expect(at.writes()).toEqual([]);
		const [now] = (await at.truth()).rules.filter(({id}) => id === paused.id);
		expect(now && notReplaceable(now)).toContain('in force');
	});

	test('keeps a rule that someone resumed after all rules were read', async () => {
		const {at, paused, filter} = await full();
		const before = await beforeEmergency(at.client, at.zone, draft, never);
		await at.change('firewall/rules', {...paused, filter: {id: filter.id}, paused: false});
		const done = await emergencyReplacing(at.client, at.zone, draft, paused, {signal: never, before});
		expect(done).toMatchObject({state: 'nothing', failure: {code: 'changed_meanwhile'}});
		expect(at.writes()).toEqual([]);
	});

	test('keeps a rule that cannot be read right before', async () => {
		const {at, paused} = await full();
		const before = await beforeEmergency(at.client, at.zone, draft, never);
		at.faults(`method=GET path=${paused.id} status=403`);
		const done = await emergencyReplacing(at.client, at.zone, draft, paused, {signal: never, before});
		expect(done).toMatchObject({state: 'nothing', failure: {details: {left: 'Nothing was sent.'}}});
		expect(at.writes()).toEqual([]);
	});

	test('says how to have the rule again where the block is refused', async () => {
		const {at, paused} = await full();
		at.faults('method=POST status=403');
		const done = await replacing(at, paused);
		expect(done).toMatchObject({state: 'nothing'});
		const {failure} = done as typeof done & {state: 'nothing'};
		expect(failure.details.left).toContain(`Rule ${paused.id}, which was paused, is deleted`);
		expect(failure.next).toContain(`--filter-id ${paused.filter.id}`);
	});

	test('deletes nothing where a filter has the expression already', async () => {
		const {at, paused} = await full();
		const filter = await at.filter(draft.filter.expression);
		expect(await replacing(at, paused)).toMatchObject({state: 'duplicate', filterId: filter.id});
		expect(at.writes()).toEqual([]);
	});

	test('deletes nothing that is refused', async () => {
		const {at, paused} = await full();
		at.faults('method=DELETE status=403');
		expect((await replacing(at, paused)).state).toBe('nothing');
		expect(at.writes()).toHaveLength(1);
	});
});

const rule = (number: number, more: Partial<RulesetRule> = {}): RulesetRule => ({
	action: 'block',
	expression: `http.request.uri.path eq "/${number}"`,
	enabled: true,
	...more,
});

async function written(at: TestZone, rules: readonly RulesetRule[]): Promise<Ruleset> {
	const shown = await entryPoint(at.direct, at.zone.id, customPhase, never);
	const change = {
		zone: at.zone.id,
		phase: customPhase,
		shown,
		edit: {kind: 'replace', rules},
		where: '',
	} as const;
	const done = await changeRuleset(at.direct, change, {signal: never});
	if (done.state !== 'done') throw done.failure;
	at.forget();
	return done.ruleset;
}

const custom = async (at: TestZone) =>
	(await entryPoint(at.direct, at.zone.id, customPhase, never))?.rules ?? [];

/** Five custom rules, of which the one at this place is paused. */
async function fullOfCustomRules(place: number) {
	const at = await openZone('free');
	const all = [0, 1, 2, 3, 4].map(number => rule(number, {enabled: number !== place, ref: `r${number}`}));
	const entry = await written(at, all);
	const paused = entry.rules[place];
	if (paused?.id === undefined) throw new Error('no rule');
	return {at, entry, id: paused.id, paused};
}

async function asCustomRule(at: TestZone, replace?: string) {
	const plan = await planCustomRule(at.client, at.zone, draft, never, {replace});
	return {plan, done: await createCustomRule(at.client, at.zone, plan, {signal: never})};
}

function madeOf(done: EmergencyCustomRule): Made {
	if (done.state !== 'created') throw new Error(done.state);
	return {form: 'custom rule', rule: done.rule, replaced: done.replaced};
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

	test('stays where someone else has changed it since', async () => {
		const at = await openZone();
		const {done} = await asCustomRule(at);
		const made = madeOf(done);
		const [mine, ...rest] = await custom(at);
		await written(at, [{...rule(7), ...(mine?.id !== undefined && {id: mine.id})}, ...rest]);
		expect(await undo(at, made)).toMatchObject({state: 'nothing', failure: {code: 'changed_meanwhile'}});
		expect(at.writes()).toEqual([]);
	});

	test('whose deletion is lost is found gone', async () => {
		const at = await openZone();
		const {done} = await asCustomRule(at);
		at.faults('method=DELETE lost-answer');
		expect((await undo(at, madeOf(done))).state).toBe('undone');
	});

	test.each([
		0, 1, 4,
	])('takes the place of the paused rule at %i in one call, and goes first', async place => {
		const {at, entry, id} = await fullOfCustomRules(place);
		const {plan, done} = await asCustomRule(at, id);
		expect(done).toMatchObject({state: 'created', rule: {id}, replaced: {rule: {id}}});
		expect(at.writes()).toEqual([plan.request]);
		expect(plan.request.method).toBe(place === 0 ? 'PATCH' : 'PUT');
		const now = await custom(at);
		expect(now[0]).toMatchObject({id, action: 'block', expression: draft.filter.expression, enabled: true});
		expect(now.slice(1)).toEqual(entry.rules.filter(one => one.id !== id));
		at.forget();
		expect((await undo(at, madeOf(done))).state).toBe('undone');
		expect(at.writes()).toHaveLength(1);
		expect(await custom(at)).toEqual(entry.rules);
	});

	test('keeps what others did elsewhere when the replacement is undone', async () => {
		const {at, id, paused} = await fullOfCustomRules(3);
		const {done} = await asCustomRule(at, id);
		const now = await custom(at);
		await written(at, [...now.slice(0, 4), {...now[4], ...rule(44)}]);
		expect((await undo(at, madeOf(done))).state).toBe('undone');
		const after = await custom(at);
		expect(after.map(({expression}) => expression)).toEqual([
			rule(0).expression,
			rule(1).expression,
			rule(2).expression,
			paused.expression,
			rule(44).expression,
		]);
	});

	test('does not take the place of a rule that was changed since it was read', async () => {
		const {at, id, entry} = await fullOfCustomRules(1);
		const plan = await planCustomRule(at.client, at.zone, draft, never, {replace: id});
		await written(
			at,
			entry.rules.map(one => ({...one, enabled: true})),
		);
		const done = await createCustomRule(at.client, at.zone, plan, {signal: never});
		expect(done).toMatchObject({state: 'nothing', failure: {code: 'changed_meanwhile'}});
		expect(at.writes()).toEqual([]);
	});

	test('does not take the place of a rule in force, or of none', async () => {
		const {at, entry} = await fullOfCustomRules(1);
		const inForce = entry.rules[0]?.id ?? '';
		await expect(planCustomRule(at.client, at.zone, draft, never, {replace: inForce})).rejects.toThrow(
			'in force',
		);
		await expect(planCustomRule(at.client, at.zone, draft, never, {replace: 'none'})).rejects.toMatchObject({
			code: 'not_found',
		});
	});

	test('in a full zone names the ways out, and needs no room in the place of another', async () => {
		const {at, id} = await fullOfCustomRules(2);
		const plan = await planCustomRule(at.client, at.zone, draft, never);
		const [finding] = customRuleFindings(draft, at.zone, plan);
		expect(finding).toMatchObject({severity: 'error', about: 'quota'});
		expect(finding?.failure.next).toContain(`--replace ${id} --custom-rule`);
		const replacing = await planCustomRule(at.client, at.zone, draft, never, {replace: id});
		expect(customRuleFindings(draft, at.zone, replacing)).toEqual([]);
	});
});
