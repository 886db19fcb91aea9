import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {countDiffering, getCurrentDifference} from '../../../source/screens/compare/state.ts';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {createNamesOrigin} from '../../../source/screens/keys/origin.ts';
import {formatOtherStoreTitle} from '../../../source/screens/transfer/other-store.ts';
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
	const space = createTestStore({local: true, readOnly});
	await fillNamespace(space, 'one', {a: '1', b: '2', d: '4'});
	await fillNamespace(space, 'two', {b: 'two', c: '3', d: '4'});
	await space.state().compare.begin(createRow('one'), allKeys, 'local:two', space.signal);
	return space;
}

async function openDifference(index: number, readOnly = false): Promise<TestStore> {
	const space = await createComparison(readOnly);
	space.state().compare.move(index);
	await space.state().compare.openDifference(space.signal);
	return space;
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
		const space = await createComparison();
		const subset = {kind: 'selected', names: createNamesOrigin(['b', 'c'])} as const;
		await space.state().compare.begin(createRow('one'), subset, 'local:two', space.signal);
		const compare = space.state().compare.data;
		expect(compare?.keySubset).toBe('2 selected keys');
		expect([...(compare?.differences ?? [])].map(({key, kind}) => [key, kind])).toEqual([
			['b', 'differs'],
			['c', 'only in other'],
		]);
		expect(readdirSync(join(space.env.LEDGE_STATE_DIR ?? '', 'inputs'))).toEqual([]);
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
		const space = await openDifference(1);
		expect(space.state().compare.leave()).toBe(true);
		expect(space.state().compare.data).toBeDefined();
		expect(space.state().compare.leave()).toBe(false);
		expect(space.state().compare.data).toBeUndefined();
	});

	test('reports a name that is not a store, and compares nothing', async () => {
		const space = createTestStore({local: true});
		expect(space.state().paths.checkStoreName('nowhere', {isDestination: true})).toContain(
			'is not a valid store',
		);
		expect(space.state().paths.checkStoreName('local:x', {isDestination: true})).toBeUndefined();
		expect(space.state().paths.checkStoreName('file:x.ndjson', {isDestination: true})).toContain(
			'x exports to one',
		);
		expect(space.state().paths.checkStoreName('file:x.ndjson', {isDestination: false})).toBe('No such file.');
		await expect(
			space.state().compare.begin(createRow('one'), allKeys, 'nowhere', space.signal),
		).rejects.toMatchObject({
			code: 'usage',
		});
		expect(space.state().compare.data).toBeUndefined();
	});
});

test('a repeated comparison keeps the cursor on its key', async () => {
	const space = await createComparison();
	space.state().compare.move(2);
	await fillNamespace(space, 'two', {a: '1'});
	await space.state().compare.repeat();
	const compare = space.state().compare.data;
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
		expect(formatOtherStoreTitle(createRowIn('remote'), 'remote:two', {rows})).toBe('TWO');
		expect(formatOtherStoreTitle(createRowIn('remote'), 'local:one', {rows})).toBe('one, local');
		expect(formatOtherStoreTitle(createRowIn('local'), 'remote:one', {rows})).toBe('one, remote');
		expect(formatOtherStoreTitle(createRowIn('local'), 'file:a.ndjson', {rows})).toBe('file:a.ndjson');
	});

	test('chosen from the list has the title and the account of the list', async () => {
		const space = createTestStore({simulate: true});
		await space.state().namespaces.load('remote', space.signal);
		const {rows} = space.state().namespaces.data;
		const [one, two] = ['SESSIONS', 'CONFIG'].map(title => rows.find(found => found.title === title));
		if (!one || !two) throw new Error('There is no such namespace.');
		await space.state().compare.begin(one, allKeys, two.name, space.signal);
		expect(space.state().compare.data?.other).toMatchObject({
			title: 'CONFIG',
			label: 'Acme (simulated) › CONFIG',
		});
	});
});

describe('merging a key', () => {
	test('into the open namespace adds it to the list, and leaves the cursor in place', async () => {
		const space = await openDifference(2);
		await space.state().keys.open(createRow('one'), space.signal);
		void space.state().work.run('listing', 'background', signal => space.state().keys.list(signal));
		await space.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
		space.state().keys.move(2);
		await space.state().compare.mergeDifference('other', space.signal);
		const keys = space.state().keys.data;
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
		const space = await openDifference(index);
		await space.state().compare.mergeDifference(from, space.signal);
		expect([await readText(space, 'one', key), await readText(space, 'two', key)]).toEqual([
			expectedInOne,
			expectedInTwo,
		]);
		expect(space.state().compare.data?.merged.get(key)).toBe(from);
		expect(space.state().compare.data?.detail).toBeUndefined();
	});

	test('is refused if one side has changed since it was shown, and shows the current state', async () => {
		const space = await openDifference(1);
		await fillNamespace(space, 'two', {b: 'newer'});
		await expect(space.state().compare.mergeDifference('one', space.signal)).rejects.toMatchObject({
			code: 'changed_meanwhile',
		});
		expect(await readText(space, 'two', 'b')).toBe('newer');
		const {detail} = space.state().compare.data ?? {};
		expect(detail?.state === 'read' && Buffer.from(detail.other?.bytes ?? []).toString()).toBe('newer');
	});

	test('is refused in a read-only ledge', async () => {
		const space = await openDifference(1, true);
		await expect(space.state().compare.mergeDifference('one', space.signal)).rejects.toMatchObject({
			code: 'read_only',
		});
		expect(await readText(space, 'two', 'b')).toBe('two');
	});
});
