import {expect, test} from 'vitest';
import {addEnd} from '../../../source/firewall/rules/end-time.ts';
import {buildRuleColumns} from '../../../source/screens/firewall/lists/columns.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {matchActions} from '../../../source/screens/shell/action-search.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {callMovedZoneAsOther, createShopFilter, createShopRule} from '../support/firewall.ts';
import {expectDialog, getMessage, getRules, isIdle, openShopRules} from '../support/firewall-keys.ts';

const marks = {warning: '!', dot: '·', none: '-'};
const ended = addEnd('http.host eq "sale.example"', 1_700_000_000);
const isOffered = ({actions, state}: App) =>
	listHintedActions(actions, state()).some(({id}) => id === 'firewall.delete-ended');

test('rules that have ended are named and deleted together, after one review', async () => {
	const {space: testStore, app, press} = await openShopRules();
	const before = getRules(testStore).map(({id}) => id);
	expect(isOffered(app)).toBe(false);
	press('Z');
	expect(testStore.state().dialog.current).toBeUndefined();
	expect(testStore.state().messages.latest?.text).toBe("Can't delete ended rules: none has ended.");
	const filterId = await createShopFilter(testStore, ended);
	const first = await createShopRule(testStore, filterId, {priority: 40});
	const second = await createShopRule(testStore, filterId, {priority: 41, action: 'challenge'});
	const later = await createShopFilter(testStore, addEnd('http.host eq "a.example"', 4_000_000_000));
	await createShopRule(testStore, later, {priority: 42, description: 'not yet'});
	await testStore.state().firewall.load(testStore.signal);
	const firewall = testStore.state().firewall.data;
	const rule = getRules(testStore).find(({id}) => id === first);
	if (!firewall || !rule) throw new Error('The rule is not listed.');
	const text = buildRuleColumns(firewall, 80).map(({getText}) => getText(rule, {marks} as never));
	expect(text.join()).toContain('ended 2023-11-14 22:13 UTC');
	expect(isOffered(app)).toBe(true);
	press('Z');
	const {title, lines} = expectDialog(testStore, 'confirm');
	expect(title).toContain('Delete 2 rules');
	expect(lines).toContain('They have ended and match no more requests.');
	press('y');
	await testStore.until(isIdle);
	const current = await callMovedZoneAsOther<{id: string; description?: string}[]>(
		testStore,
		'GET',
		'/firewall/rules?per_page=100',
	);
	expect(current.map(({id}) => id)).not.toContain(first);
	expect(current.map(({id}) => id)).not.toContain(second);
	expect(current).toHaveLength(before.length + 1);
	expect(isOffered(app)).toBe(false);
});

test('the deletion of rules that have ended is found by what they are, and needs no row', async () => {
	const {space: testStore, app, press} = await openShopRules();
	for (const query of ['ended', 'have ended', 'delete ended'])
		expect(matchActions(query, app.actions).map(({action: {id}}) => id)).toContain('firewall.delete-ended');
	press('I');
	const action = app.actions.find(({id}) => id === 'firewall.delete-ended');
	action?.paletteRoute?.run(app, {name: 'enter', text: '', sequence: '\r'});
	await testStore.until(({messages}) => messages.latest?.text.includes('none has ended') === true);
	expect(testStore.state().messages.latest?.text).toBe('delete the rules that have ended: none has ended');
});

test('no question says that a rule which has ended acts again, and a resumed rule is not called paused', async () => {
	const {space: testStore, press} = await openShopRules();
	const filterId = await createShopFilter(testStore, ended);
	const id = await createShopRule(testStore, filterId, {priority: 1, paused: true, description: 'sale'});
	const {firewall} = testStore.state();
	await firewall.load(testStore.signal);
	press('g', 'p');
	expect(expectDialog(testStore, 'confirm').lines).toContain('It has ended and matches no more requests.');
	expect(expectDialog(testStore, 'confirm').lines.join()).not.toContain('Matching requests');
	press('y');
	await testStore.until(isIdle);
	expect(getMessage(testStore)).toBe(`The rule is active again: "sale" (block, ${id}). u undoes it.`);
	press('Z', 'y');
	await testStore.until(isIdle);
	press('u');
	const {lines} = expectDialog(testStore, 'confirm');
	expect(lines).toContain('It has ended and matches no more requests.');
	expect(lines.join()).not.toContain('Matching requests');
});
