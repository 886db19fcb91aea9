import {existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {draftDelayMs} from '../../../source/screens/drafts/keeper.ts';
import {maxInlineBytes} from '../../../source/screens/edit/edit.ts';
import {getCurrentUnsavedEdit, listUnsavedEdits} from '../../../source/screens/edit/slice.ts';
import {minMessageMs} from '../../../source/screens/messages/slice.ts';
import {keyForm, saveDraft, toBase64} from '../../../source/state/drafts.ts';
import {createEditingPerson, createOtherPerson, openLocal} from '../support/editing.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const value = '{"name":"Ada",  "n":1.0}\n';

async function openKeyForEdit(options: Parameters<typeof createTestStore>[1] = {}) {
	const testStore = createTestStore({simulate: true}, options);
	await testStore.openNamespace('CONFIG');
	const others = createOtherPerson(testStore);
	const person = createEditingPerson(testStore);
	if (!options.previousStore) await others.put('user:1', value, {metadata: {v: 1}});
	await person.openKey('user:1');
	return {...testStore, others, person};
}

const listDraftFiles = ({folder}: TestStore): string[] => {
	try {
		return readdirSync(join(folder, 'state', 'drafts'));
	} catch {
		return [];
	}
};

const choose = (test: TestStore, choice: string) => {
	const {current: dialog, close: closeDialog} = test.state().dialog;
	if (dialog?.kind !== 'choice') throw new Error('Nobody is asked anything.');
	closeDialog();
	dialog.choose(choice);
};

describe('a field of JSON', () => {
	test.each([
		['name', 'Bea', '{"name":"Bea",  "n":1.0}\n'],
		['name', '"B\\u00e9a"', '{"name":"B\\u00e9a",  "n":1.0}\n'],
		['n', '2.50', '{"name":"Ada",  "n":2.50}\n'],
		['n', '"2"', '{"name":"Ada",  "n":"2"}\n'],
	])('%s becomes %s, and every other byte is unchanged', async (field, typed, expectedText) => {
		const {state, person, others} = await openKeyForEdit();
		person.editField([field]);
		person.retype(typed);
		await state().review.begin();
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe(expectedText);
	});

	test('that is not JSON stays in the editor', async () => {
		const {state, person} = await openKeyForEdit();
		person.editField(['n']);
		person.retype('Ada');
		await state().review.begin();
		expect(state().navigation.stack.at(-1)).toBe('editor');
		expect(state().messages.latest?.text).toContain('This is not JSON');
	});

	test('goes to the review on enter', async () => {
		const {state, person, until} = await openKeyForEdit();
		person.editField(['name']);
		person.press('<end>!<enter>');
		await until(({review: {data: review}}) => review?.phase === 'asking');
		expect(state().navigation.stack.at(-1)).toBe('review');
	});
});

describe('the editor', () => {
	test('keeps the typed text when left, and continues with it', async () => {
		const {state, person} = await openKeyForEdit();
		person.editValue();
		person.retype('new');
		state().edits.leave();
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().messages.latest?.text).toBe(
			'The edit of user:1 in CONFIG is kept: e continues it, X discards it.',
		);
		expect(getCurrentUnsavedEdit(state())?.key).toBe('user:1');
		person.editField(['name']);
		expect(person.getEditorText()).toBe('new');
	});

	test('undoes and redoes', async () => {
		const {person} = await openKeyForEdit();
		person.editValue();
		const before = person.getEditorText();
		person.press('<ctrl-end>{');
		person.press('<ctrl-_>');
		expect(person.getEditorText()).toBe(before);
		person.press('<ctrl-y>');
		expect(person.getEditorText()).toBe(`${before}{`);
	});

	test('forgets an edit that changes nothing in the end', async () => {
		const {state, person} = await openKeyForEdit();
		person.editValue();
		person.press('x<backspace>');
		state().edits.leave();
		expect(state().edits.list).toEqual([]);
		expect(state().edits.hasUnsavedEdits()).toBe(false);
	});

	test('leaves larger values and bytes to $EDITOR', async () => {
		const {state, person, others} = await openKeyForEdit();
		await others.put('large', 'x'.repeat(maxInlineBytes + 1));
		await state().edits.open('large', new AbortController().signal);
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().messages.latest?.text).toContain('$EDITOR');
		await others.put('large', 'x'.repeat(maxInlineBytes));
		await person.openKey('large');
		person.editValue();
		expect(person.getEditorText()).toHaveLength(maxInlineBytes);
	});

	test.each([
		['metadata', '[1]', 'The metadata is not a JSON object.'],
		[
			'metadata',
			'{',
			'The metadata is not valid JSON. At line 1, column 2: expected a name in double quotes or },',
		],
		['metadata', `{"a":"${'é'.repeat(510)}"}`, 'has at most 1024 bytes as JSON; this has 1028.'],
		['expiry', '5s', 'A ttl must be at least 60 seconds; this one is 5.'],
		['expiry', 'soon', '"soon" is not an expiration.'],
	])('reports the problem of %s %s before any question', async (what, typed, problem) => {
		const {state, person} = await openKeyForEdit();
		if (what === 'metadata') person.editMetadata();
		else person.editExpiry();
		person.retype(typed);
		await state().review.begin();
		expect(state().messages.latest?.text).toContain(problem);
		expect(state().review.data).toBeUndefined();
	});

	test('removes metadata when nothing is left in it', async () => {
		const {state, person, others} = await openKeyForEdit();
		person.editMetadata();
		person.retype('');
		await state().review.begin();
		await person.choose('write');
		expect(await others.read('user:1')).toMatchObject({value, metadata: null});
	});
});

