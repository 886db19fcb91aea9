import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {buildFirewallExport} from '../../../source/firewall/export/json.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {getReadyMerge} from '../../../source/screens/merge/state.ts';
import {migratedSampleZone, readCustomRulesAtService} from '../support/custom-rules.ts';
import {createTestStore} from '../support/store.ts';
import {atMerge, getMessageText, getNotesText, listMergedLines, shop, watchWrites} from './support.ts';

const firewallRule = (id: string, expression: string, more: Partial<Rule> = {}): Rule => ({
	id,
	paused: false,
	action: 'block',
	priority: null,
	filter: {id: `f-${id}`, expression, paused: false},
	...more,
});

const buildExportText = (...rules: readonly Rule[]): string =>
	JSON.stringify(buildFirewallExport(shop, [], rules));

describe('a zone whose firewall rules are retired', () => {
	test('asks for an export file to make custom rules from', async () => {
		const {space: testStore, press, submit} = await atMerge(createTestStore(), migratedSampleZone);
		expect(testStore.state().dialog.current).toMatchObject({
			kind: 'field',
			lines: [
				expect.stringContaining('has retired firewall rules'),
				expect.stringContaining('ledge firewall export --zone NAME --output FILE'),
				expect.stringContaining('nothing is sent yet'),
			],
		});
		await submit('none.json');
		expect(testStore.state().dialog.current).toMatchObject({problem: 'No such file.'});
		const path = join(testStore.folder, 'rules.json');
		writeFileSync(
			path,
			buildExportText(firewallRule('a', 'ssl'), firewallRule('b', 'not ssl', {action: 'allow'})),
		);
		await submit('rules.json');
		expect(getNotesText(testStore)).toContain(`Source: the file ${path}.`);
		expect(listMergedLines(testStore).slice(4)).toEqual(['+ 5 skip not ssl', '+ 6 block ssl']);
		press('d');
		expect(getMessageText(testStore)).toContain('the rules are from a file, not from the zone');
		press('enter', 'y');
		const writes = watchWrites(testStore);
		await submit(migratedSampleZone.name);
		expect(writes).toHaveLength(1);
		expect(await readCustomRulesAtService(testStore)).toHaveLength(6);
	});

	test('asks again for a file on m if the first question was cancelled', async () => {
		const {space: testStore, press} = await atMerge(createTestStore(), migratedSampleZone);
		press('esc');
		expect(testStore.state().dialog.current).toBeUndefined();
		press('m');
		expect(testStore.state().dialog.current?.kind).toBe('field');
	});
});

test('a zone retired since its rules were read asks for a file too', async () => {
	const {space: testStore, press, settled} = await atMerge();
	testStore.simulator.faults.replace('path=firewall status=410');
	press('ctrl-r');
	await settled();
	expect(testStore.state().merge.data?.failure?.code).toBe('gone');
	await testStore.until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	expect(listMergedLines(testStore)).toHaveLength(3);
});

describe('an export file', () => {
	async function openFile(text: string | Buffer, zone: Parameters<typeof atMerge>[1] = shop) {
		const mergeScreen = await atMerge(createTestStore(), zone);
		writeFileSync(join(mergeScreen.space.folder, 'rules.json'), text);
		mergeScreen.press('o');
		await mergeScreen.submit('rules.json');
		return mergeScreen;
	}

	test.each([
		['that is not JSON', '{', 'is not a firewall rules export.'],
		['of something else', '[1]', 'is not a firewall rules export.'],
		['that is not UTF-8', Buffer.from([0xff, 0xfe]), 'is not UTF-8 text.'],
	])('%s is refused, and nothing can be sent', async (_what, text, message) => {
		const {space: testStore, press} = await openFile(text);
		expect(getMessageText(testStore)).toContain(message);
		expect(getReadyMerge(testStore.state())).toBeUndefined();
		press('enter');
		expect(testStore.state().merge.data?.step).toBe('rules');
	});

	test('that exceeds the quota or the features of the plan says so for each rule', async () => {
		const plainRules = Array.from({length: 18}, (_, at) => firewallRule(`r${at}`, `http.host eq "${at}"`));
		const unavailableRules = [
			firewallRule('x', 'ssl', {action: 'log'}),
			firewallRule('y', 'http.host matches "a"'),
		];
		const {space: testStore, press} = await openFile(
			buildExportText(...plainRules, ...unavailableRules, firewallRule('z', 'not ssl')),
		);
		expect(getNotesText(testStore)).toContain("Rule limit reached: the zone can't have 21 custom rules.");
		expect(getNotesText(testStore)).toContain('In this rule: log ssl');
		expect(getNotesText(testStore)).toContain('http.host matches "a"');
		const writes = watchWrites(testStore);
		press('enter');
		expect(testStore.state().merge.data?.step).toBe('rules');
		expect(getMessageText(testStore)).toContain(
			"Rule limit reached: the zone can't have 21 custom rules. (and 2 more)",
		);
		expect(writes).toEqual([]);
	});

	test('with a rule that lost its filter skips the rule, and says so', async () => {
		const ruleWithoutFilter = firewallRule('lost', '', {filter: {id: 'f-lost', deleted: true}});
		const {space: testStore} = await openFile(buildExportText(firewallRule('a', 'ssl'), ruleWithoutFilter));
		expect(listMergedLines(testStore)).toEqual(['+ 1 block ssl']);
		expect(getNotesText(testStore)).toContain('Skipped rule lost (block): its filter f-lost was deleted.');
	});

	test('is replaced by the rules of the zone on z', async () => {
		const {space: testStore, press, settled} = await openFile(buildExportText(firewallRule('a', 'ssl')));
		press('z');
		await settled();
		expect(listMergedLines(testStore)).toHaveLength(3);
	});
});

test('a rule for nearly all traffic is reported before it is sent', async () => {
	const mergeScreen = await atMerge();
	writeFileSync(join(mergeScreen.space.folder, 'rules.json'), buildExportText(firewallRule('a', 'true')));
	mergeScreen.press('o');
	await mergeScreen.submit('rules.json');
	expect(getNotesText(mergeScreen.space)).toContain(
		'This rule blocks all or nearly all traffic to acme-shop.example',
	);
	mergeScreen.press('enter', 'y');
	expect(mergeScreen.space.state().dialog.current).toMatchObject({
		kind: 'field',
		lines: [expect.stringContaining('nearly all traffic'), expect.stringContaining('one request')],
	});
});
