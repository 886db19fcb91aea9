import {existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {draftDelayMs} from '../../../source/screens/drafts/keeper.ts';
import {maxInlineBytes} from '../../../source/screens/edit/edit.ts';
import {getCurrentUnsavedEdit, listUnsavedEdits} from '../../../source/screens/edit/slice.ts';
import {minMessageMs} from '../../../source/screens/messages/slice.ts';
import {keyForm, saveDraft, toBase64} from '../../../source/state/drafts.ts';
import {openLocal, personAt, someoneElse} from '../support/editing.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const value = '{"name":"Ada",  "n":1.0}\n';

async function begun(options: Parameters<typeof createTestStore>[1] = {}) {
	const begunStore = createTestStore({simulate: true}, options);
	await begunStore.openNamespace('CONFIG');
	const others = someoneElse(begunStore);
	const person = personAt(begunStore);
	if (!options.after) await others.put('user:1', value, {metadata: {v: 1}});
	await person.openKey('user:1');
	return {...begunStore, others, person};
}

const draftFiles = ({folder}: TestStore): string[] => {
	try {
		return readdirSync(join(folder, 'state', 'drafts'));
	} catch {
		return [];
	}
};

const chosen = (test: TestStore, choice: string) => {
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
	])('%s becomes %s, and every other byte is unchanged', async (field, typed, written) => {
		const {state, person, others} = await begun();
		person.editField([field]);
		person.retype(typed);
		await state().review.begin();
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe(written);
	});

	test('that is not JSON stays in the editor', async () => {
		const {state, person} = await begun();
		person.editField(['n']);
		person.retype('Ada');
		await state().review.begin();
		expect(state().navigation.stack.at(-1)).toBe('editor');
		expect(state().messages.latest?.text).toContain('This is not JSON');
	});

	test('goes to the review on enter', async () => {
		const {state, person, until} = await begun();
		person.editField(['name']);
		person.press('<end>!<enter>');
		await until(({review: {data: review}}) => review?.phase === 'asking');
		expect(state().navigation.stack.at(-1)).toBe('review');
	});
});

