import {describe, expect, test} from 'vitest';
import {customRuleList} from '../../../source/screens/custom-rules/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getListedRules} from '../../../source/screens/rulesets/rule-list.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {quit} from '../../../source/screens/shell/leaving.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {
	callRulesetsAsOther,
	listShownIds,
	migratedSampleZone,
	openMigratedCustomRules,
	readCustomRulesAtService,
	rulesetId,
	sampleIds,
	watchWrites,
} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});
const {office, admin, login, scrapers} = sampleIds;

async function openRulesScreen(testStore = createTestStore()) {
	await openMigratedCustomRules(testStore);
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	return {space: testStore, app, press};
}

function expectDialog<Kind extends Dialog['kind']>(
	{state}: TestStore,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	const dialog = state().dialog.current;
	if (dialog?.kind !== kind) throw new Error(`There is no ${kind}, but ${dialog?.kind}.`);
	return dialog as Extract<Dialog, {kind: Kind}>;
}

const isIdle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;
const hasFailed = ({messages: {latest: message}}: ReturnType<TestStore['state']>) =>
	message?.kind === 'failed';
const getMessage = ({state}: TestStore): string => state().messages.latest?.text ?? '';
const getSelectedId = ({state}: TestStore) => customRuleList.getSelectedRule(state().customRules.data)?.id;
const listVisibleIds = ({state}: TestStore) => {
	const customRules = state().customRules.data;
	return customRules ? customRuleList.listVisible(customRules).map(({id}) => id) : [];
};
const rulesetPath = `/zones/7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74/rulesets/${rulesetId}`;

describe('the list', () => {
	test('shows the rules in order, filtered by their text', async () => {
		const {space: testStore} = await openRulesScreen();
		expect(listVisibleIds(testStore)).toEqual([office, admin, login, scrapers]);
		testStore.state().customRules.move(3);
		testStore.state().customRules.filter('scrapy');
		expect(listVisibleIds(testStore)).toEqual([scrapers]);
		testStore.state().customRules.filter('nothing of it');
		testStore.state().customRules.filter('');
		expect(getSelectedId(testStore)).toBe(scrapers);
	});

	test('keeps its cursor when reloaded, and reports that the viewed rule was deleted', async () => {
		const {space: testStore} = await openRulesScreen();
		testStore.state().customRules.move(1);
		testStore.state().customRules.showDetail(0);
		await callRulesetsAsOther(testStore, 'DELETE', `/${rulesetId}/rules/${office}`);
		await testStore.state().customRules.load(testStore.signal);
		expect(getSelectedId(testStore)).toBe(admin);
		await callRulesetsAsOther(testStore, 'DELETE', `/${rulesetId}/rules/${admin}`);
		await testStore.state().customRules.load(testStore.signal);
		expect(testStore.state().customRules.data?.detail).toBeUndefined();
		expect(getMessage(testStore)).toBe('The rule you were viewing no longer exists.');
	});
});

