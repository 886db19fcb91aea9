import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {createScratchFolder, type EndedRun, ledge, program} from '../../support/ledge.ts';

let folder: string;

beforeEach(() => {
	folder = createScratchFolder();
});

const local = ['--local', '--namespace-id', 'N'];
const run = (...words: string[]): Promise<EndedRun> => ledge(words, {cwd: folder});
const put = (...words: string[]) => run('kv', 'key', 'put', 'k', ...words, ...local);
const readKey = async () =>
	JSON.parse((await run('kv', 'key', 'get', 'k', '--json', ...local)).stdout) as Record<string, unknown>;

/** Edits the key with an editor that first runs `ledge kv key put` for someone else, if words are given. */
function edit(foreignWords: readonly string[] | undefined, ...words: string[]): Promise<EndedRun> {
	const editor = join(folder, 'editor.cjs');
	const foreignCommand = [program, 'kv', 'key', 'put', 'k', ...(foreignWords ?? []), ...local];
	const foreignCode = `require('node:child_process').execFileSync(process.execPath, ${JSON.stringify(foreignCommand)});`;
	writeFileSync(
		editor,
		`${foreignWords ? foreignCode : ''} require('node:fs').writeFileSync(process.argv[2], 'mine');`,
	);
	return ledge(['kv', 'key', 'edit', 'k', ...local, ...words], {
		cwd: folder,
		env: {EDITOR: `${process.execPath} ${editor}`},
	});
}

describe('kv key edit', () => {
	test.each([
		['metadata', ['same', '--metadata', '{"by":"them"}'], {metadata: {by: 'them'}}],
		['expiry', ['same', '--expiration', '4000000000'], {expiration: '2096-10-02T07:06:40Z'}],
	])('does not overwrite a change by someone else to %s only', async (_what, foreignWords, expectedChange) => {
		await put('same', '--metadata', '{"by":"me"}', '--expiration', '3000000000');
		const ended = await edit(foreignWords);
		expect(ended.code).toBe(1);
		expect(ended.stderr).toContain('was changed while you edited it');
		expect(await readKey()).toMatchObject({value: 'same', ...expectedChange});
	});

	test('writes if someone else wrote the same value again', async () => {
		const same = ['same', '--metadata', '{"a":1,"b":[2]}', '--expiration', '3000000000'];
		await put(...same);
		expect((await edit(same)).code).toBe(0);
		expect(await readKey()).toMatchObject({value: 'mine', metadata: {a: 1, b: [2]}});
	});

	test('asks before extending a key that is about to expire', async () => {
		// `kv key put` refuses so early an expiration; the store itself accepts it.
		using store = openLocalStore({root: join(folder, '.wrangler/state/v3'), namespace: 'N'});
		const expiration = Math.floor(Date.now() / 1000) + 50;
		await store.put('k', Buffer.from('old'), {expiration}, new AbortController().signal);
		const refused = await edit(undefined);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain('Write with an expiration 60 s from now?');
		expect(await readKey()).toMatchObject({value: 'old'});
		expect((await edit(undefined, '--yes')).code).toBe(0);
		expect(await readKey()).toMatchObject({value: 'mine'});
	});

	test.each([
		['one line without line feed', 'old', 'new\n', 'new'],
		['a value with one', 'old\n', 'new\n', 'new\n'],
		['CRLF without a final one', 'a\r\nb', 'a\r\nc\r\n', 'a\r\nc'],
	])('removes the line feed that an editor adds: %s', async (_what, before, after, expectedValue) => {
		await put(before);
		const editor = join(folder, 'writing.cjs');
		writeFileSync(editor, `require('node:fs').writeFileSync(process.argv[2], ${JSON.stringify(after)});`);
		const env = {EDITOR: `${process.execPath} ${editor}`};
		expect((await ledge(['kv', 'key', 'edit', 'k', ...local], {cwd: folder, env})).code).toBe(0);
		expect(await readKey()).toMatchObject({value: expectedValue});
	});

	test.each([
		['empties it', 'old', '', 'The value had 3 bytes and is empty now. Write it anyway?'],
		['breaks its JSON', '{"a":1}', '{"a":', 'The value was JSON and is not valid JSON now. Write it anyway?'],
		[
			'grows it a hundredfold',
			'old',
			'x'.repeat(300),
			'The value grows 100-fold: 3 → 300 bytes. Write it anyway?',
		],
	])('asks before a write that %s', async (_what, before, after, question) => {
		await put(before);
		const editor = join(folder, 'writing.cjs');
		writeFileSync(editor, `require('node:fs').writeFileSync(process.argv[2], ${JSON.stringify(after)});`);
		const env = {EDITOR: `${process.execPath} ${editor}`};
		const refused = await ledge(['kv', 'key', 'edit', 'k', ...local], {cwd: folder, env});
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain(question);
		expect(refused.stderr).toContain('Your edit is saved in');
		expect(await readKey()).toMatchObject({value: before});
		expect((await ledge(['kv', 'key', 'edit', 'k', ...local, '--yes'], {cwd: folder, env})).code).toBe(0);
		expect(await readKey()).toMatchObject({value: after});
	});

	test('refuses --read-only before the editor opens', async () => {
		await put('old');
		const openedPath = join(folder, 'opened');
		const editor = join(folder, 'opening.cjs');
		writeFileSync(editor, `require('node:fs').writeFileSync(${JSON.stringify(openedPath)}, '')`);
		const ended = await ledge(['kv', 'key', 'edit', 'k', ...local, '--read-only'], {
			cwd: folder,
			env: {EDITOR: `${process.execPath} ${editor}`},
		});
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain('read-only');
		expect(existsSync(openedPath)).toBe(false);
	});
});