describe('drafts', () => {
	beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
	afterEach(() => void vi.useRealTimers());

	/** The text in the only draft; empty if there is none. */
	const readDraftText = (setup: TestStore): string => {
		const [draft] = listDraftFiles(setup).filter(name => name.endsWith('.json'));
		if (draft === undefined) return '';
		const {fields} = JSON.parse(readFileSync(join(setup.folder, 'state', 'drafts', draft), 'utf8'));
		return Buffer.from(fields.base64, 'base64').toString();
	};

	/** Waits for the disk; no time passes for the timers meanwhile. */
	const until = async (condition: () => boolean): Promise<void> => {
		while (!condition()) await new Promise(setImmediate);
	};

	test('are at most a second behind, even without a pause, and unreadable for others', async () => {
		vi.useRealTimers();
		const setup = await openKeyForEdit();
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		setup.person.editValue();
		let typed = '';
		for (let second = 0; second < 15; second++) {
			const textBefore = typed;
			for (let at = 0; at < 6; at++) {
				const letter = String.fromCharCode(97 + (typed.length % 26));
				typed += letter;
				setup.person.press(letter);
				vi.advanceTimersByTime(1000 / 6);
			}
			await setup.state().drafts.waitForWrites();
			// Text typed a second ago is on disk, although a key came every sixth of a second.
			expect(readDraftText(setup)).not.toBe('');
			expect(readDraftText(setup).startsWith(textBefore)).toBe(true);
		}
		vi.advanceTimersByTime(draftDelayMs);
		await until(() => readDraftText(setup).startsWith(typed));
		const [draft] = listDraftFiles(setup);
		expect(statSync(join(setup.folder, 'state', 'drafts', draft ?? '')).mode & 0o777).toBe(0o600);
	});

	test('are saved in the background, without delaying a key', async () => {
		vi.useRealTimers();
		const setup = await openKeyForEdit();
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		setup.person.editValue();
		setup.person.press('abc');
		expect(listDraftFiles(setup)).toEqual([]);
		vi.advanceTimersByTime(draftDelayMs);
		// The draft is written in the background: it is not in place before this event-loop turn ends.
		expect(listDraftFiles(setup).filter(name => name.endsWith('.json'))).toEqual([]);
		await until(() => readDraftText(setup).startsWith('abc'));
	});

	test('that cannot be saved are reported once, and typing continues', async () => {
		vi.useRealTimers();
		const setup = await openKeyForEdit();
		writeFileSync(join(setup.folder, 'file'), '');
		setup.env.LEDGE_STATE_DIR = join(setup.folder, 'file');
		setup.env.TMPDIR = join(setup.folder, 'file');
		const failures: unknown[] = [];
		setup.store.subscribe(({messages: {latest: message}}, before) => {
			if (message?.kind === 'failed' && message !== before.messages.latest)
				failures.push(message.failure.code);
		});
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		setup.person.editValue();
		for (const letter of 'abcdef') {
			setup.person.press(letter);
			vi.advanceTimersByTime(draftDelayMs);
			for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		}
		expect(failures).toEqual(['file_failed']);
		// Typing did not clear the message before it could be read.
		expect(setup.state().messages.latest?.text).toBe('Your input cannot be saved as a draft.');
		setup.advanceClock(minMessageMs);
		setup.person.press('f');
		expect(setup.state().messages.latest).toBeUndefined();
		expect(setup.person.getEditorText()).toMatch(/^abcdeff/);
		setup.env.LEDGE_STATE_DIR = join(setup.folder, 'state');
		setup.person.press('g');
		vi.advanceTimersByTime(draftDelayMs);
		await until(() => readDraftText(setup).startsWith('abcdeffg'));
		setup.env.TMPDIR = setup.folder;
	});

	test('are saved again after someone removed the file, even if nothing was typed since', async () => {
		vi.useRealTimers();
		const setup = await openKeyForEdit();
		setup.person.editValue();
		setup.person.press('a');
		setup.state().edits.saveAllAtExit();
		const [draft = ''] = listDraftFiles(setup);
		const path = join(setup.folder, 'state', 'drafts', draft);
		rmSync(path);
		setup.state().edits.saveAllAtExit();
		expect(existsSync(path)).toBe(true);
	});

	test('that cannot be saved are reported as lasting only until ledge quits', async () => {
		vi.useRealTimers();
		const setup = await openKeyForEdit();
		writeFileSync(join(setup.folder, 'file'), '');
		setup.env.LEDGE_STATE_DIR = join(setup.folder, 'file');
		setup.env.TMPDIR = join(setup.folder, 'file');
		setup.person.editValue();
		setup.person.press('a');
		setup.state().edits.leave();
		expect(setup.state().messages.latest?.text).toMatch(
			/^The edit of user:1 is kept only while ledge runs: ENOTDIR/,
		);
		expect(setup.state().drafts.save()?.code).toBe('file_failed');
		setup.env.TMPDIR = setup.folder;
	});

	test('are removed when the edit is undone or discarded', async () => {
		vi.useRealTimers();
		const setup = await openKeyForEdit();
		setup.person.editValue();
		setup.person.press('a');
		setup.state().edits.saveAllAtExit();
		expect(listDraftFiles(setup)).toHaveLength(1);
		setup.person.press('<backspace>');
		setup.state().edits.saveAllAtExit();
		expect(listDraftFiles(setup)).toEqual([]);
		setup.person.press('b');
		setup.state().edits.saveAllAtExit();
		setup.state().edits.discard(setup.state().edits.currentId ?? '');
		expect(listDraftFiles(setup)).toEqual([]);
		expect(setup.state().navigation.stack.at(-1)).toBe('key');
	});
});

