import {describe, expect, test} from 'vitest';
import {buildRuleDeleteChange, setPriority, updateRule} from '../../../source/firewall/rules/changes.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {listFirewallRules, readRule} from '../../../source/firewall/rules/rules.ts';
import {executeChange} from '../../../source/service/settle.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone} from '../support/zone.ts';

const filter = {id: 'f1', expression: 'ip.src eq 192.0.2.1', paused: false};

describe('a rule from the service', () => {
	test('may have an action and products that ledge does not know', () => {
		const one = {id: 'r', paused: false, action: 'teleport', products: ['moon'], priority: 3, filter};
		expect(readRule(one)).toEqual(one);
	});

	test('may have lost its filter', () => {
		const read = readRule({id: 'r', action: 'block', priority: null, filter: {id: 'f1', deleted: true}});
		expect(read.filter).toEqual({id: 'f1', deleted: true});
	});

	test('has no priority and is active by default', () => {
		expect(readRule({id: 'r', action: 'block', filter})).toEqual({
			id: 'r',
			action: 'block',
			priority: null,
			paused: false,
			filter,
		});
	});

	test.each([
		{action: 'block', filter},
		{id: 'r', filter},
		{id: 'r', action: 'block'},
	])('is not read from %j', item => {
		expect(() => readRule(item)).toThrow('no usable');
	});
});

async function createZoneWithRule(settings: Partial<Rule> = {}) {
	const testZone = await openZone();
	const existingFilter = await testZone.createFilter(filter.expression);
	const rule = await testZone.createRule(existingFilter, {action: 'block', ...(settings as object)});
	const path = `/zones/${testZone.zone.id}/firewall/rules/${rule.id}`;
	return {at: testZone, rule, path};
}

