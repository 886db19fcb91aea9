import {describe, expect, test} from 'vitest';
import {formatExchangeFilterCommand} from '../../../source/firewall/continuation.ts';
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

describe('the change of a filter', () => {
	test('names the rules that it changes, and no others', async () => {
		const {users, planned} = await change();
		expect(planned.users).toEqual(users);
	});

	test('sends what was shown, and changes the filter for all of them', async () => {
		const {at, filter, users, planned} = await change();
		const result = await changeFilter(at.client, at.zone, planned, {signal: never});
		expect(result).toEqual({state: 'changed', filter: {...filter, expression: after}, users});
		expect(at.writes()).toEqual([planned.request]);
		const matching = (await at.truth()).rules.filter(
			rule => 'expression' in rule.filter && rule.filter.expression === after,
		);
		expect(matching.map(({id}) => id)).toEqual(users.map(({id}) => id));
	});

	test('to the expression of another filter is refused, and that one is named', async () => {
		const {at, filter, planned} = await change();
		const other = await at.filter(after);
		const result = await changeFilter(at.client, at.zone, planned, {signal: never});
		expect(result).toMatchObject({state: 'duplicate', filterId: other.id});
		if (result.state === 'duplicate')
			for (const {id} of planned.users)
				expect(result.failure.next).toContain(formatExchangeFilterCommand(at.zone, id, other.id));
		expect((await at.truth()).filters).toContainEqual(filter);
	});

	test.each([
		'status=403',
		'status=429',
		'status=500',
	])('that is refused (%s) leaves all as it was', async fault => {
		const {at, filter, planned} = await change();
		at.faults(`method=PUT ${fault}`);
		expect(await changeFilter(at.client, at.zone, planned, {signal: never})).toMatchObject({
			state: 'nothing',
		});
		expect((await at.truth()).filters).toContainEqual(filter);
	});

	test('of which nothing can be read is unsure', async () => {
		const {at, planned} = await change();
		at.faults('method=PUT lost-answer; method=GET status=403');
		expect(await changeFilter(at.client, at.zone, planned, {signal: never})).toMatchObject({state: 'unsure'});
	});
});
