import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {hostname} from 'node:os';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {parseEditDraft, toEditDraft, type UnsavedEdit} from '../../source/kv/change/edit-draft.ts';
import {
	type Draft,
	dropDraft,
	findDraft,
	getDraftBytes,
	keyForm,
	type ListedDraft,
	listDrafts,
	type NewDraft,
	saveDraft,
	saveDraftBytes,
	saveDraftLater,
	setDraftAside,
	toBase64,
} from '../../source/state/drafts.ts';
import {openEditorFolder, recoverEditorFolders} from '../../source/state/editor-folders.ts';
import type {JsonObject} from '../../source/text/json.ts';
import {readOutputLines, startScript, waitForExit} from '../kv/local/child.ts';
import {makeWorkspace, type Workspace} from '../kv/support/workspace.ts';
import {getRunCount} from '../support/full.ts';

const day = 24 * 60 * 60 * 1000;

let space: Workspace;
let environment: {LEDGE_STATE_DIR: string; TMPDIR: string};
let folder: string;

beforeEach(() => {
	space = makeWorkspace();
	environment = {...space.environment, TMPDIR: mkdtempSync(join(space.folder, 'temporary-'))};
	folder = join(space.state, 'drafts');
});

afterEach(() => space[Symbol.dispose]());

type DraftParts = Partial<Pick<NewDraft, 'target' | 'form' | 'instance'>> & {
	content?: Uint8Array;
	edit?: JsonObject;
};

const draft = (
	key: string,
	{content = Buffer.from(`what was written to ${key}`), edit = {origin: 'edit'}, ...rest}: DraftParts = {},
): NewDraft => ({
	form: keyForm,
	target: {place: 'https://api.example.test', account: 'a', namespace: 'n'},
	label: 'Acme › SESSIONS',
	key,
	instance: '',
	fields: {...edit, base64: toBase64(content)},
	...rest,
});
const contentOf = (found: Draft | undefined): string | undefined =>
	found && Buffer.from(getDraftBytes(found)).toString();

const draftsOf = (listed: readonly ListedDraft[]): Draft[] =>
	listed.flatMap(one => (one.type === 'draft' ? [one.draft] : []));
const listKeys = () => draftsOf(listDrafts(environment)).map(({key}) => key);
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const setAge = (path: string, milliseconds: number) => {
	const time = (Date.now() - milliseconds) / 1000;
	utimesSync(path, time, time);
};

describe('a draft of the screens', () => {
	test('is listed as saved, newest first', () => {
		const content = Uint8Array.from({length: 256}, (_, byte) => byte);
		const first = saveDraft(environment, draft('first', {content}), 1000);
		saveDraft(environment, draft('second\n\u202e'), 2000);
		const [newest, oldest] = draftsOf(listDrafts(environment));
		expect(newest?.key).toBe('second\n\u202e');
		expect(oldest).toEqual({
			...draft('first', {content: Buffer.from(content)}),
			id: first.id,
			path: first.path,
			saved: 1000,
			isHeld: false,
		});
	});

	test('is in a file that only its owner can read, without leftovers', () => {
		const {id, path, isListed} = saveDraft(environment, draft('k'));
		expect(isListed).toBe(true);
		expect([modeOf(folder), modeOf(path)]).toEqual([0o700, 0o600]);
		expect(readdirSync(folder)).toEqual([`${id}.json`]);
	});

	test('exists once per key and namespace, as last saved', () => {
		for (const text of ['one', 'two', 'three'])
			saveDraft(environment, draft('k', {content: Buffer.from(text)}));
		saveDraft(environment, draft('other'));
		saveDraft(environment, draft('k', {target: {place: 'simulated', account: 'a', namespace: 'n'}}));
		expect(readdirSync(folder)).toHaveLength(3);
		const {target} = draft('k');
		expect(contentOf(findDraft(environment, target, 'k'))).toBe('three');
	});

	test.each([
		['simulated', {place: 'simulated', account: 'a', namespace: 'n'}],
		['of another account', {place: 'https://api.example.test', account: 'b', namespace: 'n'}],
		['of another id', {place: 'https://api.example.test', account: 'a', namespace: 'm'}],
		['local', {place: 'local:/data', namespace: 'n'}],
	])('is not found for a namespace that is %s', (_what, target) => {
		saveDraft(environment, draft('k'));
		expect(findDraft(environment, target, 'k')).toBeUndefined();
		saveDraft(environment, draft('k', {target}));
		expect(findDraft(environment, target, 'k')?.target).toEqual(target);
	});

	test('is removed when dropped, even twice, and no other draft is', () => {
		const {id} = saveDraft(environment, draft('k'));
		saveDraft(environment, draft('other'));
		dropDraft(environment, id);
		dropDraft(environment, id);
		expect(listKeys()).toEqual(['other']);
		expect(() => dropDraft(environment, '../drafts/x')).toThrow('There is no draft');
	});

	test('can hold any key and any bytes', () => {
		fc.assert(
			fc.property(fc.string({unit: 'binary'}), fc.uint8Array(), (key, content) => {
				const {id} = saveDraft(environment, draft(key, {content}));
				const found = findDraft(environment, draft(key).target, key);
				dropDraft(environment, id);
				expect(found && [found.key, [...getDraftBytes(found)]]).toEqual([key, [...content]]);
			}),
			{numRuns: getRunCount(50)},
		);
	});
});

