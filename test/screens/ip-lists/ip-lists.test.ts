import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {listItemsScreen} from '../../../source/screens/ip-lists/items.ts';
import {ipListsScreen} from '../../../source/screens/ip-lists/overview.ts';
import {ipLists} from '../../../source/screens/ip-lists/slice.ts';
import {buildHelpRows} from '../../../source/screens/shell/action-lists.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId, json, request} from '../../simulator/asking.ts';
import {openMigratedCustomRules} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const listsPath = `/accounts/${accountId}/rules/lists`;

/** The lists on the screen; `press` presses keys, and `type` fills in a field and submits it. */
async function openLists(testStore = createTestStore()) {
	const app = createTestApp(testStore);
	const {state, until} = testStore;
	const rest = () => until(({work: {list: work}}) => work.length === 0);
	const press = async (...names: readonly string[]) => {
		for (const name of names)
			dispatch(app, [...name].length === 1 ? createTextKey(name) : createKey(name, ''));
		await rest();
	};
	const type = async (text: string) => {
		state().dialog.setText(text);
		await press('enter');
	};
	await press('I');
	const listNames = () => state().ipLists.data.rows.map(({name}) => name);
	const open = async (name: string) => {
		state().ipLists.filter(name);
		await press('enter');
	};
	const listItems = () => state().ipListItems.data?.rows.map(({ip}) => ip) ?? [];
	const getMessage = () => state().messages.latest?.text ?? '';
	return {testStore, state, press, type, open, listNames, listItems, getMessage};
}

const send = async <T>({simulator}: TestStore, path: string, init?: RequestInit): Promise<T> =>
	((await (await simulator.fetch(request(path, init))).json()) as {result: T}).result;

const countWrites = ({simulator}: TestStore): number =>
	simulator.calls.list().filter(({method}) => method === 'POST' || method === 'DELETE').length;

test('the lists show kind, items and rules; enter shows the items, which the filter searches', async () => {
	const {state, open, press, listItems, listNames} = await openLists();
	expect(getCurrentScreen(state())).toBe('ipLists');
	expect(listNames()).toEqual(['office', 'blocklist', 'proxies', 'crawlers', 'internal_hosts', 'moved']);
	await open('proxies');
	expect(getCurrentScreen(state())).toBe('ipListItems');
	expect(listItems()).toHaveLength(1200);
	await press('esc');
	await open('blocklist');
	state().ipListItems.filter('login');
	await press('d');
	expect(state().dialog.current).toMatchObject({
		title: 'Remove 192.0.2.128/25 from the list "blocklist"?',
	});
});

test('adding shows the change before it is sent, and the items after it', async () => {
	const {testStore, state, open, press, type, listItems, getMessage} = await openLists();
	await open('blocklist');
	await press('a');
	await type('10.0.0.0/7');
	expect(state().dialog.current).toMatchObject({
		kind: 'field',
		problem: expect.stringContaining('from 8 to 32'),
	});
	await type('192.0.2.9, 192.0.2.7');
	await type('ticket 1');
	expect(state().dialog.current).toMatchObject({
		kind: 'confirm',
		title: 'Add 192.0.2.9 to the list "blocklist"; Change the comment of 192.0.2.7 in the list "blocklist"?',
		lines: ['Current comment:', '192.0.2.7: scanner, ticket 4711', 'Comment: ticket 1'],
	});
	expect(countWrites(testStore)).toBe(0);
	await press('y');
	expect(getMessage()).toContain('Added 192.0.2.9 to the list "blocklist"');
	expect(listItems()).toContain('192.0.2.9');
	expect(countWrites(testStore)).toBe(1);
	expect(state().ipLists.data.rows.find(({name}) => name === 'blocklist')?.num_items).toBe(4);
});

test('a comment in pasted lines is refused, so that no address after it is lost', async () => {
	const {testStore, state, open, press} = await openLists();
	await open('blocklist');
	await press('a');
	const text = '203.0.113.50\n203.0.113.51 # scanner\n203.0.113.52';
	dispatch(createTestApp(testStore), {name: 'paste', text, sequence: text});
	await press('enter');
	expect(state().dialog.current).toMatchObject({
		kind: 'field',
		problem: expect.stringContaining('"#" is not an address for a list.'),
	});
	expect(countWrites(testStore)).toBe(0);
});

