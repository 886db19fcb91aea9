import {describe, expect, test} from 'vitest';
import {addEnd} from '../../../source/firewall/rules/end-time.ts';
import {getMergeRequests, getReadyMerge} from '../../../source/screens/merge/state.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestStore, type TestStore} from '../support/store.ts';
import {
	atMerge,
	buildBlockRule,
	callShopAsOther,
	getMessageText,
	getNotesText,
	getReviewText,
	listMergedLines,
	putShopCustomRules,
	readShopCustomRules,
	readShopFirewallRules,
	shop,
	watchWrites,
} from './support.ts';

const expectedRules = [
	'block lower(http.request.uri.query) contains "union select"',
	'js_challenge http.request.uri.path eq "/checkout" and not http.referer contains "acme-shop.example"',
	'skip ip.src in {198.51.100.64/26} and starts_with(http.request.uri.path, "/feed/")',
];
const entryPoint = `/zones/${shop.id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
const getFailure = ({state}: TestStore) => {
	const message = state().messages.latest;
	return message?.kind === 'failed' ? message.failure : undefined;
};

describe('the custom rules made from firewall rules', () => {
	test('are shown in order, with the quota, before anything is sent', async () => {
		const {space: testStore} = await atMerge();
		expect(getCurrentScreen(testStore.state())).toBe('merge');
		expect(listMergedLines(testStore)).toEqual(expectedRules.map((line, at) => `+ ${at + 1} ${line}`));
		expect(getNotesText(testStore)).toContain('Source: the 3 firewall rules of acme-shop.example.');
		expect(getNotesText(testStore)).toContain('3 custom rules to create. Total: 3 of 20 custom rules (Pro).');
	});

	test('are sent as reviewed, in one call, once y confirms the review', async () => {
		const {space: testStore, press, send} = await atMerge();
		const writes = watchWrites(testStore);
		press('enter');
		expect(getReviewText(testStore)).toContain(`PUT ${entryPoint}`);
		const reviewed = getMergeRequests(testStore.state());
		expect(reviewed).toHaveLength(1);
		await send();
		expect(writes).toEqual(reviewed);
		expect(getMessageText(testStore)).toBe(
			'acme-shop.example: Created 3 custom rules: 3 in total, version 1.',
		);
		expect(
			(await readShopCustomRules(testStore)).map(({action, expression}) => `${action} ${expression}`),
		).toEqual(expectedRules);
		expect(await readShopFirewallRules(testStore)).toHaveLength(3);
	});

	test('leave out rules that have ended, and say so', async () => {
		const testStore = createTestStore();
		await callShopAsOther(testStore, 'POST', '/firewall/rules', [
			{action: 'block', description: 'sale', filter: {expression: addEnd('http.host eq "a"', 1_700_000_000)}},
		]);
		await atMerge(testStore);
		expect(listMergedLines(testStore)).toHaveLength(3);
		expect(getNotesText(testStore)).toContain('Source: the 3 firewall rules of acme-shop.example.');
		expect(getNotesText(testStore)).toContain('Skipped 1 rule that ended: sale.');
	});

	test('need the name of the zone if one lets nearly all requests through', async () => {
		const testStore = createTestStore();
		await callShopAsOther(testStore, 'POST', '/firewall/rules', [
			{action: 'allow', filter: {expression: 'http.host eq "acme-shop.example"'}},
		]);
		const {press, submit} = await atMerge(testStore);
		const writes = watchWrites(testStore);
		press('enter', 'y');
		expect(testStore.state().dialog.current).toMatchObject({kind: 'field', requiredInput: shop.name});
		await submit('acme.example');
		expect(testStore.state().dialog.current).toMatchObject({
			problem: 'Does not match. Type acme-shop.example.',
		});
		expect(writes).toEqual([]);
		await submit(shop.name);
		expect(writes).toHaveLength(1);
	});

	test('are not sent a second time, as all of them exist', async () => {
		const {space: testStore, press, send} = await atMerge();
		press('enter');
		await send();
		const writes = watchWrites(testStore);
		expect(getNotesText(testStore)).toContain('Created 3 custom rules: 3 in total, version 1.');
		expect(getNotesText(testStore)).toMatch(/already exists as [0-9a-f]{32}: block SQL in the query/);
		press('enter');
		expect(testStore.state().merge.data?.step).toBe('rules');
		expect(getMessageText(testStore)).toContain('nothing to create: all rules already exist');
		press('ctrl-r');
		await testStore.until(({work: {list: work}}) => work.length === 0);
		expect(getReadyMerge(testStore.state())).toMatchObject({requests: [], result: {addedRules: []}});
		expect(writes).toEqual([]);
	});

	test('go after the existing rules, or before the rule under the cursor', async () => {
		const testStore = createTestStore();
		const [, second] = await putShopCustomRules(testStore, buildBlockRule('a'), buildBlockRule('b'));
		const {press, send} = await atMerge(testStore);
		expect(listMergedLines(testStore)[0]).toBe('  1 block http.host eq "a"');
		expect(getNotesText(testStore)).toContain('They go after all existing rules');
		press('down', 'b');
		expect(listMergedLines(testStore)).toEqual([
			'  1 block http.host eq "a"',
			...expectedRules.map((line, at) => `+ ${at + 2} ${line}`),
			'  5 block http.host eq "b"',
		]);
		press('b');
		expect(listMergedLines(testStore)[1]).toBe('  2 block http.host eq "b"');
		press('g', 'down', 'b', 'enter');
		const writes = watchWrites(testStore);
		await send();
		expect(writes).toMatchObject([{method: 'PUT', path: entryPoint}]);
		const currentRules = await readShopCustomRules(testStore);
		expect(currentRules).toHaveLength(5);
		expect(currentRules[4]?.id).toBe(second?.id);
	});

	test('leave out rules that exist in another form', async () => {
		const testStore = createTestStore();
		await putShopCustomRules(testStore, {
			action: 'block',
			expression: '(lower(http.request.uri.query)   contains "union select")',
		});
		const {press, send} = await atMerge(testStore);
		expect(getReadyMerge(testStore.state())?.result).toMatchObject({
			addedRules: {length: 2},
			presentRules: {length: 1},
		});
		press('enter');
		const writes = watchWrites(testStore);
		await send();
		expect(writes).toHaveLength(1);
		expect(await readShopCustomRules(testStore)).toHaveLength(3);
	});

	test('are not sent if ledge is read-only', async () => {
		const {space: testStore, press} = await atMerge(createTestStore({simulate: true, readOnly: true}));
		const writes = watchWrites(testStore);
		press('enter');
		expect(testStore.state().merge.data?.step).toBe('rules');
		expect(getMessageText(testStore)).toContain('ledge is read-only');
		expect(writes).toEqual([]);
	});
});

describe('sending', () => {
	async function sendWithFaults(faults: string) {
		const mergeScreen = await atMerge();
		mergeScreen.press('enter');
		const writes = watchWrites(mergeScreen.space);
		mergeScreen.space.simulator.faults.replace(faults);
		await mergeScreen.send();
		mergeScreen.space.simulator.faults.clear();
		return {...mergeScreen, writes};
	}

	test.each([
		['429', 'method=PUT status=429', 'rate_limited'],
		['500', 'method=PUT status=500', 'service_failed'],
		['403', 'method=PUT status=403', 'credential_refused'],
	])('with %s changes nothing, is not repeated, and keeps the review', async (_what, faults, code) => {
		const {space: testStore, writes, send} = await sendWithFaults(faults);
		expect(writes).toHaveLength(1);
		expect(await readShopCustomRules(testStore)).toEqual([]);
		expect(getFailure(testStore)?.code).toBe(code);
		expect(testStore.state().merge.data).toMatchObject({step: 'request', lastResult: undefined});
		await send();
		expect(await readShopCustomRules(testStore)).toHaveLength(3);
	});

	test('with a lost response is resolved by loading the rules', async () => {
		const {space: testStore, writes} = await sendWithFaults('method=PUT lost-answer');
		expect(writes).toHaveLength(1);
		expect(getMessageText(testStore)).toContain('The response was lost; a later check confirmed the change.');
		expect(getNotesText(testStore)).toContain('Created 3 custom rules');
		expect(await readShopCustomRules(testStore)).toHaveLength(3);
	});

	test('with a lost response and an unreadable state is unknown; sending again finds the rules', async () => {
		const {
			space: testStore,
			writes,
			press,
			settled,
		} = await sendWithFaults('method=PUT lost-answer; method=GET status=500 after=1');
		expect(writes).toHaveLength(1);
		expect(getMessageText(testStore)).toContain('It is unknown whether the custom rules were created.');
		expect(testStore.state().customRules.data?.reading).toBe('stale');
		press('ctrl-r');
		await settled();
		expect(getReadyMerge(testStore.state())?.result.addedRules).toEqual([]);
		expect(writes).toHaveLength(1);
	});

	test('stops at rules that someone else has changed since the review, and shows them', async () => {
		const {space: testStore, press, send} = await atMerge();
		press('enter');
		await putShopCustomRules(testStore, buildBlockRule('theirs'));
		const writes = watchWrites(testStore);
		await send();
		expect(writes).toEqual([]);
		expect(getFailure(testStore)?.code).toBe('changed_meanwhile');
		expect(listMergedLines(testStore)).toEqual([
			'  1 block http.host eq "theirs"',
			...expectedRules.map((line, at) => `+ ${at + 2} ${line}`),
		]);
		await send();
		expect(getMessageText(testStore)).toContain('Too fast: read this');
		await send();
		expect(await readShopCustomRules(testStore)).toHaveLength(4);
	});

	test('sends a review changed by a later read only once it was read', async () => {
		const {space: testStore, press, send} = await atMerge();
		press('enter');
		await putShopCustomRules(testStore, buildBlockRule('theirs'));
		await testStore.state().customRules.load(testStore.signal);
		const writes = watchWrites(testStore);
		await send();
		expect(writes).toEqual([]);
		expect(getMessageText(testStore)).toContain('Too fast: read this');
		await send();
		expect(writes).toHaveLength(1);
	});

	test('lists what others wrote between the check and the write, and offers to restore it', async () => {
		const testStore = createTestStore();
		await putShopCustomRules(testStore, buildBlockRule('a'));
		const {press, send, settled} = await atMerge(testStore);
		press('enter');
		const ruleset = testStore.state().customRules.data?.ruleset?.id;
		watchWrites(testStore, () =>
			callShopAsOther(testStore, 'POST', `/rulesets/${ruleset}/rules`, buildBlockRule('theirs')),
		);
		await send();
		const dialog = testStore.state().dialog.current;
		expect(dialog).toMatchObject({kind: 'choice', title: 'Someone else changed these rules'});
		expect(await readShopCustomRules(testStore)).toHaveLength(4);
		if (dialog?.kind === 'choice') dialog.choose('restore');
		testStore.state().dialog.close();
		await settled();
		press('y');
		await settled();
		const expressions = (await readShopCustomRules(testStore)).map(({expression}) => expression);
		expect(expressions).toHaveLength(5);
		expect(expressions).toContain('http.host eq "theirs"');
	});
});
