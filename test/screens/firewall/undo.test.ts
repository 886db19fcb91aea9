import {describe, expect, test} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';

import {formatFirewallStatus} from '../../../source/screens/firewall/lists/view.tsx';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';

import {callMovedZoneAsOther, createShopRule, shop} from '../support/firewall.ts';
import {
	countCalls,
	deleteCurrentRule,
	doAndConfirm,
	expectDialog,
	getMessage,
	getRules,
	isIdle,
	key,
	nothingToUndo,
	type OpenedShop,
	openShopRules,
	readShopRules,
	undoLast,
} from '../support/firewall-keys.ts';

describe('undoing a change', () => {
	test('resumes what was paused, and pauses what was resumed, one after the other', async () => {
		const opened = await openShopRules();
		const {space: testStore, made} = opened;
		await doAndConfirm(opened, 'p');
		await doAndConfirm(opened, 'p');
		opened.press('u');
		expect(expectDialog(testStore, 'confirm').lines).toEqual([
			'rule 1 (block): the first',
			'ip.src eq 192.0.2.1',
			'state: active → paused',
			'Blocked requests get through immediately, unless another rule stops them.',
		]);
		opened.press('y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toBe(
			`Undone: the rule is paused again: "the first" (block, paused, ${made.first}).`,
		);
		await undoLast(opened);
		expect(getMessage(testStore)).toBe(
			`Undone: the rule is active again: "the first" (block, ${made.first}).`,
		);
		expect(getRules(testStore)[0]?.paused).toBe(false);
		opened.press('u');
		expect(getMessage(testStore)).toContain(nothingToUndo);
	});

	test('follows a rule that was deleted and created again under a new id', async () => {
		const opened = await openShopRules();
		const {space: testStore} = opened;
		await doAndConfirm(opened, 'p');
		await deleteCurrentRule(opened);
		await undoLast(opened);
		await undoLast(opened);
		expect(getRules(testStore)[0]).toMatchObject({description: 'the first', paused: false});
	});

	test('restores a priority, also none', async () => {
		const opened = await openShopRules();
		const {space: testStore, press, made} = opened;
		press('G', 'O');
		testStore.state().dialog.setText('5');
		press('enter');
		await doAndConfirm(opened);
		expect(getRules(testStore)[0]?.id).toBe(made.third);
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('the rule has no priority again');
		expect(getRules(testStore).map(({id}) => id)).toEqual([made.first, made.second, made.third]);
	});

	test('resumes a filter for its rules', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		press('f');
		await doAndConfirm(opened, 'p');
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('the filter is active again');
		expect(getRules(testStore)[0]?.filter).toMatchObject({paused: false});
	});

	test('restores action, description and priority that the wizard changed, and removes a description', async () => {
		const opened = await openShopRules();
		const {space: testStore, press, made} = opened;
		const before = getRules(testStore)[1];
		press('down', 'e', 'enter');
		const {state} = testStore;
		state().wizard.chooseAction('block');
		for (const name of ['backspace', 'backspace', '7', 'down']) state().wizard.type(key(name));
		for (const character of 'mine') state().wizard.type(key(character));
		state().wizard.goToNextStep();
		testStore.advanceClock(minReviewMs);
		await state().wizard.send();
		press('enter');
		await testStore.until(isIdle);
		testStore.state().navigation.go('firewall');
		expect(getRules(testStore)[0]).toMatchObject({
			id: made.second,
			action: 'block',
			description: 'mine',
			priority: 7,
		});
		await undoLast(opened);
		expect(getMessage(testStore)).toContain(
			'Undone: the rule has the action challenge and has priority 20 and has its earlier description again',
		);
		expect(getRules(testStore)[1]).toEqual(before);
	});

	test('restores an expression that the wizard changed', async () => {
		const opened = await openShopRules();
		const {space: testStore, press, made} = opened;
		const {state} = testStore;
		press('E');
		for (const character of ' or ip.src eq 192.0.2.3') state().wizard.type(createTextKey(character));
		state().wizard.goToNextStep();
		state().wizard.goToNextStep();
		testStore.advanceClock(minReviewMs);
		await state().wizard.send();
		await testStore.until(isIdle);
		testStore.state().navigation.go('firewall');
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('the filter has its earlier expression again');
		expect(testStore.state().firewall.data?.filters.find(({id}) => id === made.shared)?.expression).toBe(
			'ip.src eq 192.0.2.1',
		);
	});

	test('leaves what someone else changed since, and shows the difference', async () => {
		const opened = await openShopRules();
		const {space: testStore, press, made} = opened;
		press('O');
		testStore.state().dialog.setText('5');
		press('enter');
		await doAndConfirm(opened);
		await callMovedZoneAsOther(testStore, 'PATCH', `/firewall/rules/${made.first}`, {
			id: made.first,
			priority: 77,
		});
		const putCount = countCalls(testStore, 'PUT') + countCalls(testStore, 'PATCH');
		await undoLast(opened);
		const {latest} = testStore.state().messages;
		expect(latest?.text).toBe(`The rule has changed since then: "the first" (block, ${made.first}).`);
		expect(latest?.kind === 'failed' && latest.failure.details.why).toBe('Then → now:\npriority: 5 → 77');
		expect(countCalls(testStore, 'PUT') + countCalls(testStore, 'PATCH')).toBe(putCount);
		expect(getRules(testStore).find(({id}) => id === made.first)?.priority).toBe(77);
		press('u');
		expect(getMessage(testStore)).toContain(nothingToUndo);
	});

	test('of a rule that someone else deleted since sends nothing', async () => {
		const opened = await openShopRules();
		const {space: testStore, made} = opened;
		await doAndConfirm(opened, 'p');
		await callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${made.first}`);
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('The rule no longer exists');
		expect(getRules(testStore).map(({id}) => id)).toEqual([made.second, made.third]);
	});

	test('with an unknown outcome can be repeated, and then says what is true', async () => {
		const opened = await openShopRules();
		const {space: testStore} = opened;
		await doAndConfirm(opened, 'p');
		testStore.simulator.faults.replace('lost-answer method=PUT; status=403 method=GET after=1');
		await undoLast(opened);
		testStore.simulator.faults.clear();
		expect(getMessage(testStore)).toBe('It is unknown whether the change of the rule was undone.');
		const putCount = countCalls(testStore, 'PUT');
		await testStore.state().firewall.load(testStore.signal);
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('Nothing to undo: the rule already is as before');
		expect(countCalls(testStore, 'PUT')).toBe(putCount);
		expect((await readShopRules(testStore)).every(({paused}) => !paused)).toBe(true);
	});

	test('that the service refuses stays to be undone', async () => {
		const opened = await openShopRules();
		const {space: testStore} = opened;
		await doAndConfirm(opened, 'p');
		testStore.simulator.faults.replace('method=PUT status=400');
		await undoLast(opened);
		testStore.simulator.faults.clear();
		expect(getRules(testStore)[0]?.paused).toBe(true);
		await undoLast(opened);
		expect(getRules(testStore)[0]?.paused).toBe(false);
	});

	test('is not offered in another zone', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		await doAndConfirm(opened, 'p');
		testStore.state().firewall.open({...shop, id: 'a947660370b0b679559176bf9d8aead4'});
		await testStore.state().firewall.load(testStore.signal);
		press('u');
		expect(getMessage(testStore)).toContain(nothingToUndo);
	});

	test('is not offered while another rule is being written', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		await doAndConfirm(opened, 'p');
		press('down', 'p', 'y', 'u');
		expect(getMessage(testStore)).toContain('still pausing rule');
		await testStore.until(isIdle);
	});

	test('is refused if the service has retired firewall rules, and the screen stays usable', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		await doAndConfirm(opened, 'p');
		testStore.simulator.faults.replace('path=/firewall/rules status=410');
		await undoLast(opened);
		expect(testStore.state().messages.latest?.kind).toBe('failed');
		press('u', 'space', 'O');
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(getMessage(testStore)).toContain('the service has retired firewall rules');
	});
});

test('a refused change of retired rules makes the lists read-only, and they say where the rules are', async () => {
	const opened = await openShopRules();
	const {space: testStore, press} = opened;
	testStore.simulator.setFirewallStates({'read-only': [shop.id]});
	await doAndConfirm(opened, 'p');
	expect(getMessage(testStore)).toContain('firewallrules.api.maintenance_mode');
	expect(getRules(testStore)).toHaveLength(3);
	expect(formatFirewallStatus(testStore.state())).toContain('read-only: converted to custom rules (3)');
	const writes = countCalls(testStore, 'PATCH') + countCalls(testStore, 'PUT');
	press('p', 'd', 'a', 'e');
	expect(testStore.state().dialog.current).toBeUndefined();
	expect(getMessage(testStore)).toContain('3 shows the custom rules, ! still works');
	expect(countCalls(testStore, 'PATCH') + countCalls(testStore, 'PUT')).toBe(writes);
	press('!');
	expect(testStore.state().emergency.data?.way).toBe('custom rule');
});

describe('undoing a creation', () => {
	/** Creates a rule with its own filter in the wizard, and returns to the lists. */
	async function createInWizard({space: testStore, press}: OpenedShop): Promise<void> {
		const {state} = testStore;
		press('a');
		for (const character of 'ip.src eq 192.0.2.77') state().wizard.type(createTextKey(character));
		state().wizard.goToNextStep();
		state().wizard.chooseAction('block');
		state().wizard.goToNextStep();
		testStore.advanceClock(minReviewMs);
		await state().wizard.send();
		await testStore.until(isIdle);
		state().navigation.go('firewall');
	}

	test('deletes the rule and its filter', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		await createInWizard(opened);
		expect(getRules(testStore)).toHaveLength(4);
		press('u');
		expect(expectDialog(testStore, 'confirm').lines.join()).toContain('it is deleted, and its filter too');
		press('y');
		await testStore.until(isIdle);
		expect(getRules(testStore)).toHaveLength(3);
		expect(testStore.state().firewall.data?.filters).toHaveLength(2);
		expect(getMessage(testStore)).toContain('Undone: deleted the rule and its filter, which you had created');
	});

	test('reports nothing as undone if rule and filter are gone and the lists still show them', async () => {
		const opened = await openShopRules();
		const {space: testStore} = opened;
		await createInWizard(opened);
		const created = getRules(testStore).find(({filter}) => JSON.stringify(filter).includes('.77'));
		await callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${created?.id}`);
		await callMovedZoneAsOther(testStore, 'DELETE', `/filters/${created?.filter.id}`);
		const deletionCount = countCalls(testStore, 'DELETE');
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('The rule no longer exists');
		expect(getMessage(testStore)).not.toContain('Undone');
		expect(countCalls(testStore, 'DELETE')).toBe(deletionCount);
	});

	test('of a rule that is gone is named, and an earlier change is undone only when asked', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		await doAndConfirm(opened, 'p');
		await createInWizard(opened);
		const created = getRules(testStore).find(({filter}) => JSON.stringify(filter).includes('.77'));
		await callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${created?.id}`);
		await callMovedZoneAsOther(testStore, 'DELETE', `/filters/${created?.filter.id}`);
		await testStore.state().firewall.load(testStore.signal);
		press('u');
		const {title, lines} = expectDialog(testStore, 'confirm');
		expect(title).toBe('Undo an earlier change?');
		expect(lines[0]).toBe(`The last change can't be undone: rule ${created?.id} no longer exists.`);
		press('y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toContain('Undone: the rule is active again');
		press('u');
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(getMessage(testStore)).toContain('no longer exists');
	});

	test('keeps the filter if another rule uses it by now', async () => {
		const opened = await openShopRules();
		const {space: testStore} = opened;
		await createInWizard(opened);
		const filter = testStore
			.state()
			.firewall.data?.filters.find(({expression}) => expression.endsWith('.77'));
		await createShopRule(testStore, filter?.id ?? '', {action: 'js_challenge'});
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('1 of 2 changes was undone.');
		expect(getMessage(testStore)).toContain('The filter is in use');
		expect(getRules(testStore).map(({action}) => action)).toContain('js_challenge');
		expect(testStore.state().firewall.data?.filters).toHaveLength(3);
	});
});
