import {describe, expect, test} from 'vitest';
import {customRuleList, getSelectedCustomRule} from '../../../source/screens/custom-rules/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {
	callRulesetsAsOther,
	listShownIds,
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

async function openRulesScreen(space = createTestStore()) {
	await openMigratedCustomRules(space);
	const app = createTestApp(space);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	return {space, app, press};
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
const getSelectedId = ({state}: TestStore) => getSelectedCustomRule(state().customRules.data)?.id;
const listVisibleIds = ({state}: TestStore) => {
	const customRules = state().customRules.data;
	return customRules ? customRuleList.listVisible(customRules).map(({id}) => id) : [];
};
const rulesetPath = `/zones/7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74/rulesets/${rulesetId}`;

describe('the list', () => {
	test('shows the rules in order, filtered by their text', async () => {
		const {space} = await openRulesScreen();
		expect(listVisibleIds(space)).toEqual([office, admin, login, scrapers]);
		space.state().customRules.move(3);
		space.state().customRules.filter('scrapy');
		expect(listVisibleIds(space)).toEqual([scrapers]);
		space.state().customRules.filter('nothing of it');
		space.state().customRules.filter('');
		expect(getSelectedId(space)).toBe(scrapers);
	});

	test('keeps its cursor when reloaded, and reports that the viewed rule was deleted', async () => {
		const {space} = await openRulesScreen();
		space.state().customRules.move(1);
		space.state().customRules.showDetail(0);
		await callRulesetsAsOther(space, 'DELETE', `/${rulesetId}/rules/${office}`);
		await space.state().customRules.load(space.signal);
		expect(getSelectedId(space)).toBe(admin);
		await callRulesetsAsOther(space, 'DELETE', `/${rulesetId}/rules/${admin}`);
		await space.state().customRules.load(space.signal);
		expect(space.state().customRules.data?.detail).toBeUndefined();
		expect(getMessage(space)).toBe('The rule you were viewing no longer exists.');
	});
});

describe('moving', () => {
	test('shows a preview of the new order, which esc drops', async () => {
		const {space, press} = await openRulesScreen();
		const writes = watchWrites(space);
		press('o', 'down', 'down');
		expect(listVisibleIds(space)).toEqual([admin, login, office, scrapers]);
		expect(getSelectedId(space)).toBe(office);
		press('esc');
		expect(listVisibleIds(space)).toEqual([office, admin, login, scrapers]);
		expect(getSelectedId(space)).toBe(office);
		expect(writes).toEqual([]);
	});

	test('takes one call for the rule, and changes nothing else', async () => {
		const {space, press} = await openRulesScreen();
		const writes = watchWrites(space);
		press('o', 'G', 'up', 'enter');
		await space.until(isIdle);
		expect(writes).toEqual([
			{method: 'PATCH', path: `${rulesetPath}/rules/${office}`, body: {position: {after: login}}},
		]);
		expect(listShownIds(space)).toEqual([admin, login, office, scrapers]);
		expect((await readCustomRulesAtService(space)).map(({id}) => id)).toEqual([
			admin,
			login,
			office,
			scrapers,
		]);
		expect(getMessage(space)).toBe(`Rule moved to position 3 of 4: ${office}. u undoes it.`);
		expect(getSelectedId(space)).toBe(office);
	});

	test('to the same position sends nothing, and ends', async () => {
		const {space, press} = await openRulesScreen();
		const writes = watchWrites(space);
		press('o', 'down', 'up', 'enter');
		await space.until(isIdle);
		expect(writes).toEqual([]);
		expect(getMessage(space)).toContain('nothing was sent');
		expect(space.state().customRules.data?.movingRuleId).toBeUndefined();
	});

	test('sends nothing if someone else has changed the rules since', async () => {
		const {space, press} = await openRulesScreen();
		const writes = watchWrites(space);
		press('o', 'G');
		await callRulesetsAsOther(space, 'DELETE', `/${rulesetId}/rules/${admin}`);
		writes.length = 0;
		press('enter');
		await space.until(hasFailed);
		expect(writes).toEqual([]);
		expect(getMessage(space)).toBe('Someone else changed these rules after they were read.');
		expect(listShownIds(space)).toEqual([office, login, scrapers]);
	});
});

describe('pausing and deleting', () => {
	test('n answers the question with no', async () => {
		const {space, press} = await openRulesScreen();
		const writes = watchWrites(space);
		press('d', 'n');
		expect(space.state().dialog.current).toBeUndefined();
		await space.until(isIdle);
		expect(writes).toEqual([]);
	});

	test('ask first, say what happens to requests, and take one call each', async () => {
		const {space, press} = await openRulesScreen();
		const writes = watchWrites(space);
		press('down', 'p');
		expect(expectDialog(space, 'confirm').lines).toEqual([
			'rule 2 (block 404): Administration from outside',
			(await readCustomRulesAtService(space))[1]?.expression,
			'Requests it blocks get through immediately, unless another rule stops them.',
		]);
		press('y');
		await space.until(isIdle);
		expect(writes).toMatchObject([
			{method: 'PATCH', path: `${rulesetPath}/rules/${admin}`, body: {id: admin, enabled: false}},
		]);
		expect(getMessage(space)).toBe(
			`The rule is paused: "Administration from outside" (block, ${admin}). u undoes it.`,
		);
		press('d', 'y');
		await space.until(isIdle);
		expect(writes.slice(1)).toEqual([
			{method: 'DELETE', path: `${rulesetPath}/rules/${admin}`, body: undefined},
		]);
		expect(listShownIds(space)).toEqual([office, login, scrapers]);
	});

	test('can be undone with u, which puts a deleted rule back in its position', async () => {
		const {space, press} = await openRulesScreen();
		press('down', 'd', 'y');
		await space.until(isIdle);
		press('u');
		expect(expectDialog(space, 'confirm').lines.join('\n')).toContain(
			'A rule (Administration from outside) will be added at position 2',
		);
		press('y');
		await space.until(isIdle);
		const rules = await readCustomRulesAtService(space);
		expect(rules.map(({description}) => description)).toEqual([
			'Office: past everything behind it',
			'Administration from outside',
			'Logins',
			'Scrapers',
		]);
	});

	test('cannot be undone with u if the rules have changed since', async () => {
		const {space, app, press} = await openRulesScreen();
		press('p', 'y');
		await space.until(isIdle);
		await callRulesetsAsOther(space, 'DELETE', `/${rulesetId}/rules/${scrapers}`);
		await space.state().customRules.load(space.signal);
		const undo = app.actions.find(({id}) => id === 'custom.undo');
		expect(undo?.getUnavailableReason?.(space.state())).toContain('changed elsewhere since');
	});

	test('require the name of the zone to turn a rule for all traffic on again', async () => {
		const space = createTestStore();
		const changedRuleset = await callRulesetsAsOther<{rules: {id: string}[]}>(
			space,
			'POST',
			`/${rulesetId}/rules`,
			{
				action: 'block',
				expression: 'true',
				enabled: false,
			},
		);
		const {press} = await openRulesScreen(space);
		press('G', 'p');
		const field = expectDialog(space, 'field');
		expect(field.requiredInput).toBe('done.acme.example');
		field.submit('done.acme.example');
		await space.until(isIdle);
		expect((await readCustomRulesAtService(space)).at(-1)).toMatchObject({
			id: changedRuleset.rules.at(-1)?.id,
			enabled: true,
		});
	});
});

describe('versions', () => {
	test('show what restoring changes, and can be restored', async () => {
		const {space, press} = await openRulesScreen();
		press('V');
		await space.until(state => state.versions.data?.reading === 'read' && isIdle(state));
		expect(space.state().versions.data?.rows.map(({version}) => version)).toEqual(['2', '1']);
		press('down');
		await space.until(state => state.versions.data?.contents.has('1') === true && isIdle(state));
		press('enter');
		expect(expectDialog(space, 'confirm').lines.join('\n')).toMatch(
			/Scrapers\) will be deleted from position 4(?:.|\n)*Logins\) will be resumed: \S+ \S/,
		);
		press('y');
		await space.until(isIdle);
		expect(getCurrentScreen(space.state())).toBe('customRules');
		expect(await readCustomRulesAtService(space)).toMatchObject([
			{id: office},
			{id: admin},
			{id: login, enabled: true},
		]);
	});

	test('list changes of others overwritten by ledge, and restore them on request', async () => {
		const {space, press} = await openRulesScreen();
		press('V');
		await space.until(state => state.versions.data?.reading === 'read' && isIdle(state));
		press('down');
		await space.until(state => state.versions.data?.contents.has('1') === true && isIdle(state));
		watchWrites(space, () =>
			callRulesetsAsOther(space, 'POST', `/${rulesetId}/rules`, {
				action: 'block',
				expression: 'http.host eq "theirs.example"',
				description: 'theirs',
			}),
		);
		press('enter', 'y');
		await space.until(isIdle);
		const {title, lines, choices} = expectDialog(space, 'choice');
		expect(title).toBe('Someone else changed these rules');
		expect(lines.join('\n')).toContain('(theirs) was added at position 5');
		expect(choices[0]).toMatchObject({value: 'restore'});
		expectDialog(space, 'choice').choose('restore');
		space.state().dialog.close();
		await space.until(isIdle);
		expect((await readCustomRulesAtService(space)).map(({description}) => description)).toContain('theirs');
	});
});