describe('moving', () => {
	test('shows a preview of the new order, which esc drops', async () => {
		const {space: testStore, press} = await openRulesScreen();
		const writes = watchWrites(testStore);
		press('O', 'down', 'down');
		expect(listVisibleIds(testStore)).toEqual([admin, login, office, scrapers]);
		expect(getSelectedId(testStore)).toBe(office);
		press('esc');
		expect(listVisibleIds(testStore)).toEqual([office, admin, login, scrapers]);
		expect(getSelectedId(testStore)).toBe(office);
		expect(writes).toEqual([]);
	});

	test('says after esc that the order was not sent, and continues where it was', async () => {
		const {space: testStore, press} = await openRulesScreen();
		press('O', 'down', 'down', 'esc');
		const notSent = 'Order not sent: the rule stays at position 1. O continues the move.';
		expect(getMessage(testStore)).toBe(notSent);
		press('O');
		expect(listVisibleIds(testStore)).toEqual([admin, login, office, scrapers]);
		expect(getSelectedId(testStore)).toBe(office);
		press('esc');
		expect(getMessage(testStore)).toBe(notSent);
		press('down', 'O');
		expect(listVisibleIds(testStore)).toEqual([office, admin, login, scrapers]);
		press('down', 'up', 'esc');
		expect(getMessage(testStore)).toBe('');
	});

	test('does not continue in an order that someone else has changed', async () => {
		const {space: testStore, press} = await openRulesScreen();
		press('O', 'down', 'esc');
		await callRulesetsAsOther(testStore, 'DELETE', `/${rulesetId}/rules/${admin}`);
		await testStore.state().customRules.load(testStore.signal);
		press('O');
		expect(listVisibleIds(testStore)).toEqual([office, login, scrapers]);
	});

	test('takes one call for the rule, and changes nothing else', async () => {
		const {space: testStore, press} = await openRulesScreen();
		const writes = watchWrites(testStore);
		press('O', 'G', 'up', 'enter', 'y');
		await testStore.until(isIdle);
		expect(writes).toEqual([
			{method: 'PATCH', path: `${rulesetPath}/rules/${office}`, body: {position: {after: login}}},
		]);
		expect(listShownIds(testStore)).toEqual([admin, login, office, scrapers]);
		expect((await readCustomRulesAtService(testStore)).map(({id}) => id)).toEqual([
			admin,
			login,
			office,
			scrapers,
		]);
		expect(getMessage(testStore)).toBe(`Rule moved to position 3 of 4: ${office}. u undoes it.`);
		expect(getSelectedId(testStore)).toBe(office);
	});

	test('that is not sent stays while other screens are shown, and is named before it is lost', async () => {
		const {space: testStore, app, press} = await openRulesScreen();
		press('O', 'down', '0');
		expect(getCurrentScreen(testStore.state())).toBe('home');
		expect(getMessage(testStore)).toBe(
			'Kept, not sent: order of the custom rules of done.acme.example (U continues)',
		);
		press('U');
		expect(getCurrentScreen(testStore.state())).toBe('customRules');
		press('0', '3');
		expect(getCurrentScreen(testStore.state())).toBe('customRules');
		expect(testStore.state().customRules.data?.movingRuleId).toBe(office);
		expect(listVisibleIds(testStore)).toEqual([admin, office, login, scrapers]);
		quit(app);
		expect(expectDialog(testStore, 'confirm').lines).toEqual([
			'The new order of the custom rules of done.acme.example has not been sent.',
		]);
		press('n');
		testStore.state().customRules.open(shop);
		expect(getMessage(testStore)).toContain('of done.acme.example was not sent, and is discarded.');
	});

	test('to the same position sends nothing, and ends', async () => {
		const {space: testStore, press} = await openRulesScreen();
		const writes = watchWrites(testStore);
		press('O', 'down', 'up', 'enter');
		await testStore.until(isIdle);
		expect(writes).toEqual([]);
		expect(getMessage(testStore)).toContain('nothing was sent');
		expect(testStore.state().customRules.data?.movingRuleId).toBeUndefined();
	});

	test('sends nothing if someone else has changed the rules since', async () => {
		const {space: testStore, press} = await openRulesScreen();
		const writes = watchWrites(testStore);
		press('O', 'G');
		await callRulesetsAsOther(testStore, 'DELETE', `/${rulesetId}/rules/${admin}`);
		writes.length = 0;
		press('enter', 'y');
		await testStore.until(hasFailed);
		expect(writes).toEqual([]);
		expect(getMessage(testStore)).toBe('Someone else changed these rules after they were read.');
		expect(listShownIds(testStore)).toEqual([office, login, scrapers]);
	});
});

