import {describe, expect, test} from 'vitest';
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
		const {space} = await atMerge();
		expect(getCurrentScreen(space.state())).toBe('merge');
		expect(listMergedLines(space)).toEqual(expectedRules.map((line, at) => `+ ${at + 1} ${line}`));
		expect(getNotesText(space)).toContain('Source: the 3 firewall rules of acme-shop.example.');
		expect(getNotesText(space)).toContain(
			'3 custom rules to create, 0 existing ones kept, 0 already present. Total: 3 of 20 custom rules (Pro).',
		);
	});

	test('are sent as reviewed, in one call, after the name of the zone is typed', async () => {
		const {space, press, submit} = await atMerge();
		const writes = watchWrites(space);
		press('enter');
		expect(getReviewText(space)).toContain(`PUT ${entryPoint}`);
		const reviewed = getMergeRequests(space.state());
		expect(reviewed).toHaveLength(1);
		press('enter');
		await submit('acme.example');
		expect(space.state().dialog.current).toMatchObject({problem: 'Does not match. Type acme-shop.example.'});
		press('esc');
		expect(writes).toEqual([]);
		press('enter');
		await submit(shop.name);
		expect(writes).toEqual(reviewed);
		expect(getMessageText(space)).toBe('Created 3 custom rules: 3 in total, version 1.');
		expect(
			(await readShopCustomRules(space)).map(({action, expression}) => `${action} ${expression}`),
		).toEqual(expectedRules);
		expect(await readShopFirewallRules(space)).toHaveLength(3);
	});

	test('are not sent a second time, as all of them exist', async () => {
		const {space, press, submit} = await atMerge();
		press('enter', 'enter');
		await submit(shop.name);
		const writes = watchWrites(space);
		expect(getNotesText(space)).toContain('Created 3 custom rules: 3 in total, version 1.');
		expect(getNotesText(space)).toMatch(/already exists as [0-9a-f]{32}: block SQL in the query/);
		press('enter');
		expect(space.state().merge.data?.step).toBe('rules');
		expect(getMessageText(space)).toContain('nothing to create: all rules already exist');
		press('ctrl-r');
		await space.until(({work: {list: work}}) => work.length === 0);
		expect(getReadyMerge(space.state())).toMatchObject({requests: [], result: {addedRules: []}});
		expect(writes).toEqual([]);
	});

	test('go after the existing rules, or before the rule under the cursor', async () => {
		const space = createTestStore();
		const [, second] = await putShopCustomRules(space, buildBlockRule('a'), buildBlockRule('b'));
		const {press, submit} = await atMerge(space);
		expect(listMergedLines(space)[0]).toBe('  1 block http.host eq "a"');
		expect(getNotesText(space)).toContain('They go after all existing rules');
		press('down', 'b');
		expect(listMergedLines(space)).toEqual([
			'  1 block http.host eq "a"',
			...expectedRules.map((line, at) => `+ ${at + 2} ${line}`),
			'  5 block http.host eq "b"',
		]);
		press('b');
		expect(getMessageText(space)).toContain('the cursor is not on an existing rule');
		press('a');
		expect(listMergedLines(space)[1]).toBe('  2 block http.host eq "b"');
		press('g', 'down', 'b', 'enter', 'enter');
		const writes = watchWrites(space);
		await submit(shop.name);
		expect(writes).toMatchObject([{method: 'PUT', path: entryPoint}]);
		const currentRules = await readShopCustomRules(space);
		expect(currentRules).toHaveLength(5);
		expect(currentRules[4]?.id).toBe(second?.id);
	});

	test('leave out rules that exist in another form', async () => {
		const space = createTestStore();
		await putShopCustomRules(space, {
			action: 'block',
			expression: '(lower(http.request.uri.query)   contains "union select")',
		});
		const {press, submit} = await atMerge(space);
		expect(getReadyMerge(space.state())?.result).toMatchObject({
			addedRules: {length: 2},
			presentRules: {length: 1},
		});
		press('enter', 'enter');
		const writes = watchWrites(space);
		await submit(shop.name);
		expect(writes).toHaveLength(1);
		expect(await readShopCustomRules(space)).toHaveLength(3);
	});

	test('are not sent if ledge is read-only', async () => {
		const {space, press} = await atMerge(createTestStore({simulate: true, readOnly: true}));
		const writes = watchWrites(space);
		press('enter');
		expect(space.state().merge.data?.step).toBe('rules');
		expect(getMessageText(space)).toContain('ledge is read-only');
		expect(writes).toEqual([]);
	});
});