const livingProcess = {pid: process.ppid, host: hostname(), started: null};
const endedProcess = {pid: 2 ** 30, host: hostname(), started: null};

/** Writes a draft of the key "k" as another process would. Returns its path. */
const writeForeignDraft = (holder: object, text = 'theirs') => {
	const {path} = saveDraft(environment, draft('k', {content: Buffer.from(text)}));
	const foreignPath = path.replace(/-[0-9a-f]{12}\.json$/, '-0123456789ab.json');
	writeFileSync(foreignPath, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), holder}));
	dropDraft(environment, draftsOf(listDrafts(environment)).find(one => one.path === path)?.id ?? '');
	return foreignPath;
};

describe('a draft of another process', () => {
	test('is held and not found for the key while the process lives', () => {
		writeForeignDraft(livingProcess);
		expect(draftsOf(listDrafts(environment)).map(({isHeld}) => isHeld)).toEqual([true]);
		expect(findDraft(environment, draft('k').target, 'k')).toBeUndefined();
	});

	test('is found once the process is gone', () => {
		const path = writeForeignDraft(endedProcess);
		expect(findDraft(environment, draft('k').target, 'k')).toMatchObject({path, isHeld: false});
	});

	test('stays unchanged when this process saves and drops its own for the same key', () => {
		const path = writeForeignDraft(livingProcess);
		const {id} = saveDraft(environment, draft('k'));
		expect(readdirSync(folder)).toHaveLength(2);
		dropDraft(environment, id);
		expect(existsSync(path)).toBe(true);
	});

	test('on another machine counts as held for an hour', () => {
		writeForeignDraft({pid: 1, host: `not-${hostname()}`, started: null});
		const [found] = draftsOf(listDrafts(environment));
		expect(found?.isHeld).toBe(true);
		const expiredDraft = {
			...JSON.parse(readFileSync(found?.path ?? '', 'utf8')),
			saved: Date.now() - 61 * 60 * 1000,
		};
		writeFileSync(found?.path ?? '', JSON.stringify(expiredDraft));
		expect(draftsOf(listDrafts(environment))[0]?.isHeld).toBe(false);
	});
});

describe('a file left by an editor', () => {
	/** Creates the folder of an editor as another process would. Returns its path. */
	const leaveEditorFolder = (holder: object, saved?: string) => {
		const opened = openEditorFolder(environment, draft('k', {content: Buffer.from('before')}));
		const draftPath = join(opened.folder, 'draft.json');
		writeFileSync(draftPath, JSON.stringify({...JSON.parse(readFileSync(draftPath, 'utf8')), holder}));
		if (saved !== undefined) writeFileSync(opened.file, saved);
		const foreignFolder = opened.folder.replace(/-[0-9a-f]{12}\.editor$/, '-0123456789ab.editor');
		renameSync(opened.folder, foreignFolder);
		return foreignFolder;
	};

	test('is in a folder only for the owner, which is not a draft', () => {
		const path = openEditorFolder(environment, draft('k')).folder;
		expect(dirname(path)).toBe(folder);
		expect(modeOf(path)).toBe(0o700);
		expect(listDrafts(environment)).toEqual([]);
	});

	test('becomes a draft once the process is gone, in place of the earlier text', () => {
		writeForeignDraft(endedProcess, 'before');
		leaveEditorFolder(endedProcess, 'saved');
		expect(recoverEditorFolders(environment)).toEqual([]);
		expect(draftsOf(listDrafts(environment)).map(contentOf)).toEqual(['saved']);
		expect(readdirSync(folder)).toHaveLength(1);
	});

	test.each([
		['the same as before', 'before'],
		['nothing yet', undefined],
	])('is removed if it holds %s', (_what, saved) => {
		leaveEditorFolder(endedProcess, saved);
		expect(recoverEditorFolders(environment)).toEqual([]);
		expect(readdirSync(folder)).toEqual([]);
	});

	test('stays while its process lives', () => {
		const path = leaveEditorFolder(livingProcess, 'saved');
		expect(recoverEditorFolders(environment)).toEqual([]);
		expect(readFileSync(join(path, 'value.txt'), 'utf8')).toBe('saved');
	});
});

