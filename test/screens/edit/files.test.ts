import {chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {createEditingPerson} from '../support/editing.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore} from '../support/store.ts';

const bytes = Buffer.from([0xff, 0, 0x1b, 10, 13, 0x41]);

/** Opens a key with this value, or selects it in the list. A read-only ledge opens `motd` instead. */
async function openKeyOrList(
	where: 'key' | 'keys',
	value: string | Uint8Array,
	options: {readOnly?: boolean} = {},
) {
	const test = createTestStore({simulate: true, ...options});
	const {state, store, folder, until, signal} = test;
	await state().connection.loadConnection();
	await test.openNamespace('CONFIG');
	const configStore = state().keys.data?.opened.store;
	if (!options.readOnly) await configStore?.put('a:file/name', Buffer.from(value), {}, signal);
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const person = createEditingPerson(test);
	if (options.readOnly) await person.openKey('motd');
	else await person.openKey('a:file/name');
	if (where === 'keys') {
		state().navigation.back();
		state().keys.noticeChanges([{name: 'a:file/name'}]);
		state().keys.filter('a:file/name');
	}
	const terminal = {handOver: (work: () => Promise<unknown>) => work()};
	const app = {store, state, actions, terminal} as unknown as App;
	const press = (key: string) => dispatch(app, createKey(key, key));
	const typePath = async (path: string) => {
		await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
		state().dialog.setText(path);
		state().dialog.submit();
	};
	return {...test, person, press, typePath, path: (name: string) => join(folder, name)};
}

describe.each(['key', 'keys'] as const)('from %s', where => {
	test('a value is saved byte for byte, in a file readable only by its owner', async () => {
		const {press, typePath, path, state, until} = await openKeyOrList(where, bytes);
		press('w');
		await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
		expect(state().dialog.current).toMatchObject({buffer: {lines: ['a_file_name.bin']}});
		const field = state().dialog.current;
		expect(field?.kind === 'field' && field.describe?.('out')).toBe(
			`writes ${state().paths.formatInputPath('out')}`,
		);
		await typePath('out');
		expect(readFileSync(path('out'))).toEqual(bytes);
		expect(statSync(path('out')).mode & 0o777).toBe(0o600);
		expect(state().messages.latest?.text).toBe(`Saved 6 bytes of a:file/name to ${path('out')}.`);
	});

	test('a file is replaced only after a question', async () => {
		const {press, typePath, path, state} = await openKeyOrList(where, 'new');
		writeFileSync(path('out'), 'before');
		press('w');
		await typePath('out');
		expect(readFileSync(path('out'), 'utf8')).toBe('before');
		expect(state().dialog.current).toMatchObject({kind: 'confirm', title: 'Replace the file?'});
		state().dialog.submit();
		expect(readFileSync(path('out'), 'utf8')).toBe('new');
	});

	test('a file is loaded into the review, and written byte for byte', async () => {
		const {press, typePath, path, person, until, state, signal} = await openKeyOrList(where, 'before');
		writeFileSync(path('in'), bytes);
		press('o');
		await typePath('in');
		await until(({review: {data: review}}) => review?.phase === 'asking');
		expect(state().navigation.stack.at(-1)).toBe('review');
		await person.choose('write');
		const stored = await state().keys.data?.opened.store.get('a:file/name', signal);
		expect(Buffer.from(stored?.bytes ?? [])).toEqual(bytes);
	});
});

test('a loaded file is kept as a draft', async () => {
	const setup = await openKeyOrList('key', 'before');
	writeFileSync(setup.path('in'), 'loaded');
	setup.press('o');
	await setup.typePath('in');
	await setup.until(({review: {data: review}}) => review?.phase === 'asking');
	const after = createTestStore({simulate: true}, {previousStore: setup});
	offerDrafts(after);
	expect(after.state().dialog.current).toMatchObject({
		kind: 'choice',
		title: expect.stringContaining('a:file/name'),
	});
});

test('nothing is loaded over typed text, nor from a path that is not a file', async () => {
	const {press, state, person, path, until} = await openKeyOrList('key', 'before');
	press('o');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	for (const wrongPath of ['none', '.']) {
		state().dialog.setText(wrongPath);
		state().dialog.submit();
		expect(state().dialog.current).toMatchObject({kind: 'field', problem: expect.any(String)});
	}
	writeFileSync(path('same'), 'before');
	state().dialog.setText('same');
	state().dialog.submit();
	expect(state().messages.latest?.text).toContain('already matches the stored value');
	person.editValue();
	person.retype('typed');
	state().edits.leave();
	press('o');
	expect(state().dialog.current).toBeUndefined();
	expect(state().messages.latest?.text).toContain('this key has an unsaved edit');
});

test('a file of 25 MiB is loaded, but none larger', async () => {
	const {press, typePath, path, state, until} = await openKeyOrList('key', 'before');
	writeFileSync(path('large'), '');
	truncateSync(path('large'), 26_214_401);
	press('o');
	await typePath('large');
	expect(state().messages.latest).toMatchObject({kind: 'failed', failure: {code: 'limit'}});
	expect(state().edits.list).toEqual([]);
	truncateSync(path('large'), 26_214_400);
	press('o');
	await typePath('large');
	await until(({review: {data: review}}) => review?.phase === 'asking');
});

test('a missing folder is reported, and not created', async () => {
	const {press, typePath, state, folder} = await openKeyOrList('key', 'value');
	chmodSync(folder, 0o755);
	press('w');
	await typePath('no/such/folder');
	expect(state().dialog.current).toMatchObject({problem: 'No such folder.'});
	expect(existsSync(join(folder, 'no'))).toBe(false);
});

test('a read-only ledge saves a value, but loads none', async () => {
	const {press, typePath, path, state} = await openKeyOrList('key', '', {readOnly: true});
	press('w');
	await typePath('out');
	expect(existsSync(path('out'))).toBe(true);
	press('o');
	expect(state().dialog.current).toBeUndefined();
	expect(state().messages.latest?.text).toContain('read-only');
});

describe('the pager', () => {
	/** Opens the value in a pager that records its input, and the variable LESSSECURE. */
	async function openPager(value: string | Uint8Array) {
		const setup = await openKeyOrList('key', value);
		const program = setup.path('pager.cjs');
		writeFileSync(
			program,
			`const fs = require('node:fs'); fs.writeFileSync(${JSON.stringify(setup.path('shown'))}, fs.readFileSync(0)); fs.writeFileSync(${JSON.stringify(setup.path('secure'))}, process.env.LESSSECURE ?? '');`,
		);
		setup.env.PAGER = `${process.execPath} ${program}`;
		setup.press('P');
		await setup.until(({work: {list: work}}) => work.some(({label}) => label.includes('$PAGER')));
		await setup.until(({work: {list: work}}) => !work.some(({label}) => label.includes('$PAGER')));
		return {...setup, text: () => readFileSync(setup.path('shown'), 'utf8')};
	}

	test('shows the whole text, including long lines, without control sequences', async () => {
		const long = 'ä'.repeat(2000);
		const {text, path} = await openPager(`one\ttwo\n\n${long}\n\u001b]52;c;x\u0007end`);
		expect(text()).toBe(`one\ttwo\n\n${long}\n\\x1b]52;c;x\\x07end\n`);
		expect(readFileSync(path('secure'), 'utf8')).toBe('1');
	});

	test('shows binary data in hex', async () => {
		const {text} = await openPager(bytes);
		expect(text()).toMatch(/^00000000 {2}ff 00 1b 0a 0d 41 +\.\.\.\.\.A\n$/);
	});

	test('that exits early or does not exist causes no crash', async () => {
		const setup = await openKeyOrList('key', 'x\n'.repeat(100_000));
		const runPager = () =>
			setup.state().work.run('paging', 'read', () => setup.state().files.openPager(work => work()));
		setup.env.PAGER = `${process.execPath} -e process.exit(0)`;
		expect(await runPager()).toBe(true);
		setup.env.PAGER = '/no/such/pager';
		expect(await runPager()).toBe(false);
		expect(setup.state().messages.latest).toMatchObject({failure: {code: 'pager_failed'}});
	});
});
