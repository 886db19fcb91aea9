import {describe, expect, test} from 'vitest';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {
	type Extension,
	extendingCustomRule,
	extendingFirewallRule,
	extendRule,
	extensionsAmong,
	notAddable,
} from '../../../source/firewall/rules/emergency-extension.ts';
import {undoEmergency} from '../../../source/firewall/rules/emergency-undo.ts';
import type {RuleSettings} from '../../../source/firewall/rules/rule.ts';
import {entryPoint} from '../../../source/rulesets/calls.ts';
import {changeRuleset} from '../../../source/rulesets/change.ts';
import {customPhase, type RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {never} from '../../service/scripted-transport.ts';
import {broken, openZone, type TestZone} from '../support/zone.ts';

const draft: EmergencyDraft = {filter: {expression: 'ip.src eq 192.0.2.9'}, action: 'block'};

/** A zone with one block rule of addresses. */
async function blocking(expression = 'ip.src in {192.0.2.1 192.0.2.2}') {
	const at = await openZone();
	const filter = await at.filter(expression);
	const rule = await at.rule(filter, {action: 'block'});
	const {rules} = await at.truth();
	at.forget();
	return {at, filter, rule, rules};
}

function fitting(at: TestZone, rules: Parameters<typeof extensionsAmong>[2], given = draft): Extension {
	const [extension] = extensionsAmong(given, at.zone, rules).fitting;
	if (!extension) throw new Error('nothing fits');
	return extension;
}

/** Custom rules as they are to begin with. */
async function customRules(at: TestZone, rules: readonly RulesetRule[]) {
	const where = '';
	const change = {zone: at.zone.id, phase: customPhase, edit: {kind: 'replace', rules}, where} as const;
	const shown = await entryPoint(at.direct, at.zone.id, customPhase, never);
	await changeRuleset(at.direct, {...change, shown}, {signal: never});
	return custom(at);
}

async function custom(at: TestZone) {
	const entry = await entryPoint(at.direct, at.zone.id, customPhase, never);
	if (!entry) throw new Error('no custom rules');
	return entry;
}

describe('what can be added to a rule', () => {
	test.each<[string, EmergencyDraft, RegExp]>([
		['a path', {...draft, filter: {expression: 'http.host eq "a"'}}, /Only addresses/],
		['a challenge', {...draft, action: 'challenge'}, /the action is challenge/],
		['a priority', {...draft, priority: 3}, /priority cannot be set/],
		['a description', {...draft, description: 'x'}, /description cannot be set/],
	])('not %s', (_what, given, why) => {
		expect(notAddable(given)).toMatch(why);
	});

	test('addresses alone', () => {
		expect(notAddable(draft)).toBeUndefined();
	});
});

describe('addresses added to a firewall rule', () => {
	test('change its filter, with the one call that was shown', async () => {
		const {at, rule, filter, rules} = await blocking();
		const extension = fitting(at, rules);
		expect(extension).toMatchObject({
			id: rule.id,
			before: 'ip.src in {192.0.2.1 192.0.2.2}',
			expression: 'ip.src in {192.0.2.1 192.0.2.2 192.0.2.9}',
		});
		const wrote: string[] = [];
		const done = await extendRule(at.client, at.zone, extension, {
			signal: never,
			onWrite: what => void wrote.push(what),
		});
		expect(done.state).toBe('extended');
		expect(at.writes()).toEqual([extension.request]);
		expect(wrote).toEqual([`change filter ${filter.id} of rule ${rule.id}`]);
		expect((await at.truth()).rules).toMatchObject([
			{id: rule.id, filter: {expression: extension.expression}},
		]);
	});

	test('are undone by one call', async () => {
		const {at, rules} = await blocking();
		const extension = fitting(at, rules);
		await extendRule(at.client, at.zone, extension, {signal: never});
		at.forget();
		const undone = await undoEmergency(at.client, at.zone, {form: 'addresses', extension}, {signal: never});
		expect(undone.state).toBe('undone');
		expect(at.writes()).toHaveLength(1);
		expect((await at.truth()).rules).toEqual(rules);
	});

	test('are not undone where someone else has changed the filter since', async () => {
		const {at, filter, rules} = await blocking();
		const extension = fitting(at, rules);
		await extendRule(at.client, at.zone, extension, {signal: never});
		await at.change('filters', {id: filter.id, expression: 'ip.src eq 192.0.2.77', paused: false});
		at.forget();
		const undone = await undoEmergency(at.client, at.zone, {form: 'addresses', extension}, {signal: never});
		expect(undone).toMatchObject({state: 'nothing', failure: {code: 'changed_meanwhile'}});
		expect(at.writes()).toEqual([]);
	});

	test('are not sent where the filter is another one by now, or other rules use it', async () => {
		const {at, filter, rules} = await blocking();
		const extension = fitting(at, rules);
		await at.rule(filter, {action: 'challenge'});
		expect(await extendRule(at.client, at.zone, extension, {signal: never})).toMatchObject({
			state: 'nothing',
			failure: {code: 'changed_meanwhile', details: {why: expect.stringContaining('(challenge)')}},
		});
		expect(at.writes()).toEqual([]);
	});

	test.each<[string, RuleSettings, string | undefined, RegExp]>([
		['challenges', {action: 'challenge'}, undefined, /does not block/],
		['is paused', {action: 'block', paused: true}, undefined, /is paused/],
		['has more in its expression', {action: 'block'}, 'ip.src eq 192.0.2.1 and ssl', /more than a set/],
	])('not where it %s', async (_what, settings, expression = 'ip.src eq 192.0.2.1', why) => {
		const at = await openZone();
		const rule = await at.rule(await at.filter(expression), settings);
		expect(extendingFirewallRule(draft, at.zone, rule, [rule])).toMatchObject({
			state: 'unfit',
			sentence: expect.stringMatching(why),
		});
		expect(extensionsAmong(draft, at.zone, [rule]).fitting).toEqual([]);
	});

	test('not where other rules use the filter, which are named', async () => {
		const {at, filter, rule} = await blocking();
		const other = await at.rule(filter, {action: 'challenge'});
		const {rules} = await at.truth();
		expect(extendingFirewallRule(draft, at.zone, rule, rules)).toMatchObject({
			state: 'unfit',
			sentence: expect.stringContaining(other.id),
		});
	});

	test('not where the expression would be too long', async () => {
		const many = Array.from({length: 300}, (_, at) => `10.20.${Math.floor(at / 200)}.${at % 200}`);
		const {at, rule, rules} = await blocking(`ip.src in {${many.join(' ')}}`);
		const more = many.map(one => one.replace('10.20', '10.21')).slice(0, 120);
		const given = {...draft, filter: {expression: `ip.src in {${more.join(' ')}}`}};
		const {filter} = rule;
		if (!('expression' in filter)) throw new Error('no expression');
		expect(filter.expression.length).toBeLessThanOrEqual(4096);
		expect(extendingFirewallRule(given, at.zone, rule, rules)).toMatchObject({
			state: 'unfit',
			sentence: expect.stringContaining('it may have 4096'),
		});
	});

	test('are blocked already where the rule has them', async () => {
		const {at, rule, rules} = await blocking('ip.src in {192.0.2.0/24}');
		expect(extendingFirewallRule(draft, at.zone, rule, rules)).toEqual({
			state: 'blocked already',
			id: rule.id,
			addresses: ['192.0.2.9'],
			earlier: [],
		});
		expect(extensionsAmong(draft, at.zone, rules)).toMatchObject({fitting: [], already: {id: rule.id}});
	});

	test('whose answer is lost are looked for, and not sent twice', async () => {
		const {at, rules} = await blocking();
		at.faults('method=PUT lost-answer');
		const done = await extendRule(at.client, at.zone, fitting(at, rules), {signal: never});
		expect(done).toMatchObject({state: 'extended', afterDoubt: true});
		expect(at.writes()).toHaveLength(1);
	});

	test('that may still arrive can be looked for again', async () => {
		const {at, rules} = await blocking();
		const extension = fitting(at, rules);
		at.intercept(({method}) => (method === 'PUT' ? broken() : undefined));
		const done = await extendRule(at.client, at.zone, extension, {signal: never});
		if (done.state !== 'unsure') throw new Error(done.state);
		const {filter} = extension as Extension & {form: 'firewall rule'};
		await at.change('filters', {...filter, expression: extension.expression});
		expect(await done.lookAgain(at.client, {signal: never})).toMatchObject({state: 'extended'});
		expect(at.writes()).toHaveLength(1);
	});

	test.each([
		'status=500',
		'status=403',
		'status=429',
	])('that are refused change nothing: %s', async fault => {
		const {at, rules} = await blocking();
		at.faults(`method=PUT ${fault}`);
		const done = await extendRule(at.client, at.zone, fitting(at, rules), {signal: never});
		expect(done.state).toBe('nothing');
		expect((await at.truth()).rules).toEqual(rules);
	});
});

describe('addresses added to a custom rule', () => {
	const block: RulesetRule = {
		action: 'block',
		expression: 'ip.src eq 192.0.2.1',
		enabled: true,
		description: 'bad',
	};
	const other: RulesetRule = {action: 'challenge', expression: 'ssl', enabled: true};

	test('change that rule, with the one call that was shown', async () => {
		const at = await openZone();
		const entry = await customRules(at, [other, block]);
		at.forget();
		const extension = fitting(at, entry);
		const done = await extendRule(at.client, at.zone, extension, {signal: never});
		expect(done.state).toBe('extended');
		expect(at.writes()).toEqual([extension.request]);
		expect(extension.request).toMatchObject({
			method: 'PATCH',
			body: {expression: 'ip.src in {192.0.2.1 192.0.2.9}', description: 'bad', enabled: true},
		});
		expect((await custom(at)).rules.map(({expression}) => expression)).toEqual([
			'ssl',
			'ip.src in {192.0.2.1 192.0.2.9}',
		]);
		at.forget();
		const undone = await undoEmergency(at.client, at.zone, {form: 'addresses', extension}, {signal: never});
		expect(undone.state).toBe('undone');
		expect(at.writes()).toHaveLength(1);
		expect((await custom(at)).rules).toEqual(entry.rules);
	});

	test('keep what others did to other rules, and stop where they changed this one', async () => {
		const at = await openZone();
		const entry = await customRules(at, [other, block]);
		const extension = fitting(at, entry);
		await customRules(at, [
			{...other, ...entry.rules[0], action: 'managed_challenge'},
			entry.rules[1] ?? block,
		]);
		expect(await extendRule(at.client, at.zone, extension, {signal: never})).toMatchObject({
			state: 'extended',
		});
		const now = await custom(at);
		expect(now.rules[0]?.action).toBe('managed_challenge');
		await customRules(at, [now.rules[0] ?? other, {...block, id: extension.id, enabled: false}]);
		at.forget();
		const undone = await undoEmergency(at.client, at.zone, {form: 'addresses', extension}, {signal: never});
		expect(undone).toMatchObject({state: 'nothing', failure: {code: 'changed_meanwhile'}});
		expect(at.writes()).toEqual([]);
	});

	test('not where it is paused', async () => {
		const at = await openZone();
		const entry = await customRules(at, [{...block, enabled: false}]);
		const [rule] = entry.rules;
		if (!rule) throw new Error('no rule');
		expect(extendingCustomRule(draft, at.zone, rule, entry)).toMatchObject({
			state: 'unfit',
			sentence: expect.stringContaining('is paused'),
		});
	});

	test('whose answer is lost are looked for, and not sent twice', async () => {
		const at = await openZone();
		const extension = fitting(at, await customRules(at, [block]));
		at.forget();
		at.faults('method=PATCH lost-answer');
		const done = await extendRule(at.client, at.zone, extension, {signal: never});
		expect(done).toMatchObject({state: 'extended', afterDoubt: true});
		expect(at.writes()).toHaveLength(1);
	});
});
