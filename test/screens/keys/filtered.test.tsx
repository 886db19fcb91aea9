import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {formatKeysStatus, Keys} from '../../../source/screens/keys/view.tsx';
import {getActiveFilter} from '../../../source/screens/path.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const buildRow = (id: string): NamespaceRow => ({
	name: `local:${id}`,
	where: 'local',
	id,
	title: id,
	bindings: [],
});

/** Opens the key list with 40 keys, 10 of them with "even" in their names, and sets the filter. */
async function openWithFilter(filter: string): Promise<TestStore & {readonly app: App}> {
	const testStore = createTestStore({local: true});
	using store = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'one'});
	await store.putMany(
		Array.from({length: 40}, (_, at) => ({key: `${at % 4 ? 'odd' : 'even'}${at}`, value: `v${at}`})),
		testStore.signal,
	);
	await testStore.state().keys.open(buildRow('one'), testStore.signal);
	void testStore
		.state()
		.work.run('listing', 'background', () => testStore.state().keys.list(testStore.signal));
	testStore.state().navigation.go('keys');
	await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	testStore.state().keys.filter(filter);
	return {...testStore, app: createTestApp(testStore)};
}

const press = (app: App, ...names: readonly string[]) => {
	for (const name of names) dispatch(app, {name, text: '', sequence: ''});
};

function getDialog<Kind extends Dialog['kind']>(app: App, kind: Kind): Extract<Dialog, {kind: Kind}> {
	const dialog = app.state().dialog.current;
	expect(dialog?.kind).toBe(kind);
	return dialog as Extract<Dialog, {kind: Kind}>;
}

function choose(app: App, value: string): void {
	const dialog = getDialog(app, 'choice');
	expect(dialog.choices.map(one => one.value)).toContain(value);
	app.state().dialog.close();
	dialog.choose(value);
}

const countExportedKeys = (path: string): number => readFileSync(path, 'utf8').split('\n').length - 1;

async function exportKeys(testStore: TestStore & {readonly app: App}, value: string): Promise<number> {
	press(testStore.app, 'x');
	choose(testStore.app, value);
	const entry = getDialog(testStore.app, 'field');
	const path = join(testStore.folder, `${value}.ndjson`);
	testStore.app.state().dialog.close();
	await entry.submit(path);
	await testStore.until(({transfer: {data: transfer}}) => transfer?.stage.state === 'done');
	return countExportedKeys(path);
}

test.each([
	'x',
	'c',
	'=',
])('with a filter, %s offers the visible keys first, and all keys as a separate choice that says so', async key => {
	const {app} = await openWithFilter('even');
	press(app, key);
	const {choices, lines} = getDialog(app, 'choice');
	expect(lines).toEqual(['The filter "even" is active.']);
	expect(choices.map(({label}) => label)).toEqual([
		...(key === 'c' ? ['Only even0'] : []),
		'The 10 keys shown',
		'All 40 keys in the namespace, not just the 10 shown',
	]);
	choose(app, 'filtered');
	expect(app.state().dialog.current).toMatchObject({
		title: expect.stringContaining('10 keys matching "even" of one'),
	});
});

test('an export with a filter holds the visible keys, and all keys only if chosen', async () => {
	const testStore = await openWithFilter('even');
	expect(await exportKeys(testStore, 'filtered')).toBe(10);
	expect(testStore.state().transfer.data).toMatchObject({keys: '10 keys'});
	testStore.state().transfer.leave();
	testStore.state().navigation.go('keys');
	expect(await exportKeys(testStore, 'all')).toBe(40);
});

test('a filter without matches never silently stands for all keys', async () => {
	const {app} = await openWithFilter('nowhere');
	press(app, 'x');
	expect(getDialog(app, 'choice').choices.map(({label}) => label)).toEqual([
		'All 40 keys in the namespace, not just the 0 shown',
	]);
});

test('without a filter there is no needless question', async () => {
	const {app, folder} = await openWithFilter('');
	press(app, 'x');
	const {title, describe} = getDialog(app, 'field');
	expect(title).toBe('Export one');
	expect(describe?.('one.ndjson')).toBe(`writes ${folder}/one.ndjson`);
});

test('selected keys that the filter hides are named before they are exported or deleted', async () => {
	const {app} = await openWithFilter('odd');
	press(app, 'space', 'j', 'space', 'j', 'space');
	app.state().keys.filter('odd1');
	press(app, 'x');
	expect(getDialog(app, 'choice').choices[0]?.label).toBe('The 3 selected keys');
	app.state().dialog.close();
	app.state().keys.filter('even');
	press(app, 'x');
	expect(getDialog(app, 'choice').choices[0]?.label).toBe(
		'The 3 selected keys, 3 of them hidden by the filter',
	);
	app.state().dialog.close();
	press(app, 'd');
	expect(app.state().dialog.current).toMatchObject({
		lines: expect.arrayContaining(['The filter hides 3 of them.']),
	});
});

test('the header has the filter and its number of matches', async () => {
	const testStore = await openWithFilter('even');
	expect(getActiveFilter(testStore.state())).toEqual({text: 'even', countsText: '10 of 40'});
	expect(formatKeysStatus(testStore.state())).toContain('  10 of 40 keys');
});

