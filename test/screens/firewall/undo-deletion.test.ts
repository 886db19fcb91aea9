import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';

import {createTestApp} from '../support/drawn.tsx';
import {
	callMovedZoneAsOther,
	createShopFilter,
	createShopRule,
	openShopFirewall,
	shop,
} from '../support/firewall.ts';
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
	openShopRules,
	readShopRules,
	undoLast,
} from '../support/firewall-keys.ts';
import {createTestStore} from '../support/store.ts';

describe('undoing a deletion', () => {
	test('creates the rule again on its filter, as it was, under a new id', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		const [deleted] = getRules(testStore);
		press('u');
		expect(getMessage(testStore)).toContain(nothingToUndo);
		await deleteCurrentRule(opened);
		expect(getRules(testStore).map(({id}) => id)).not.toContain(deleted?.id);
		expect(getMessage(testStore)).toContain('u undoes it');
		await undoLast(opened);
		const [recreated] = getRules(testStore);
		expect(recreated?.id).not.toBe(deleted?.id);
		expect({...recreated, id: ''}).toEqual({...deleted, id: ''});
		expect(getMessage(testStore)).toBe(
			`Undone: the rule was created again, with a new id: "the first" (block, ${recreated?.id}).`,
		);
		press('u');
		expect(getMessage(testStore)).toContain(nothingToUndo);
	});

	test('creates its filter again if that was deleted too', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		const deleted = getRules(testStore)[1];
		press('down');
		await deleteCurrentRule(opened);
		await undoLast(opened);
		const recreated = getRules(testStore)[1];
		expect(recreated?.filter.id).not.toBe(deleted?.filter.id);
		expect({...recreated, id: '', filter: {...recreated?.filter, id: ''}}).toEqual({
			...deleted,
			id: '',
			filter: {...deleted?.filter, id: ''},
		});
		expect(getMessage(testStore)).toContain('the rule and its filter were created again, with new ids');
	});

	test('says that a rule has no effect if it was paused when it was deleted', async () => {
		const opened = await openShopRules();
		await doAndConfirm(opened, 'p');
		await deleteCurrentRule(opened);
		opened.press('u');
		const {lines} = expectDialog(opened.space, 'confirm');
		expect(lines).toContain('It has no effect: it or its filter is paused.');
		expect(lines.join()).not.toContain('immediately');
		opened.press('y');
		await opened.space.until(isIdle);
		expect(getRules(opened.space)[0]).toMatchObject({description: 'the first', paused: true});
	});

	test('of several rules counts those without effect', async () => {
		const opened = await openShopRules();
		await doAndConfirm(opened, 'p');
		await doAndConfirm(opened, 'A', 'd');
		opened.press('u');
		const {lines} = expectDialog(opened.space, 'confirm');
		expect(lines).toContain('1 of them has no effect: the rule or its filter is paused, or it has ended.');
		expect(lines.join()).not.toContain('It has no effect');
		expect(lines.join()).toContain('immediately');
	});

	test('of a rule that lets nearly everything through requires the name of the zone', async () => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		const filterId = await createShopFilter(testStore, 'not ip.src eq 192.0.2.99');
		await createShopRule(testStore, filterId, {action: 'allow', priority: 1});
		await testStore.state().firewall.load(testStore.signal);
		await testStore.state().connection.loadConnection();
		testStore.state().navigation.go('firewall');
		const app = createTestApp(testStore);
		for (const name of ['g', 'd']) dispatch(app, key(name));
		dispatch(app, key('y'));
		await testStore.until(isIdle);
		dispatch(app, key('u'));
		expect(expectDialog(testStore, 'field').requiredInput).toBe(shop.name);
	});

	test('never creates the rule a second time after an unknown outcome', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		await deleteCurrentRule(opened);
		// The rule is created, but the response is lost, and so are the reads afterwards.
		testStore.simulator.faults.replace(
			'method=POST path=/firewall/rules lost-answer; method=GET path=/firewall/rules status=403 after=1',
		);
		await undoLast(opened);
		testStore.simulator.faults.clear();
		expect(getMessage(testStore)).toBe('It is unknown whether the rule was created again.');
		expect(await readShopRules(testStore)).toHaveLength(3);
		press('u');
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(getMessage(testStore)).toContain(nothingToUndo);
		expect(countCalls(testStore, 'POST')).toBe(1);
	});

	test('does not use a filter that was changed in the meantime', async () => {
		const opened = await openShopRules();
		const {space: testStore, made} = opened;
		await deleteCurrentRule(opened);
		await callMovedZoneAsOther(testStore, 'PUT', `/filters/${made.shared}`, {
			id: made.shared,
			expression: 'ip.src eq 198.51.100.1',
		});
		await undoLast(opened);
		expect(getMessage(testStore)).toContain('The filter has changed since then');
		expect(await readShopRules(testStore)).toHaveLength(2);
	});

	test('creates a deleted filter again', async () => {
		const opened = await openShopRules();
		const {space: testStore, press} = opened;
		const id = await createShopFilter(testStore, 'http.host eq "unused.example"');
		await testStore.state().firewall.load(testStore.signal);
		press('tab');
		testStore.state().firewall.focusRow(id, shop.id);
		await doAndConfirm(opened, 'd');
		await undoLast(opened);
		const filters = testStore.state().firewall.data?.filters ?? [];
		expect(filters.filter(({expression}) => expression === 'http.host eq "unused.example"')).toHaveLength(1);
		expect(getMessage(testStore)).toContain('the filter was created again, with a new id');
	});
});
