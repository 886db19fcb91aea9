import {describe, expect, test} from 'vitest';
import {getMergeRequests} from '../../../source/screens/merge/state.ts';
import {
	atMerge,
	callShopAsOther,
	getMessageText,
	getNotesText,
	getReviewText,
	readShopCustomRules,
	readShopFirewallRules,
	shop,
	watchWrites,
} from './support.ts';

async function createCustomRules() {
	const mergeScreen = await atMerge();
	mergeScreen.press('enter');
	await mergeScreen.send();
	return mergeScreen;
}

describe('the old firewall rules', () => {
	test('cannot be deleted before their custom rules exist', async () => {
		const {space: testStore, press} = await atMerge();
		press('d');
		expect(getMessageText(testStore)).toContain('their custom rules do not exist yet');
		expect(testStore.state().merge.data?.step).toBe('rules');
	});

	test('are deleted with their filters as reviewed, after the name of the zone is typed', async () => {
		const {space: testStore, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		expect(getReviewText(testStore)).toContain(
			"Delete 3 firewall rules from acme-shop.example. This cannot be undone; y asks for the zone's name.",
		);
		expect(getReviewText(testStore)).toContain('6 requests, exactly as they will be sent:');
		const reviewed = getMergeRequests(testStore.state());
		const writes = watchWrites(testStore);
		press('y');
		await submit('no');
		press('esc');
		expect(writes).toEqual([]);
		press('y');
		await submit(shop.name);
		expect(writes).toEqual(reviewed);
		expect(await readShopFirewallRules(testStore)).toEqual([]);
		expect(await callShopAsOther(testStore, 'GET', '/filters')).toEqual([]);
		expect(await readShopCustomRules(testStore)).toHaveLength(3);
		expect(getNotesText(testStore)).toContain('Deleted 3 firewall rules from acme-shop.example.');
		expect(testStore.state().firewall.data?.rules).toEqual([]);
		testStore.state().navigation.go('firewall');
		press('u');
		expect(getMessageText(testStore)).toContain(
			"Can't undo: the 3 deleted firewall rules are custom rules now.",
		);
	});

	test('stay if someone has changed or created them since', async () => {
		const {space: testStore, press, submit, settled} = await createCustomRules();
		const [first, ...others] = await readShopFirewallRules(testStore);
		if (!first) throw new Error('There is no rule.');
		await callShopAsOther(testStore, 'PUT', `/firewall/rules/${first.id}`, {
			...first,
			description: 'still needed',
		});
		await callShopAsOther(testStore, 'POST', '/firewall/rules', [
			{action: 'block', filter: {expression: 'http.host eq "new.example"'}},
		]);
		press('d');
		await settled();
		expect(getReviewText(testStore)).toContain(
			`Kept rule ${first.id} (${first.action}): someone else changed it after it was read: description.`,
		);
		press('y');
		await submit(shop.name);
		const remainingRules = await readShopFirewallRules(testStore);
		expect(remainingRules).toHaveLength(2);
		expect(remainingRules.some(({id}) => id === first.id)).toBe(true);
		expect(remainingRules.some(({id}) => others.some(other => other.id === id))).toBe(false);
	});

	test('stay if their custom rules are gone', async () => {
		const {space: testStore, press, settled} = await createCustomRules();
		await callShopAsOther(testStore, 'PUT', '/rulesets/phases/http_request_firewall_custom/entrypoint', {
			rules: [],
		});
		const writes = watchWrites(testStore);
		press('d');
		await settled();
		expect(testStore.state().merge.data?.step).toBe('rules');
		press('d');
		expect(getMessageText(testStore)).toContain('their custom rules do not exist yet');
		expect(writes).toEqual([]);
	});

	test('stay if their custom rules disappear during the question, and are listed', async () => {
		const {space: testStore, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		press('y');
		await callShopAsOther(testStore, 'PUT', '/rulesets/phases/http_request_firewall_custom/entrypoint', {
			rules: [],
		});
		const writes = watchWrites(testStore);
		await submit(shop.name);
		expect(writes).toEqual([]);
		expect(await readShopFirewallRules(testStore)).toHaveLength(3);
		const message = testStore.state().messages.latest;
		expect(message).toMatchObject({
			kind: 'failed',
			failure: {
				code: 'changed_meanwhile',
				message: '3 firewall rules of acme-shop.example were not deleted.',
			},
		});
		expect(getNotesText(testStore)).toContain('3 firewall rules of acme-shop.example were not deleted.');
	});

	test('are deleted until stopped, and the remaining ones are read afterwards', async () => {
		const {space: testStore, press, settled} = await createCustomRules();
		press('d');
		await settled();
		const writes = watchWrites(testStore);
		testStore.simulator.faults.replace('method=DELETE path=firewall/rules hang after=1');
		press('y');
		testStore.state().dialog.typeInField({name: 'paste', text: shop.name, sequence: shop.name});
		testStore.state().dialog.submit();
		await testStore.until(() => writes.length === 3);
		expect(testStore.state().merge.data?.deletedCount).toBe(1);
		press('ctrl-x');
		expect(testStore.state().dialog.current).toMatchObject({kind: 'confirm', title: 'Stop the deletion?'});
		press('y');
		testStore.simulator.faults.clear();
		await testStore.until(({messages: {latest: message}}) => message !== undefined);
		await settled();
		expect(getMessageText(testStore)).toContain(
			'Stopped: deleting firewall rules. 1 of 3 firewall rules were deleted',
		);
		expect(testStore.state().merge.data).toMatchObject({
			step: 'rules',
			deletedCount: undefined,
			deletion: undefined,
		});
		expect(writes).toHaveLength(3);
		expect(getNotesText(testStore)).toContain('Source: the 2 firewall rules of acme-shop.example.');
		press('d');
		await settled();
		expect(getMergeRequests(testStore.state())).toHaveLength(4);
	});

	test('stop being deleted at the first failure, with the number already deleted', async () => {
		const {space: testStore, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		const writes = watchWrites(testStore);
		testStore.simulator.faults.replace('method=DELETE path=firewall/rules status=500 after=1');
		press('y');
		await submit(shop.name);
		testStore.simulator.faults.clear();
		expect(writes.map(({path}) => path.split('/').at(-2))).toEqual(['rules', 'filters', 'rules']);
		const message = testStore.state().messages.latest;
		expect(message?.kind === 'failed' && message.failure.details.left).toContain(
			'1 of 3 firewall rules were deleted; the others were not tried.',
		);
		expect(await readShopFirewallRules(testStore)).toHaveLength(2);
		expect(getNotesText(testStore)).toContain('Source: the 2 firewall rules of acme-shop.example.');
		press('d');
		await settled();
		press('y');
		await submit(shop.name);
		expect(await readShopFirewallRules(testStore)).toEqual([]);
	});

	test('are not shown as existing if reading them after a failed deletion fails too', async () => {
		const {space: testStore, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		testStore.simulator.faults.replace(
			'method=DELETE path=firewall/rules status=500 after=1; method=GET path=firewall/rules status=403',
		);
		press('y');
		await submit(shop.name);
		await settled();
		expect(testStore.state().merge.data).toMatchObject({
			step: 'rules',
			reading: 'unread',
			sourceRules: undefined,
		});
	});
});
