import {existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {trashLimits} from '../../../source/kv/trash/limits.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {createNamesOrigin} from '../../../source/screens/keys/origin.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {getStateDirectory} from '../../../source/state/directory.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {serveMiniflareExplorer} from '../../support/explorer.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {createTestNamespace, localRow} from '../support/bulk.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

// Commands: test/commands/kv/way-back.test.ts.

/** No write or restore is under way; a namespace is listed in the background. */
const isIdle = ({work: {list: work}}: LedgeState) => work.every(({kind}) => kind === 'background');

/** A namespace whose keys are listed: `k` with metadata and expiry, and `other`. */
async function openWithTwoKeys(testStore: TestStore, where: 'simulated' | 'local') {
	const {state, signal, until} = testStore;
	const row = where === 'local' ? localRow : await createTestNamespace(testStore, 'LOAD');
	await state().keys.open(row, signal);
	const others = createOtherPerson(testStore);
	await others.put('k', 'before', {metadata: {v: 1}, expiration: 4_000_000_000});
	await others.put('other', 'else');
	state().navigation.go('keys');
	void state().work.run('listing', 'background', () => state().keys.list(signal));
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && keys.index.count === 2);
	const app = createTestApp(testStore);
	const trashFolder = join(getStateDirectory(testStore.env) ?? '', 'trash');
	return {
		...testStore,
		row,
		app,
		others,
		person: createEditingPerson(testStore),
		waitUntilIdle: () => until(isIdle),
		readContent: async () => [await others.read('k'), await others.read('other')],
		press(name: string) {
			dispatch(app, {name, text: name.length === 1 ? name : '', sequence: name});
		},
		trash: trashFolder,
		listTrashFiles: () =>
			existsSync(trashFolder) ? readdirSync(trashFolder, {recursive: true, encoding: 'utf8'}).sort() : [],
	};
}
type Space = Awaited<ReturnType<typeof openWithTwoKeys>>;

const openNamespaceIn = async (where: 'simulated' | 'local'): Promise<Space> =>
	openWithTwoKeys(createTestStore(where === 'local' ? {} : {simulate: true}), where);

function getDialog<Kind extends Dialog['kind']>(
	{state}: TestStore,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	const dialog = state().dialog.current;
	expect(dialog?.kind).toBe(kind);
	return dialog as Extract<Dialog, {kind: Kind}>;
}

/** Confirms the question, and waits until nothing is under way. */
async function agree(testStore: Space): Promise<void> {
	getDialog(testStore, 'confirm');
	testStore.state().dialog.submit();
	await testStore.waitUntilIdle();
}

/** Edits the key `k`, sees the difference, and writes it. */
async function edit({person, state}: Space, begin: () => void, value: string): Promise<void> {
	await person.openKey('k');
	begin();
	person.retype(value);
	await state().review.begin();
	await person.choose('write');
}

/** Compares `k` with another namespace, where it holds this or is absent, and merges from there. */
async function merge(testStore: Space, theirs: string | undefined): Promise<void> {
	const {state, signal, row} = testStore;
	const twin: NamespaceRow = {...localRow, name: 'local:two', id: 'two'};
	const theirRow = row.where === 'local' ? twin : await createTestNamespace(testStore, 'TWO');
	await state().keys.open(theirRow, signal);
	// Local namespaces exist once they hold a key.
	await testStore.others.put('theirs', 'x');
	if (theirs !== undefined) await testStore.others.put('k', theirs);
	await state().keys.open(row, signal);
	const chosen = {kind: 'selected', names: createNamesOrigin(['k'])} as const;
	await state().compare.begin(row, chosen, theirRow.name ?? '', signal);
	state().navigation.go('compare');
	await state().compare.openDifference(signal);
	testStore.press('<');
	expect(getDialog(testStore, 'confirm').lines.join(' ')).toContain('stays in the trash for 7 days.');
	await agree(testStore);
}

/** Agrees to delete keys that are selected, and waits until they are deleted or a question comes up. */
async function agreeToDelete({state, until}: Space): Promise<void> {
	state().dialog.submit();
	const isDeleted = ({bulk: {data: bulk}, messages: {latest: message}}: LedgeState) =>
		bulk ? bulk.stage.state === 'done' : message?.text.startsWith('Deleted') === true;
	await until(one => isIdle(one) && (one.dialog.current !== undefined || isDeleted(one)));
}