describe('the editor', () => {
	test('keeps the typed text when left, and continues with it', async () => {
		const {state, person} = await begun();
		person.editValue();
		person.retype('new');
		state().edits.leave();
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().messages.latest?.text).toBe(
			'The edit of user:1 in CONFIG is kept: e continues it, X discards it.',
		);
		expect(getCurrentUnsavedEdit(state())?.key).toBe('user:1');
		person.editField(['name']);
		expect(person.inEditor()).toBe('new');
	});

	test('undoes and redoes', async () => {
		const {person} = await begun();
		person.editValue();
		const before = person.inEditor();
		person.press('<ctrl-end>{');
		person.press('<ctrl-_>');
		expect(person.inEditor()).toBe(before);
		person.press('<ctrl-y>');
		expect(person.inEditor()).toBe(`${before}{`);
	});

	test('forgets an edit that changes nothing in the end', async () => {
		const {state, person} = await begun();
		person.editValue();
		person.press('x<backspace>');
		state().edits.leave();
		expect(state().edits.list).toEqual([]);
		expect(state().edits.hasUnsavedEdits()).toBe(false);
	});

	test('leaves larger values and bytes to $EDITOR', async () => {
		const {state, person, others} = await begun();
		await others.put('large', 'x'.repeat(maxInlineBytes + 1));
		await state().edits.open('large', new AbortController().signal);
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().messages.latest?.text).toContain('$EDITOR');
		await others.put('large', 'x'.repeat(maxInlineBytes));
		await person.openKey('large');
		person.editValue();
		expect(person.inEditor()).toHaveLength(maxInlineBytes);
	});

	test.each([
		['metadata', '[1]', 'The metadata is not a JSON object.'],
		['metadata', '{', 'The metadata is not valid JSON.'],
		['metadata', `{"a":"${'é'.repeat(510)}"}`, 'has at most 1024 bytes as JSON; this has 1028.'],
		['expiry', '5s', 'A ttl must be at least 60 seconds; this one is 5.'],
		['expiry', 'soon', '"soon" is not an expiration.'],
	])('reports the problem of %s %s before any question', async (what, typed, problem) => {
		const {state, person} = await begun();
		if (what === 'metadata') person.editMetadata();
		else person.editExpiry();
		person.retype(typed);
		await state().review.begin();
		expect(state().messages.latest?.text).toContain(problem);
		expect(state().review.data).toBeUndefined();
	});

	test('removes metadata when nothing is left in it', async () => {
		const {state, person, others} = await begun();
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

	/** What the only draft holds now. */
	const inDraft = (here: TestStore): string => {
		const [draft] = draftFiles(here).filter(name => name.endsWith('.json'));
		if (draft === undefined) return '';
		const {fields} = JSON.parse(readFileSync(join(here.folder, 'state', 'drafts', draft), 'utf8'));
		return Buffer.from(fields.base64, 'base64').toString();
	};

	/** Waits for the disk; no time passes for the timers meanwhile. */
	const until = async (condition: () => boolean): Promise<void> => {
		while (!condition()) await new Promise(setImmediate);
	};

	test('are at most a second behind, even without a pause, and unreadable for others', async () => {
		vi.useRealTimers();
		const here = await begun();
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		here.person.editValue();
		let typed = '';
		for (let second = 0; second < 15; second++) {
			const before = typed;
			for (let at = 0; at < 6; at++) {
				const letter = String.fromCharCode(97 + (typed.length % 26));
				typed += letter;
				here.person.press(letter);
				vi.advanceTimersByTime(1000 / 6);
			}
			await here.state().drafts.waitForWrites();
			// What was there a second ago is on disk, although a key came every sixth of a second.
			expect(inDraft(here)).not.toBe('');
			expect(inDraft(here).startsWith(before)).toBe(true);
		}
		vi.advanceTimersByTime(draftDelayMs);
		await until(() => inDraft(here).startsWith(typed));
		const [draft] = draftFiles(here);
		expect(statSync(join(here.folder, 'state', 'drafts', draft ?? '')).mode & 0o777).toBe(0o600);
	});

	test('are saved in the background, without delaying a key', async () => {
		vi.useRealTimers();
		const here = await begun();
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		here.person.editValue();
		here.person.press('abc');
		expect(draftFiles(here)).toEqual([]);
		vi.advanceTimersByTime(draftDelayMs);
		// The disk is waited for in the background: nothing is in place before this turn ends.
		expect(draftFiles(here).filter(name => name.endsWith('.json'))).toEqual([]);
		await until(() => inDraft(here).startsWith('abc'));
	});

	test('that cannot be saved are reported once, and typing continues', async () => {
		vi.useRealTimers();
		const here = await begun();
		writeFileSync(join(here.folder, 'file'), '');
		here.env.LEDGE_STATE_DIR = join(here.folder, 'file');
		here.env.TMPDIR = join(here.folder, 'file');
		const failures: unknown[] = [];
		here.store.subscribe(({messages: {latest: message}}, before) => {
			if (message?.kind === 'failed' && message !== before.messages.latest)
				failures.push(message.failure.code);
		});
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		here.person.editValue();
		for (const letter of 'abcdef') {
			here.person.press(letter);
			vi.advanceTimersByTime(draftDelayMs);
			for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
		}
		expect(failures).toEqual(['file_failed']);
		// No key took it away before it could be read.
		expect(here.state().messages.latest?.text).toBe('Your input cannot be saved as a draft.');
		here.passes(minMessageMs);
		here.person.press('f');
		expect(here.state().messages.latest).toBeUndefined();
		expect(here.person.inEditor()).toMatch(/^abcdeff/);
		here.env.LEDGE_STATE_DIR = join(here.folder, 'state');
		here.person.press('g');
		vi.advanceTimersByTime(draftDelayMs);
		await until(() => inDraft(here).startsWith('abcdeffg'));
		here.env.TMPDIR = here.folder;
	});

	test('are saved again after someone removed the file, even if nothing was typed since', async () => {
		vi.useRealTimers();
		const here = await begun();
		here.person.editValue();
		here.person.press('a');
		here.state().edits.saveAllAtExit();
		const [draft = ''] = draftFiles(here);
		const path = join(here.folder, 'state', 'drafts', draft);
		rmSync(path);
		here.state().edits.saveAllAtExit();
		expect(existsSync(path)).toBe(true);
	});

	test('that cannot be saved are reported as lasting only until ledge quits', async () => {
		vi.useRealTimers();
		const here = await begun();
		writeFileSync(join(here.folder, 'file'), '');
		here.env.LEDGE_STATE_DIR = join(here.folder, 'file');
		here.env.TMPDIR = join(here.folder, 'file');
		here.person.editValue();
		here.person.press('a');
		here.state().edits.leave();
		expect(here.state().messages.latest?.text).toMatch(
			/^The edit of user:1 is kept only while ledge runs: ENOTDIR/,
		);
		expect(here.state().drafts.save()?.code).toBe('file_failed');
		here.env.TMPDIR = here.folder;
	});

	test('are removed when the edit is undone or discarded', async () => {
		vi.useRealTimers();
		const here = await begun();
		here.person.editValue();
		here.person.press('a');
		here.state().edits.saveAllAtExit();
		expect(draftFiles(here)).toHaveLength(1);
		here.person.press('<backspace>');
		here.state().edits.saveAllAtExit();
		expect(draftFiles(here)).toEqual([]);
		here.person.press('b');
		here.state().edits.saveAllAtExit();
		here.state().edits.discard(here.state().edits.currentId ?? '');
		expect(draftFiles(here)).toEqual([]);
		expect(here.state().navigation.stack.at(-1)).toBe('key');
	});
});

