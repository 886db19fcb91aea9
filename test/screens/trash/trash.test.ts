import {existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {listMatches} from '../../../source/components/suggestions.tsx';
import {trashLimits} from '../../../source/kv/trash/limits.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getStateDirectory} from '../../../source/state/directory.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {createEntries, createInputFile, createTestNamespace, runCheckedBulk} from '../support/bulk.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** Creates a namespace with `count` keys, opens it and lists it. */
async function openFilledNamespace(count: number, faults = '') {
	const testStore = createTestStore({simulate: true}, {faults});
	const {state, signal} = testStore;
	const app = createTestApp(testStore);
	await state().connection.loadConnection();
	const row = await createTestNamespace(testStore, 'LOAD');
	await state().bulk.check(
		'bulk-put',
		row,
		createInputFile(testStore, 'load.json', createEntries(count)),
		signal,
	);
	await runCheckedBulk(state);
	await state().bulk.close();
	await testStore.openNamespace('LOAD');
	state().navigation.go('namespaces');
	state().navigation.go('keys');
	state().keys.listAll();
	await testStore.until(
		({keys: {data: keys}}) => keys?.listing.state === 'complete' && keys.index.count === count,
	);
	const trashFolder = join(getStateDirectory(testStore.env) ?? '', 'trash');
	return {
		...testStore,
		app,
		row,
		trash: trashFolder,
		listBatches: () => (existsSync(trashFolder) ? readdirSync(trashFolder) : []),
	};
}
type Space = Awaited<ReturnType<typeof openFilledNamespace>>;

const press = (app: App, ...names: readonly string[]) => {
	for (const name of names) dispatch(app, {name, text: '', sequence: ''});
};

function getDialog<Kind extends Dialog['kind']>(
	state: LedgeState,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	expect(state.dialog.current?.kind).toBe(kind);
	return state.dialog.current as Extract<Dialog, {kind: Kind}>;
}

/** Lists the rows of the field that match what is typed. */
const listShownLabels = (state: LedgeState): readonly string[] => {
	const {suggestions, buffer} = getDialog(state, 'field');
	return suggestions ? listMatches(suggestions, getBufferText(buffer)).map(({label}) => label) : [];
};

/** Chooses in a menu, by the value of a choice or a part of its label. */
function choose(app: App, wanted: string): void {
	const dialog = app.state().dialog.current;
	const choices =
		dialog?.kind === 'choice'
			? dialog.choices
			: dialog?.kind === 'field'
				? dialog.suggestions?.all
				: undefined;
	const choice =
		choices?.find(({value}) => value === wanted) ?? choices?.find(({label}) => label.includes(wanted));
	expect(choice, wanted).toBeDefined();
	app.state().dialog.close();
	if (dialog?.kind === 'choice') dialog.choose(choice?.value ?? '');
	else if (dialog?.kind === 'field') dialog.submit(choice?.value ?? '');
}

function type(app: App, text: string): void {
	for (const digit of text) dispatch(app, {name: digit, text: digit, sequence: digit});
	press(app, 'enter');
}

/** Selects the first `count` keys and deletes them. Resolves when the remaining keys are in front again. */
async function deleteKeys({app, state, until}: Space, count: number): Promise<void> {
	const before = state().keys.data?.index.count ?? 0;
	state().keys.data?.index.selectRange(0, count, true);
	press(app, 'd');
	expect(getDialog(state(), 'confirm').lines).toContain(
		'They stay in the trash for 7 days: u restores them.',
	);
	press(app, 'y');
	await until(
		one => !one.bulk.data && isIdle(one) && one.messages.latest?.text.includes('u restores them; V') === true,
	);
	expect(state().keys.data?.index.count).toBe(before - count);
	expect(getCurrentScreen(state())).toBe('keys');
}

/** True if nothing is under way except the listing, which runs until the namespace is closed. */
const isIdle = ({work: {list: work}}: LedgeState) => work.every(({kind}) => kind === 'background');
const readText = async ({state, signal}: Space, key: string) =>
	Buffer.from((await state().keys.data?.opened.store.get(key, signal))?.bytes ?? []).toString();

test('u restores several deleted keys, and then undoes nothing else', async () => {
	const testStore = await openFilledNamespace(30);
	const {app, state, until, listBatches} = testStore;
	await deleteKeys(testStore, 25);
	expect(listBatches().length).toBe(1);
	press(app, 'u');
	await until(
		({keys: {data: keys}, messages: {latest: message}}) =>
			keys?.index.count === 30 && message?.text.startsWith('Restored') === true,
	);
	await until(isIdle);
	expect(state().messages.latest?.text).toMatch(/^Restored 25 keys into .*LOAD\.$/);
	expect(await readText(testStore, 'load:1')).toBe('value 1');
	expect(listBatches()).toEqual([]);
	expect(getCurrentScreen(state())).toBe('keys');
	expect(state().transfer.data).toBeUndefined();
	press(app, 'u');
	expect(state().dialog.current).toMatchObject({
		failure: {message: "u can't undo the last write: bulk put load.json, LOAD."},
	});
});

test('ten thousand selected keys are deleted and restored, on their own screen', {
	timeout: 40_000,
}, async () => {
	const testStore = await openFilledNamespace(10_000);
	const {app, state, until} = testStore;
	await deleteKeys(testStore, 10_000);
	press(app, 'u');
	expect(getCurrentScreen(state())).toBe('transfer');
	await until(one => one.transfer.data?.stage.state === 'done' && isIdle(one));
	expect(state().messages.latest?.text).toMatch(/^Restored 10,000 keys into .*LOAD\.$/);
	press(app, 'esc');
	expect(getCurrentScreen(state())).toBe('keys');
	state().keys.listAll();
	await until(({keys: {data: keys}}) => keys?.index.count === 10_000);
	expect(await readText(testStore, 'load:9999')).toBe('value 9999');
});

test('two deletions are undone one after the other, the last one first', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until} = testStore;
	await deleteKeys(testStore, 3);
	await deleteKeys(testStore, 2);
	press(app, 'u');
	await until(one => one.keys.data?.index.count === 7 && isIdle(one));
	press(app, 'u');
	expect(getDialog(state(), 'confirm').lines).toEqual([
		expect.stringContaining('To undo: deleted 3 keys in '),
	]);
	press(app, 'y');
	await until(one => one.keys.data?.index.count === 10 && isIdle(one));
	expect(state().review.lastWrite?.type).toBe('irreversible');
});