test('removing from a list that rules use needs its name, and says what it does', async () => {
	const {testStore, state, open, press, type, listItems} = await openLists();
	const path = '/zones/d0e032749968114a09730950255c7c0f/filters';
	await send(testStore, path, json('POST', [{expression: 'ip.src in $blocklist'}]));
	await open('blocklist');
	await press('d');
	expect(state().dialog.current).toMatchObject({
		kind: 'field',
		requiredInput: 'blocklist',
		lines: [
			expect.stringContaining('no longer block these addresses'),
			expect.stringMatching(/^192\.0\.2\.7: /),
		],
	});
	await type('yes');
	expect(listItems()).toContain('192.0.2.7');
	await type('blocklist');
	expect(listItems()).not.toContain('192.0.2.7');
	expect(countWrites(testStore)).toBe(2);
});

test('selected items are removed with one change, and added again with their comments', async () => {
	const {testStore, state, open, press, listItems, getMessage} = await openLists();
	await open('blocklist');
	const listComments = () =>
		state()
			.ipListItems.data?.rows.map(({ip, comment}) => `${ip} ${comment}`)
			.toSorted();
	const initial = listComments();
	const [first, second] = state().ipListItems.data?.rows ?? [];
	await press('space', 'down', 'space', 'esc');
	expect(getCurrentScreen(state())).toBe('ipListItems');
	expect(state().ipListItems.data?.markedKeys?.size ?? 0).toBe(0);
	await press('u');
	expect(getMessage()).toBe("Can't undo: no changes to this list in this session.");
	await press('space', 'up', 'space', 'd');
	expect(state().dialog.current).toMatchObject({
		title: `Remove ${first?.ip}, ${second?.ip} from the list "blocklist"?`,
		lines: [
			`${first?.ip}: ${first?.comment}`,
			second?.comment ? `${second.ip}: ${second.comment}` : second?.ip,
		],
	});
	await press('y');
	expect(getMessage()).toContain('u undoes it.');
	expect(listItems()).not.toContain(first?.ip);
	expect(listItems()).not.toContain(second?.ip);
	expect(countWrites(testStore)).toBe(1);
	expect(listItemsScreen.listUndoable?.(state())).toEqual([{count: 1, subject: 'the list "blocklist"'}]);
	await press('u');
	expect(state().dialog.current).toMatchObject({
		title: `Add ${first?.ip}, ${second?.ip} to the list "blocklist" again?`,
	});
	await press('y');
	expect(getMessage()).toBe(`Added ${first?.ip}, ${second?.ip} to the list "blocklist" again.`);
	expect(listComments()).toEqual(initial);
	expect(countWrites(testStore)).toBe(2);
	expect(listItemsScreen.listUndoable?.(state())).toEqual([]);
	await press('u');
	expect(state().dialog.current).toBeUndefined();
});

test('a range of items is removed with one change, and u adds exactly these again', async () => {
	const {testStore, state, open, press, listItems} = await openLists();
	await open('blocklist');
	const initial = listItems();
	expect(initial).toHaveLength(3);
	const listMarked = () => {
		const {rows = [], markedKeys} = state().ipListItems.data ?? {};
		return rows.flatMap(({id, ip}) => (markedKeys?.has(id) ? [ip] : []));
	};
	await press('g', 'shift-down', 'shift-down');
	expect(listMarked()).toEqual(initial);
	await press('shift-up');
	expect(listMarked()).toEqual(initial.slice(0, 2));
	await press('esc', 'G', 'ctrl-space', 'up', 'ctrl-space');
	expect(listMarked()).toEqual(initial.slice(1));
	await press('d', 'y');
	expect(listItems()).toEqual(initial.slice(0, 1));
	expect(countWrites(testStore)).toBe(1);
	await press('u', 'y');
	expect(listItems().toSorted()).toEqual(initial.toSorted());
	expect(countWrites(testStore)).toBe(2);
});

test('enter shows an item in full, and the list again once the item is removed', async () => {
	const {state, open, press, listItems} = await openLists();
	await open('blocklist');
	const [first] = listItems();
	await press('enter');
	expect(state().ipListItems.data?.detail).toBe(0);
	await press('d');
	await press('y');
	expect(listItems()).not.toContain(first);
	expect(state().ipListItems.data?.detail).toBeUndefined();
});

