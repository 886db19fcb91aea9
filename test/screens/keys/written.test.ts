import {describe, expect, test} from 'vitest';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {createInputFile, createTestNamespace, findNamespaceRow, runCheckedBulk} from '../support/bulk.ts';
import {createEditingPerson} from '../support/editing.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type TwoNamespaceStore = TestStore & {readonly row: NamespaceRow; readonly from: NamespaceRow};

/** Operations that write keys of `row`, and the value of its key `k` afterwards, if it still exists. */
const writes: readonly {
	readonly name: string;
	readonly expectedValue: string | undefined;
	write(testStore: TwoNamespaceStore): Promise<unknown>;
}[] = [
	{
		name: 'bulk put',
		expectedValue: 'put',
		async write(testStore) {
			const origin = createInputFile(testStore, 'in.json', [{key: 'k', value: 'put'}]);
			await testStore.state().bulk.check('bulk-put', testStore.row, origin, testStore.signal);
			expect(await runCheckedBulk(testStore.state)).toBe(true);
		},
	},
	{
		name: 'import',
		expectedValue: 'put',
		async write(testStore) {
			const origin = createInputFile(testStore, 'in.ndjson', '{"key":"k","value":"put"}\n');
			await testStore.state().bulk.check('bulk-put', testStore.row, origin, testStore.signal);
			expect(await runCheckedBulk(testStore.state)).toBe(true);
		},
	},
	{
		name: 'bulk delete',
		expectedValue: undefined,
		async write(testStore) {
			const origin = createInputFile(testStore, 'in.json', ['k']);
			await testStore.state().bulk.check('bulk-delete', testStore.row, origin, testStore.signal);
			expect(await runCheckedBulk(testStore.state)).toBe(true);
		},
	},
	{
		name: 'copy',
		expectedValue: 'copied',
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

async function createTwoNamespaceStore(): Promise<TwoNamespaceStore> {
	const testStore = createTestStore();
	const {state, signal} = testStore;
	const createNamespaceWithKey = async (title: string, value: string) => {
		const row = await createTestNamespace(testStore, title);
		await state().keys.open(row, signal);
		await state().keys.data?.opened.store.put('k', Buffer.from(value), {}, signal);
		state().keys.close();
		return row;
	};
	const from = await createNamespaceWithKey('FROM', 'copied');
	const row = await createNamespaceWithKey('INTO', 'before');
	return {...testStore, from, row: findNamespaceRow(state(), row.title)};
}

/** Opens and lists the namespace, and shows its key in the pane and on its own screen. */
async function openEverywhere({state, row, signal, until}: TwoNamespaceStore) {
	await state().keys.open(row, signal);
	void state().work.run('listing', 'background', during => state().keys.list(during));
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const keys = state().keys.data;
	if (keys) await state().peek.show('k', keys.opened, signal);
	state().navigation.go('keys');
	await state().key.open('k', signal);
}

describe.each(writes)('after $name', ({write, expectedValue}) => {
	test('the list of the open namespace shows the result', async () => {
		const testStore = await createTwoNamespaceStore();
		await openEverywhere(testStore);
		await write(testStore);
		// As the list does when it comes to the front.
		await testStore.state().keys.refresh();
		await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && !keys.isStale);
		expect(testStore.state().keys.data?.index.count).toBe(expectedValue === undefined ? 0 : 1);
	});

	test('the open value shows the result', async () => {
		const testStore = await createTwoNamespaceStore();
		await openEverywhere(testStore);
		await write(testStore);
		if (expectedValue === undefined) await testStore.until(({key: {data: key}}) => key?.reading === 'absent');
		else
			await testStore.until(
				({key: {data: key}}) =>
					key?.reading === 'read' && Buffer.from(key.wholeKey?.bytes ?? []).toString() === expectedValue,
			);
	});

	test('the pane beside the list is read again', async () => {
		const testStore = await createTwoNamespaceStore();
		await openEverywhere(testStore);
		const peekRevision = testStore.state().peek.revision;
		await write(testStore);
		expect(testStore.state().peek.revision).toBeGreaterThan(peekRevision);
	});

	test('the list of namespaces drops the old count if the namespace is not open', async () => {
		const testStore = await createTwoNamespaceStore();
		await openEverywhere(testStore);
		testStore.state().keys.close();
		expect(testStore.state().namespaces.keyCounts.get(testStore.row.name)).toEqual({keys: 1, isExact: true});
		await write(testStore);
		expect(testStore.state().namespaces.keyCounts.has(testStore.row.name)).toBe(false);
	});
});

describe('after an undo', () => {
	async function writeThroughReview() {
		const testStore = await createTwoNamespaceStore();
		await openEverywhere(testStore);
		const person = createEditingPerson(testStore);
		await person.openKey('k');
		person.editValue();
		person.retype('mine');
		await testStore.state().review.begin();
		await person.choose('write');
		return testStore;
	}

	test('the list and the value are as before', async () => {
		const {state} = await writeThroughReview();
		await state().review.beginUndo();
		expect(Buffer.from(state().key.data?.wholeKey?.bytes ?? []).toString()).toBe('before');
		expect(state().keys.data?.index.count).toBe(1);
	});

	test('a namespace that is not open drops its old count', async () => {
		const {state, row, from, signal, until} = await writeThroughReview();
		await state().keys.open(from, signal);
		expect(state().namespaces.keyCounts.has(row.name)).toBe(true);
		// The namespace is not in front, so the undo asks first.
		await state().review.beginUndo();
		const dialog = state().dialog.current;
		expect(dialog).toMatchObject({kind: 'confirm', lines: ['To undo: changed "k" in INTO.']});
		if (dialog?.kind === 'confirm') dialog.confirm();
		await until(({namespaces}) => !namespaces.keyCounts.has(row.name));
	});
});

test('a new local key is counted in its namespace', async () => {
	const testStore = await createTwoNamespaceStore();
	const {state, signal, until} = testStore;
	const row: NamespaceRow = {name: 'local:LOAD', where: 'local', id: 'LOAD', title: 'LOAD', bindings: []};
	const put = async (keys: readonly string[]) => {
		const entries = keys.map(key => ({key, value: 'v'}));
		await state().bulk.check('bulk-put', row, createInputFile(testStore, 'in.json', entries), signal);
		expect(await runCheckedBulk(state)).toBe(true);
	};
	await put(['a']);
	await state().namespaces.load('local', signal);
	expect(state().namespaces.data.rows.map(({keyCount}) => keyCount)).toEqual([1]);
	await put(['b', 'c']);
	await until(({namespaces: {data: namespaces}}) => namespaces.rows[0]?.keyCount === 3);
});
