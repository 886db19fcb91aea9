import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {createTestApp} from '../support/drawn.tsx';
import {expectDialog, getMessage, getRules, isIdle, key} from '../support/firewall-keys.ts';
import {createTestStore} from '../support/store.ts';

/** Opens the zone of the samples with a rule whose filter was deleted. */
async function openPayRules() {
	const testStore = createTestStore({simulate: true, zone: 'acme-pay.example'});
	const {state, until} = testStore;
	await state().connection.loadConnection();
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	press('2');
	await until(one => one.firewall.data?.reading === 'read' && isIdle(one));
	const lostRule = getRules(testStore).find(({filter}) => 'deleted' in filter);
	const activeRule = getRules(testStore).find(({filter, paused}) => !paused && 'expression' in filter);
	const zone = state().firewall.data?.zone;
	if (!lostRule || !activeRule || !zone) throw new TypeError('The samples have changed.');
	return {testStore, press, lostRule, activeRule, zone};
}

test('a deletion that cannot be undone is named by u, which undoes an earlier change only when asked', async () => {
	const {testStore, press, lostRule, activeRule, zone} = await openPayRules();
	const {state, until, signal} = testStore;
	await state().firewall.setPriorities([{rule: activeRule, priority: 77}], signal);
	state().firewall.focusRow(lostRule.id, zone.id);
	press('d');
	const question = expectDialog(testStore, 'field');
	expect(question.lines).toContain('This cannot be undone.');
	expect(question.lines).toContain('It currently has no effect: its filter was deleted.');
	state().dialog.setText(zone.name);
	press('enter');
	await until(isIdle);
	expect(getMessage(testStore)).toMatch(
		/^Deleted rule .*; its filter \w+ no longer existed\. It cannot be undone\.$/,
	);
	press('u');
	const {title, lines} = expectDialog(testStore, 'confirm');
	expect(title).toBe('Undo an earlier change?');
	expect(lines[0]).toBe(
		`The last change can't be undone: the filter of the last write no longer existed: delete firewall rule ${lostRule.id}.`,
	);
	press('esc');
	expect(getRules(testStore).find(({id}) => id === activeRule.id)?.priority).toBe(77);
	press('u', 'y');
	await until(isIdle);
	expect(getRules(testStore).find(({id}) => id === activeRule.id)?.priority).toBe(activeRule.priority);
	press('u');
	expect(state().dialog.current).toBeUndefined();
	expect(getMessage(testStore)).toContain("Can't undo: the filter of the last write no longer existed");
});