test('a copy into the open namespace refreshes its list, whatever screen is in front when it ends', async () => {
	const testStore = await openWithFilter('');
	using two = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'two'});
	await two.put('copied', Buffer.from('v'), {}, testStore.signal);
	testStore.state().navigation.go('transfer');
	await testStore
		.state()
		.transfer.copyTo(
			buildRow('two'),
			{kind: 'all'},
			{storeName: 'local:one', onlyMissing: false},
			testStore.signal,
		);
	expect(testStore.state().keys.data?.index.count).toBe(40);
	testStore.state().navigation.go('keys');
	draw(testStore.app, <Keys />, {columns: 80, rows: 24});
	await testStore.until(({keys: {data: keys}}) => keys?.index.count === 41 && !keys.isStale);
});

test.each([
	'x',
	'c',
	'=',
	'f',
])('with a prefix, %s offers its keys first, and all keys as a separate choice that says so', async key => {
	const {app, until} = await openWithFilter('^even1');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	press(app, key);
	const {choices, lines} = getDialog(app, 'choice');
	expect(lines).toEqual(['The filter "^even1" is active.']);
	expect(choices.map(({label}) => label)).toEqual([
		...(key === 'c' ? ['Only even12'] : []),
		'The 2 keys that start with "even1"',
		'All 40 keys in the namespace, not just the 2 shown',
	]);
	choose(app, 'filtered');
	expect(JSON.stringify(app.state().dialog.current)).toContain('keys under even1 of one');
});

test('an export, a search and a comparison with a prefix cover its keys only', async () => {
	const testStore = await openWithFilter('^even1');
	const {app, state, until} = testStore;
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	expect(await exportKeys(testStore, 'filtered')).toBe(2);
	state().transfer.leave();
	state().navigation.go('keys');
	press(app, 'f');
	choose(app, 'filtered');
	const field = getDialog(app, 'field');
	state().dialog.close();
	field.submit('v');
	await until(({search: {data: search}}) => search?.phase.name === 'done');
	expect(state().search.data).toMatchObject({searched: 2, found: 2});
	state().search.close();
	state().navigation.go('keys');
	press(app, '=');
	choose(app, 'filtered');
	expect(state().dialog.current).toMatchObject({title: 'Compare keys under even1 of one with'});
	await state().compare.begin(
		buildRow('one'),
		{kind: 'prefix', prefix: 'even1'},
		'local:one',
		testStore.signal,
	);
	expect(state().compare.data?.counts.same).toBe(2);
});

/** Shows a tree with the group `even1:`, filtered to its keys below `even1:b`, and the cursor on the group. */
async function openFilteredGroup() {
	const testStore = await openWithFilter('');
	const {state, signal, until} = testStore;
	for (const name of ['even1:a', 'even1:b', 'even1:b:c', 'even1:b:d']) {
		await state().keys.data?.opened.store.put(name, Buffer.from('v'), {}, signal);
		state().keys.noticeChanges([{name}], 'stays');
	}
	state().keys.arrange('tree');
	state().keys.filter('^even1:b');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	state().keys.move(Number.NEGATIVE_INFINITY);
	expect(state().keys.data?.rows.at(0)).toMatchObject({kind: 'group', prefix: 'even1:'});
	return testStore;
}

test('in the tree, a group around the prefix is not offered as fewer keys', async () => {
	const {app} = await openFilteredGroup();
	press(app, 'x');
	expect(getDialog(app, 'choice').choices.map(({value}) => value)).toEqual(['filtered', 'all']);
});

test('in the tree, d and R on a group around the prefix leave the keys that the filter hides', async () => {
	const {app, state, until} = await openFilteredGroup();
	press(app, 'R');
	expect(getDialog(app, 'field')).toMatchObject({title: 'Rename all keys under even1:b'});
	state().dialog.close();
	press(app, 'd');
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'checked');
	expect(state().bulk.data).toMatchObject({
		inputName: 'keys under even1:b',
		stage: {check: {validCount: 3, samples: ['even1:b', 'even1:b:c', 'even1:b:d']}},
	});
});

test('in the tree, d on a group inside the prefix takes the group', async () => {
	const {app, state, until} = await openFilteredGroup();
	state().keys.filter('^even1');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const row = state().keys.data?.rows.findRow(state().keys.data?.index.find('even1:a').position ?? 0) ?? 0;
	state().keys.move(row - (state().keys.data?.cursor ?? 0));
	state().keys.closeGroup();
	press(app, 'd');
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'checked');
	expect(state().bulk.data).toMatchObject({inputName: 'keys under even1:'});
});

test('without matches it says that only names are searched, and which key searches the values', async () => {
	const {app} = await openWithFilter('zzz');
	const view = draw(app, <Keys />, {columns: 80, rows: 24});
	await view.until(rows => rows.some(row => row !== ''));
	const text = view.rows().join('\n');
	expect(text).toContain('No name contains "zzz".');
	expect(text).toContain('esc clears the filter, then f searches the values, not the metadata');
});