describe('an edit in a draft', () => {
	const edit: UnsavedEdit = {
		target: draft('k').target,
		label: 'Acme › SESSIONS',
		key: 'k',
		origin: 'edit',
		base: {digest: '00', expiration: 5, expirationWithin: 60, metadata: {v: 1}},
		content: Buffer.from('mine'),
		metadata: null,
		lifetime: {expiration: 7},
	};

	test.each<[string, Partial<UnsavedEdit>]>([
		['a value', {}],
		['a new key', {origin: 'create', base: undefined, lifetime: {ttl: 60}}],
		['metadata', {origin: 'metadata', metadata: ['any'], lifetime: 'keep'}],
		['an expiry', {origin: 'expiry', base: {digest: '00', metadata: null}, lifetime: 'never'}],
	])('of %s is restored unchanged', (_what, rest) => {
		const expected: UnsavedEdit = {...edit, ...rest};
		saveDraft(environment, toEditDraft({...edit, ...rest}));
		const [found] = draftsOf(listDrafts(environment));
		expect(found && parseEditDraft(found)).toEqual(expected);
	});

	test.each([
		['nothing', {}],
		['another kind', {...toEditDraft(edit).fields, origin: 'rename'}],
		['another lifetime', {...toEditDraft(edit).fields, lifetime: 'long'}],
		['a base without a digest', {...toEditDraft(edit).fields, base: {metadata: null}}],
	])('is not built from %s', (_what, json) => {
		saveDraft(environment, draft('k', {edit: json}));
		const [found] = draftsOf(listDrafts(environment));
		expect(found?.fields).toEqual({...json, base64: found?.fields.base64});
		expect(found && parseEditDraft(found)).toBeUndefined();
	});
});

describe('an entry in the drafts folder', () => {
	const readValidDraft = () => JSON.parse(readFileSync(saveDraft(environment, draft('k')).path, 'utf8'));
	const writeEntry = (name: string, content: string) => writeFileSync(join(folder, name), content);

	test.each([
		['without bytes', () => ''],
		['cut off', () => JSON.stringify(readValidDraft()).slice(0, -20)],
		['of another format', () => JSON.stringify({...readValidDraft(), version: 3})],
		['without a key', () => JSON.stringify({...readValidDraft(), key: undefined})],
		['without a namespace', () => JSON.stringify({...readValidDraft(), target: {}})],
		['with broken content', () => JSON.stringify({...readValidDraft(), fields: {base64: 'AA='}})],
		['without a form', () => JSON.stringify({...readValidDraft(), form: 'key'})],
		['without fields', () => JSON.stringify({...readValidDraft(), fields: undefined})],
		['of another key', () => JSON.stringify({...readValidDraft(), key: 'other'})],
		['holding a list', () => '[]'],
	])('is reported and stays if it is a file %s', (_what, content) => {
		const {path} = saveDraft(environment, draft('k'));
		writeFileSync(path, content());
		saveDraft(environment, draft('sound'));
		const listed = listDrafts(environment);
		expect(listed).toEqual([
			expect.objectContaining({type: 'draft'}),
			expect.objectContaining({type: 'damaged', path}),
		]);
		expect(existsSync(path)).toBe(true);
	});

	test('is reported and stays if it does not belong to ledge', () => {
		saveDraft(environment, draft('k'));
		writeEntry('notes.txt', 'hello');
		mkdirSync(join(folder, 'folder.json'));
		setAge(join(folder, 'folder.json'), 30 * day);
		const damaged = listDrafts(environment).flatMap(one => (one.type === 'damaged' ? [one.path] : []));
		expect(damaged.sort()).toEqual([join(folder, 'folder.json'), join(folder, 'notes.txt')]);
	});

	test('from a command is listed with its path', () => {
		const path = saveDraftBytes(Buffer.from('edited'), environment, 1_795_311_245_000);
		expect(listDrafts(environment)).toEqual([{type: 'bytes', path, saved: expect.any(Number)}]);
		expect([modeOf(path), readFileSync(path, 'utf8')]).toEqual([0o600, 'edited']);
	});

	test('is removed after seven days, whatever it is, and not before', () => {
		const paths = [
			saveDraft(environment, draft('k')).path,
			saveDraftBytes(Buffer.from('edited'), environment, 1000),
			join(folder, 'damaged.json'),
			join(folder, 'half.json.0123456789ab.new'),
		];
		for (const path of paths.slice(2)) writeFileSync(path, '{');
		for (const path of paths) setAge(path, 7 * day - 60_000);
		expect(listDrafts(environment)).toHaveLength(3);
		for (const path of paths) setAge(path, 7 * day + 60_000);
		expect(listDrafts(environment)).toEqual([]);
		expect(readdirSync(folder)).toEqual([]);
	});

	test('is also removed after seven days when a command saves something', () => {
		const oldPath = saveDraftBytes(Buffer.from('old'), environment, 1000);
		setAge(oldPath, 8 * day);
		const path = saveDraftBytes(Buffer.from('new'), environment);
		expect([existsSync(oldPath), readFileSync(path, 'utf8')]).toEqual([false, 'new']);
	});

	test('does not exist without the folder, which is not created', () => {
		expect(listDrafts(environment)).toEqual([]);
		expect(listDrafts({TMPDIR: environment.TMPDIR})).toEqual([]);
		expect([existsSync(space.state), readdirSync(environment.TMPDIR)]).toEqual([false, []]);
	});

	test('is reported if the folder cannot be listed', () => {
		mkdirSync(space.state);
		writeFileSync(folder, 'in the way');
		expect(listDrafts(environment)).toEqual([
			{
				type: 'damaged',
				path: folder,
				why: expect.any(String),
				failure: expect.objectContaining({code: 'file_failed'}),
			},
		]);
	});
});