describe('pausing and deleting', () => {
	test('n answers the question with no', async () => {
		const {space: testStore, press} = await openRulesScreen();
		const writes = watchWrites(testStore);
		press('d', 'n');
		expect(testStore.state().dialog.current).toBeUndefined();
		await testStore.until(isIdle);
		expect(writes).toEqual([]);
	});

	test('ask first, say what happens to requests, and take one call each', async () => {
		const {space: testStore, press} = await openRulesScreen();
		const writes = watchWrites(testStore);
		press('down', 'p');
		expect(expectDialog(testStore, 'confirm').lines).toEqual([
			'rule 2 (block 404): Administration from outside',
			(await readCustomRulesAtService(testStore))[1]?.expression,
			'Blocked requests get through immediately, unless another rule stops them.',
		]);
		press('y');
		await testStore.until(isIdle);
		expect(writes).toMatchObject([
			{method: 'PATCH', path: `${rulesetPath}/rules/${admin}`, body: {id: admin, enabled: false}},
		]);
		expect(getMessage(testStore)).toBe(
			`The rule is paused: "Administration from outside" (block, ${admin}). u undoes it.`,
		);
		press('d', 'y');
		await testStore.until(isIdle);
		expect(writes.slice(1)).toEqual([
			{method: 'DELETE', path: `${rulesetPath}/rules/${admin}`, body: undefined},
		]);
		expect(listShownIds(testStore)).toEqual([office, login, scrapers]);
	});

	test('can be undone with u, which puts a deleted rule back in its position', async () => {
		const {space: testStore, press} = await openRulesScreen();
		press('down', 'd', 'y');
		await testStore.until(isIdle);
		press('u');
		expect(expectDialog(testStore, 'confirm').lines.join('\n')).toContain(
			'A rule (Administration from outside) will be added at position 2',
		);
		press('y');
		await testStore.until(isIdle);
		const rules = await readCustomRulesAtService(testStore);
		expect(rules.map(({description}) => description)).toEqual([
			'Office: past everything behind it',
			'Administration from outside',
			'Logins',
			'Scrapers',
		]);
	});

	test('that renames a rule names it as it is now in its undo, and what will differ', async () => {
		const {space: testStore, press} = await openRulesScreen();
		const {data, plan, write} = testStore.state().customRules;
		const rules = data ? getListedRules(data) : [];
		const renamed = rules.map(rule => (rule.id === admin ? {...rule, description: 'New name'} : rule));
		write(
			{
				plan: plan(renamed),
				label: 'renaming',
				auditLabel: 'rename',
				describeEffect: () => 'Renamed.',
				unknownOutcome: 'whether it was renamed',
			},
			{title: 'Rename?', lines: [], actionLabel: 'rename'},
		);
		press('y');
		await testStore.until(isIdle);
		press('u');
		expect(expectDialog(testStore, 'confirm').lines[1]).toContain(
			`${admin} (New name) will be changed: description: New name → Administration from outside (block starts_with(`,
		);
	});

	test('are undone one after the other with u, also a change to a rule that was deleted meanwhile', async () => {
		const {space: testStore, press} = await openRulesScreen();
		press('down', 'p', 'y');
		await testStore.until(isIdle);
		press('d', 'y');
		await testStore.until(isIdle);
		press('u', 'y');
		await testStore.until(isIdle);
		expect(getMessage(testStore)).toMatch(
			/^Undone: A rule \(Administration from outside\) was added at position 2/,
		);
		press('u');
		const {lines} = expectDialog(testStore, 'confirm');
		expect(lines[0]).toContain('Change to undo: The rule is paused: "Administration from outside"');
		expect(lines[1]).toContain('will be resumed');
		expect(lines).toHaveLength(2);
		press('y');
		await testStore.until(isIdle);
		expect((await readCustomRulesAtService(testStore))[1]).toMatchObject({
			description: 'Administration from outside',
			enabled: true,
		});
		press('u');
		expect(testStore.state().dialog.current).toBeUndefined();
	});

	test('can be undone with u after another zone was opened', async () => {
		const {space: testStore, press} = await openRulesScreen();
		press('down', 'p', 'y');
		await testStore.until(isIdle);
		testStore.state().customRules.open(shop);
		await testStore.state().customRules.load(testStore.signal);
		press('u');
		expect(testStore.state().dialog.current).toBeUndefined();
		testStore.state().customRules.open(migratedSampleZone);
		await testStore.state().customRules.load(testStore.signal);
		press('u');
		expect(expectDialog(testStore, 'confirm').title).toBe('Undo the last change?');
		press('y');
		await testStore.until(isIdle);
		expect((await readCustomRulesAtService(testStore))[1]).toMatchObject({id: admin, enabled: true});
	});

	test('cannot be undone with u if the rules have changed since', async () => {
		const {space: testStore, app, press} = await openRulesScreen();
		press('p', 'y');
		await testStore.until(isIdle);
		await callRulesetsAsOther(testStore, 'DELETE', `/${rulesetId}/rules/${scrapers}`);
		await testStore.state().customRules.load(testStore.signal);
		const undo = app.actions.find(({id}) => id === 'custom.undo');
		expect(undo?.getUnavailableReason?.(testStore.state())).toContain('changed elsewhere since');
	});

	test('require the name of the zone to turn a rule for all traffic on again', async () => {
		const testStore = createTestStore();
		const changedRuleset = await callRulesetsAsOther<{rules: {id: string}[]}>(
			testStore,
			'POST',
			`/${rulesetId}/rules`,
			{
				action: 'block',
				expression: 'true',
				enabled: false,
			},
		);
		const {press} = await openRulesScreen(testStore);
		press('G', 'p');
		const field = expectDialog(testStore, 'field');
		expect(field.requiredInput).toBe('done.acme.example');
		field.submit('done.acme.example');
		await testStore.until(isIdle);
		expect((await readCustomRulesAtService(testStore)).at(-1)).toMatchObject({
			id: changedRuleset.rules.at(-1)?.id,
			enabled: true,
		});
	});
});