test('keys written again stay as they are, and are named; V can restore them, too', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until, signal, listBatches} = testStore;
	await deleteKeys(testStore, 3);
	const key = 'load:1';
	await state().keys.data?.opened.store.put(key, Buffer.from('new'), {}, signal);
	press(app, 'u');
	await until(one => isIdle(one) && one.messages.latest?.text.startsWith('Restored') === true);
	expect(state().messages.latest?.text).toMatch(
		/^Restored 2 keys into .*LOAD; 1 already exists, left unchanged\. Written again since: "load:1"; the trash \(V\) still has what was deleted\./,
	);
	expect(await readText(testStore, key)).toBe('new');
	expect(listBatches().length).toBe(1);
	press(app, 'V');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	choose(app, ' +2 ');
	choose(app, 'overwrite');
	await until(one => isIdle(one) && one.messages.latest?.text.startsWith('Restored 3 keys') === true);
	expect(await readText(testStore, key)).toBe('value 1');
	// What it replaced is in the trash instead.
	expect((await state().trash.read()).batches.map(({reason}) => reason)).toEqual(['overwritten']);
});

test('V restores one of several deleted keys, after a look at the difference', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until, signal} = testStore;
	await deleteKeys(testStore, 3);
	await state().keys.data?.opened.store.put('load:1', Buffer.from('new'), {}, signal);
	press(app, 'V');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	choose(app, ' +2 ');
	choose(app, 'one');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	expect(getDialog(state(), 'field').suggestions?.all.map(({value}) => value)).toEqual([
		'load:1',
		'load:10',
		'load:2',
	]);
	type(app, 'j');
	expect(getDialog(state(), 'field').problem).toBe('The trash does not contain j.');
	press(app, 'backspace');
	type(app, 'load:1');
	await until(({review: {data: review}}) => review?.phase === 'asking');
	expect(state().review.data).toMatchObject({
		key: 'load:1',
		label: 'LOAD',
		finding: {check: {type: 'unchanged'}},
	});
	expect(await readText(testStore, 'load:1')).toBe('new');
	await createEditingPerson(testStore).choose('write');
	expect(await readText(testStore, 'load:1')).toBe('value 1');
	expect(await readText(testStore, 'load:10')).toBe('');
});

