import {describe, expect, test} from 'vitest';
import {allKeys} from '../../../source/screens/keys/chosen.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {inputFile, newNamespace, rowOf, start} from '../support/bulk.ts';
import {personAt} from '../support/editing.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type Space = TestStore & {readonly row: NamespaceRow; readonly from: NamespaceRow};

/** What writes keys of `row`, and what its key `k` holds then; `undefined`: it is gone. */
const writes: readonly {
	readonly name: string;
	readonly leaves: string | undefined;
	write(space: Space): Promise<unknown>;
}[] = [
	{
		name: 'bulk put',
		leaves: 'put',
		async write(space) {
			const origin = inputFile(space, 'in.json', [{key: 'k', value: 'put'}]);
			await space.state().checkBulk('bulk-put', space.row, origin, space.signal);
			expect(await start(space.state)).toBe(true);
		},
	},
	{
		name: 'import',
		leaves: 'put',
		async write(space) {
			const origin = inputFile(space, 'in.ndjson', '{"key":"k","value":"put"}\n');
			await space.state().checkBulk('bulk-put', space.row, origin, space.signal);
			expect(await start(space.state)).toBe(true);
		},
	},
	{
		name: 'bulk delete',
		leaves: undefined,
		async write(space) {
			const origin = inputFile(space, 'in.json', ['k']);
			await space.state().checkBulk('bulk-delete', space.row, origin, space.signal);
			expect(await start(space.state)).toBe(true);
		},
	},
	{
		name: 'copy',
		leaves: 'copied',
		async write({state, from, row, signal}) {
			await state().copyTo(from, allKeys, {into: `remote:${row.id}`, onlyMissing: false}, signal);
		},
	},
];

async function space(): Promise<Space> {
	const test = createTestStore();
	const {state, signal} = test;
	const store = async (title: string, value: string) => {
		const row = await newNamespace(test, title);
		await state().openKeys(row, signal);
		await state().keys?.opened.store.put('k', Buffer.from(value), {}, signal);
		state().closeKeys();
		return row;
	};
	const from = await store('FROM', 'copied');
	const row = await store('INTO', 'before');
	return {...test, from, row: rowOf(state(), row.title)};
}

/** The namespace is open, listed to the end, its key under the cursor, shown beside the list, and open. */
async function opened({state, row, signal, until}: Space) {
	await state().openKeys(row, signal);
	void state().run('listing', 'background', during => state().listKeys(during));
	await until(({keys}) => keys?.listing.state === 'complete');
	const {keys} = state();
	if (keys) await state().peekAt('k', keys.opened, signal);
	state().go('keys');
	await state().openKey('k', signal);
}

describe.each(writes)('after $name', ({write, leaves}) => {
	test('the list of the namespace that is open has what it left', async () => {
		const here = await space();
		await opened(here);
		await write(here);
		// What the list does once it is in front.
		await here.state().refreshKeys();
		await here.until(({keys}) => keys?.listing.state === 'complete' && !keys.isStale);
		expect(here.state().keys?.index.count).toBe(leaves === undefined ? 0 : 1);
	});

	test('the value that is open is what it left', async () => {
		const here = await space();
		await opened(here);
		await write(here);
		if (leaves === undefined) await here.until(({key}) => key?.reading === 'absent');
		else
			await here.until(
				({key}) => key?.reading === 'read' && Buffer.from(key.whole?.bytes ?? []).toString() === leaves,
			);
	});

	test('the pane beside the list looks again', async () => {
		const here = await space();
		await opened(here);
		const {peekRevision} = here.state();
		await write(here);
		expect(here.state().peekRevision).toBeGreaterThan(peekRevision);
	});

	test('the namespaces do not show the count of before, where the namespace is not open', async () => {
		const here = await space();
		await opened(here);
		here.state().closeKeys();
		expect(here.state().keyCounts.get(here.row.name)).toEqual({keys: 1, exact: true});
		await write(here);
		expect(here.state().keyCounts.has(here.row.name)).toBe(false);
	});
});

describe('after an undo', () => {
	async function written() {
		const here = await space();
		await opened(here);
		const person = personAt(here);
		await person.openKey('k');
		person.editValue();
		person.retype('mine');
		await here.state().reviewEdit();
		await person.choose('write');
		return {...here, person};
	}

	test('list and value are as they were', async () => {
		const {state, person} = await written();
		await state().reviewUndo();
		await person.choose('write');
		expect(Buffer.from(state().key?.whole?.bytes ?? []).toString()).toBe('before');
		expect(state().keys?.index.count).toBe(1);
	});

	test('of a namespace that is not open, its count is not that of before', async () => {
		const {state, person, row, from, signal} = await written();
		await state().openKeys(from, signal);
		expect(state().keyCounts.has(row.name)).toBe(true);
		await state().reviewUndo();
		await person.choose('write');
		expect(state().keyCounts.has(row.name)).toBe(false);
	});
});

test('a new key of local data is counted among its namespaces', async () => {
	const here = await space();
	const {state, signal, until} = here;
	const row: NamespaceRow = {name: 'local:LOAD', where: 'local', id: 'LOAD', title: 'LOAD', bindings: []};
	const put = async (keys: readonly string[]) => {
		const entries = keys.map(key => ({key, value: 'v'}));
		await state().checkBulk('bulk-put', row, inputFile(here, 'in.json', entries), signal);
		expect(await start(state)).toBe(true);
	};
	await put(['a']);
	await state().loadNamespaces('local', signal);
	expect(state().namespaces.rows.map(({keys}) => keys)).toEqual([1]);
	await put(['b', 'c']);
	await until(({namespaces}) => namespaces.rows[0]?.keys === 3);
});
