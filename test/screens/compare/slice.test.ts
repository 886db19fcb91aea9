import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {countDiffering, getCurrentDifference} from '../../../source/screens/compare/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {createNamesOrigin} from '../../../source/screens/keys/origin.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {formatOtherStoreTitle} from '../../../source/screens/transfer/other-store.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const createRow = (id: string): NamespaceRow => ({
	name: `local:${id}`,
	where: 'local',
	id,
	title: id,
	bindings: [],
});

/** Writes keys into a local namespace in the folder of the store. Their metadata names the namespace. */
async function fillNamespace(
	{folder, signal}: TestStore,
	namespace: string,
	values: Readonly<Record<string, string>>,
) {
	using store = openLocalStore({root: `${folder}/.wrangler/state/v3`, namespace});
	for (const [key, value] of Object.entries(values))
		await store.put(key, Buffer.from(value), {metadata: {of: namespace}}, signal);
}

async function readText(
	{folder, signal}: TestStore,
	namespace: string,
	key: string,
): Promise<string | undefined> {
	using store = openLocalStore({root: `${folder}/.wrangler/state/v3`, namespace});
	const found = await store.get(key, signal);
	return found && Buffer.from(found.bytes).toString();
}

/** Compares two namespaces: `a` is only in one, `b` differs, `c` is only in the other, `d` differs in its metadata. */
async function createComparison(readOnly = false): Promise<TestStore> {
	const testStore = createTestStore({local: true, readOnly});
	await fillNamespace(testStore, 'one', {a: '1', b: '2', d: '4'});
	await fillNamespace(testStore, 'two', {b: 'two', c: '3', d: '4'});
	await testStore.state().compare.begin(createRow('one'), allKeys, 'local:two', testStore.signal);
	return testStore;
}

async function openDifference(index: number, readOnly = false): Promise<TestStore> {
	const testStore = await createComparison(readOnly);
	testStore.state().compare.move(index);
	await testStore.state().compare.openDifference(testStore.signal);
	return testStore;
}

describe('a comparison', () => {
	test('lists and counts the differences', async () => {
		const compare = (await createComparison()).state().compare.data;
		expect([...(compare?.differences ?? [])].map(({key, kind}) => [key, kind])).toEqual([
			['a', 'only in one'],
			['b', 'differs'],
			['c', 'only in other'],
			['d', 'differs'],
		]);
		expect(compare?.phase).toEqual({name: 'done'});
		expect(compare && countDiffering(compare.counts)).toBe(4);
	});

	test('of a selection covers nothing else', async () => {
		const testStore = await createComparison();
		const subset = {kind: 'selected', names: createNamesOrigin(['b', 'c'])} as const;
		await testStore.state().compare.begin(createRow('one'), subset, 'local:two', testStore.signal);
		const compare = testStore.state().compare.data;
		expect(compare?.keySubset).toBe('2 selected keys');
		expect([...(compare?.differences ?? [])].map(({key, kind}) => [key, kind])).toEqual([
			['b', 'differs'],
			['c', 'only in other'],
		]);
		expect(readdirSync(join(testStore.env.LEDGE_STATE_DIR ?? '', 'inputs'))).toEqual([]);
	});

	test('reads a key with its metadata on both sides', async () => {
		const {detail} = (await openDifference(1)).state().compare.data ?? {};
		expect(detail).toMatchObject({
			state: 'read',
			key: 'b',
			one: {metadata: {of: 'one'}},
			other: {metadata: {of: 'two'}},
		});
	});

	test('closes the key first on esc, and then itself', async () => {
		const testStore = await openDifference(1);
		expect(testStore.state().compare.leave()).toBe(true);
		expect(testStore.state().compare.data).toBeDefined();
		expect(testStore.state().compare.leave()).toBe(false);
		expect(testStore.state().compare.data).toBeUndefined();
	});

	test('reports a name that is not a store, and compares nothing', async () => {
		const testStore = createTestStore({local: true});
		expect(testStore.state().paths.checkStoreName('nowhere', {isDestination: true})).toContain(
			'is not a valid store',
		);
		expect(testStore.state().paths.checkStoreName('local:x', {isDestination: true})).toBeUndefined();
		expect(testStore.state().paths.checkStoreName('file:x.ndjson', {isDestination: true})).toContain(
			'x exports to one',
		);
		expect(testStore.state().paths.checkStoreName('file:x.ndjson', {isDestination: false})).toBe(
			'No such file.',
		);
		await expect(
			testStore.state().compare.begin(createRow('one'), allKeys, 'nowhere', testStore.signal),
		).rejects.toMatchObject({
			code: 'usage',
		});
		expect(testStore.state().compare.data).toBeUndefined();
	});
});

