import {describe, expect, test} from 'vitest';
import {createCustomRule, readCustomRulePlan} from '../../../source/firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {readRulesetEntryPoint} from '../../../source/rulesets/calls.ts';
import {customPhase} from '../../../source/rulesets/ruleset.ts';
import {never} from '../../service/scripted-transport.ts';
import {broken, openZone, type TestZone} from '../support/zone.ts';

const draft: EmergencyDraft = {filter: {expression: 'ip.src in {192.0.2.0/24}'}, action: 'block'};

async function block(at: TestZone, given = draft) {
	const plan = await readCustomRulePlan(at.client, at.zone, given, never);
	return {plan, result: await createCustomRule(at.client, at.zone, plan, {signal: never})};
}

const there = (at: TestZone) => {
	at.faults('');
	return readRulesetEntryPoint(at.client, at.zone.id, customPhase, never);
};

describe('an emergency block as a custom rule', () => {
	test('creates the entry point if there is none, with the request shown before', async () => {
		const at = await openZone();
		const {plan, result} = await block(at);
		expect(result.state).toBe('created');
		expect(at.writes()).toEqual([plan.request]);
		expect((await there(at))?.rules).toMatchObject([{action: 'block', expression: draft.filter.expression}]);
	});

	test('goes before all existing rules, with the request shown before', async () => {
		const at = await openZone();
		await block(at);
		at.forget();
		const {plan, result} = await block(at, {...draft, filter: {expression: 'ip.src eq 192.0.2.7'}});
		expect(result).toMatchObject({state: 'created', rule: {expression: 'ip.src eq 192.0.2.7'}});
		expect(at.writes()).toEqual([plan.request]);
		expect((await there(at))?.rules.map(({expression}) => expression)).toEqual([
			'ip.src eq 192.0.2.7',
			draft.filter.expression,
		]);
	});

	test.each([0, 1])('is found after a lost answer (%i rules before)', async before => {
		const at = await openZone();
		for (let number = 0; number < before; number++) await block(at, {...draft, action: 'challenge'});
		at.forget();
		at.faults('method=POST lost-answer');
		const {result} = await block(at);
		expect(result).toMatchObject({state: 'created', foundAfterLostResponse: true});
		expect(at.writes()).toHaveLength(1);
		expect((await there(at))?.rules).toHaveLength(before + 1);
	});

	test.each([
		'status=500',
		'status=403',
		'status=429',
	])('%s: nothing is created, and ledge says so', async fault => {
		const at = await openZone();
		await block(at, {...draft, action: 'challenge'});
		at.forget();
		at.faults(`method=POST ${fault}`);
		expect((await block(at)).result.state).toBe('nothing');
		expect(at.writes()).toHaveLength(1);
		expect((await there(at))?.rules).toHaveLength(1);
	});

	test('is not created twice: the active one is named', async () => {
		const at = await openZone();
		const {result: before} = await block(at);
		at.forget();
		const {result} = await block(at);
		expect(result).toMatchObject({
			state: 'created',
			alreadyExisted: true,
			rule: {id: (before as {rule: {id: string}}).rule.id},
		});
		expect(at.writes()).toEqual([]);
	});

	test('is created if the only similar one is paused', async () => {
		const at = await openZone();
		await block(at, {...draft, paused: true});
		expect((await block(at)).result).not.toHaveProperty('already');
		expect((await there(at))?.rules.map(({enabled}) => enabled)).toEqual([true, false]);
	});

	test('may still be created after a broken connection, and ledge says so', async () => {
		const at = await openZone();
		at.intercept(({method}) => (method === 'POST' ? broken() : undefined));
		const {result, plan} = await block(at);
		if (result.state !== 'unsure') throw new Error(result.state);
		expect(result.failure.details.left).toContain('may still take effect');
		expect(result.failure.next).toContain(plan.command);
	});

	test('is uncertain if nothing can be read', async () => {
		const at = await openZone();
		const plan = await readCustomRulePlan(at.client, at.zone, draft, never);
		at.faults('method=POST lost-answer; method=GET status=403');
		expect(await createCustomRule(at.client, at.zone, plan, {signal: never})).toMatchObject({
			state: 'unsure',
		});
	});
});
