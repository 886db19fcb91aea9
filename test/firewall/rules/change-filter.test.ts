import {describe, expect, test} from 'vitest';
import {formatExchangeFilterCommand} from '../../../source/firewall/commands.ts';
import {changeFilter, planFilterChange} from '../../../source/firewall/rules/change-filter.ts';
import {buildFilterUpdateRequest} from '../../../source/firewall/rules/filters.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {openZone} from '../support/zone.ts';

const oldExpression = 'ip.src eq 192.0.2.1';
const newExpression = 'ip.src eq 192.0.2.2';

async function prepareChange() {
	const testZone = await openZone();
	const filter = await testZone.createFilter(oldExpression);
	const users = [
		await testZone.createRule(filter, {action: 'block'}),
		await testZone.createRule(filter, {action: 'allow'}),
	];
	const other = await testZone.createRule(await testZone.createFilter('ip.src eq 192.0.2.9'), {
		action: 'block',
	});
	const planned = planFilterChange(filter, {expression: newExpression}, [...users, other]);
	return {at: testZone, filter, users, planned};
}

describe('a filter change', () => {
	test('names exactly the rules that it affects', async () => {
		const {users, planned} = await prepareChange();
		expect(planned.rulesOnFilter).toEqual(users);
	});

	test('sends the request shown before, and changes the filter for all its rules', async () => {
		const {at: testZone, filter, users, planned} = await prepareChange();
		const changed = await changeFilter(testZone.client, testZone.zone, planned, {signal: neverAbortedSignal});
		expect(changed).toEqual({...filter, expression: newExpression});
		expect(testZone.listWrites()).toEqual([buildFilterUpdateRequest(testZone.zone.id, planned.after)]);
		const matching = (await testZone.readState()).rules.filter(
			rule => 'expression' in rule.filter && rule.filter.expression === newExpression,
		);
		expect(matching.map(({id}) => id)).toEqual(users.map(({id}) => id));
	});

	test('is refused for the expression of another filter, which is named', async () => {
		const {at: testZone, filter, planned} = await prepareChange();
		const other = await testZone.createFilter(newExpression);
		const commands = planned.rulesOnFilter.map(({id}) =>
			formatExchangeFilterCommand(testZone.zone, id, other.id),
		);
		await expect(
			changeFilter(testZone.client, testZone.zone, planned, {signal: neverAbortedSignal}),
		).rejects.toMatchObject({
			code: 'already_exists',
			details: {next: expect.stringContaining(commands.join('\n'))},
		});
		expect((await testZone.readState()).filters).toContainEqual(filter);
	});

	test.each([
		'status=403',
		'status=429',
		'status=500',
	])('that is rejected (%s) leaves everything unchanged', async fault => {
		const {at: testZone, filter, planned} = await prepareChange();
		testZone.setFaults(`method=PUT ${fault}`);
		await expect(
			changeFilter(testZone.client, testZone.zone, planned, {signal: neverAbortedSignal}),
		).rejects.not.toMatchObject({details: {outcomeUnknown: true}});
		expect((await testZone.readState()).filters).toContainEqual(filter);
	});

	test('is uncertain if nothing can be read', async () => {
		const {at: testZone, planned} = await prepareChange();
		testZone.setFaults('method=PUT lost-answer; method=GET status=403');
		await expect(
			changeFilter(testZone.client, testZone.zone, planned, {signal: neverAbortedSignal}),
		).rejects.toMatchObject({details: {outcomeUnknown: true}});
	});
});
