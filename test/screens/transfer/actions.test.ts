import {expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

async function openConfig() {
	const testStore = createTestStore();
	await testStore.openNamespace('CONFIG');
	const {state, signal, until} = testStore;
	void state().work.run('listing', 'background', () => state().keys.list(signal));
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	state().navigation.go('keys');
	const app = createTestApp(testStore);
	return {...testStore, press: (name: string) => dispatch(app, {name, text: '', sequence: ''})};
}

type Opened = Awaited<ReturnType<typeof openConfig>>;

/** Copies the selected keys to a new namespace. */
async function copySelection({state, press, signal, until}: Opened): Promise<void> {
	await state().namespaces.create('TARGET', signal);
	const target = state().namespaces.data.rows.find(({title}) => title === 'TARGET');
	press('c');
	choose(state, 'selected');
	await until(({dialog}) => dialog.current?.kind === 'field');
	const field = state().dialog.current;
	state().dialog.close();
	if (field?.kind === 'field') field.submit(target?.name ?? '');
	await until(({dialog}) => dialog.current?.kind === 'choice');
	choose(state, 'missing');
	expect(state().dialog.current?.kind).toBe('confirm');
	expect(state().transfer.data).toBeUndefined();
	state().dialog.submit();
	await until(({transfer: {data: transfer}}) => transfer?.stage.state === 'done');
}

function choose(state: Opened['state'], value: string): void {
	const dialog = state().dialog.current;
	expect(dialog?.kind).toBe('choice');
	state().dialog.close();
	if (dialog?.kind === 'choice') dialog.choose(value);
}

test('after a copy of selected keys, none of them is selected', async () => {
	const opened = await openConfig();
	const {state, until} = opened;
	state().keys.data?.index.selectRange(0, 2, true);
	await copySelection(opened);
	await until(({keys: {data: keys}}) => keys?.index.selectedCount === 0);
});

test('keys selected after the copy was chosen stay selected', async () => {
	const opened = await openConfig();
	const {state, until} = opened;
	state().keys.data?.index.selectRange(0, 1, true);
	const copy = copySelection(opened);
	await until(({transfer: {data: transfer}}) => transfer !== undefined);
	state().keys.data?.index.selectRange(3, 4, true);
	await copy;
	await until(({keys: {data: keys}}) => keys?.index.selectedCount === 1);
	const {index} = state().keys.data ?? {};
	expect([...(index?.listSelectedNames() ?? [])]).toEqual([index?.getName(3)]);
});

test('while keys are selected, the last line begins with what can be done with them', async () => {
	const {state} = await openConfig();
	const listHintedKeys = () => listHintedActions(actions, state()).map(({keys: [key]}) => key);
	expect(listHintedKeys()[0]).toBe('enter');
	state().keys.toggleRowSelection();
	expect(listHintedKeys().slice(0, 4)).toEqual(['esc', 'd', 'x', 'c']);
});

test('u counts the copied keys and names the place without the account', async () => {
	const opened = await openConfig();
	const {state} = opened;
	state().keys.data?.index.selectRange(0, 2, true);
	await copySelection(opened);
	state().keys.data?.index.selectRange(0, 3, true);
	const row = state().keys.data?.namespace;
	const target = state().namespaces.data.rows.find(({title}) => title === 'TARGET');
	if (!row || !target) throw new Error('No namespaces.');
	await state().transfer.copyTo(
		row,
		{kind: 'prefix', prefix: 'limits/'},
		{storeName: target.name, onlyMissing: true},
		opened.signal,
	);
	state().navigation.go('keys');
	opened.press('u');
	expect(state().dialog.current).toMatchObject({
		kind: 'failure',
		failure: {message: "u can't undo the last write: copying 1 key to TARGET."},
	});
});

/** Presses a key in CONFIG, and names a store to copy to or compare with. */
async function nameStore({state, press, until}: Opened, key: string, storeName: string): Promise<void> {
	press(key);
	if (state().dialog.current?.kind === 'choice') choose(state, 'all');
	await until(({dialog}) => dialog.current?.kind === 'field');
	const field = state().dialog.current;
	state().dialog.close();
	if (field?.kind === 'field') field.submit(storeName);
}

const getLines = ({state}: Opened) => {
	const dialog = state().dialog.current;
	return dialog && 'lines' in dialog ? dialog.lines : [];
};

test.each(['listed', 'typed'])('a copy to another jurisdiction says so first (%s)', async how => {
	const opened = await openConfig();
	const {state, signal, until} = opened;
	await state().namespaces.create('acme-eu', signal, 'eu');
	const {name} = state().namespaces.data.rows.find(({title}) => title === 'acme-eu') ?? {name: ''};
	await nameStore(opened, 'c', how === 'listed' ? name : 'acme-eu');
	await until(({dialog}) => dialog.current?.kind === 'choice');
	expect(getLines(opened)).toContain('acme-eu is kept in the EU; CONFIG is not.');
	choose(state, 'all');
	expect(getLines(opened)).toContain('acme-eu is kept in the EU; CONFIG is not.');
	expect(state().transfer.data).toBeUndefined();
});

test('the question for the other store of a copy estimates the time, and advises nothing that is not asked there', async () => {
	const opened = await openConfig();
	const {state, store, signal, until} = opened;
	const row = state().keys.data?.namespace;
	if (row?.id === undefined) throw new Error('No namespace.');
	state().keys.close();
	await state().keys.open({...row, name: 'remote:unlisted'}, signal);
	const value = new Map([[row.id, {keys: 400_000}]]);
	store.setState({metrics: {...state().metrics, storeFigures: {value} as never}});
	opened.press('c');
	await until(({dialog}) => dialog.current?.kind === 'field');
	const text = getLines(opened).join('\n');
	expect(text).toContain('400,000 keys take 4,400 calls');
	expect(text).not.toMatch(/longer prefix|Fewer keys/);
});

test('a comparison with another jurisdiction asks first', async () => {
	const opened = await openConfig();
	const {state, signal, until} = opened;
	await state().namespaces.create('acme-us', signal, 'us');
	await nameStore(opened, '=', 'acme-us');
	await until(({dialog}) => dialog.current?.kind === 'confirm');
	expect(getLines(opened)).toContain('acme-us is kept in the US; CONFIG is not.');
	expect(state().compare.data).toBeUndefined();
	state().dialog.submit();
	await until(({compare: {data: compare}}) => compare?.phase.name === 'done');
});

test('a comparison within a jurisdiction does not ask', async () => {
	const opened = await openConfig();
	await nameStore(opened, '=', 'SESSIONS');
	await opened.until(({compare: {data: compare}}) => compare?.phase.name === 'done');
});

test('on the page of a finished copy, the last line begins with esc, and enter goes back, too', async () => {
	const opened = await openConfig();
	const {state, press} = opened;
	state().keys.data?.index.selectRange(0, 2, true);
	await copySelection(opened);
	expect(getCurrentScreen(state())).toBe('transfer');
	expect(listHintedActions(actions, state())[0]).toMatchObject({keys: ['esc'], hint: 'back'});
	press('enter');
	expect(getCurrentScreen(state())).toBe('keys');
});

test('an export to a .csv file is refused in the field of its name', () => {
	const {state} = createTestStore();
	const {checkNewPath} = state().paths;
	expect(checkNewPath('keys.csv')).toBe('ledge exports NDJSON: use a name such as keys.ndjson.');
	expect(checkNewPath('keys.csv.ndjson')).toBeUndefined();
});

test('without a selection, only the key under the cursor is copied, unless all keys are chosen', async () => {
	const {state, press, until} = await openConfig();
	press('c');
	expect(state().dialog.current).toMatchObject({
		kind: 'choice',
		choices: [{label: 'Only features'}, {label: 'All keys in the namespace'}],
	});
	choose(state, 'key');
	await until(({dialog}) => dialog.current?.kind === 'field');
	expect(state().dialog.current).toMatchObject({title: 'Copy key features of CONFIG into'});
});

test.each([
	{kind: 'key', title: 'Copy 1 key to remote:SESSIONS?', lines: ['features']},
	{kind: 'selected', title: 'Copy 2 keys to remote:SESSIONS?', lines: ['features', 'limits/api']},
])('a copy of missing keys ($kind) is confirmed after what it copies, from where and to where', async one => {
	const opened = await openConfig();
	const {state, until} = opened;
	if (one.kind === 'selected') state().keys.data?.index.selectRange(0, 2, true);
	opened.press('c');
	choose(state, one.kind);
	await until(({dialog}) => dialog.current?.kind === 'field');
	const field = state().dialog.current;
	state().dialog.close();
	if (field?.kind === 'field') field.submit('remote:SESSIONS');
	await until(({dialog}) => dialog.current?.kind === 'choice');
	choose(state, 'missing');
	expect(state().dialog.current).toMatchObject({
		kind: 'confirm',
		title: one.title,
		lines: [...one.lines, 'From CONFIG to remote:SESSIONS. Keys that exist there are not changed.'],
	});
});
