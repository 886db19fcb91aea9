import {chmodSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {personAt} from '../support/editing.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore} from '../support/store.ts';

const bytes = Buffer.from([0xff, 0, 0x1b, 10, 13, 0x41]);

/** A key of CONFIG with this value, open, or under the cursor of the list. */
async function at(where: 'key' | 'keys', value: string | Uint8Array, options: {readOnly?: boolean} = {}) {
	const test = createTestStore({simulate: true, ...options});
	const {state, store, folder, until, signal} = test;
	await state().connection.loadConnection();
	await test.openNamespace('CONFIG');
	const opened = state().keys.data?.opened.store;
	if (!options.readOnly) await opened?.put('a:file/name', Buffer.from(value), {}, signal);
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const person = personAt(test);
	if (options.readOnly) await person.openKey('motd');
	else await person.openKey('a:file/name');
	if (where === 'keys') {
		state().navigation.back();
		state().keys.noticeChange({name: 'a:file/name'});
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
		const {press, typePath, path, state, until} = await at(where, bytes);
		press('w');
		await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
		expect(state().dialog.current).toMatchObject({buffer: {lines: ['a_file_name.bin']}});
		await typePath('out');
		expect(readFileSync(path('out'))).toEqual(bytes);
		expect(statSync(path('out')).mode & 0o777).toBe(0o600);
		expect(state().messages.latest?.text).toBe(`Saved 6 bytes of a:file/name to ${path('out')}.`);
	});

	test('a file is replaced only after a question', async () => {
		const {press, typePath, path, state} = await at(where, 'new');
		writeFileSync(path('out'), 'before');
		press('w');
		await typePath('out');
		expect(readFileSync(path('out'), 'utf8')).toBe('before');
		expect(state().dialog.current).toMatchObject({kind: 'confirm', title: 'Replace the file?'});
		state().dialog.submit();
		expect(readFileSync(path('out'), 'utf8')).toBe('new');
	});

	test('a file is loaded into the review, and written byte for byte', async () => {
		const {press, typePath, path, person, until, state, signal} = await at(where, 'before');
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
	const here = await at('key', 'before');
	writeFileSync(here.path('in'), 'loaded');
	here.press('o');
	await here.typePath('in');
	await here.until(({review: {data: review}}) => review?.phase === 'asking');
	const after = createTestStore({simulate: true}, {after: here});
	offerDrafts(after);
	expect(after.state().dialog.current).toMatchObject({
		kind: 'choice',
		title: expect.stringContaining('a:file/name'),
	});
});

test('nothing is loaded over typed text, nor from a path that is not a file', async () => {
	const {press, state, person, path, until} = await at('key', 'before');
	press('o');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
	for (const wrong of ['none', '.']) {
		state().dialog.setText(wrong);
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
	const {press, typePath, path, state, until} = await at('key', 'before');
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

test('a folder that is not writable is reported, and nothing is left there', async () => {
	const {press, typePath, state, folder} = await at('key', 'value');
	chmodSync(folder, 0o755);
	press('w');
	await typePath('no/such/folder');
	expect(state().dialog.current).toMatchObject({problem: 'No such folder.'});
	expect(existsSync(join(folder, 'no'))).toBe(false);
});

test('a read-only ledge saves a value, but loads none', async () => {
	const {press, typePath, path, state} = await at('key', '', {readOnly: true});
	press('w');
	await typePath('out');
	expect(existsSync(path('out'))).toBe(true);
	press('o');
	expect(state().dialog.current).toBeUndefined();
	expect(state().messages.latest?.text).toContain('read-only');
});

describe('the pager', () => {
	/** A pager that keeps what it is given, and how less is held. */
	async function shown(value: string | Uint8Array) {
		const here = await at('key', value);
		const program = here.path('pager.cjs');
		writeFileSync(
			program,
			`const fs = require('node:fs'); fs.writeFileSync(${JSON.stringify(here.path('shown'))}, fs.readFileSync(0)); fs.writeFileSync(${JSON.stringify(here.path('secure'))}, process.env.LESSSECURE ?? '');`,
		);
		here.env.PAGER = `${process.execPath} ${program}`;
		here.press('P');
		await here.until(({work: {list: work}}) => work.some(({label}) => label.includes('$PAGER')));
		await here.until(({work: {list: work}}) => !work.some(({label}) => label.includes('$PAGER')));
		return {...here, text: () => readFileSync(here.path('shown'), 'utf8')};
	}

	test('shows the whole text, including long lines, without control sequences', async () => {
		const long = 'ä'.repeat(2000);
		const {text, path} = await shown(`one\ttwo\n\n${long}\n\u001b]52;c;x\u0007end`);
		expect(text()).toBe(`one\ttwo\n\n${long}\n\\x1b]52;c;x\\x07end\n`);
		expect(readFileSync(path('secure'), 'utf8')).toBe('1');
	});

	test('shows binary data in hex', async () => {
		const {text} = await shown(bytes);
		expect(text()).toMatch(/^00000000 {2}ff 00 1b 0a 0d 41 +\.\.\.\.\.A\n$/);
	});

	test('that exits early or does not exist causes no crash', async () => {
		const here = await at('key', 'x\n'.repeat(100_000));
		const page = () =>
			here.state().work.run('paging', 'read', () => here.state().files.openPager(work => work()));
		here.env.PAGER = `${process.execPath} -e process.exit(0)`;
		expect(await page()).toBe(true);
		here.env.PAGER = '/no/such/pager';
		expect(await page()).toBe(false);
		expect(here.state().messages.latest).toMatchObject({failure: {code: 'pager_failed'}});
	});
});
