import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {selectedNamespace, visibleNamespaces} from '../../../source/screens/namespaces/slice.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {createTestStore} from '../support/store.ts';

const titles = (state: ReturnType<ReturnType<typeof createTestStore>['state']>) =>
	visibleNamespaces(state.namespaces).map(({title}) => title);

test('the namespaces of the service are listed, each with its pair', async () => {
	const {state, signal} = createTestStore();
	await state().loadNamespaces('remote', signal);
	expect(titles(state())).toContain('SESSIONS');
	const sessions = state().namespaces.rows.find(({title}) => title === 'SESSIONS');
	expect(sessions?.pair).toMatchObject({title: 'SESSIONS_preview', preview: true});
});

test('the cursor stays on its namespace when the list is refreshed', async () => {
	const {state, signal} = createTestStore();
	await state().loadNamespaces('remote', signal);
	state().moveInNamespaces(2);
	const before = selectedNamespace(state().namespaces)?.title;
	await state().createNamespace('A before all others', signal);
	state().moveInNamespaces(Number.POSITIVE_INFINITY);
	await state().loadNamespaces('remote', signal);
	expect(selectedNamespace(state().namespaces)?.title).not.toBe(before);
	state().moveInNamespaces(Number.NEGATIVE_INFINITY);
	expect(state().namespaces.cursor).toBe(0);
});

test('the filter finds title, binding and id without regard to case', async () => {
	const {state, signal} = createTestStore();
	await state().loadNamespaces('remote', signal);
	state().filterNamespaces('sess');
	expect(titles(state())).toEqual(['SESSIONS', 'SESSIONS_preview']);
});

test('to the pair and back', async () => {
	const {state, signal} = createTestStore();
	await state().loadNamespaces('remote', signal);
	state().filterNamespaces('SESSIONS');
	expect(selectedNamespace(state().namespaces)?.title).toBe('SESSIONS');
	state().toPair();
	expect(selectedNamespace(state().namespaces)?.title).toBe('SESSIONS_preview');
	state().toPair();
	expect(selectedNamespace(state().namespaces)?.title).toBe('SESSIONS');
});

test('a namespace is created, renamed and deleted; the cursor goes to what was made', async () => {
	const {state, signal} = createTestStore();
	await state().loadNamespaces('remote', signal);
	await state().createNamespace('made here', signal);
	const made = selectedNamespace(state().namespaces);
	expect(made?.title).toBe('made here');
	if (!made) return;
	await state().renameNamespace(made, 'renamed', signal);
	expect(titles(state())).toContain('renamed');
	const renamed = selectedNamespace(state().namespaces);
	expect(renamed?.id).toBe(made.id);
	await state().deleteNamespace(made, signal);
	expect(titles(state())).not.toContain('renamed');
});

test('read-only refuses before anything is sent', async () => {
	const {state, signal} = createTestStore({simulate: true, readOnly: true});
	await state().loadNamespaces('remote', signal);
	const calls = state().callCount.all;
	await expect(state().createNamespace('never', signal)).rejects.toMatchObject({code: 'read_only'});
	expect(state().callCount.all).toBe(calls);
});

test('a failure leaves what was listed, and says why', async () => {
	const {state, signal, simulator} = createTestStore();
	await state().loadNamespaces('remote', signal);
	const before = titles(state());
	simulator.close();
	await expect(state().loadNamespaces('remote', signal)).rejects.toThrow();
	expect(titles(state())).toEqual(before);
	expect(state().namespaces.reading).toBe('read');
});

test('local data: bindings come first, with their counts, also those where nothing was written yet', async () => {
	const {state, signal, folder} = createTestStore({});
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'wrangler.toml'),
		`name = "w"\nkv_namespaces = [\n  {binding = "CONFIG", id = "aaa"},\n  {binding = "EMPTY"},\n]\n`,
	);
	using store = openLocalStore({root: join(folder, '.wrangler/state/v3'), namespace: 'aaa'});
	await store.put('k', Buffer.from('v'), {}, signal);
	await state().lookAround();
	await state().loadNamespaces('local', signal);
	expect(state().namespaces.rows).toMatchObject([
		{title: 'CONFIG', id: 'aaa', keys: 1, bindings: [{binding: 'CONFIG', from: 'wrangler.toml:3'}]},
		{title: 'EMPTY', id: 'EMPTY', keys: 0},
	]);
	expect(state().connection).toMatchObject({localData: {state: 'exists'}, credential: undefined});
});

test('what an earlier reading brings is not shown over a later one', async () => {
	const {state, signal, simulator} = createTestStore();
	await state().loadNamespaces('remote', signal);
	simulator.faults.replace('latency=300 times=1 path=namespaces');
	const slow = state().loadNamespaces('remote', signal);
	await state().loadNamespaces('local', signal);
	await slow;
	expect(state().namespaces).toMatchObject({where: 'local', rows: []});
});

test('clearing the filter leaves the cursor on its namespace, and a hidden pair is found', async () => {
	const {state, signal} = createTestStore();
	await state().loadNamespaces('remote', signal);
	state().filterNamespaces('_preview');
	expect(selectedNamespace(state().namespaces)?.title).toBe('SESSIONS_preview');
	state().filterNamespaces('');
	expect(selectedNamespace(state().namespaces)?.title).toBe('SESSIONS_preview');
	state().filterNamespaces('_preview');
	state().toPair();
	expect(selectedNamespace(state().namespaces)?.title).toBe('SESSIONS');
});

test('a binding whose id is not in the account is marked, and opening it names file and line', async () => {
	await using service = await serveSimulator();
	const {state, signal, folder} = createTestStore({}, {variables: service.env});
	const id = '0123456789abcdef0123456789abcdef';
	writeFileSync(
		join(folder, 'wrangler.toml'),
		`name = "w"\n\n[[kv_namespaces]]\nbinding = "CONFIG"\nid = "${id}"\n`,
	);
	await state().loadNamespaces('remote', signal);
	const [row] = state().namespaces.rows;
	expect(row).toMatchObject({id, title: 'CONFIG', isMissing: true});
	expect(state().namespaces.rows.filter(({isMissing}) => isMissing)).toHaveLength(1);
	await state().openKeys(row as NonNullable<typeof row>, signal);
	await state().run('listing', 'read', () => state().listKeys(signal));
	expect(state().keys?.listing).toMatchObject({
		state: 'failed',
		failure: {
			message: expect.stringContaining(
				`CONFIG (wrangler.toml:3) has id ${id}, which does not exist in account`,
			),
		},
	});
});