test('V lists the trash, removes a deletion from it, and empties it after a question', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until, listBatches} = testStore;
	press(app, 'V');
	await until(({messages: {latest: message}}) => message?.text === 'The trash is empty.');
	for (const count of [2, 3, 4]) await deleteKeys(testStore, count);
	press(app, 'V');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	const time = String.raw`\d\d-\d\d \d\d:\d\d:\d\d`;
	expect(listShownLabels(state())).toEqual([
		expect.stringMatching(new RegExp(`^load:5 \\+3 {5}${time}  deleted {6}Acme \\(simulated\\) › LOAD$`)),
		expect.stringMatching(/^load:2 \+2 /),
		expect.stringMatching(/^load:1 \+1 /),
		'Empty the trash',
	]);
	choose(app, 'load:2 +2');
	choose(app, 'remove');
	expect(getDialog(state(), 'field').title).toBe('Remove 3 keys from the trash?');
	type(app, 'trash');
	await until(({messages: {latest: message}}) => message?.text === 'Removed 3 keys from the trash.');
	expect(listBatches().length).toBe(2);
	press(app, 'V');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	choose(app, 'Empty the trash');
	type(app, 'trash');
	await until(({messages: {latest: message}}) => message?.text === 'Removed 6 keys from the trash.');
	expect(listBatches()).toEqual([]);
	expect(state().review.lastWrite?.type).toBe('irreversible');
});

test('typing filters the trash by key, place and reason; enter opens the match, and esc returns to it', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until, listBatches} = testStore;
	for (const count of [2, 3]) await deleteKeys(testStore, count);
	press(app, 'V');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	type(app, 'nowhere');
	expect(getDialog(state(), 'field').problem).toBe('Nothing in the trash matches.');
	press(app, 'ctrl-u');
	type(app, 'load:1');
	expect(getDialog(state(), 'choice').title).toBe('2 keys in Acme (simulated) › LOAD');
	press(app, 'esc');
	expect(getBufferText(getDialog(state(), 'field').buffer)).toBe('load:1');
	expect(listBatches().length).toBe(2);
});

test('a filter of the trash finds each key that was deleted with others, and opens it', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until} = testStore;
	await deleteKeys(testStore, 3);
	press(app, 'V');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	expect(listShownLabels(state()).length).toBe(2);
	for (const letter of 'load:2') dispatch(app, {name: letter, text: letter, sequence: letter});
	expect(listShownLabels(state())).toEqual([expect.stringMatching(/^load:2 .* deleted /)]);
	press(app, 'enter');
	const {title, lines, choices} = getDialog(state(), 'choice');
	expect(title).toBe('load:2 in Acme (simulated) › LOAD');
	expect(lines[0]).toMatch(/^Deleted with 2 other keys \d/);
	expect(choices.map(({label}) => label)).toContain('Remove all 3 keys from the trash (asks first)');
	choose(app, 'review');
	await until(({review: {data: review}}) => review?.phase === 'asking');
	expect(state().review.data?.key).toBe('load:2');
});

test('a group goes to the trash, too', async () => {
	const testStore = await openFilledNamespace(20);
	const {state, signal, until, row, listBatches} = testStore;
	await state().bulk.check('bulk-delete', row, {kind: 'prefix', prefix: 'load:1'}, signal);
	expect(await runCheckedBulk(state)).toBe(true);
	expect(state().bulk.data).toMatchObject({
		stage: {state: 'done'},
		trashBatch: {keys: 11, command: 'screens'},
	});
	expect(listBatches().length).toBe(1);
	const [last] = (await state().trash.read()).batches;
	if (!last) throw new TypeError('Nothing was deleted.');
	await state().trash.restore(last, {overwrites: false}, signal);
	await until(({keys: {data: keys}}) => keys?.index.count === 20);
});

test('a cancelled read deletes nothing, and leaves nothing in the trash', async () => {
	const testStore = await openFilledNamespace(20, 'hang path=/bulk/get');
	const {app, state, signal, until, row, listBatches} = testStore;
	state().navigation.go('bulk');
	await state().bulk.check('bulk-delete', row, {kind: 'prefix', prefix: 'load:'}, signal);
	const sent = runCheckedBulk(state);
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'keeping');
	press(app, 'ctrl-x');
	expect(await sent).toBe(false);
	expect(state().bulk.data?.stage).toMatchObject({state: 'failed', failure: {code: 'interrupted'}});
	expect(listBatches()).toEqual([]);
	expect(testStore.simulator.calls.list().filter(({path}) => path.endsWith('/bulk/delete'))).toEqual([]);
});