describe('changing a rule', () => {
	test('sends the whole rule, with only the id of its filter', async () => {
		const {at: testZone, rule, path} = await createZoneWithRule({priority: 4, description: 'why', ref: 'r'});
		const changed = await updateRule(
			testZone.client,
			testZone.zone,
			rule,
			{paused: true},
			neverAbortedSignal,
		);
		expect(changed).toEqual({...rule, paused: true});
		expect(testZone.listWrites()).toEqual([
			{
				method: 'PUT',
				path,
				body: {
					id: rule.id,
					filter: {id: rule.filter.id},
					action: 'block',
					paused: true,
					priority: 4,
					description: 'why',
					ref: 'r',
				},
			},
		]);
		expect((await testZone.readState()).rules).toEqual([changed]);
	});

	test('adds products with the action bypass, and removes them with it', async () => {
		const {at: testZone, rule} = await createZoneWithRule();
		const bypassing = await updateRule(
			testZone.client,
			testZone.zone,
			rule,
			{action: 'bypass', products: ['bic']},
			neverAbortedSignal,
		);
		expect(bypassing.products).toEqual(['bic']);
		const blocking = await updateRule(
			testZone.client,
			testZone.zone,
			bypassing,
			{action: 'block'},
			neverAbortedSignal,
		);
		expect(blocking.products).toBeUndefined();
	});

	test('can remove a priority', async () => {
		const {at: testZone, rule} = await createZoneWithRule({priority: 4});
		expect(
			(await updateRule(testZone.client, testZone.zone, rule, {priority: null}, neverAbortedSignal)).priority,
		).toBeNull();
		expect((await testZone.readState()).rules[0]?.priority).toBeNull();
		expect(testZone.listWrites()[0]?.body).toMatchObject({priority: null});
	});

	test('can remove a description', async () => {
		const {at: testZone, rule} = await createZoneWithRule({description: 'why'});
		expect(
			(await updateRule(testZone.client, testZone.zone, rule, {description: ''}, neverAbortedSignal))
				.description,
		).toBeUndefined();
		expect((await testZone.readState()).rules[0]?.description).toBeUndefined();
	});

	test('uses PATCH for a priority alone', async () => {
		const {at: testZone, rule, path} = await createZoneWithRule();
		expect(await setPriority(testZone.client, testZone.zone, rule, 9, neverAbortedSignal)).toEqual({
			...rule,
			priority: 9,
		});
		expect(testZone.listWrites()).toEqual([{method: 'PATCH', path, body: {id: rule.id, priority: 9}}]);
	});

	test.each(['PUT', 'PATCH'] as const)('checks the state after a lost answer to %s', async method => {
		const {at: testZone, rule} = await createZoneWithRule();
		testZone.setFaults(`method=${method} lost-answer`);
		const changed =
			method === 'PUT'
				? await updateRule(testZone.client, testZone.zone, rule, {paused: true}, neverAbortedSignal)
				: await setPriority(testZone.client, testZone.zone, rule, 9, neverAbortedSignal);
		expect((await testZone.readState()).rules).toEqual([changed]);
		expect(testZone.listWrites()).toHaveLength(1);
	});

	test('reports a failure if it took no effect', async () => {
		const {at: testZone, rule} = await createZoneWithRule({priority: 4});
		testZone.setFaults('method=PUT status=500');
		await expect(
			updateRule(testZone.client, testZone.zone, rule, {paused: true}, neverAbortedSignal),
		).rejects.toMatchObject({
			details: {outcomeUnknown: false, left: expect.stringContaining('block, priority 4, not paused')},
		});
	});

	test('may still take effect after a broken connection, so checking comes before sending again', async () => {
		const {at: testZone, rule} = await createZoneWithRule();
		testZone.intercept(({method}) => (method === 'PUT' ? breakConnection() : undefined));
		await expect(
			updateRule(testZone.client, testZone.zone, rule, {paused: true}, neverAbortedSignal),
		).rejects.toMatchObject({
			details: {
				outcomeUnknown: true,
				left: expect.stringContaining('may still take effect'),
				next: expect.stringContaining(`ledge firewall rule get ${rule.id} --zone-id ${testZone.zone.id}`),
			},
		});
	});

	test('refuses an invalid id with the command that lists the ids of this zone', async () => {
		const {at: testZone, rule} = await createZoneWithRule();
		await expect(
			setPriority(testZone.client, testZone.zone, {...rule, id: '..'}, 1, neverAbortedSignal),
		).rejects.toMatchObject({
			next: expect.stringContaining(`rule list --zone-id ${testZone.zone.id}`),
		});
	});

	test('reports the state if it is interrupted while running', async () => {
		const {at: testZone, rule} = await createZoneWithRule();
		const stop = new AbortController();
		testZone.intercept(async (request, pass) => {
			if (request.method !== 'PUT') return undefined;
			await pass();
			stop.abort();
			return new Promise<never>(() => {});
		});
		const changed = await updateRule(testZone.client, testZone.zone, rule, {paused: true}, stop.signal);
		expect((await testZone.readState()).rules).toEqual([changed]);
	});

	test('is never sent again, not even after 429', async () => {
		const {at: testZone, rule} = await createZoneWithRule();
		testZone.setFaults('method=PUT status=429 retry-after=1');
		await expect(
			updateRule(testZone.client, testZone.zone, rule, {paused: true}, neverAbortedSignal),
		).rejects.toMatchObject({
			code: 'rate_limited',
		});
		expect(testZone.listWrites()).toHaveLength(1);
		expect((await testZone.readState()).rules).toEqual([rule]);
	});
});

describe('deleting rules', () => {
	test('reports a deletion that took no effect', async () => {
		const {at: testZone, rule} = await createZoneWithRule();
		testZone.setFaults('method=DELETE status=500');
		const outcome = await executeChange(testZone.client, buildRuleDeleteChange(testZone.zone, rule.id), {
			signal: neverAbortedSignal,
		});
		expect(outcome).toMatchObject({
			state: 'not done',
			failure: {
				details: {outcomeUnknown: false, left: expect.stringContaining(`${rule.id} still exists`)},
			},
		});
	});
});

test('the rules of a zone are listed across several pages', async () => {
	const testZone = await openZone('enterprise');
	const existingFilter = await testZone.createFilter(filter.expression);
	for (let number = 0; number < 101; number++) await testZone.createRule(existingFilter, {action: 'block'});
	expect(
		await Array.fromAsync(listFirewallRules(testZone.client, testZone.zone.id, neverAbortedSignal)),
	).toHaveLength(101);
	expect(testZone.listReads()).toHaveLength(2);
});
