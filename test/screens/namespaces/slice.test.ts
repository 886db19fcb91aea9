import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {getSelectedNamespace, getVisibleNamespaces} from '../../../source/screens/namespaces/slice.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {createTestStore} from '../support/store.ts';

const listTitles = (state: ReturnType<ReturnType<typeof createTestStore>['state']>) =>
	getVisibleNamespaces(state.namespaces.data).map(({title}) => title);

test("the service's namespaces are listed, each with its pair", async () => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	expect(listTitles(state())).toContain('SESSIONS');
	const sessions = state().namespaces.data.rows.find(({title}) => title === 'SESSIONS');
	expect(sessions?.pair).toMatchObject({title: 'SESSIONS_preview', preview: true});
});

test('the cursor stays on its namespace when the list is refreshed', async () => {
	const test = createTestStore();
	const {state, signal} = test;
	await state().namespaces.load('remote', signal);
	state().namespaces.move(2);
	const before = getSelectedNamespace(state().namespaces.data)?.title;
	const {cursor} = state().namespaces.data;
	await createTestStore({simulate: true}, {previousStore: test})
		.state()
		.namespaces.create('A before all others', signal);
	await state().namespaces.load('remote', signal);
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe(before);
	expect(state().namespaces.data.cursor).toBe(cursor + 1);
	state().namespaces.move(Number.NEGATIVE_INFINITY);
	expect(state().namespaces.data.cursor).toBe(0);
});

test('the filter searches title, binding and ID, ignoring case', async () => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	state().namespaces.filter('sess');
	expect(listTitles(state())).toEqual(['SESSIONS', 'SESSIONS_preview']);
});

test('the cursor moves to the pair and back', async () => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	state().namespaces.filter('SESSIONS');
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe('SESSIONS');
	state().namespaces.goToPair();
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe('SESSIONS_preview');
	state().namespaces.goToPair();
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe('SESSIONS');
});

test('a namespace is created, renamed and deleted; the cursor moves to the new one', async () => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	await state().namespaces.create('made here', signal);
	const created = getSelectedNamespace(state().namespaces.data);
	expect(created?.title).toBe('made here');
	if (!created) return;
	await state().namespaces.rename(created, 'renamed', signal);
	expect(listTitles(state())).toContain('renamed');
	const renamed = getSelectedNamespace(state().namespaces.data);
	expect(renamed?.id).toBe(created.id);
	await state().namespaces.delete(created, signal);
	expect(listTitles(state())).not.toContain('renamed');
});

test('after a rename the cursor stays on the namespace; a filter that hides it is cleared', async () => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	const {namespaces} = state();
	namespaces.filter('SESSIONS_preview');
	const row = getSelectedNamespace(state().namespaces.data);
	if (!row) throw new Error('No namespace.');
	await namespaces.rename(row, 'SESSIONS_preview_old', signal);
	expect(state().namespaces.data.filter).toBe('SESSIONS_preview');
	await namespaces.rename(row, 'archive', signal);
	expect(state().namespaces.data.filter).toBe('');
	expect(getSelectedNamespace(state().namespaces.data)).toMatchObject({id: row.id, title: 'archive'});
});

test('read-only mode refuses before anything is sent', async () => {
	const {state, signal} = createTestStore({simulate: true, readOnly: true});
	await state().namespaces.load('remote', signal);
	const calls = state().activity.data.count.all;
	await expect(state().namespaces.create('never', signal)).rejects.toMatchObject({code: 'read_only'});
	expect(state().activity.data.count.all).toBe(calls);
});

test('a failure keeps the list already shown, and says why', async () => {
	const {state, signal, simulator} = createTestStore();
	await state().namespaces.load('remote', signal);
	const before = listTitles(state());
	simulator.close();
	await expect(state().namespaces.load('remote', signal)).rejects.toThrow();
	expect(listTitles(state())).toEqual(before);
	expect(state().namespaces.data.reading).toBe('read');
});

test('local bindings come first, with their counts, even if nothing was written yet', async () => {
	const {state, signal, folder} = createTestStore({});
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'wrangler.toml'),
		`name = "w"\nkv_namespaces = [\n  {binding = "CONFIG", id = "aaa"},\n  {binding = "EMPTY"},\n]\n`,
	);
	using store = openLocalStore({root: join(folder, '.wrangler/state/v3'), namespace: 'aaa'});
	await store.put('k', Buffer.from('v'), {}, signal);
	await state().connection.loadConnection();
	await state().namespaces.load('local', signal);
	expect(state().namespaces.data.rows).toMatchObject([
		{title: 'CONFIG', id: 'aaa', keyCount: 1, bindings: [{binding: 'CONFIG', declaredAt: 'wrangler.toml:3'}]},
		{title: 'EMPTY', id: 'EMPTY', keyCount: 0},
	]);
	expect(state().connection.data).toMatchObject({localData: {state: 'exists'}, credential: undefined});
});

test('the result of an earlier read does not replace that of a later one', async () => {
	const {state, signal, simulator} = createTestStore();
	await state().namespaces.load('remote', signal);
	simulator.faults.replace('latency=300 times=1 path=namespaces');
	const slow = state().namespaces.load('remote', signal);
	await state().namespaces.load('local', signal);
	await slow;
	expect(state().namespaces.data).toMatchObject({shownStorage: 'local', rows: []});
});

test('clearing the filter keeps the cursor on its namespace, and a hidden pair is found', async () => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	state().namespaces.filter('_preview');
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe('SESSIONS_preview');
	state().namespaces.filter('');
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe('SESSIONS_preview');
	state().namespaces.filter('_preview');
	state().namespaces.goToPair();
	expect(getSelectedNamespace(state().namespaces.data)?.title).toBe('SESSIONS');
});

test('a binding whose ID is not in the account is marked, and opening it names the file and line', async () => {
	await using service = await serveSimulator();
	const {state, signal, folder, until} = createTestStore({}, {variables: service.env});
	const id = '0123456789abcdef0123456789abcdef';
	writeFileSync(
		join(folder, 'wrangler.toml'),
		`name = "w"\n\n[[kv_namespaces]]\nbinding = "CONFIG"\nid = "${id}"\n`,
	);
	await state().namespaces.load('remote', signal);
	const [row] = state().namespaces.data.rows;
	expect(row).toMatchObject({id, title: 'CONFIG', isMissing: true});
	expect(state().namespaces.data.rows.filter(({isMissing}) => isMissing)).toHaveLength(1);
	await state().keys.open(row as NonNullable<typeof row>, signal);
	void state().work.run('listing', 'read', () => state().keys.list(signal));
	await until(({keys: {data: keys}}) => keys?.listing.state === 'failed');
	expect(state().keys.data?.listing).toMatchObject({
		state: 'failed',
		failure: {
			message: expect.stringContaining(
				`CONFIG (wrangler.toml:3) has id ${id}, which does not exist in account`,
			),
		},
	});
});