test('an undo adds only the addresses that nobody added again', async () => {
	const {testStore, state, open, press} = await openLists();
	await open('blocklist');
	const [first, second] = state().ipListItems.data?.rows ?? [];
	await press('A', 'd', 'y');
	const itemsPath = `${listsPath}/${state().ipListItems.data?.list.id}/items`;
	const items = [{ip: first?.ip, comment: 'by hand'}];
	const {operation_id: operation} = await send<{operation_id: string}>(
		testStore,
		itemsPath,
		json('POST', items),
	);
	for (let index = 0; index < 3; index++)
		await send<JsonObject>(testStore, `${listsPath}/bulk_operations/${operation}`);
	await press('ctrl-r');
	await press('u');
	expect(state().dialog.current).toMatchObject({title: expect.stringContaining(`Add ${second?.ip}, `)});
	await press('y');
	const comments = new Map(state().ipListItems.data?.rows.map(({ip, comment}) => [ip, comment]));
	expect(comments.get(first?.ip)).toBe('by hand');
	expect(comments.get(second?.ip)).toBe(second?.comment);
	expect(countWrites(testStore)).toBe(3);
});

test('nothing is sent if someone else changed the address meanwhile', async () => {
	const {testStore, open, press, state, getMessage} = await openLists();
	await open('blocklist');
	const {list, rows} = state().ipListItems.data ?? {rows: []};
	const {operation_id: operation} = await send<{operation_id: string}>(
		testStore,
		`${listsPath}/${list?.id}/items`,
		json('DELETE', {items: [{id: rows[0]?.id}]}),
	);
	for (let index = 0; index < 3; index++)
		await send<JsonObject>(testStore, `${listsPath}/bulk_operations/${operation}`);
	await press('d', 'y');
	expect(getMessage()).toContain('Someone else changed the list "blocklist"');
	expect(countWrites(testStore)).toBe(1);
	expect(state().ipListItems.data?.reading).toBe('stale');
});

test('lists of other kinds are shown and not changed', async () => {
	const {state, open, press, getMessage} = await openLists();
	await open('crawlers');
	for (const key of ['a', 'd']) {
		await press(key);
		expect(getMessage()).toContain('this one is of the kind asn');
		expect(state().dialog.current).toBeUndefined();
	}
});

test('help and detail promise no deletion, and say how expressions name a list', async () => {
	const {state} = await openLists();
	expect(buildHelpRows(actions, state(), '')).toContainEqual(
		expect.objectContaining({keys: ['d'], title: 'how to delete or rename a list'}),
	);
	const rows =
		ipListsScreen.view?.buildDetail(state().ipLists.data, 60, {warning: '!', dot: '.', done: '*'}) ?? [];
	const texts = rows.map(row => row.map(({text}) => text).join(''));
	expect(texts).toContainEqual(expect.stringMatching(/^written as +\$office in expressions$/));
});

test('a list is created after a question, with a valid name, and has the cursor', async () => {
	const {testStore, press, type, listNames, state, getMessage} = await openLists();
	await press('a');
	await type('Not Valid');
	expect(state().dialog.current).toMatchObject({problem: expect.stringContaining('a-z, 0-9 and _')});
	await type('attackers');
	expect(state().dialog.current).toMatchObject({
		kind: 'confirm',
		title: 'Create the list "attackers"?',
		lines: [expect.stringContaining('ledge cannot delete it')],
	});
	expect(countWrites(testStore)).toBe(0);
	await press('y');
	expect(listNames()).toContain('attackers');
	expect(ipLists.getSelected(state().ipLists.data)?.name).toBe('attackers');
	await press('d');
	expect(getMessage()).toBe(
		'Delete lists in the dashboard, once no rule uses them. Names cannot be changed.',
	);
});