test('a full trash is reported, and the count has to be typed', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until, trash} = testStore;
	mkdirSync(join(trash, 'full'), {recursive: true, mode: 0o700});
	const about = {
		v: 1,
		deleted: Date.now(),
		target: {place: 'simulated'},
		label: 'x',
		keys: 2,
		bytes: 2,
		command: 'x',
	};
	writeFileSync(join(trash, 'full/about.json'), JSON.stringify(about));
	writeFileSync(join(trash, 'full/keys.ndjson'), '');
	truncateSync(join(trash, 'full/keys.ndjson'), trashLimits.maxBytes);
	state().keys.data?.index.selectRange(0, 4, true);
	press(app, 'd');
	press(app, 'y');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	const {title, lines} = getDialog(state(), 'field');
	expect(title).toBe('Delete without the trash?');
	expect(lines[0]).toBe('The 4 keys do not fit in the trash, so nothing was deleted.');
	expect(state().bulk.data?.stage.state).toBe('checked');
	type(app, 'LOAD');
	await until(({bulk: {data: bulk}}) => bulk === undefined || bulk.stage.state === 'done');
	await until(isIdle);
	expect(state().keys.data?.index.count).toBe(6);
	await state().review.beginUndo();
	expect(state().dialog.current).toMatchObject({
		failure: {
			message: "u can't undo the last write: bulk delete 4 selected keys, LOAD.",
			details: {why: 'The keys did not go to the trash.'},
		},
	});
});

test('a deletion too large for the trash by default asks, and shows the time needed', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state} = testStore;
	const index = state().keys.data?.index;
	if (!index) throw new TypeError('No namespace is open.');
	Object.defineProperty(index, 'selectedCount', {value: 700_000});
	press(app, 'd');
	const {lines} = getDialog(state(), 'choice');
	expect(lines.slice(-2)).toEqual([
		'More than 10,000 keys go to the trash only if you choose to.',
		'The values of 700,000 keys are read first, to keep copies in the trash: 7,000 calls, 24 min or more.',
	]);
	choose(app, 'none');
	expect(getDialog(state(), 'field').lines).toContain('This cannot be undone: u does not restore them.');
});

test('a namespace is exported before it is deleted, if chosen', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until, folder} = testStore;
	press(app, 'esc');
	expect(getCurrentScreen(state())).toBe('namespaces');
	await until(({namespaces: {data: namespaces}}) => namespaces.reading === 'read');
	const at = state().namespaces.data.rows.findIndex(({title}) => title === 'LOAD');
	press(app, 'g', ...Array.from({length: at}, () => 'down'), 'd');
	expect(getDialog(state(), 'choice').title).toBe('Delete "LOAD"?');
	choose(app, 'export');
	expect(getBufferText(getDialog(state(), 'field').buffer)).toBe('LOAD.ndjson');
	press(app, 'enter');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	expect(readFileSync(join(folder, 'LOAD.ndjson'), 'utf8').trimEnd().split('\n').length).toBe(10);
	expect(getDialog(state(), 'field').lines.at(-1)).toBe(
		`Its keys were exported to ${join(folder, 'LOAD.ndjson')}.`,
	);
	for (const letter of 'LOAD') dispatch(app, {name: letter, text: letter, sequence: letter});
	press(app, 'enter');
	await until(({namespaces: {data: namespaces}}) => !namespaces.rows.some(({title}) => title === 'LOAD'));
});

test('a selected key that is gone by the time of the deletion is counted as such, not as deleted', async () => {
	const testStore = await openFilledNamespace(10);
	const {app, state, until, signal} = testStore;
	await state().keys.data?.opened.store.delete('load:1', signal);
	state().keys.data?.index.selectRange(0, 3, true);
	expect([...(state().keys.data?.index.listSelectedNames() ?? [])]).toContain('load:1');
	press(app, 'd');
	press(app, 'y');
	await until(one => !one.bulk.data && one.messages.latest?.text.startsWith('Deleted') === true);
	expect(state().messages.latest?.text).toMatch(
		/^Deleted 2 of 3 keys in namespace LOAD \(1 did not exist\)\. u restores them;/,
	);
	press(app, 'u');
	await until(({messages: {latest}}) => latest?.text.startsWith('Restored') === true);
	expect(state().messages.latest?.text).toMatch(/^Restored 2 keys into .*LOAD\.$/);
});