test('tab leads from the custom rules to the firewall rules, then to the filters, and back', async () => {
	const space = createTestStore();
	space.state().firewall.open(shop);
	await space.state().firewall.load(space.signal);
	await space.state().connection.loadConnection();
	space.state().navigation.go('firewall');
	const app = createTestApp(space);
	const press = (name: string) => dispatch(app, key(name));
	press('tab');
	expect(space.state().firewall.data?.side).toBe('filters');
	press('tab');
	expect(getCurrentScreen(space.state())).toBe('customRules');
	await space.until(isIdle);
	press('tab');
	expect([getCurrentScreen(space.state()), space.state().firewall.data?.side]).toEqual(['firewall', 'rules']);
	press('shift-tab');
	expect(getCurrentScreen(space.state())).toBe('customRules');
	press('shift-tab');
	expect([getCurrentScreen(space.state()), space.state().firewall.data?.side]).toEqual([
		'firewall',
		'filters',
	]);
	expect(space.state().navigation.stack).toEqual(['home', 'firewall']);
});

test.each([
	'500',
	'429',
	'409',
	'503',
])('a deletion answered with %s fails, and all rules remain', async status => {
	const space = createTestStore(undefined, {faults: `method=DELETE status=${status}`});
	const {press} = await openRulesScreen(space);
	press('d', 'y');
	await space.until(hasFailed);
	expect(listShownIds(space)).toEqual([office, admin, login, scrapers]);
	expect((await readCustomRulesAtService(space)).map(({id}) => id)).toEqual([office, admin, login, scrapers]);
});

test('a read-only ledge changes nothing', async () => {
	const space = createTestStore({simulate: true, readOnly: true});
	const {press} = await openRulesScreen(space);
	for (const name of ['p', 'd', 'o', 'n', 'e']) {
		press(name);
		expect(getMessage(space)).toContain('read-only');
		expect(space.state().dialog.current).toBeUndefined();
	}
});
