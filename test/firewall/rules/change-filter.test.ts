import {describe, expect, test} from 'vitest';
import {formatExchangeFilterCommand} from '../../../source/firewall/commands.ts';
import {changeFilter, planFilterChange} from '../../../source/firewall/rules/change-filter.ts';
import {never} from '../../service/scripted-transport.ts';
import {openZone} from '../support/zone.ts';

const before = 'ip.src eq 192.0.2.1';
const after = 'ip.src eq 192.0.2.2';

async function change() {
	const at = await openZone();
	const filter = await at.filter(before);
	const users = [await at.rule(filter, {action: 'block'}), await at.rule(filter, {action: 'allow'})];
	const other = await at.rule(await at.filter('ip.src eq 192.0.2.9'), {action: 'block'});
	const planned = planFilterChange(at.zone, filter, {expression: after}, [...users, other]);
	return {at, filter, users, planned};
}

describe('a filter change', () => {
	test('names exactly the rules that it affects', async () => {
		const {users, planned} = await change();
		expect(planned.rulesOnFilter).toEqual(users);
	});

	test('sends the request shown before, and changes the filter for all its rules', async () => {
		const {at, filter, users, planned} = await change();
		const result = await changeFilter(at.client, at.zone, planned, {signal: never});
		expect(result).toEqual({state: 'changed', filter: {...filter, expression: after}, rulesOnFilter: users});
		expect(at.writes()).toEqual([planned.request]);
		const matching = (await at.truth()).rules.filter(
			rule => 'expression' in rule.filter && rule.filter.expression === after,
		);
		expect(matching.map(({id}) => id)).toEqual(users.map(({id}) => id));
	});

	test('is refused for the expression of another filter, which is named', async () => {
		const {at, filter, planned} = await change();
		const other = await at.filter(after);
		const result = await changeFilter(at.client, at.zone, planned, {signal: never});
		expect(result).toMatchObject({state: 'duplicate', filterId: other.id});
		if (result.state === 'duplicate')
			for (const {id} of planned.rulesOnFilter)
				expect(result.failure.next).toContain(formatExchangeFilterCommand(at.zone, id, other.id));
		expect((await at.truth()).filters).toContainEqual(filter);
	});

	test.each([
		'status=403',
		'status=429',
		'status=500',
	])('that is rejected (%s) leaves everything unchanged', async fault => {
		const {at, filter, planned} = await change();
		at.faults(`method=PUT ${fault}`);
		expect(await changeFilter(at.client, at.zone, planned, {signal: never})).toMatchObject({
			state: 'nothing',
		});
		expect((await at.truth()).filters).toContainEqual(filter);
	});

	test('is uncertain if nothing can be read', async () => {
		const {at, planned} = await change();
		at.faults('method=PUT lost-answer; method=GET status=403');
		expect(await changeFilter(at.client, at.zone, planned, {signal: never})).toMatchObject({state: 'unsure'});
	});
});
