import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {createKey, createTextKey, type Key} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {formatEditorStatus} from '../../../source/screens/edit/assessment.ts';
import {withUnsavedNotice} from '../../../source/screens/edit/unsaved-notice.ts';
import {Editor} from '../../../source/screens/edit/view.tsx';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

/** Chooses an entry of the open menu, as enter does. */
function choose({dialog: {current: dialog, close: closeDialog}}: LedgeState, value: string): void {
	if (dialog?.kind !== 'choice') throw new Error('Nobody is asked anything.');
	closeDialog();
	dialog.choose(value);
}

async function openKey(value: string, name = 'it') {
	const store = createTestStore();
	await store.openNamespace('assets');
	await createOtherPerson(store).put(name, value);
	const person = createEditingPerson(store);
	await person.openKey(name);
	return {...store, person, app: createTestApp(store)};
}

const json = JSON.stringify({name: 'Ada', roles: ['admin', 'ops'], deep: {er: {still: 1}}}, undefined, 2);

test('a field is edited in place, with the result shown above; typing replaces it', async () => {
	const {person, app, state} = await openKey(json);
	person.editField(['roles', 1]);
	expect(draw(app, <Editor />).rows()[6]).toContain('ops   selected: typing replaces it');
	person.press('!');
	const drawn = draw(app, <Editor />);
	expect(drawn.rows().slice(0, 7)).toEqual([
		'   written as "!"',
		'',
		'   ▾ {',
		'       "name": "Ada",',
		'   ▾   "roles": [',
		'         "admin",',
		' ▸       !',
	]);
	expect(formatEditorStatus(state())).toBe('$.roles[1]');
	person.retype('"a');
	await drawn.until(([first]) => first?.includes('written as "\\"a"') === true);
});

test('a field in a collapsed container is shown all the same', async () => {
	const {person, app, state} = await openKey(json);
	state().key.toggleAllFolds();
	state().key.toggleAllFolds();
	person.editField(['deep', 'er', 'still']);
	const drawn = draw(app, <Editor />);
	expect(drawn.rows().join('\n')).toContain('"still": 1');
});

test('text has line numbers, and the cursor stays visible', async () => {
	const lines = Array.from({length: 300}, (_, line) => `line ${line + 1}`).join('\n');
	const {person, app} = await openKey(lines);
	person.editValue();
	const drawn = draw(app, <Editor />);
	expect(drawn.rows()[0]).toBe('   1 line 1');
	person.press('<ctrl-end>');
	await drawn.until(rows => rows.includes(' 300 line 300'));
	expect(drawn.rows()).toHaveLength(20);
});

test('text that is no longer valid JSON is reported without its content', async () => {
	const {person, state} = await openKey(json);
	person.editValue();
	expect(formatEditorStatus(state())).toBe(`JSON, ${json.length} bytes   line 1 of 12`);
	person.press('secret');
	expect(formatEditorStatus(state())).toBe('! not JSON: line 1, column 1: expected a value');
	expect(formatEditorStatus(state())).not.toContain('secret');
});

test('metadata is checked while typing, with its size', async () => {
	const {person, app} = await openKey(json);
	person.editMetadata();
	const drawn = draw(app, <Editor />);
	const getLastRow = () => drawn.rows().findLast(row => row !== '') ?? '';
	expect(getLastRow()).toContain('no metadata');
	person.retype('{"v": 12}');
	await drawn.until(rows => rows.some(row => row.includes('8 of 1,024 bytes')));
	person.retype(`{"v": "${'x'.repeat(1100)}"}`);
	await drawn.until(rows => rows.some(row => row.includes('at most 1024 bytes as JSON; this has 1108')));
	person.retype('[');
	await drawn.until(rows =>
		rows.some(row => row.includes('× At line 1, column 2: expected a value or ], but the text ends')),
	);
});

test('the time of an expiry is shown while typing', async () => {
	const {person, app} = await openKey(json);
	person.editExpiry();
	const drawn = draw(app, <Editor />);
	person.retype('2196-02-03 04:05');
	await drawn.until(rows => rows.some(row => row.includes('It will expire 2196-02-03 04:05 UTC (in ')));
	person.retype('never');
	await drawn.until(rows => rows.some(row => row.includes('It will never expire.')));
	person.retype('2s');
	await drawn.until(rows =>
		rows
			.map(row => row.trim())
			.join(' ')
			.includes('A ttl must be at least 60 seconds; this one is 2.'),
	);
});

describe.each(sizes)('at $columns×$rows', size => {
	const hostileJson = `{"wide 名前 ${'長'.repeat(150)}": "\u202e${'e\u0301👩‍👩‍👧‍👦\\u001b[2J'.repeat(60)}", "n": 1}`;

	test.each([
		'value',
		'field',
		'metadata',
		'expiry',
	] as const)('no line of a %s wraps, wherever the cursor is, and cut text is marked', async what => {
		const {person, app} = await openKey(hostileJson);
		if (what === 'value') person.editValue();
		if (what === 'field') person.editField([Object.keys(JSON.parse(hostileJson))[0] ?? '']);
		if (what === 'metadata') person.editMetadata();
		if (what === 'expiry') person.editExpiry();
		if (what === 'metadata' || what === 'expiry') person.paste('é名👩‍👩‍👧‍👦'.repeat(80));
		const drawn = draw(app, <Editor />, size);
		for (const keys of ['<home>', '<right>'.repeat(70), '<end>', '<left>'.repeat(45)]) {
			person.press(keys);
			const rows = drawn.rows();
			expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
			for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(size.columns);
			expect(rows.join('\n')).toContain('…');
		}
	});
});

