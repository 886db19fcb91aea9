import {expect, test} from 'vitest';
import {createSplitter} from '../../../source/keyboard/splitter.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentField} from '../../../source/screens/key/slice.ts';
import {formatJsonPath} from '../../../source/screens/key/tree.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

function press(app: App, ...sequences: readonly string[]): void {
	for (const bytes of sequences) {
		const splitter = createSplitter();
		for (const key of [...splitter.push(Buffer.from(bytes)), ...splitter.flush()]) dispatch(app, key);
	}
}

const [esc, enter, tab, reload] = ['\u001b', '\r', '\t', '\u0012'] as const;

/** Opens a namespace as a plain list, with the cursor on the key `name`. */
async function openAtKey(name: string, faults = '', title = 'CONFIG') {
	const store = createTestStore({simulate: true}, {faults});
	const app = createTestApp(store);
	const {state} = store;
	await store.openNamespace(title);
	state().navigation.go('keys');
	state().keys.arrange('flat');
	await store.until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && keys.rows.advance(0));
	state().keys.move((state().keys.data?.index.find(name).position ?? 0) - (state().keys.data?.cursor ?? 0));
	return {...store, app};
}

const isRead = ({key: {data: key}}: LedgeState) => key?.reading === 'read' && key.view !== undefined;
const getFieldPath = (state: LedgeState) => formatJsonPath(getCurrentField(state)?.path ?? ['nowhere']);

test('enter opens the key at once and reads it', async () => {
	const {app, state, until} = await openAtKey('site');
	press(app, enter);
	expect(getCurrentScreen(state())).toBe('key');
	expect(state().key.data).toMatchObject({name: 'site', reading: 'reading'});
	await until(isRead);
	press(app, esc);
	expect(getCurrentScreen(state())).toBe('keys');
	expect(state().key.data).toBeUndefined();
});

test('esc cancels a slow read and goes back', async () => {
	const {app, state, until} = await openAtKey('site', 'hang path=/values/');
	press(app, enter);
	await until(({work: {list: work}}) => work.some(({kind}) => kind === 'read'));
	press(app, esc);
	expect(getCurrentScreen(state())).toBe('keys');
	await until(({messages: {latest: message}}) => message?.text.includes('Stopped') === true);
	expect(state().key.data).toBeUndefined();
});

test('esc during a refresh keeps the value already read', async () => {
	const {app, state, until} = await openAtKey('site', 'hang path=/values/ after=1');
	press(app, enter);
	await until(isRead);
	press(app, reload);
	expect(state().key.data?.reading).toBe('reading');
	press(app, esc);
	await until(isRead);
	expect(getCurrentScreen(state())).toBe('key');
	press(app, esc);
	expect(getCurrentScreen(state())).toBe('keys');
});

test('ctrl-r retries a failed read', async () => {
	const {app, until} = await openAtKey('site', 'status=403 path=/values/ times=1');
	press(app, enter);
	await until(({key: {data: key}}) => key?.reading === 'failed');
	press(app, reload);
	await until(isRead);
});

test('arrow keys and letters move and fold', async () => {
	const {app, state, until} = await openAtKey('site');
	press(app, enter);
	await until(isRead);
	press(app, 'jjj');
	expect(getFieldPath(state())).toBe('$.currencies');
	press(app, '\u001b[D', 'j');
	expect(getFieldPath(state())).toBe('$.support');
	press(app, 'k', enter, 'l');
	expect(getFieldPath(state())).toBe('$.currencies[0]');
	press(app, 'z');
	expect(getFieldPath(state())).toBe('$.currencies');
	press(app, 'G');
	expect(state().key.data?.view?.cursors.json).toBe(5);
});

test('/ searches while typing, enter keeps the search, n finds the next match, esc clears the search before it leaves', async () => {
	const {app, state, until} = await openAtKey('site');
	press(app, enter);
	await until(isRead);
	press(app, '/');
	expect(state().dialog.isFiltering).toBe(true);
	state().dialog.filter('on');
	expect(getFieldPath(state())).toBe('$.support.hours.zone');
	expect(state().dialog.getFilterText()).toBe('on');
	press(app, enter, 'n');
	expect(getFieldPath(state())).toBe('$.support.hours.zone');
	press(app, esc);
	expect(getCurrentScreen(state())).toBe('key');
	press(app, 'n');
	expect(state().messages.latest).toMatchObject({kind: 'warned'});
	press(app, esc);
	expect(getCurrentScreen(state())).toBe('keys');
});

test('esc while typing returns to where the search began', async () => {
	const {app, state, until} = await openAtKey('site');
	press(app, enter);
	await until(isRead);
	press(app, 'j/');
	state().dialog.filter('zone');
	press(app, esc);
	expect(getFieldPath(state())).toBe('$.name');
	expect(state().dialog.isFiltering).toBe(false);
});

test('y copies the text of the field or its source, and Y copies the whole value', async () => {
	const {app, state, until} = await openAtKey('site');
	press(app, enter);
	await until(isRead);
	press(app, 'jyjjy');
	expect(app.copied[0]).toBe('Acme Shop');
	expect(JSON.parse(app.copied[1] ?? '')).toEqual(['EUR', 'GBP', 'USD']);
	press(app, 'Y');
	expect(app.copied[2]).toBe(Buffer.from(state().key.data?.wholeKey?.bytes ?? []).toString());
	press(app, tab, 'y');
	expect(app.copied[3]).toBe('  "currencies": [');
	expect(state().messages.latest).toMatchObject({kind: 'said', text: 'Copied 4.'});
});

test('a line that spans many rows is copied whole', async () => {
	const {app, state, signal, until} = await openAtKey('motd');
	const long = 'x'.repeat(2000);
	await state().keys.data?.opened.store.put('motd', Buffer.from(`one\n${long}\nthree`), {}, signal);
	press(app, enter);
	await until(isRead);
	press(app, 'jjy');
	expect(app.copied).toEqual([long]);
});

test('binary values cannot be copied, and the reason is given', async () => {
	const {app, state, until} = await openAtKey('img/logo.png', '', 'assets');
	press(app, enter);
	await until(isRead);
	press(app, 'yY');
	expect(app.copied).toEqual([]);
	expect(state().messages.latest?.text).toContain('binary');
	press(app, '\u001b[C');
	expect(state().messages.latest).toMatchObject({kind: 'warned'});
});

test('M shows the full name and metadata, and esc hides them', async () => {
	const {app, state, until} = await openAtKey('site');
	press(app, enter);
	await until(isRead);
	press(app, 'F');
	expect(state().key.data?.showsDetails).toBe(true);
	press(app, esc);
	expect(state().key.data?.showsDetails).toBe(false);
	expect(getCurrentScreen(state())).toBe('key');
});
