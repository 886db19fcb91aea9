import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {leftBehindActions} from '../../../source/screens/left-behind/actions.ts';
import {buildItemRows, formatItemState} from '../../../source/screens/left-behind/rows.ts';
import {type LeftItem, leftBehindList} from '../../../source/screens/left-behind/slice.ts';
import {formatLeftBehindStatus} from '../../../source/screens/left-behind/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {migratedSampleZone, watchWrites} from '../support/custom-rules.ts';
import {saveBackupOfMigrated} from '../support/left-behind.ts';
import {atManaged} from '../support/managed.ts';
import {acme, createMigratingPerson} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

const {owasp} = managedRulesets;

/** A person at the list of what a migration left behind. `kept`: whether its backup is on this machine. */
async function atLeftBehind({kept = true} = {}) {
	const person = await atManaged();
	const {testStore, state} = person;
	if (kept) await saveBackupOfMigrated(testStore);
	person.press('L');
	expect(getCurrentScreen(state())).toBe('leftBehind');
	await person.idle();
	const rows = () => state().leftBehind.data?.rows ?? [];
	/** Puts the cursor on an item. */
	const selectItem = (id: string): LeftItem => {
		const index = rows().findIndex(({leftover}) => leftover.id === id);
		state().leftBehind.move(-rows().length);
		state().leftBehind.move(index);
		const found = leftBehindList.getSelected(state().leftBehind.data);
		if (found?.leftover.id !== id) throw new Error(`${id} is not listed.`);
		return found;
	};
	const getStateText = (id: string) => formatItemState(selectItem(id), state());
	const getDetailText = (id: string) => {
		selectItem(id);
		return buildItemRows(state(), 70, {warning: '!', done: '+'})
			.map(row => row.map(({text}) => text).join(''))
			.join('\n');
	};
	return {...person, rows, on: selectItem, words: getStateText, detail: getDetailText};
}