describe('an unfinished edit', () => {
	test('of a new key can be continued from anywhere, with its text', async () => {
		const {state, person, signal, openNamespace} = await openKeyForEdit();
		person.create('newone');
		person.paste('text');
		state().edits.leave();
		await openNamespace('SESSIONS');
		const [edit] = listUnsavedEdits(state());
		await state().edits.reopen(edit?.id ?? '', signal);
		expect(state().navigation.stack).toEqual(['home', 'keys', 'editor']);
		expect(state().keys.data?.namespace.title).toBe('CONFIG');
		expect(person.getEditorText()).toBe('text');
		await state().review.begin();
		await person.choose('write');
		expect(listUnsavedEdits(state())).toEqual([]);
	});
});

describe('the next start of ledge', () => {
	/** Ends a run in the middle of an edit, and starts the next one on the same files. */
	const restartAfterEdit = async (
		edit: (run: Awaited<ReturnType<typeof openKeyForEdit>>) => void | Promise<void>,
	) => {
		const before = await openKeyForEdit();
		await edit(before);
		before.state().edits.saveAllAtExit();
		const after = createTestStore({simulate: true}, {previousStore: before});
		return {before, after, person: createEditingPerson(after)};
	};

	test('offers an unsaved edit, opens it, and drops it once it is written', async () => {
		const {after, person} = await restartAfterEdit(({person}) => {
			person.editField(['name']);
			person.retype('Bea');
		});
		offerDrafts(after);
		expect(after.state().dialog.current).toMatchObject({
			kind: 'choice',
			title: 'Unsaved edit of user:1 in CONFIG (just now)',
		});
		choose(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(after.state().navigation.stack).toEqual(['home', 'keys', 'key', 'editor']);
		expect(person.getEditorText()).toBe(value.replace('Ada', 'Bea'));
		await after.state().review.begin();
		expect(after.state().review.data?.finding?.check.type).toBe('unchanged');
		await person.choose('write');
		expect((await createOtherPerson(after).read('user:1'))?.value).toBe(value.replace('Ada', 'Bea'));
		expect(listDraftFiles(after)).toEqual([]);
	});

	test('notices that the key has changed since, and does not overwrite it automatically', async () => {
		const {after, person} = await restartAfterEdit(async ({person, others}) => {
			person.editValue();
			person.retype('mine');
			await others.put('user:1', 'theirs');
		});
		offerDrafts(after);
		choose(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(after.state().messages.latest?.text).toContain('The key has changed since then');
		await after.state().review.begin();
		expect(after.state().review.data?.finding?.check.type).toBe('changed');
		expect(person.choices()[0]?.kind).toBe('go back');
	});

	test.each([
		'metadata',
		'expiry',
	] as const)('continues an edit of the %s with the current value', async what => {
		const {after, person} = await restartAfterEdit(async ({person, others}) => {
			if (what === 'metadata') person.editMetadata();
			else person.editExpiry();
			person.retype(what === 'metadata' ? '{"v":2}' : '2h');
			await others.put('user:1', 'theirs', {metadata: {v: 1}});
		});
		offerDrafts(after);
		choose(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		await after.state().review.begin();
		await person.choose('write');
		const written = await createOtherPerson(after).read('user:1');
		expect(written).toMatchObject({value: 'theirs', metadata: what === 'metadata' ? {v: 2} : {v: 1}});
		expect(written?.expiration === undefined).toBe(what === 'metadata');
	});

	test('keeps edits for later or discards them, as chosen', async () => {
		const {after} = await restartAfterEdit(({person}) => {
			person.editValue();
			person.retype('one');
			person.create('user:2');
			person.paste('two');
		});
		offerDrafts(after);
		expect(after.state().dialog.current).toMatchObject({title: '2 drafts'});
		const [first, second] = after.state().drafts.list.map(({draft}) => draft.id);
		choose(after, first ?? '');
		choose(after, 'later');
		offerDrafts(after);
		choose(after, second ?? '');
		choose(after, 'discard');
		expect(after.state().dialog.current).toBeUndefined();
		expect(listDraftFiles(after)).toHaveLength(1);
	});

	test('asks before an edit kept for later is started over', async () => {
		const {before} = await restartAfterEdit(({person}) => {
			person.editValue();
			person.retype('kept');
		});
		const after = await openKeyForEdit({previousStore: before});
		after.person.editValue();
		expect(after.state().dialog.current).toMatchObject({kind: 'choice'});
		choose(after, 'on');
		expect(after.person.getEditorText()).toBe('kept');
		await after.state().review.begin();
		await after.person.choose('write');
		expect((await after.others.read('user:1'))?.value).toBe('kept');
		expect(listDraftFiles(after)).toEqual([]);
	});

	/** Gives the only draft to another process, and returns its new path. */
	const assignDraft = (run: TestStore, holder: object): string => {
		const [name = ''] = listDraftFiles(run);
		const path = join(run.folder, 'state', 'drafts', name);
		const theirPath = path.replace(/-[0-9a-f]{12}\.json$/, '-0123456789ab.json');
		writeFileSync(theirPath, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), holder}));
		rmSync(path);
		return theirPath;
	};

	test('offers nothing that another ledge is working on', async () => {
		const {after} = await restartAfterEdit(({person}) => {
			person.editValue();
			person.retype('theirs');
		});
		const path = assignDraft(after, {pid: process.ppid, host: hostname(), started: null});
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		await after.openNamespace('CONFIG');
		const person = createEditingPerson(after);
		await person.openKey('user:1');
		person.editValue();
		expect(after.state().dialog.current).toBeUndefined();
		person.retype('mine');
		after.state().edits.leave();
		expect(listDraftFiles(after)).toHaveLength(2);
		after.state().edits.discard(after.state().edits.currentId ?? '');
		expect(existsSync(path)).toBe(true);
	});

	test('moves a recovered draft to its own file, without a second copy', async () => {
		const {after} = await restartAfterEdit(({person}) => {
			person.editValue();
			person.retype('kept');
		});
		const path = assignDraft(after, {pid: 2 ** 30, host: hostname(), started: null});
		offerDrafts(after);
		choose(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(existsSync(path)).toBe(false);
		expect(listDraftFiles(after)).toHaveLength(1);
	});

	test('offers no draft of local data in another folder, and says where it belongs', async () => {
		const before = createTestStore({persistTo: 'elsewhere'});
		await openLocal(before);
		const person = createEditingPerson(before);
		person.create('there');
		person.paste('text');
		before.state().edits.saveAllAtExit();
		const after = createTestStore({}, {previousStore: before});
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().messages.latest?.text).toMatch(/^1 draft is elsewhere: local data in elsewhere/);
		const secondRestart = createTestStore({persistTo: 'elsewhere'}, {previousStore: before});
		offerDrafts(secondRestart);
		expect(secondRestart.state().dialog.current).toMatchObject({
			lines: [expect.stringMatching(/^A new key, 4 bytes; local data in elsewhere/)],
		});
	});

	test.each([
		['of the active account', {}, true],
		['of another account', {account: 'b'.repeat(32)}, false],
		['of another service', {place: 'https://other.example.test'}, false],
	])('offers a draft %s only where it belongs', async (_what, targetPart, isOffered) => {
		const setup = createTestStore({accountId: 'a'.repeat(32), baseUrl: 'http://127.0.0.1:1/client/v4'});
		const target = {place: 'http://127.0.0.1:1', account: 'a'.repeat(32), namespace: 'n', ...targetPart};
		const base64 = toBase64(Buffer.from('text'));
		const fields = {origin: 'create', base: null, metadata: null, lifetime: 'never', base64};
		saveDraft(setup.env, {form: keyForm, target, label: 'SESSIONS', key: 'k', instance: '', fields});
		await setup.state().connection.loadConnection();
		offerDrafts(setup);
		expect(setup.state().dialog.current !== undefined).toBe(isOffered);
		expect(setup.state().messages.latest?.text).toMatch(
			isOffered ? /^1 draft, U opens it: k in SESSIONS \(account a{5}…a{5}\)\.$/ : /^1 draft is elsewhere: /,
		);
	});

	test('never offers drafts of the simulated service elsewhere', async () => {
		const {before} = await restartAfterEdit(({person}) => {
			person.editValue();
			person.retype('simulated');
		});
		const local = createTestStore({}, {previousStore: before});
		offerDrafts(local);
		expect(local.state().dialog.current).toBeUndefined();
		await openLocal(local);
		const person = createEditingPerson(local);
		person.create('of local data');
		person.paste('local');
		local.state().edits.saveAllAtExit();
		const secondRestart = createTestStore({}, {previousStore: before});
		offerDrafts(secondRestart);
		expect(secondRestart.state().dialog.current).toMatchObject({
			title: 'Unsaved edit of of local data in LOCAL (just now)',
		});
		choose(secondRestart, 'open');
		await secondRestart.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(createEditingPerson(secondRestart).getEditorText()).toBe('local');
	});
});