describe('versions', () => {
	test('show what restoring changes, and can be restored', async () => {
		const {space: testStore, press} = await openRulesScreen();
		press('V');
		await testStore.until(state => state.versions.data?.reading === 'read' && isIdle(state));
		expect(testStore.state().versions.data?.rows.map(({version}) => version)).toEqual(['2', '1']);
		press('down');
		await testStore.until(state => state.versions.data?.contents.has('1') === true && isIdle(state));
		press('enter');
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(testStore.state().versions.data?.detail).toBe(0);
		press('u');
		expect(expectDialog(testStore, 'confirm').lines.join('\n')).toMatch(
			/Scrapers\) will be deleted from position 4(?:.|\n)*Logins\) will be resumed: \S+ \S/,
		);
		press('y');
		await testStore.until(isIdle);
		expect(getCurrentScreen(testStore.state())).toBe('customRules');
		expect(await readCustomRulesAtService(testStore)).toMatchObject([
			{id: office},
			{id: admin},
			{id: login, enabled: true},
		]);
	});

	test('list changes of others overwritten by ledge, and restore them on request', async () => {
		const {space: testStore, press} = await openRulesScreen();
		press('V');
		await testStore.until(state => state.versions.data?.reading === 'read' && isIdle(state));
		press('down');
		await testStore.until(state => state.versions.data?.contents.has('1') === true && isIdle(state));
		watchWrites(testStore, () =>
			callRulesetsAsOther(testStore, 'POST', `/${rulesetId}/rules`, {
				action: 'block',
				expression: 'http.host eq "theirs.example"',
				description: 'theirs',
			}),
		);
		press('u', 'y');
		await testStore.until(isIdle);
		const {title, lines, choices, choose} = expectDialog(testStore, 'choice');
		expect(title).toBe('Someone else changed these rules');
		expect(lines.join('\n')).toContain('(theirs) was added at position 5');
		expect(choices[0]).toMatchObject({value: 'restore'});
		testStore.state().dialog.close();
		choose('restore');
		await testStore.until(isIdle);
		expect(expectDialog(testStore, 'confirm').title).toBe('Restore these rules?');
		press('y');
		await testStore.until(isIdle);
		expect((await readCustomRulesAtService(testStore)).map(({description}) => description)).toContain(
			'theirs',
		);
	});
});

test('tab leads from the custom rules to the firewall rules, then to the filters, and back', async () => {
	const testStore = createTestStore();
	testStore.state().firewall.open(shop);
	await testStore.state().firewall.load(testStore.signal);
	await testStore.state().connection.loadConnection();
	testStore.state().navigation.go('firewall');
	const app = createTestApp(testStore);
	const press = (name: string) => dispatch(app, key(name));
	press('tab');
	expect(testStore.state().firewall.data?.side).toBe('filters');
	press('tab');
	expect(getCurrentScreen(testStore.state())).toBe('customRules');
	await testStore.until(isIdle);
	press('tab');
	expect([getCurrentScreen(testStore.state()), testStore.state().firewall.data?.side]).toEqual([
		'firewall',
		'rules',
	]);
	press('shift-tab');
	expect(getCurrentScreen(testStore.state())).toBe('customRules');
	press('shift-tab');
	expect([getCurrentScreen(testStore.state()), testStore.state().firewall.data?.side]).toEqual([
		'firewall',
		'filters',
	]);
	expect(testStore.state().navigation.stack).toEqual(['home', 'firewall']);
});

test.each([
	'500',
	'429',
	'409',
	'503',
])('a deletion answered with %s fails, and all rules remain', async status => {
	const testStore = createTestStore(undefined, {faults: `method=DELETE status=${status}`});
	const {press} = await openRulesScreen(testStore);
	press('d', 'y');
	await testStore.until(hasFailed);
	expect(listShownIds(testStore)).toEqual([office, admin, login, scrapers]);
	expect((await readCustomRulesAtService(testStore)).map(({id}) => id)).toEqual([
		office,
		admin,
		login,
		scrapers,
	]);
});

test('a read-only ledge changes nothing', async () => {
	const testStore = createTestStore({simulate: true, readOnly: true});
	const {press} = await openRulesScreen(testStore);
	for (const name of ['p', 'd', 'O', 'a', 'e']) {
		press(name);
		expect(getMessage(testStore)).toContain('read-only');
		expect(testStore.state().dialog.current).toBeUndefined();
	}
});