/** Every way in which a screen deletes or overwrites what a key holds. */
const destructiveWrites: Readonly<
	Record<
		string,
		{
			act(testStore: Space): Promise<void>;
			reason: 'deleted' | 'overwritten';
			/** Keys that the batch then contains; 1 if not given. */
			keyCount?: number;
			/** Reverts what else the write changed, which the restore does not. */
			cleanUp?(testStore: Space): Promise<unknown>;
		}
	>
> = {
	'd on a key': {
		async act({state, person}) {
			await state().review.beginDeletion('k', undefined);
			await person.choose('write');
		},
		reason: 'deleted',
	},
	'd on several selected keys': {
		async act(testStore) {
			testStore.state().keys.data?.index.selectRange(0, 2, true);
			testStore.press('d');
			getDialog(testStore, 'confirm');
			await agreeToDelete(testStore);
		},
		reason: 'deleted',
		keyCount: 2,
	},
	'an edited value': {
		act: testStore => edit(testStore, testStore.person.editValue, 'after'),
		reason: 'overwritten',
	},
	'edited metadata': {
		act: testStore => edit(testStore, testStore.person.editMetadata, '{"v":2}'),
		reason: 'overwritten',
	},
	'an edited expiry': {
		act: testStore => edit(testStore, testStore.person.editExpiry, 'never'),
		reason: 'overwritten',
	},
	'a new key of a name that exists by now': {
		async act({state, person}) {
			person.create('k');
			person.retype('after');
			await state().review.begin();
			await person.choose('overwrite');
			await person.choose('write');
			if (state().review.data?.phase === 'asking') await person.choose('write');
		},
		reason: 'overwritten',
	},
	'a rename over another key': {
		async act(testStore) {
			await testStore.state().rename.begin({kind: 'rename', from: 'other', to: 'k'});
			expect(getDialog(testStore, 'confirm').lines).toContain('It will stay in the trash for 7 days.');
			await agree(testStore);
		},
		reason: 'overwritten',
		cleanUp: ({others}) => others.put('other', 'else'),
	},
	'a duplicate over another key': {
		async act(testStore) {
			await testStore.state().rename.begin({kind: 'copy', from: 'other', to: 'k'});
			await agree(testStore);
		},
		reason: 'overwritten',
	},
	'a merge over a key': {act: testStore => merge(testStore, 'theirs'), reason: 'overwritten'},
	'a merge that deletes a key': {act: testStore => merge(testStore, undefined), reason: 'deleted'},
};
const writeNames = Object.keys(destructiveWrites);

/** Opens the trash, and restores the first key or all keys of its latest batch. */
async function restoreFromTrash(testStore: Space, keyCount = 1): Promise<void> {
	const {press, until, state, person} = testStore;
	const value = keyCount === 1 ? 'review' : 'overwrite';
	while (state().navigation.stack.at(-1) !== 'keys') state().navigation.back();
	press('V');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	press('enter');
	const {choices, choose} = getDialog(testStore, 'choice');
	expect(choices.map(one => one.value)).toContain(value);
	state().dialog.close();
	choose(value);
	if (keyCount > 1)
		return until(one => isIdle(one) && one.messages.latest?.text.startsWith('Restored') === true);
	await until(({review: {data: review}}) => review?.phase === 'asking');
	await person.choose('write');
	await until(isIdle);
}

/** Leaves no room in the trash. */
function fillTrash({trash}: Space): void {
	const target = {place: 'simulated'};
	const about = {v: 1, deleted: Date.now(), target, label: 'x', keys: 2, bytes: 2, command: 'x'};
	mkdirSync(join(trash, 'full'), {recursive: true, mode: 0o700});
	writeFileSync(join(trash, 'full/about.json'), JSON.stringify(about));
	writeFileSync(join(trash, 'full/keys.ndjson'), '');
	truncateSync(join(trash, 'full/keys.ndjson'), trashLimits.maxBytes);
}

