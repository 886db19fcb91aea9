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
	mergeScreen.press('enter', 'enter');
	await mergeScreen.submit(shop.name);
	return mergeScreen;
}

describe('the old firewall rules', () => {
	test('cannot be deleted before their custom rules exist', async () => {
		const {space, press} = await atMerge();
		press('d');
		expect(getMessageText(space)).toContain('their custom rules do not exist yet');
		expect(space.state().merge.data?.step).toBe('rules');
	});

	test('are deleted with their filters as reviewed, after the name of the zone is typed', async () => {
		const {space, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		expect(getReviewText(space)).toContain(
			'Delete 3 firewall rules from acme-shop.example. This cannot be undone.',
		);
		expect(getReviewText(space)).toContain('6 requests, exactly as they will be sent:');
		const reviewed = getMergeRequests(space.state());
		const writes = watchWrites(space);
		press('enter');
		await submit('no');
		press('esc');
		expect(writes).toEqual([]);
		press('enter');
		await submit(shop.name);
		expect(writes).toEqual(reviewed);
		expect(await readShopFirewallRules(space)).toEqual([]);
		expect(await callShopAsOther(space, 'GET', '/filters')).toEqual([]);
		expect(await readShopCustomRules(space)).toHaveLength(3);
		expect(getNotesText(space)).toContain('Deleted 3 firewall rules from acme-shop.example.');
		expect(space.state().firewall.data?.rules).toEqual([]);
	});

	test('stay if someone has changed or created them since', async () => {
		const {space, press, submit, settled} = await createCustomRules();
		const [first, ...others] = await readShopFirewallRules(space);
		if (!first) throw new Error('There is no rule.');
		await callShopAsOther(space, 'PUT', `/firewall/rules/${first.id}`, {
			...first,
			description: 'still needed',
		});
		await callShopAsOther(space, 'POST', '/firewall/rules', [
			{action: 'block', filter: {expression: 'http.host eq "new.example"'}},
		]);
		press('d');
		await settled();
		expect(getReviewText(space)).toContain(
			`Kept rule ${first.id} (${first.action}): someone else changed it after it was read: description.`,
		);
		press('enter');
		await submit(shop.name);
		const remainingRules = await readShopFirewallRules(space);
		expect(remainingRules).toHaveLength(2);
		expect(remainingRules.some(({id}) => id === first.id)).toBe(true);
		expect(remainingRules.some(({id}) => others.some(other => other.id === id))).toBe(false);
	});

	test('stay if their custom rules are gone', async () => {
		const {space, press, settled} = await createCustomRules();
		await callShopAsOther(space, 'PUT', '/rulesets/phases/http_request_firewall_custom/entrypoint', {
			rules: [],
		});
		const writes = watchWrites(space);
		press('d');
		await settled();
		expect(space.state().merge.data?.step).toBe('rules');
		press('d');
		expect(getMessageText(space)).toContain('their custom rules do not exist yet');
		expect(writes).toEqual([]);
	});

	test('stay if their custom rules disappear during the question, and are listed', async () => {
		const {space, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		press('enter');
		await callShopAsOther(space, 'PUT', '/rulesets/phases/http_request_firewall_custom/entrypoint', {
			rules: [],
		});
		const writes = watchWrites(space);
		await submit(shop.name);
		expect(writes).toEqual([]);
		expect(await readShopFirewallRules(space)).toHaveLength(3);
		const message = space.state().messages.latest;
		expect(message).toMatchObject({
			kind: 'failed',
			failure: {
				code: 'changed_meanwhile',
				message: '3 firewall rules of acme-shop.example were not deleted.',
			},
		});
		expect(getNotesText(space)).toContain('3 firewall rules of acme-shop.example were not deleted.');
	});

	test('are deleted until stopped, and the remaining ones are read afterwards', async () => {
		const {space, press, settled} = await createCustomRules();
		press('d');
		await settled();
		const writes = watchWrites(space);
		space.simulator.faults.replace('method=DELETE path=firewall/rules hang after=1');
		press('enter');
		space.state().dialog.typeInField({name: 'paste', text: shop.name, sequence: shop.name});
		space.state().dialog.submit();
		await space.until(() => writes.length === 3);
		expect(space.state().merge.data?.deletedCount).toBe(1);
		press('c');
		expect(space.state().dialog.current).toMatchObject({kind: 'confirm', title: 'Stop the deletion?'});
		press('y');
		space.simulator.faults.clear();
		await space.until(({messages: {latest: message}}) => message !== undefined);
		await settled();
		expect(getMessageText(space)).toContain(
			'Stopped: deleting firewall rules. 1 of 3 firewall rules were deleted',
		);
		expect(space.state().merge.data).toMatchObject({
			step: 'rules',
			deletedCount: undefined,
			deletion: undefined,
		});
		expect(writes).toHaveLength(3);
		expect(getNotesText(space)).toContain('Source: the 2 firewall rules of acme-shop.example.');
		press('d');
		await settled();
		expect(getMergeRequests(space.state())).toHaveLength(4);
	});

	test('stop being deleted at the first failure, with the number already deleted', async () => {
		const {space, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		const writes = watchWrites(space);
		space.simulator.faults.replace('method=DELETE path=firewall/rules status=500 after=1');
		press('enter');
		await submit(shop.name);
		space.simulator.faults.clear();
		expect(writes.map(({path}) => path.split('/').at(-2))).toEqual(['rules', 'filters', 'rules']);
		const message = space.state().messages.latest;
		expect(message?.kind === 'failed' && message.failure.details.left).toContain(
			'1 of 3 firewall rules were deleted; the others were not tried.',
		);
		expect(await readShopFirewallRules(space)).toHaveLength(2);
		expect(getNotesText(space)).toContain('Source: the 2 firewall rules of acme-shop.example.');
		press('d');
		await settled();
		press('enter');
		await submit(shop.name);
		expect(await readShopFirewallRules(space)).toEqual([]);
	});

	test('are not shown as existing if reading them after a failed deletion fails too', async () => {
		const {space, press, submit, settled} = await createCustomRules();
		press('d');
		await settled();
		space.simulator.faults.replace(
			'method=DELETE path=firewall/rules status=500 after=1; method=GET path=firewall/rules status=403',
		);
		press('enter');
		await submit(shop.name);
		await settled();
		expect(space.state().merge.data).toMatchObject({
			step: 'rules',
			reading: 'unread',
			sourceRules: undefined,
		});
	});
});
