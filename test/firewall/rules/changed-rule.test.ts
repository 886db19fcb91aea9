import {expect, test} from 'vitest';
import {refuseChangedRule} from '../../../source/firewall/rules/changed-rule.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {openZone} from '../support/zone.ts';

async function createZoneWithRule() {
	const testZone = await openZone();
	const filter = await testZone.createFilter('http.host eq "a.example"');
	const rule = await testZone.createRule(filter, {action: 'block', paused: true});
	return {at: testZone, filter, rule};
}

test('a rule that has not changed since it was shown may be deleted', async () => {
	const {at: testZone, rule} = await createZoneWithRule();
	await expect(
		refuseChangedRule(testZone.client, testZone.zone, rule, neverAbortedSignal),
	).resolves.toBeUndefined();
});

test('a rule that someone has resumed since is kept, and the change is named', async () => {
	const {at: testZone, rule, filter} = await createZoneWithRule();
	await testZone.change('firewall/rules', {...rule, filter: {id: filter.id}, paused: false});
	await expect(
		refuseChangedRule(testZone.client, testZone.zone, rule, neverAbortedSignal),
	).rejects.toMatchObject({
		code: 'changed_meanwhile',
		details: {why: expect.stringContaining('paused'), left: `Rule ${rule.id} was not deleted.`},
	});
});

test('a rule whose filter has a new expression since is kept', async () => {
	const {at: testZone, rule, filter} = await createZoneWithRule();
	await testZone.change('filters', {...filter, expression: 'http.host eq "b.example"'});
	await expect(
		refuseChangedRule(testZone.client, testZone.zone, rule, neverAbortedSignal),
	).rejects.toMatchObject({
		details: {why: expect.stringContaining('filter expression')},
	});
});