test('e changes the comment of the selected addresses, and u restores the earlier comments', async () => {
	const {testStore, state, open, press, type, getMessage} = await openLists();
	await open('blocklist');
	const listComments = () =>
		state()
			.ipListItems.data?.rows.map(({ip, comment}) => `${ip} ${comment}`)
			.toSorted();
	const initial = listComments();
	const [first, second] = state().ipListItems.data?.rows ?? [];
	await press('e');
	const dialog = state().dialog.current;
	expect(dialog?.kind === 'field' && getBufferText(dialog.buffer)).toBe(first?.comment);
	await press('esc');
	await press('space', 'down', 'space', 'e');
	await type('ticket 9');
	expect(state().dialog.current).toMatchObject({
		title: `Change the comment of ${first?.ip}, ${second?.ip} in the list "blocklist"?`,
		lines: [
			'Current comments:',
			`${first?.ip}: ${first?.comment}`,
			`${second?.ip}: ${second?.comment}`,
			'Comment: ticket 9',
		],
		actionLabel: 'change comment',
	});
	await press('y');
	expect(getMessage()).toContain('u undoes it.');
	expect(state().ipListItems.data?.rows.filter(({comment}) => comment === 'ticket 9')).toHaveLength(2);
	expect(listItemsScreen.selection?.countSelected(state())).toBe(0);
	expect(countWrites(testStore)).toBe(1);
	await press('u', 'y');
	expect(getMessage()).toContain('Restored the comment of');
	expect(listComments()).toEqual(initial);
	await press('e');
	await type('');
	expect(state().dialog.current).toMatchObject({lines: expect.arrayContaining(['Without a comment.'])});
});

test('u removes added addresses again, then restores the comments that the same change replaced', async () => {
	const {testStore, state, open, press, type, listItems, getMessage} = await openLists();
	await open('blocklist');
	const [first] = state().ipListItems.data?.rows ?? [];
	const initial = listItems();
	await press('a');
	await type(`192.0.2.9 ${first?.ip}`);
	await type('ticket 1');
	await press('y');
	expect(getMessage()).toContain('u removes what was added, u again restores the comments.');
	await press('u');
	expect(state().dialog.current).toMatchObject({
		title: 'Remove 192.0.2.9 from the list "blocklist" again?',
		actionLabel: 'remove',
	});
	await press('y');
	expect(listItems()).toEqual(initial);
	await press('u');
	expect(state().dialog.current).toMatchObject({
		title: `Restore the comment of ${first?.ip} in the list "blocklist"?`,
		actionLabel: 'restore comment',
	});
	await press('y');
	expect(state().ipListItems.data?.rows.find(({ip}) => ip === first?.ip)?.comment).toBe(first?.comment);
	expect(countWrites(testStore)).toBe(3);
	await press('u');
	expect(getMessage()).toContain("Can't undo: no changes to this list in this session.");
});

test('a comment stays typed on the way back to the addresses, and is forgotten with them', async () => {
	const {state, open, press, type} = await openLists();
	await open('blocklist');
	const getTyped = () => {
		const dialog = state().dialog.current;
		return dialog?.kind === 'field' ? getBufferText(dialog.buffer) : undefined;
	};
	await press('a');
	await type('192.0.2.9');
	await press(...'ticket', 'esc');
	expect(getTyped()).toBe('192.0.2.9');
	await type('192.0.2.10');
	expect(getTyped()).toBe('ticket');
	await press('esc', 'esc', 'a');
	await type('192.0.2.9');
	expect(getTyped()).toBe('');
});

test('names of lists are completed in an expression once $ is typed, and a missing list is a warning', async () => {
	const testStore = createTestStore();
	const {state, until} = testStore;
	await openMigratedCustomRules(testStore);
	state().customRule.begin({kind: 'new'});
	state().navigation.go('customRule');
	const typeText = (text: string) => {
		for (const character of text) state().customRule.type(createTextKey(character));
	};
	const getEditing = () => state().customRule.data?.editing;
	const listOffers = () => getEditing()?.completionMenu?.items.map(({text}) => text);
	typeText('ip.src in $');
	await until(({customRule: {data}}) => data?.editing.completionMenu?.items.length === 3);
	expect(listOffers()).toEqual(['$office', '$blocklist', '$proxies']);
	typeText('off');
	expect(listOffers()).toEqual(['$office']);
	typeText('ices');
	expect(getEditing()?.analysis).toMatchObject({
		errors: [],
		warnings: [{sentence: 'There is no list $offices in this account.', correction: {text: '$office'}}],
	});
});
