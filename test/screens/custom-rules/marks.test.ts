import {expect, test} from 'vitest';
import {customRulesScreen} from '../../../source/screens/custom-rules/screen.ts';
import {customRuleList} from '../../../source/screens/custom-rules/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {
	listShownIds,
	openMigratedCustomRules,
	readCustomRulesAtService,
	sampleIds,
	watchWrites,
} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {expectDialog, getMessage, isIdle, key} from '../support/firewall-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const {office, admin, login, scrapers} = sampleIds;

async function openRules() {
	const testStore = createTestStore();
	await openMigratedCustomRules(testStore);
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	return {testStore, press};
}

const listMarkedIds = ({state}: TestStore) => {
	const {data} = state().customRules;
	return data ? customRuleList.listMarked(data).map(({id}) => id) : [];
};

test('selected rules are paused with one request, and undone together', async () => {
	const {testStore, press} = await openRules();
	const writes = watchWrites(testStore);
	press('down', 'space', 'down', 'space', 'down', 'space');
	expect(listMarkedIds(testStore)).toEqual([admin, login, scrapers]);
	expect(customRulesScreen.view?.formatStatus(testStore.state())).toContain('3 selected');
	press('p');
	expect(expectDialog(testStore, 'confirm').title).toBe('Pause 2 rules?');
	expect(expectDialog(testStore, 'confirm').lines).toContain('Already paused: 1 selected rule.');
	press('y');
	await testStore.until(isIdle);
	expect(getMessage(testStore)).toBe('2 rules are paused. u undoes it.');
	expect(listMarkedIds(testStore)).toEqual([]);
	expect(writes).toHaveLength(1);
	const listPaused = async () =>
		(await readCustomRulesAtService(testStore)).flatMap(({id, enabled}) => (enabled === false ? [id] : []));
	expect(await listPaused()).toEqual([admin, login, scrapers]);
	press('u', 'y');
	await testStore.until(isIdle);
	expect(await listPaused()).toEqual([login]);
});

test('the filter finds paused rules', async () => {
	const {testStore} = await openRules();
	testStore.state().customRules.filter('paused');
	const {data} = testStore.state().customRules;
	expect(data && customRuleList.listVisible(data).map(({id}) => id)).toEqual([login]);
});

test('shift-down selects a range that shift-up shrinks, and only these rules are deleted', async () => {
	const {testStore, press} = await openRules();
	press('down', 'shift-down', 'shift-down', 'shift-up');
	expect(listMarkedIds(testStore)).toEqual([admin, login]);
	press('d');
	expect(expectDialog(testStore, 'confirm').title).toBe('Delete 2 rules?');
	press('y');
	await testStore.until(isIdle);
	expect(listShownIds(testStore)).toEqual([office, scrapers]);
	press('shift-up');
	expect(listMarkedIds(testStore)).toEqual([office, scrapers]);
});

test('ctrl-space selects from the rule selected last, under a filter only the rules shown', async () => {
	const {testStore, press} = await openRules();
	press('G', 'space', 'g', 'ctrl-space');
	expect(listMarkedIds(testStore)).toEqual([office, admin, login, scrapers]);
	press('esc');
	expect(listMarkedIds(testStore)).toEqual([]);
	testStore.state().customRules.filter('!paused');
	press('g', 'space', 'G', 'ctrl-space');
	expect(listMarkedIds(testStore)).toEqual([office, admin, scrapers]);
	press('esc');
	expect(testStore.state().customRules.data?.filter).toBe('');
	expect(listMarkedIds(testStore)).toEqual([office, admin, scrapers]);
});

test('rules that arrive within a range are not selected', async () => {
	const {testStore, press} = await openRules();
	press('shift-down', 'shift-down');
	const {ruleset, zone} = testStore.state().customRules.data ?? {};
	const [first, ...others] = ruleset?.rules ?? [];
	if (!ruleset || !zone || !first) throw new Error('no rules');
	const rules = [first, {...first, id: 'new'}, ...others];
	testStore.state().customRules.show(zone.id, {...ruleset, version: '99', rules});
	expect(listMarkedIds(testStore)).toEqual([office, admin, login]);
	press('shift-up', 'shift-up', 'shift-up');
	expect(listMarkedIds(testStore)).toEqual([office]);
});

test('while a rule is moved, shift-down moves it and selects nothing', async () => {
	const {testStore, press} = await openRules();
	press('O', 'shift-down');
	expect(
		testStore
			.state()
			.customRules.data?.rows.map(({id}) => id)
			.slice(0, 2),
	).toEqual([admin, office]);
	expect(listMarkedIds(testStore)).toEqual([]);
});

test('selected rules are deleted together, but only those that the filter shows', async () => {
	const {testStore, press} = await openRules();
	press('space', 'G', 'space');
	testStore.state().customRules.filter('scrapy');
	expect(customRulesScreen.view?.formatStatus(testStore.state())).toContain('2 selected, 1 hidden');
	press('d');
	expect(expectDialog(testStore, 'confirm').title).toMatch(/^Delete rule \d+\?$/);
	press('esc');
	testStore.state().customRules.filter('');
	press('d');
	expect(expectDialog(testStore, 'confirm').title).toBe('Delete 2 rules?');
	press('y');
	await testStore.until(isIdle);
	expect(listShownIds(testStore)).toEqual([admin, login]);
	press('u', 'y');
	await testStore.until(isIdle);
	expect(listShownIds(testStore)).toHaveLength(4);
});

test('esc clears the filter before the selection; the details are about one rule', async () => {
	const {testStore, press} = await openRules();
	press('space', 'down', 'enter', 'p');
	expect(expectDialog(testStore, 'confirm').lines.join()).not.toContain(office);
	expect(expectDialog(testStore, 'confirm').lines[0]).toContain('rule 2');
	press('esc', 'esc');
	testStore.state().customRules.filter('scrapy');
	press('p');
	expect(getMessage(testStore)).toContain('the filter hides the selected rows');
	press('esc');
	expect(testStore.state().customRules.data?.filter).toBe('');
	expect(listMarkedIds(testStore)).toHaveLength(1);
	press('esc');
	expect(listMarkedIds(testStore)).toEqual([]);
	testStore.state().customRules.filter('scrapy');
	expect(scrapers).toBe(customRuleList.getSelected(testStore.state().customRules.data)?.id);
});