describe('an unfinished edit', () => {
	test('of a new key can be continued from anywhere, with its text', async () => {
		const {state, person, signal, openNamespace} = await begun();
		person.create('newone');
		person.paste('text');
		state().edits.leave();
		await openNamespace('SESSIONS');
		const [edit] = listUnsavedEdits(state());
		await state().edits.reopen(edit?.id ?? '', signal);
		expect(state().navigation.stack).toEqual(['home', 'keys', 'editor']);
		expect(state().keys.data?.namespace.title).toBe('CONFIG');
		expect(person.inEditor()).toBe('text');
		await state().review.begin();
		await person.choose('write');
		expect(listUnsavedEdits(state())).toEqual([]);
	});
});

describe('the next start of ledge', () => {
	/** A run that ended in the middle of an edit, and the one after it. */
	const restarted = async (edit: (run: Awaited<ReturnType<typeof begun>>) => void | Promise<void>) => {
		const before = await begun();
		await edit(before);
		before.state().edits.saveAllAtExit();
		const after = createTestStore({simulate: true}, {after: before});
		return {before, after, person: personAt(after)};
	};

	test('offers an unsaved edit, opens it, and drops it once it is written', async () => {
		const {after, person} = await restarted(({person}) => {
			person.editField(['name']);
			person.retype('Bea');
		});
		offerDrafts(after);
		expect(after.state().dialog.current).toMatchObject({
			kind: 'choice',
			title: 'Unsaved edit of user:1 in CONFIG (just now)',
		});
		chosen(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(after.state().navigation.stack).toEqual(['home', 'keys', 'key', 'editor']);
		expect(person.inEditor()).toBe(value.replace('Ada', 'Bea'));
		await after.state().review.begin();
		expect(after.state().review.data?.finding?.check.type).toBe('unchanged');
		await person.choose('write');
		expect((await someoneElse(after).read('user:1'))?.value).toBe(value.replace('Ada', 'Bea'));
		expect(draftFiles(after)).toEqual([]);
	});

	test('notices that the key has changed since, and does not overwrite it automatically', async () => {
		const {after, person} = await restarted(async ({person, others}) => {
			person.editValue();
			person.retype('mine');
			await others.put('user:1', 'theirs');
		});
		offerDrafts(after);
		chosen(after, 'open');
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
		const {after, person} = await restarted(async ({person, others}) => {
			if (what === 'metadata') person.editMetadata();
			else person.editExpiry();
			person.retype(what === 'metadata' ? '{"v":2}' : '2h');
			await others.put('user:1', 'theirs', {metadata: {v: 1}});
		});
		offerDrafts(after);
		chosen(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		await after.state().review.begin();
		await person.choose('write');
		const written = await someoneElse(after).read('user:1');
		expect(written).toMatchObject({value: 'theirs', metadata: what === 'metadata' ? {v: 2} : {v: 1}});
		expect(written?.expiration === undefined).toBe(what === 'metadata');
	});

	test('keeps edits for later or discards them, as chosen', async () => {
		const {after} = await restarted(({person}) => {
			person.editValue();
			person.retype('one');
			person.create('user:2');
			person.paste('two');
		});
		offerDrafts(after);
		expect(after.state().dialog.current).toMatchObject({title: '2 drafts'});
		const [first, second] = after.state().drafts.list.map(({draft}) => draft.id);
		chosen(after, first ?? '');
		chosen(after, 'later');
		offerDrafts(after);
		chosen(after, second ?? '');
		chosen(after, 'discard');
		expect(after.state().dialog.current).toBeUndefined();
		expect(draftFiles(after)).toHaveLength(1);
	});

	test('asks before an edit kept for later is started over', async () => {
		const {before} = await restarted(({person}) => {
			person.editValue();
			person.retype('kept');
		});
		const after = await begun({after: before});
		after.person.editValue();
		expect(after.state().dialog.current).toMatchObject({kind: 'choice'});
		chosen(after, 'on');
		expect(after.person.inEditor()).toBe('kept');
		await after.state().review.begin();
		await after.person.choose('write');
		expect((await after.others.read('user:1'))?.value).toBe('kept');
		expect(draftFiles(after)).toEqual([]);
	});

	/** Makes the draft that is there one of another process. */
	const giveAway = (run: TestStore, holder: object): string => {
		const [name = ''] = draftFiles(run);
		const path = join(run.folder, 'state', 'drafts', name);
		const theirs = path.replace(/-[0-9a-f]{12}\.json$/, '-0123456789ab.json');
		writeFileSync(theirs, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), holder}));
		rmSync(path);
		return theirs;
	};

	test('offers nothing that another ledge is working on', async () => {
		const {after} = await restarted(({person}) => {
			person.editValue();
			person.retype('theirs');
		});
		const path = giveAway(after, {pid: process.ppid, host: hostname(), started: null});
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		await after.openNamespace('CONFIG');
		const person = personAt(after);
		await person.openKey('user:1');
		person.editValue();
		expect(after.state().dialog.current).toBeUndefined();
		person.retype('mine');
		after.state().edits.leave();
		expect(draftFiles(after)).toHaveLength(2);
		after.state().edits.discard(after.state().edits.currentId ?? '');
		expect(existsSync(path)).toBe(true);
	});

	test('moves a recovered draft to its own file, without a second copy', async () => {
		const {after} = await restarted(({person}) => {
			person.editValue();
			person.retype('kept');
		});
		const path = giveAway(after, {pid: 2 ** 30, host: hostname(), started: null});
		offerDrafts(after);
		chosen(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(existsSync(path)).toBe(false);
		expect(draftFiles(after)).toHaveLength(1);
	});

	test('offers no draft of local data in another folder, and says where it belongs', async () => {
		const before = createTestStore({persistTo: 'elsewhere'});
		await openLocal(before);
		const person = personAt(before);
		person.create('there');
		person.paste('text');
		before.state().edits.saveAllAtExit();
		const after = createTestStore({}, {after: before});
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().messages.latest?.text).toMatch(/^1 draft is elsewhere: local data in elsewhere/);
		const again = createTestStore({persistTo: 'elsewhere'}, {after: before});
		offerDrafts(again);
		expect(again.state().dialog.current).toMatchObject({
			lines: [expect.stringMatching(/^A new key, 4 bytes; local data in elsewhere/)],
		});
	});

	test.each([
		['of the account in force', {}, true],
		['of another account', {account: 'b'.repeat(32)}, false],
		['of another service', {place: 'https://other.example.test'}, false],
	])('with a draft %s offers it only in its own place', async (_what, part, offered) => {
		const here = createTestStore({accountId: 'a'.repeat(32), baseUrl: 'http://127.0.0.1:1/client/v4'});
		const target = {place: 'http://127.0.0.1:1', account: 'a'.repeat(32), namespace: 'n', ...part};
		const base64 = toBase64(Buffer.from('text'));
		const fields = {origin: 'create', base: null, metadata: null, lifetime: 'never', base64};
		saveDraft(here.env, {form: keyForm, target, label: 'SESSIONS', key: 'k', instance: '', fields});
		await here.state().connection.loadConnection();
		offerDrafts(here);
		expect(here.state().dialog.current !== undefined).toBe(offered);
		expect(here.state().messages.latest?.text).toMatch(
			offered ? /^1 draft, U opens it: k in SESSIONS \(account a{5}…a{5}\)\.$/ : /^1 draft is elsewhere: /,
		);
	});

	test('never offers drafts of the simulated service elsewhere, or other drafts there', async () => {
		const {before} = await restarted(({person}) => {
			person.editValue();
			person.retype('simulated');
		});
		const local = createTestStore({}, {after: before});
		offerDrafts(local);
		expect(local.state().dialog.current).toBeUndefined();
		await openLocal(local);
		const person = personAt(local);
		person.create('of local data');
		person.paste('local');
		local.state().edits.saveAllAtExit();
		const again = createTestStore({}, {after: before});
		offerDrafts(again);
		expect(again.state().dialog.current).toMatchObject({
			title: 'Unsaved edit of of local data in LOCAL (just now)',
		});
		chosen(again, 'open');
		await again.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(personAt(again).inEditor()).toBe('local');
	});
});