describe('$EDITOR', () => {
	const lendTerminal = <T>(work: () => Promise<T>): Promise<T> => work();
	const {signal} = new AbortController();

	/** Edits the value with an editor that runs this script; its `file` is the path of the edited file. */
	const withEditor = async (script: string, value?: string) => {
		const setup = await openKeyForEdit();
		if (value !== undefined) {
			await setup.others.put('user:1', value, {metadata: {v: 1}});
			await setup.person.openKey('user:1');
		}
		const program = join(setup.folder, 'editor.cjs');
		writeFileSync(program, `const fs = require('node:fs'); const file = process.argv[2]; ${script}`);
		setup.env.EDITOR = `${process.execPath} ${program}`;
		setup.person.editValue();
		return setup;
	};

	test('passes bytes of any kind to the review', async () => {
		const {state, person, others, until} = await withEditor(
			'fs.writeFileSync(file, Buffer.from([0, 255, 10]));',
		);
		await state().edits.openExternalEditor(lendTerminal, signal);
		await until(({review: {data: review}}) => review?.phase === 'asking');
		expect(state().review.data?.finding?.difference.kind).toBe('sizes');
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe('\0\ufffd\n');
	});

	test('drops the line feed added by the editor', async () => {
		const {state, person, others, until} = await withEditor("fs.writeFileSync(file, 'one line\\n');", 'x');
		await state().edits.openExternalEditor(lendTerminal, signal);
		await until(({review: {data: review}}) => review?.phase === 'asking');
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe('one line');
	});

	test.each([
		'value',
		'metadata',
	] as const)('that only added a line feed to the %s counts as no change', async what => {
		const {state, person} = await withEditor("fs.appendFileSync(file, '\\n');", 'x');
		if (what === 'metadata') {
			state().edits.leave();
			person.editMetadata();
		}
		await state().edits.openExternalEditor(lendTerminal, signal);
		expect(state().messages.latest?.text).toContain('No changes made in the editor');
		expect(state().edits.hasUnsavedEdits()).toBe(false);
	});

	test('says so when it changed nothing', async () => {
		const {state} = await withEditor('');
		await state().edits.openExternalEditor(lendTerminal, signal);
		expect(state().messages.latest?.text).toContain('No changes made in the editor');
		expect(state().edits.hasUnsavedEdits()).toBe(false);
	});

	test('loses no text that was saved before it fails', async () => {
		const {state, person} = await withEditor("fs.writeFileSync(file, 'saved'); process.exit(1);");
		const hasSucceeded = await state().work.run('editing', 'read', running =>
			state().edits.openExternalEditor(lendTerminal, running),
		);
		expect(hasSucceeded).toBe(false);
		expect(state().messages.latest).toMatchObject({kind: 'failed', failure: {code: 'editor_failed'}});
		expect(person.getEditorText()).toBe('saved');
	});

	test('leaves its file as a draft if ledge has to quit meanwhile', async () => {
		const setup = await withEditor("fs.writeFileSync(file, 'half'); setInterval(() => {}, 1000);");
		const editorController = new AbortController();
		onTestFinished(() => editorController.abort());
		const editing = setup
			.state()
			.work.run('editing', 'read', () =>
				setup.state().edits.openExternalEditor(lendTerminal, editorController.signal),
			);
		const readSavedText = () => {
			const [folder = ''] = listDraftFiles(setup).filter(name => name.endsWith('.editor'));
			return readFileSync(join(setup.folder, 'state', 'drafts', folder, 'value.json'), 'utf8');
		};
		await vi.waitUntil(() => listDraftFiles(setup).length > 0 && readSavedText() === 'half');
		setup.state().edits.saveAllAtExit();
		expect(listDraftFiles(setup)).toEqual([expect.stringMatching(/\.json$/)]);
		editorController.abort();
		await editing;
		const after = createTestStore({simulate: true}, {previousStore: setup});
		offerDrafts(after);
		choose(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(createEditingPerson(after).getEditorText()).toBe('half');
	});
});