describe('settings that a migration left behind', () => {
	test('are listed with the steps to recreate each', async () => {
		const {rows, words: getStateText, detail: getDetailText, state} = await atLeftBehind();
		expect(rows().map(({leftover}) => leftover.id)).toEqual(['g1', 'r1', 'b1']);
		expect(['g1', 'r1', 'b1'].map(getStateText)).toEqual(['choose rules', 'choose rules', 'one change']);
		expect(getDetailText('b1')).toContain('ip.src eq 192.0.2.1');
		expect(formatLeftBehindStatus(state())).toBe('3 items   3 to recreate');
	});

	test('become an exception with one key, are undone with one, and are sent after a review', async () => {
		const {
			on: selectItem,
			words: getStateText,
			press,
			state,
			managed,
			send,
			answer,
			idle,
			testStore,
			getMessageText,
		} = await atLeftBehind();
		const writes = watchWrites(testStore);
		selectItem('b1');
		press('enter');
		expect(getStateText('b1')).toBe('not sent yet');
		expect(getMessageText()).toContain('Added to the unsent changes');
		press('enter');
		expect(managed().edits).toHaveLength(1);
		press('u');
		expect(getStateText('b1')).toBe('one change');
		expect(managed().edits).toHaveLength(0);
		press('enter', 'ctrl-s');
		expect(getCurrentScreen(state())).toBe('managed');
		expect(managed().step).toBe('review');
		press('esc');
		expect(getCurrentScreen(state())).toBe('leftBehind');
		press('ctrl-s');
		expect(managed().step).toBe('review');
		expect(writes).toEqual([]);
		send();
		answer(migratedSampleZone.name);
		await idle();
		expect(writes).toHaveLength(1);
		expect(writes[0]).toMatchObject({
			method: 'POST',
			body: {action: 'skip', expression: 'ip.src eq 192.0.2.1', action_parameters: {ruleset: 'current'}},
		});
		expect(getCurrentScreen(state())).toBe('leftBehind');
		expect(getStateText('b1')).toBe('recreated');
		expect(formatLeftBehindStatus(state())).toBe('3 items   2 to recreate');
	});

	test('have details that right shows in place of the list, where enter still recreates the item', async () => {
		const {on: selectItem, press, state, managed} = await atLeftBehind();
		state().navigation.resize({columns: 40, rows: 10});
		selectItem('b1');
		press('right');
		expect(state().leftBehind.data?.detail).toBe(0);
		press('down');
		expect(state().leftBehind.data?.detail).toBe(1);
		press('esc');
		expect(state().leftBehind.data?.detail).toBeUndefined();
		press('right', 'enter');
		expect(managed().edits).toHaveLength(1);
	});

	test('let the user choose rules in the browser if the IDs are not found', async () => {
		const {on: selectItem, words: getStateText, press, state, managed, getMessageText} = await atLeftBehind();
		selectItem('g1');
		press('enter');
		expect(getCurrentScreen(state())).toBe('catalogue');
		const catalogueRules = managed().activeRules?.catalogue?.find(({id}) => id === owasp.id)?.rules ?? [];
		const chosenRuleId =
			catalogueRules.find(({categories}) => categories.includes('paranoia-level-1'))?.id ?? '';
		for (const _ of state().catalogue.data?.request.query ?? '') press('backspace');
		for (const character of chosenRuleId) press(character);
		press('ctrl-t', 'enter');
		expect(getCurrentScreen(state())).toBe('leftBehind');
		expect(managed().edits.map(({edit}) => edit)).toEqual([
			{kind: 'managed rule override', ruleset: owasp.id, id: chosenRuleId, enabled: false},
		]);
		expect(getMessageText()).toMatch(/^Added to the unsent changes: [^.]*\.$/);
		expect(getStateText('g1')).toBe('not sent yet');
		expect(formatLeftBehindStatus(state())).toBe('3 items   2 to recreate   1 unsent change');
		press('u');
		expect(getStateText('g1')).toBe('choose rules');
	});

	test('say which chosen rules were already set', async () => {
		const {on: selectItem, press, state, managed, getMessageText} = await atLeftBehind();
		const catalogueRules = managed().activeRules?.catalogue?.find(({id}) => id === owasp.id)?.rules ?? [];
		const [first, second] = catalogueRules.filter(({categories}) => categories.includes('paranoia-level-1'));
		const turnOff = {kind: 'managed rule override', ruleset: owasp.id, enabled: false} as const;
		state().managed.applyEdit({...turnOff, id: first?.id ?? ''});
		selectItem('g1');
		press('enter');
		for (const _ of state().catalogue.data?.request.query ?? '') press('backspace');
		for (const rule of [first, second]) {
			press('ctrl-u');
			for (const character of rule?.id ?? '') press(character);
			press('ctrl-t');
		}
		press('enter');
		expect(managed().edits).toHaveLength(2);
		expect(getMessageText()).toContain('1 of 2 rules was already set this way.');
	});

	test('rules that were chosen together are undone together, also after the rules were read again', async () => {
		const {on: selectItem, press, state, managed, testStore, getMessageText} = await atLeftBehind();
		const catalogueRules = managed().activeRules?.catalogue?.find(({id}) => id === owasp.id)?.rules ?? [];
		const chosen = catalogueRules
			.filter(({categories}) => categories.includes('paranoia-level-1'))
			.slice(0, 3);
		selectItem('b1');
		press('enter');
		expect(managed().edits).toHaveLength(1);
		selectItem('g1');
		press('enter');
		for (const rule of chosen) {
			press('ctrl-u');
			for (const character of rule.id) press(character);
			press('ctrl-t');
		}
		press('enter');
		expect(managed().edits).toHaveLength(4);
		await state().managed.load(testStore.signal);
		press('u');
		expect(managed().edits).toHaveLength(4);
		expect(state().dialog.current).toMatchObject({
			kind: 'confirm',
			title: 'Undo 3 changes?',
			actionLabel: 'undo 3 changes',
			lines: ['They were made together, and are undone together.', ...chosen.map(() => expect.any(String))],
		});
		press('y');
		expect(managed().edits).toHaveLength(1);
		expect(getMessageText()).toMatch(/^Undone: 3 changes\. /);
		press('u');
		expect(managed().edits).toEqual([]);
	});

	test('are unknown without a backup, never empty', async () => {
		const {state, rows} = await atLeftBehind({kept: false});
		await expect.poll(() => state().leftBehind.data?.reading).toBe('failed');
		expect(rows()).toEqual([]);
		expect(state().leftBehind.data?.failure?.message).toContain('It is unknown here what the migration of');
	});

	test('can be recreated even if the managed rules are marked stale', async () => {
		const {on: selectItem, press, managed, state} = await atLeftBehind();
		state().managed.markStale();
		selectItem('b1');
		press('enter');
		expect(managed().edits).toHaveLength(1);
	});
});

test('settings left behind can be recreated after a deployment, even if the managed rules were opened before it', async () => {
	const {testStore, managed} = await atManaged(createTestStore(), acme);
	expect(managed().activeRules?.readOnlyReason?.message).toContain('has not completed its migration');
	const person = await createMigratingPerson(acme, testStore);
	await person.goToConfirmation('direct');
	await person.confirm(acme.name);
	await person.choose('recreate');
	await testStore.until(({work: {list: work}}) => work.length === 0);
	const {rows = []} = person.state().leftBehind.data ?? {};
	expect(rows.length).toBeGreaterThan(0);
	expect(managed().activeRules?.readOnlyReason).toBeUndefined();
	const recreateAction = leftBehindActions.find(({id}) => id === 'left.recreate');
	expect(recreateAction?.getUnavailableReason?.(person.state())).toBeUndefined();
});
