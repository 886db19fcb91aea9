import {describe, expect, test} from 'vitest';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
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
			await space.state().bulk.check('bulk-put', space.row, origin, space.signal);
			expect(await start(space.state)).toBe(true);
		},
	},
	{
		name: 'import',
		leaves: 'put',
		async write(space) {
			const origin = inputFile(space, 'in.ndjson', '{"key":"k","value":"put"}\n');
			await space.state().bulk.check('bulk-put', space.row, origin, space.signal);
			expect(await start(space.state)).toBe(true);
		},
	},
	{
		name: 'bulk delete',
		leaves: undefined,
		async write(space) {
			const origin = inputFile(space, 'in.json', ['k']);
			await space.state().bulk.check('bulk-delete', space.row, origin, space.signal);
			expect(await start(space.state)).toBe(true);
		},
	},
	{
		name: 'copy',
		leaves: 'copied',
		async write({state, from, row, signal}) {
			await state().transfer.copyTo(
				from,
				allKeys,
				{storeName: `remote:${row.id}`, onlyMissing: false},
				signal,
			);
		},
	},
];

async function space(): Promise<Space> {
	const test = createTestStore();
	const {state, signal} = test;
	const store = async (title: string, value: string) => {
		const row = await newNamespace(test, title);
		await state().keys.open(row, signal);
		await state().keys.data?.opened.store.put('k', Buffer.from(value), {}, signal);
		state().keys.close();
		return row;
	};
	const from = await store('FROM', 'copied');
	const row = await store('INTO', 'before');
	return {...test, from, row: rowOf(state(), row.title)};
}

/** The namespace is open, listed to the end, its key under the cursor, shown beside the list, and open. */
async function opened({state, row, signal, until}: Space) {
	await state().keys.open(row, signal);
	void state().work.run('listing', 'background', during => state().keys.list(during));
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const keys = state().keys.data;
	if (keys) await state().peek.show('k', keys.opened, signal);
	state().navigation.go('keys');
	await state().key.open('k', signal);
}

describe.each(writes)('after $name', ({write, leaves}) => {
	test('the list of the open namespace shows the result', async () => {
		const here = await space();
		await opened(here);
		await write(here);
		// What the list does once it is in front.
		await here.state().keys.refresh();
		await here.until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && !keys.isStale);
		expect(here.state().keys.data?.index.count).toBe(leaves === undefined ? 0 : 1);
	});

	test('the open value shows the result', async () => {
		const here = await space();
		await opened(here);
		await write(here);
		if (leaves === undefined) await here.until(({key: {data: key}}) => key?.reading === 'absent');
		else
			await here.until(
				({key: {data: key}}) =>
					key?.reading === 'read' && Buffer.from(key.wholeKey?.bytes ?? []).toString() === leaves,
			);
	});

	test('the pane beside the list is read again', async () => {
		const here = await space();
		await opened(here);
		const peekRevision = here.state().peek.revision;
		await write(here);
		expect(here.state().peek.revision).toBeGreaterThan(peekRevision);
	});

	test('the list of namespaces drops the old count if the namespace is not open', async () => {
		const here = await space();
		await opened(here);
		here.state().keys.close();
		expect(here.state().namespaces.keyCounts.get(here.row.name)).toEqual({keys: 1, isExact: true});
		await write(here);
		expect(here.state().namespaces.keyCounts.has(here.row.name)).toBe(false);
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
		await here.state().review.begin();
		await person.choose('write');
		return here;
	}

	test('the list and the value are as before', async () => {
		const {state} = await written();
		await state().review.beginUndo();
		expect(Buffer.from(state().key.data?.wholeKey?.bytes ?? []).toString()).toBe('before');
		expect(state().keys.data?.index.count).toBe(1);
	});

	test('a namespace that is not open drops its old count', async () => {
		const {state, row, from, signal} = await written();
		await state().keys.open(from, signal);
		expect(state().namespaces.keyCounts.has(row.name)).toBe(true);
		await state().review.beginUndo();
		expect(state().namespaces.keyCounts.has(row.name)).toBe(false);
	});
});

test('a new local key is counted in its namespace', async () => {
	const here = await space();
	const {state, signal, until} = here;
	const row: NamespaceRow = {name: 'local:LOAD', where: 'local', id: 'LOAD', title: 'LOAD', bindings: []};
	const put = async (keys: readonly string[]) => {
		const entries = keys.map(key => ({key, value: 'v'}));
		await state().bulk.check('bulk-put', row, inputFile(here, 'in.json', entries), signal);
		expect(await start(state)).toBe(true);
	};
	await put(['a']);
	await state().namespaces.load('local', signal);
	expect(state().namespaces.data.rows.map(({keyCount}) => keyCount)).toEqual([1]);
	await put(['b', 'c']);
	await until(({namespaces: {data: namespaces}}) => namespaces.rows[0]?.keyCount === 3);
});
