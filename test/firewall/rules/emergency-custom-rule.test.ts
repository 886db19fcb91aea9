import {describe, expect, test} from 'vitest';
import {createCustomRule, readCustomRulePlan} from '../../../source/firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {readRulesetEntryPoint} from '../../../source/rulesets/calls.ts';
import {customPhase} from '../../../source/rulesets/ruleset.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const draft: EmergencyDraft = {filter: {expression: 'ip.src in {192.0.2.0/24}'}, action: 'block'};

async function block(testZone: TestZone, given = draft) {
	const plan = await readCustomRulePlan(testZone.client, testZone.zone, given, neverAbortedSignal);
	return {
		plan,
		result: await createCustomRule(testZone.client, testZone.zone, plan, {signal: neverAbortedSignal}),
	};
}

const readEntryPointWithoutFaults = (testZone: TestZone) => {
	testZone.setFaults('');
	return readRulesetEntryPoint(testZone.client, testZone.zone.id, customPhase, neverAbortedSignal);
};

describe('an emergency block as a custom rule', () => {
	test('creates the entry point if there is none, with the request shown before', async () => {
		const testZone = await openZone();
		const {plan, result} = await block(testZone);
		expect(result.state).toBe('created');
		expect(testZone.listWrites()).toEqual([plan.request]);
		expect((await readEntryPointWithoutFaults(testZone))?.rules).toMatchObject([
			{action: 'block', expression: draft.filter.expression},
		]);
	});

	test('goes before all existing rules, with the request shown before', async () => {
		const testZone = await openZone();
		await block(testZone);
		testZone.forgetRequests();
		const {plan, result} = await block(testZone, {...draft, filter: {expression: 'ip.src eq 192.0.2.7'}});
		expect(result).toMatchObject({state: 'created', rule: {expression: 'ip.src eq 192.0.2.7'}});
		expect(testZone.listWrites()).toEqual([plan.request]);
		expect((await readEntryPointWithoutFaults(testZone))?.rules.map(({expression}) => expression)).toEqual([
			'ip.src eq 192.0.2.7',
			draft.filter.expression,
		]);
	});

	test.each([0, 1])('is found after a lost answer (%i rules before)', async ruleCountBefore => {
		const testZone = await openZone();
		for (let number = 0; number < ruleCountBefore; number++)
			await block(testZone, {...draft, action: 'challenge'});
		testZone.forgetRequests();
		testZone.setFaults('method=POST lost-answer');
		const {result} = await block(testZone);
		expect(result).toMatchObject({state: 'created', foundAfterLostResponse: true});
		expect(testZone.listWrites()).toHaveLength(1);
		expect((await readEntryPointWithoutFaults(testZone))?.rules).toHaveLength(ruleCountBefore + 1);
	});

	test.each([
		'status=500',
		'status=403',
		'status=429',
	])('%s: nothing is created, and ledge says so', async fault => {
		const testZone = await openZone();
		await block(testZone, {...draft, action: 'challenge'});
		testZone.forgetRequests();
		testZone.setFaults(`method=POST ${fault}`);
		expect((await block(testZone)).result.state).toBe('nothing');
		expect(testZone.listWrites()).toHaveLength(1);
		expect((await readEntryPointWithoutFaults(testZone))?.rules).toHaveLength(1);
	});

	test('is not created twice: the active one is named', async () => {
		const testZone = await openZone();
		const {result: firstResult} = await block(testZone);
		testZone.forgetRequests();
		const {result} = await block(testZone);
		expect(result).toMatchObject({
			state: 'created',
			alreadyExisted: true,
			rule: {id: (firstResult as {rule: {id: string}}).rule.id},
		});
		expect(testZone.listWrites()).toEqual([]);
	});

	test('is created if the only similar one is paused', async () => {
		const testZone = await openZone();
		await block(testZone, {...draft, paused: true});
		expect((await block(testZone)).result).not.toHaveProperty('alreadyExisted');
		expect((await readEntryPointWithoutFaults(testZone))?.rules.map(({enabled}) => enabled)).toEqual([
			true,
			false,
		]);
	});

	test('may still be created after a broken connection, and ledge says so', async () => {
		const testZone = await openZone();
		testZone.intercept(({method}) => (method === 'POST' ? breakConnection() : undefined));
		const {result, plan} = await block(testZone);
		if (result.state !== 'unsure') throw new Error(result.state);
		expect(result.failure.details.left).toContain('may still take effect');
		expect(result.failure.next).toContain(plan.command);
	});

	test('is uncertain if nothing can be read', async () => {
		const testZone = await openZone();
		const plan = await readCustomRulePlan(testZone.client, testZone.zone, draft, neverAbortedSignal);
		testZone.setFaults('method=POST lost-answer; method=GET status=403');
		expect(
			await createCustomRule(testZone.client, testZone.zone, plan, {signal: neverAbortedSignal}),
		).toMatchObject({
			state: 'unsure',
		});
	});
});