test('a repeated comparison keeps the cursor on its key', async () => {
	const testStore = await createComparison();
	testStore.state().compare.move(2);
	await fillNamespace(testStore, 'two', {a: '1'});
	await testStore.state().compare.repeat();
	const compare = testStore.state().compare.data;
	expect(compare && getCurrentDifference(compare)?.key).toBe('c');
});

describe('the other store', () => {
	const createRowIn = (where: 'remote' | 'local'): NamespaceRow => ({
		...createRow('one'),
		name: `${where}:one`,
		where,
	});

	test('is named by its title if listed, and as local or remote if only that distinguishes the two', () => {
		const rows = [{...createRow('two'), name: 'remote:two', title: 'TWO'}, createRowIn('remote')];
		expect(formatOtherStoreTitle(createRowIn('remote'), 'remote:two', {rows, hiddenRows: []})).toBe('TWO');
		expect(formatOtherStoreTitle(createRowIn('remote'), 'local:one', {rows, hiddenRows: []})).toBe(
			'one, local',
		);
		expect(formatOtherStoreTitle(createRowIn('local'), 'remote:one', {rows, hiddenRows: []})).toBe(
			'one, remote',
		);
		expect(formatOtherStoreTitle(createRowIn('local'), 'file:a.ndjson', {rows, hiddenRows: []})).toBe(
			'file:a.ndjson',
		);
	});

	test('chosen from the list has the title and the account of the list', async () => {
		const testStore = createTestStore({simulate: true});
		await testStore.state().namespaces.load('remote', testStore.signal);
		const {rows} = testStore.state().namespaces.data;
		const [one, two] = ['SESSIONS', 'CONFIG'].map(title => rows.find(found => found.title === title));
		if (!one || !two) throw new Error('There is no such namespace.');
		await testStore.state().compare.begin(one, allKeys, two.name, testStore.signal);
		expect(testStore.state().compare.data?.other).toMatchObject({
			title: 'CONFIG',
			label: 'Acme (simulated) › CONFIG',
		});
	});
});