describe('keys', () => {
	const press = (app: ReturnType<typeof createTestApp>, ...names: string[]) => {
		for (const name of names) {
			const key: Key = [...name].length === 1 ? createTextKey(name) : createKey(name, '');
			dispatch({...app, actions}, key);
		}
	};

	test('e edits the field, letters are then text, and esc keeps the typed text', async () => {
		const {app, state, person} = await openKey(json);
		press(app, 'j', 'e');
		press(app, 'q', '?', 'd', 'esc');
		expect(state().navigation.stack.at(-1)).toBe('key');
		const status = withUnsavedNotice(() => 'other');
		expect(status(state())).toBe('other   unsaved edit: e continues, X discards');
		press(app, 'e');
		expect(person.getEditorText()).toBe('q?d');
	});

	test('a key right after Esc acts on the screen that Esc leads to', async () => {
		const {app, state} = await openKey(json);
		press(app, 'e', 'x');
		dispatch({...app, actions}, createKey('alt-X', '\u001bX'));
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().dialog.current?.kind).toBe('confirm');
	});

	test('X discards the edit only after a question', async () => {
		const {app, state} = await openKey(json);
		press(app, 'e', 'x', 'esc', 'X');
		expect(state().dialog.current?.kind).toBe('confirm');
		press(app, 'esc');
		expect(state().edits.hasUnsavedEdits()).toBe(true);
		press(app, 'X', 'y');
		expect(state().edits.hasUnsavedEdits()).toBe(false);
	});

	test('quitting with an unsaved edit asks, and says that it is kept', async () => {
		const {app, state} = await openKey(json);
		press(app, 'e', 'x', 'ctrl-c');
		expect(state().dialog.current).toMatchObject({
			kind: 'confirm',
			lines: ['There is an unsaved edit. It is kept as a draft: U opens it, even after a restart.'],
		});
	});

	test('quitting with an edit that cannot be kept says so, and asks', async () => {
		const {app, state, env, folder} = await openKey(json);
		writeFileSync(join(folder, 'file'), '');
		Object.assign(env, {LEDGE_STATE_DIR: join(folder, 'file'), TMPDIR: join(folder, 'file')});
		press(app, 'e', 'x', 'ctrl-c');
		expect(state().dialog.current).toMatchObject({
			kind: 'confirm',
			title: 'Quit ledge and lose what you typed?',
			lines: [expect.stringMatching(/will be LOST: .*ENOTDIR/)],
		});
	});

	test('U and Home continue or discard the text typed for a new key', async () => {
		const {app, state, person, until} = await openKey(json);
		press(app, 'U');
		expect(state().dialog.current).toBeUndefined();
		person.create('newone');
		person.paste('text');
		press(app, 'esc');
		expect(state().messages.latest?.text).toBe(
			'The edit of newone in assets is kept: U continues or discards it.',
		);
		press(app, '0');
		const entry = buildHomeEntries(state()).find(({value}) => value === 'unsaved');
		expect(entry?.label).toMatch(/^Unsaved edits +1: newone in assets \(simulated\)$/);
		press(app, 'U');
		choose(state(), 'on');
		await until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(person.getEditorText()).toBe('text');
		press(app, 'esc', 'U');
		choose(state(), 'discard');
		expect(state().edits.hasUnsavedEdits()).toBe(false);
		expect(buildHomeEntries(state()).some(({value}) => value === 'unsaved')).toBe(false);
	});

	test('e continues an edit of a deleted key', async () => {
		const store = await openKey(json);
		const {app, state, person} = store;
		press(app, 'e', 'x', 'esc');
		const typedSoFar = person.getEditorText();
		await createOtherPerson(store).remove('it');
		await person.openKey('it');
		expect(state().key.data?.wholeKey).toBeUndefined();
		press(app, 'e');
		expect(state().navigation.stack.at(-1)).toBe('editor');
		expect(person.getEditorText()).toBe(typedSoFar);
	});

	test('a asks for a name, refuses an existing one, and warns about white space', async () => {
		const {app, state, until} = await openKey(json, 'there');
		state().navigation.go('keys');
		await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
		press(app, 'a', ...'css/site.css', 'enter');
		expect(state().dialog.current).toMatchObject({
			kind: 'field',
			problem: expect.stringContaining('already'),
		});
		press(app, ' ', 'x', 'enter');
		expect(state().messages.latest).toMatchObject({kind: 'warned'});
		press(app, 'enter');
		expect(state().navigation.stack.at(-1)).toBe('editor');
	});

	test('only one part of a key is edited at a time', async () => {
		const {app, state} = await openKey(json);
		press(app, 'm', '{', 'esc', 'T');
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().messages.latest?.text).toContain('this key has another unsaved edit');
		press(app, 'm');
		expect(state().navigation.stack.at(-1)).toBe('editor');
	});
});