describe('a draft in the first format', () => {
	test('is read as a draft of a key', () => {
		const {path} = saveDraft(environment, draft('k'), 1000);
		const {form: _form, instance: _instance, fields, ...rest} = JSON.parse(readFileSync(path, 'utf8'));
		const {base64, ...edit} = fields;
		writeFileSync(path, JSON.stringify({...rest, version: 1, edit, base64}));
		expect(draftsOf(listDrafts(environment))).toEqual([
			{...draft('k'), id: expect.any(String), path, saved: 1000, isHeld: false},
		]);
		expect(findDraft(environment, draft('k').target, 'k')?.key).toBe('k');
	});
});

describe('a draft written in the background', () => {
	test('is complete and private to the owner when the write ends', async () => {
		const savedDraft = await saveDraftLater(environment, draft('k'), 1000, () => true);
		expect([modeOf(folder), modeOf(savedDraft?.path ?? '')]).toEqual([0o700, 0o600]);
		expect(draftsOf(listDrafts(environment))).toMatchObject([{key: 'k', saved: 1000}]);
		expect(readdirSync(folder)).toHaveLength(1);
	});

	test('does not replace a draft saved directly in the meantime', async () => {
		let isWanted = true;
		const laterSave = saveDraftLater(
			environment,
			draft('k', {content: Buffer.from('older')}),
			1,
			() => isWanted,
		);
		saveDraft(environment, draft('k', {content: Buffer.from('newer')}), 2);
		isWanted = false;
		expect(await laterSave).toBeUndefined();
		expect(contentOf(findDraft(environment, draft('k').target, 'k'))).toBe('newer');
		expect(readdirSync(folder)).toHaveLength(1);
	});
});

describe('drafts of the same zone', () => {
	const createRuleDraft = (instance: string) =>
		draft('new rule', {form: {kind: 'rule', version: 1}, instance});

	test('are kept per form and instance', () => {
		for (const one of [createRuleDraft('1'), createRuleDraft('2'), createRuleDraft('2'), draft('new rule')])
			saveDraft(environment, one);
		expect(draftsOf(listDrafts(environment))).toHaveLength(3);
		expect(findDraft(environment, draft('k').target, 'new rule')?.form.kind).toBe('key');
	});
});