describe('sending', () => {
	async function sendWithFaults(faults: string) {
		const mergeScreen = await atMerge();
		mergeScreen.press('enter', 'enter');
		const writes = watchWrites(mergeScreen.space);
		mergeScreen.space.simulator.faults.replace(faults);
		await mergeScreen.submit(shop.name);
		mergeScreen.space.simulator.faults.clear();
		return {...mergeScreen, writes};
	}

	test.each([
		['429', 'method=PUT status=429', 'rate_limited'],
		['500', 'method=PUT status=500', 'service_failed'],
		['403', 'method=PUT status=403', 'credential_refused'],
	])('with %s changes nothing, is not repeated, and keeps the review', async (_what, faults, code) => {
		const {space, writes, press, submit} = await sendWithFaults(faults);
		expect(writes).toHaveLength(1);
		expect(await readShopCustomRules(space)).toEqual([]);
		expect(getFailure(space)?.code).toBe(code);
		expect(space.state().merge.data).toMatchObject({step: 'request', lastResult: undefined});
		press('enter');
		await submit(shop.name);
		expect(await readShopCustomRules(space)).toHaveLength(3);
	});

	test('with a lost response is resolved by loading the rules', async () => {
		const {space, writes} = await sendWithFaults('method=PUT lost-answer');
		expect(writes).toHaveLength(1);
		expect(getMessageText(space)).toContain('The response was lost; a later check confirmed the change.');
		expect(getNotesText(space)).toContain('Created 3 custom rules');
		expect(await readShopCustomRules(space)).toHaveLength(3);
	});

	test('with a lost response and an unreadable state is unknown; sending again finds the rules', async () => {
		const {space, writes, press, settled} = await sendWithFaults(
			'method=PUT lost-answer; method=GET status=500 after=1',
		);
		expect(writes).toHaveLength(1);
		expect(getMessageText(space)).toContain('It is unknown whether the custom rules were created.');
		expect(space.state().customRules.data?.reading).toBe('stale');
		press('enter');
		space.state().dialog.close();
		press('ctrl-r');
		await settled();
		expect(getReadyMerge(space.state())?.result.addedRules).toEqual([]);
		expect(writes).toHaveLength(1);
	});

	test('stops at rules that someone else has changed since the review, and shows them', async () => {
		const {space, press, submit} = await atMerge();
		press('enter', 'enter');
		await putShopCustomRules(space, buildBlockRule('theirs'));
		const writes = watchWrites(space);
		await submit(shop.name);
		expect(writes).toEqual([]);
		expect(getFailure(space)?.code).toBe('changed_meanwhile');
		expect(listMergedLines(space)).toEqual([
			'  1 block http.host eq "theirs"',
			...expectedRules.map((line, at) => `+ ${at + 2} ${line}`),
		]);
		press('enter');
		await submit(shop.name);
		expect(await readShopCustomRules(space)).toHaveLength(4);
	});

	test('refuses a review made stale by a later read', async () => {
		const {space, press, submit} = await atMerge();
		press('enter', 'enter');
		await putShopCustomRules(space, buildBlockRule('theirs'));
		await space.state().customRules.load(space.signal);
		const writes = watchWrites(space);
		await submit(shop.name);
		expect(writes).toEqual([]);
		expect(getFailure(space)?.message).toBe('The rules have changed since the review.');
	});

	test('lists what others wrote between the check and the write, and offers to restore it', async () => {
		const space = createTestStore();
		await putShopCustomRules(space, buildBlockRule('a'));
		const {press, submit, settled} = await atMerge(space);
		press('enter', 'enter');
		const ruleset = space.state().customRules.data?.ruleset?.id;
		watchWrites(space, () =>
			callShopAsOther(space, 'POST', `/rulesets/${ruleset}/rules`, buildBlockRule('theirs')),
		);
		await submit(shop.name);
		const dialog = space.state().dialog.current;
		expect(dialog).toMatchObject({kind: 'choice', title: 'Someone else changed these rules'});
		expect(await readShopCustomRules(space)).toHaveLength(4);
		if (dialog?.kind === 'choice') dialog.choose('restore');
		space.state().dialog.close();
		await settled();
		const expressions = (await readShopCustomRules(space)).map(({expression}) => expression);
		expect(expressions).toHaveLength(5);
		expect(expressions).toContain('http.host eq "theirs"');
	});
});