describe('$EDITOR', () => {
	const lend = <T>(work: () => Promise<T>): Promise<T> => work();
	const {signal} = new AbortController();

	/** An editor that runs these lines with the file in `file`. */
	const withEditor = async (script: string, value?: string) => {
		const here = await begun();
		if (value !== undefined) {
			await here.others.put('user:1', value, {metadata: {v: 1}});
			await here.person.openKey('user:1');
		}
		const program = join(here.folder, 'editor.cjs');
		writeFileSync(program, `const fs = require('node:fs'); const file = process.argv[2]; ${script}`);
		here.env.EDITOR = `${process.execPath} ${program}`;
		here.person.editValue();
		return here;
	};

	test('passes bytes of any kind to the review', async () => {
		const {state, person, others, until} = await withEditor(
			'fs.writeFileSync(file, Buffer.from([0, 255, 10]));',
		);
		await state().edits.openExternalEditor(lend, signal);
		await until(({review: {data: review}}) => review?.phase === 'asking');
		expect(state().review.data?.finding?.difference.kind).toBe('sizes');
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe('\0\ufffd\n');
	});

	test('drops the line feed added by the editor', async () => {
		const {state, person, others, until} = await withEditor("fs.writeFileSync(file, 'one line\\n');", 'x');
		await state().edits.openExternalEditor(lend, signal);
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
		await state().edits.openExternalEditor(lend, signal);
		expect(state().messages.latest?.text).toContain('No changes made in the editor');
		expect(state().edits.hasUnsavedEdits()).toBe(false);
	});

	test('says so when it changed nothing', async () => {
		const {state} = await withEditor('');
		await state().edits.openExternalEditor(lend, signal);
		expect(state().messages.latest?.text).toContain('No changes made in the editor');
		expect(state().edits.hasUnsavedEdits()).toBe(false);
	});

	test('loses nothing that was saved in it when it fails', async () => {
		const {state, person} = await withEditor("fs.writeFileSync(file, 'saved'); process.exit(1);");
		const ended = await state().work.run('editing', 'read', running =>
			state().edits.openExternalEditor(lend, running),
		);
		expect(ended).toBe(false);
		expect(state().messages.latest).toMatchObject({kind: 'failed', failure: {code: 'editor_failed'}});
		expect(person.inEditor()).toBe('saved');
	});

	test('leaves its file as a draft if ledge has to quit meanwhile', async () => {
		const here = await withEditor("fs.writeFileSync(file, 'half'); setInterval(() => {}, 1000);");
		const stopped = new AbortController();
		onTestFinished(() => stopped.abort());
		const editing = here
			.state()
			.work.run('editing', 'read', () => here.state().edits.openExternalEditor(lend, stopped.signal));
		const saved = () => {
			const [folder = ''] = draftFiles(here).filter(name => name.endsWith('.editor'));
			return readFileSync(join(here.folder, 'state', 'drafts', folder, 'value.json'), 'utf8');
		};
		await vi.waitUntil(() => draftFiles(here).length > 0 && saved() === 'half');
		here.state().edits.saveAllAtExit();
		expect(draftFiles(here)).toEqual([expect.stringMatching(/\.json$/)]);
		stopped.abort();
		await editing;
		const after = createTestStore({simulate: true}, {after: here});
		offerDrafts(after);
		chosen(after, 'open');
		await after.until(({navigation: {stack}}) => stack.at(-1) === 'editor');
		expect(personAt(after).inEditor()).toBe('half');
	});
});