describe('merging a key', () => {
	test('into the open namespace adds it to the list, and leaves the cursor in place', async () => {
		const testStore = await openDifference(2);
		await testStore.state().keys.open(createRow('one'), testStore.signal);
		void testStore.state().work.run('listing', 'background', signal => testStore.state().keys.list(signal));
		await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
		testStore.state().keys.move(2);
		await testStore.state().compare.mergeDifference('other', testStore.signal);
		const keys = testStore.state().keys.data;
		if (!keys) throw new Error('No keys are open.');
		expect(Array.from({length: keys.index.count}, (_, at) => keys.index.getName(at))).toEqual([
			'a',
			'b',
			'c',
			'd',
		]);
		expect(getCurrentKeyName(keys)).toBe('d');
	});

	test.each([
		['one', 1, 'b', '2', '2'],
		['other', 1, 'b', 'two', 'two'],
		['one', 0, 'a', '1', '1'],
		['other', 0, 'a', undefined, undefined],
		['one', 2, 'c', undefined, undefined],
	] as const)('from %s, row %i, leaves both with the same content', async (from, index, key, expectedInOne, expectedInTwo) => {
		const testStore = await openDifference(index);
		await testStore.state().compare.mergeDifference(from, testStore.signal);
		expect([await readText(testStore, 'one', key), await readText(testStore, 'two', key)]).toEqual([
			expectedInOne,
			expectedInTwo,
		]);
		expect(testStore.state().compare.data?.merged.get(key)).toBe(from);
		expect(testStore.state().compare.data?.detail).toBeUndefined();
		expect(testStore.state().compare.data?.cursor).toBe(index);
		const [source, target] = from === 'one' ? ['one', 'local:two'] : ['local:two', 'one'];
		expect(testStore.state().messages.latest?.text).toContain(
			(from === 'one' ? expectedInOne : expectedInTwo) === undefined
				? `Deleted ${key} in ${target}, as it is missing in ${source}. u undoes it.`
				: `Merged ${key}: this key is now the same in ${target} as in ${source}.`,
		);
	});

	test.each(['esc', 'n'])('asked from the list returns to the list on %s', async name => {
		const testStore = await createComparison();
		const {state, until} = testStore;
		state().navigation.go('compare');
		const app = createTestApp(testStore);
		const press = (key: string) => dispatch(app, {name: key, text: key, sequence: key});
		state().compare.move(1);
		press('>');
		await until(({dialog: {current: dialog}}) => dialog?.kind === 'confirm');
		press(name);
		expect(state().dialog.current).toBeUndefined();
		expect(state().compare.data?.detail).toBeUndefined();
		await state().compare.openDifference(testStore.signal);
		press('>');
		press(name);
		expect(state().compare.data?.detail?.state).toBe('read');
		expect(await readText(testStore, 'two', 'b')).toBe('two');
	});

	test('is undone by u, which first names the key and the namespace', async () => {
		const testStore = await openDifference(1);
		const {state} = testStore;
		await state().compare.mergeDifference('one', testStore.signal);
		expect(state().messages.latest?.text).toMatch(/ u undoes it\.$/);
		await state().review.beginUndo();
		expect(state().dialog.current).toMatchObject({
			kind: 'confirm',
			lines: ['To undo: changed "b" in local:two.'],
		});
		expect(await readText(testStore, 'two', 'b')).toBe('2');
		await state().compare.openDifference(testStore.signal);
		expect(state().compare.data?.detail).toMatchObject({state: 'read', key: 'b'});
		state().dialog.submit();
		await testStore.until(one => one.messages.latest?.text === 'Undone: changed "b" in local:two back.');
		expect(state().compare.data?.detail).toBeUndefined();
		expect(await readText(testStore, 'two', 'b')).toBe('two');
		expect(state().compare.data?.merged.has('b')).toBe(false);
	});

	test('is refused if one side has changed since it was shown, and shows the current state', async () => {
		const testStore = await openDifference(1);
		await fillNamespace(testStore, 'two', {b: 'newer'});
		await expect(testStore.state().compare.mergeDifference('one', testStore.signal)).rejects.toMatchObject({
			code: 'changed_meanwhile',
		});
		expect(await readText(testStore, 'two', 'b')).toBe('newer');
		const {detail} = testStore.state().compare.data ?? {};
		expect(detail?.state === 'read' && Buffer.from(detail.other?.bytes ?? []).toString()).toBe('newer');
	});

	test('is refused in a read-only ledge', async () => {
		const testStore = await openDifference(1, true);
		await expect(testStore.state().compare.mergeDifference('one', testStore.signal)).rejects.toMatchObject({
			code: 'read_only',
		});
		expect(await readText(testStore, 'two', 'b')).toBe('two');
	});
});

test.each([
	[0, 'copy to right', 'delete on the left'],
	[1, 'copy to right', 'copy to left'],
	[2, 'delete on the right', 'copy to left'],
] as const)('for difference %d the keys say whether they copy or delete', async (index, right, left) => {
	const testStore = await createComparison();
	const {state} = testStore;
	state().navigation.go('compare');
	const {actions} = createTestApp(testStore);
	const findHint = (key: string) =>
		listHintedActions(actions, state()).find(({keys}) => keys[0] === key)?.hint;
	state().compare.move(index);
	expect([findHint('>'), findHint('<')]).toEqual([right, left]);
	await state().compare.openDifference(testStore.signal);
	expect([findHint('>'), findHint('<')]).toEqual([right, left]);
});
