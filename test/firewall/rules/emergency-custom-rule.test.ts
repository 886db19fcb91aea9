import {describe, expect, test} from 'vitest';
import {createCustomRule, readCustomRulePlan} from '../../../source/firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {readRulesetEntryPoint} from '../../../source/rulesets/calls.ts';
import {customPhase} from '../../../source/rulesets/ruleset.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const draft: EmergencyDraft = {filter: {expression: 'ip.src in {192.0.2.0/24}'}, action: 'block'};

async function block(at: TestZone, given = draft) {
	const plan = await readCustomRulePlan(at.client, at.zone, given, neverAbortedSignal);
	return {plan, result: await createCustomRule(at.client, at.zone, plan, {signal: neverAbortedSignal})};
}

const readEntryPointWithoutFaults = (at: TestZone) => {
	at.setFaults('');
	return readRulesetEntryPoint(at.client, at.zone.id, customPhase, neverAbortedSignal);
};

describe('an emergency block as a custom rule', () => {
	test('creates the entry point if there is none, with the request shown before', async () => {
		const at = await openZone();
		const {plan, result} = await block(at);
		expect(result.state).toBe('created');
		expect(at.listWrites()).toEqual([plan.request]);
		expect((await readEntryPointWithoutFaults(at))?.rules).toMatchObject([
			{action: 'block', expression: draft.filter.expression},
		]);
	});

	test('goes before all existing rules, with the request shown before', async () => {
		const at = await openZone();
		await block(at);
		at.forgetRequests();
		const {plan, result} = await block(at, {...draft, filter: {expression: 'ip.src eq 192.0.2.7'}});
		expect(result).toMatchObject({state: 'created', rule: {expression: 'ip.src eq 192.0.2.7'}});
		expect(at.listWrites()).toEqual([plan.request]);
		expect((await readEntryPointWithoutFaults(at))?.rules.map(({expression}) => expression)).toEqual([
			'ip.src eq 192.0.2.7',
			draft.filter.expression,
		]);
	});

	test.each([0, 1])('is found after a lost answer (%i rules before)', async ruleCountBefore => {
		const at = await openZone();
		for (let number = 0; number < ruleCountBefore; number++) await block(at, {...draft, action: 'challenge'});
		at.forgetRequests();
		at.setFaults('method=POST lost-answer');
		const {result} = await block(at);
		expect(result).toMatchObject({state: 'created', foundAfterLostResponse: true});
		expect(at.listWrites()).toHaveLength(1);
		expect((await readEntryPointWithoutFaults(at))?.rules).toHaveLength(ruleCountBefore + 1);
	});

	test.each([
		'status=500',
		'status=403',
		'status=429',
	])('%s: nothing is created, and ledge says so', async fault => {
		const at = await openZone();
		await block(at, {...draft, action: 'challenge'});
		at.forgetRequests();
		at.setFaults(`method=POST ${fault}`);
		expect((await block(at)).result.state).toBe('nothing');
		expect(at.listWrites()).toHaveLength(1);
		expect((await readEntryPointWithoutFaults(at))?.rules).toHaveLength(1);
	});

	test('is not created twice: the active one is named', async () => {
		const at = await openZone();
		const {result: firstResult} = await block(at);
		at.forgetRequests();
		const {result} = await block(at);
		expect(result).toMatchObject({
			state: 'created',
			alreadyExisted: true,
			rule: {id: (firstResult as {rule: {id: string}}).rule.id},
		});
		expect(at.listWrites()).toEqual([]);
	});

	test('is created if the only similar one is paused', async () => {
		const at = await openZone();
		await block(at, {...draft, paused: true});
		expect((await block(at)).result).not.toHaveProperty('alreadyExisted');
		expect((await readEntryPointWithoutFaults(at))?.rules.map(({enabled}) => enabled)).toEqual([true, false]);
	});

	test('may still be created after a broken connection, and ledge says so', async () => {
		const at = await openZone();
		at.intercept(({method}) => (method === 'POST' ? breakConnection() : undefined));
		const {result, plan} = await block(at);
		if (result.state !== 'unsure') throw new Error(result.state);
		expect(result.failure.details.left).toContain('may still take effect');
		expect(result.failure.next).toContain(plan.command);
	});

	test('is uncertain if nothing can be read', async () => {
		const at = await openZone();
		const plan = await readCustomRulePlan(at.client, at.zone, draft, neverAbortedSignal);
		at.setFaults('method=POST lost-answer; method=GET status=403');
		expect(await createCustomRule(at.client, at.zone, plan, {signal: neverAbortedSignal})).toMatchObject({
			state: 'unsure',
		});
	});
});