describe('a draft that cannot be read', () => {
	const writeDamagedDraft = () => {
		const {path} = saveDraft(environment, draft('k'));
		writeFileSync(path, readFileSync(path, 'utf8').slice(0, -9));
		return path;
	};

	test('is moved aside once with a report, and removed after seven days', () => {
		const path = writeDamagedDraft();
		const [one] = listDrafts(environment);
		const failure = one?.type === 'damaged' ? setDraftAside(one) : undefined;
		expect(failure).toMatchObject({
			code: 'input_malformed',
			details: {left: `It is kept as ${path}.unreadable for 7 days.`},
		});
		expect([existsSync(path), existsSync(`${path}.unreadable`)]).toEqual([false, true]);
		expect(listDrafts(environment)).toEqual([]);
		setAge(`${path}.unreadable`, 7 * day + 60_000);
		listDrafts(environment);
		expect(readdirSync(folder)).toEqual([]);
	});

	test('stays in place if another process is using it or it does not belong to ledge', () => {
		const path = writeForeignDraft(livingProcess);
		writeFileSync(path, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), version: 9}));
		writeFileSync(join(folder, 'notes.txt'), 'hello');
		const listed = listDrafts(environment);
		expect(listed.map(one => one.type === 'damaged' && setDraftAside(one))).toEqual([undefined, undefined]);
		expect(existsSync(path)).toBe(true);
	});
});

describe('without a state directory', () => {
	const getHomelessEnvironment = () => ({TMPDIR: environment.TMPDIR});

	test('a draft is kept among the temporary files and listed from there', () => {
		const {path, isListed} = saveDraft(getHomelessEnvironment(), draft('k'));
		expect(isListed).toBe(true);
		expect([modeOf(dirname(path)), modeOf(path)]).toEqual([0o700, 0o600]);
		expect(draftsOf(listDrafts(getHomelessEnvironment())).map(({key}) => key)).toEqual(['k']);
	});

	test('a draft is offered once, in its latest version, after a start with a state directory', () => {
		saveDraft(getHomelessEnvironment(), draft('k', {content: Buffer.from('old')}), 1000);
		const {id} = saveDraft(environment, draft('k', {content: Buffer.from('new')}), 2000);
		expect(draftsOf(listDrafts(environment)).map(contentOf)).toEqual(['new']);
		dropDraft(environment, id);
		expect(listDrafts(environment)).toEqual([]);
	});

	test('a folder that others can read is neither used nor read', () => {
		const {path} = saveDraft(getHomelessEnvironment(), draft('first'));
		chmodSync(dirname(path), 0o755);
		const second = saveDraft(getHomelessEnvironment(), draft('second'));
		expect(second.isListed).toBe(false);
		expect(dirname(second.path)).not.toBe(dirname(path));
		expect(modeOf(dirname(second.path))).toBe(0o700);
		expect(readFileSync(second.path, 'utf8')).toContain('"second"');
		expect(listDrafts(getHomelessEnvironment())).toEqual([]);
	});

	test('all drafts go to one private folder if the usual one is not private', () => {
		mkdirSync(join(environment.TMPDIR, `ledge-drafts-${process.getuid?.() ?? 'own'}`), {mode: 0o755});
		chmodSync(join(environment.TMPDIR, `ledge-drafts-${process.getuid?.() ?? 'own'}`), 0o755);
		const savedPaths = ['one', 'two', 'two'].map(key => saveDraft(getHomelessEnvironment(), draft(key)).path);
		expect(new Set(savedPaths.map(dirname)).size).toBe(1);
	});

	test('saving fails with a reason if there is no temporary folder either', () => {
		expect(() => saveDraft({TMPDIR: join(space.folder, 'not-there', 'at-all', '\0')}, draft('k'))).toThrow(
			expect.objectContaining({code: 'file_failed'}),
		);
	});
});

describe('a process', () => {
	const startWriter = (...words: string[]) =>
		startScript('../../state/support/draft-writer.ts', [space.state, ...words]);

	test('loses nothing if it is killed right after saving', async () => {
		expect(await waitForExit(startWriter('mine', '1'))).toMatchObject({signal: 'SIGKILL', stderr: ''});
		const [found] = draftsOf(listDrafts(environment));
		expect(contentOf(found)).toBe('mine wrote 0');
	});

	test('can save from a signal handler', async () => {
		const child = startWriter('mine', '1', 'SIGHUP');
		const ended = waitForExit(child);
		for await (const _line of readOutputLines(child)) child.kill('SIGHUP');
		expect(await ended).toMatchObject({signal: 'SIGKILL', stderr: ''});
		expect(listKeys()).toEqual(['mine:0']);
	});

	test('does not disturb another process that saves', async () => {
		const ends = await Promise.all([
			waitForExit(startWriter('one', '20')),
			waitForExit(startWriter('two', '20')),
		]);
		for (const ended of ends) expect(ended).toMatchObject({signal: 'SIGKILL', stderr: ''});
		const expected = ['one', 'two'].flatMap(name => Array.from({length: 20}, (_, at) => `${name}:${at}`));
		expect(listKeys().sort()).toEqual(expected.sort());
		expect(listDrafts(environment)).toHaveLength(40);
	});
});