describe.each(['local', 'simulated'] as const)('%s', where => {
	test.each(
		writeNames,
	)('%s: the previous value goes to the trash, and can be restored from there', async name => {
		const {act, reason, keyCount = 1, cleanUp} = destructiveWrites[name] ?? {};
		const testStore = await openNamespaceIn(where);
		const before = await testStore.readContent();
		await act?.(testStore);
		await testStore.waitUntilIdle();
		expect(await testStore.readContent()).not.toEqual(before);
		expect((await testStore.state().trash.read()).batches).toMatchObject([
			{reason, keys: keyCount, first: 'k', command: 'screens'},
		]);
		await restoreFromTrash(testStore, keyCount);
		await cleanUp?.(testStore);
		expect(await testStore.readContent()).toEqual(before);
	});

	test.each(writeNames)('%s: a full trash is reported, and nothing is sent until confirmed', async name => {
		const {act, reason, keyCount = 1} = destructiveWrites[name] ?? {};
		const testStore = await openNamespaceIn(where);
		const before = await testStore.readContent();
		fillTrash(testStore);
		const files = testStore.listTrashFiles();
		await act?.(testStore);
		await testStore.until(({dialog: {current: dialog}}) => dialog !== undefined);
		const kind = testStore.state().dialog.current?.kind === 'field' ? 'field' : 'confirm';
		expect(kind).toBe(keyCount > 1 ? 'field' : 'confirm');
		const {title, lines} = getDialog(testStore, kind);
		expect(title).toBe(`${reason === 'deleted' ? 'Delete' : 'Write'} without the trash?`);
		expect(lines[0]).toMatch(/^The .+ not fit in the trash, so nothing was (deleted|written)\.$/);
		expect(await testStore.readContent()).toEqual(before);
		if (kind === 'field') {
			testStore.state().dialog.setText(testStore.row.title);
			await agreeToDelete(testStore);
		} else await agree(testStore);
		expect(await testStore.readContent()).not.toEqual(before);
		expect(testStore.listTrashFiles()).toEqual(files);
	});

	test('a new key puts nothing into the trash', async () => {
		const {state, person, others, listTrashFiles} = await openNamespaceIn(where);
		person.create('fresh');
		person.retype('x');
		await state().review.begin();
		await person.choose('write');
		expect(await others.read('fresh')).toMatchObject({value: 'x'});
		expect(listTrashFiles()).toEqual([]);
	});

	test('u undoes a write, and the value it replaces goes to the trash, too', async () => {
		const testStore = await openNamespaceIn(where);
		const {state} = testStore;
		const before = await testStore.readContent();
		await destructiveWrites['an edited value']?.act(testStore);
		await state().review.beginUndo();
		expect(await testStore.readContent()).toEqual(before);
		expect((await state().trash.read()).batches.map(({reason}) => reason)).toEqual([
			'overwritten',
			'overwritten',
		]);
		await restoreFromTrash(testStore);
		expect(await testStore.others.read('k')).toMatchObject({value: 'after'});
	});
});

describe('if the previous value cannot be read', () => {
	async function openBehindExplorer() {
		const explorer = await serveMiniflareExplorer(await serveSimulator());
		const testStore = await openWithTwoKeys(createTestStore({}, {variables: explorer.env}), 'simulated');
		const firstIndex = explorer.paths.length;
		const listWrites = () =>
			explorer.paths.slice(firstIndex).filter(path => /^(PUT|DELETE)|bulk\/delete$/.test(path));
		return {...testStore, writes: listWrites};
	}

	test('d on a key deletes nothing, and names --no-trash', async () => {
		const {state, press, until, writes} = await openBehindExplorer();
		press('d');
		await until(({messages: {latest: message}}) => message?.kind === 'failed');
		const message = state().messages.latest;
		const failure = message?.kind === 'failed' ? message.failure : undefined;
		expect(failure?.message).toBe('The key cannot be read and kept in the trash, so nothing was deleted.');
		expect(failure?.details.next).toContain('--no-trash');
		expect(state().review.data).toBeUndefined();
		expect(writes()).toEqual([]);
	});

	test('several keys are deleted only once the name of the namespace is typed', async () => {
		const testStore = await openBehindExplorer();
		const {state, press, until, writes} = testStore;
		state().keys.data?.index.selectRange(0, 2, true);
		press('d');
		getDialog(testStore, 'confirm');
		await agreeToDelete(testStore);
		const {title, lines} = getDialog(testStore, 'field');
		expect(title).toBe('Delete without the trash?');
		expect(lines[0]).toBe('The 2 keys cannot be read and kept in the trash, so nothing was deleted.');
		expect(writes()).toEqual([]);
		state().dialog.setText(testStore.row.title);
		await agreeToDelete(testStore);
		await until(({keys: {data: keys}}) => keys?.index.count === 0);
		expect(writes().length).toBe(1);
	});
});
