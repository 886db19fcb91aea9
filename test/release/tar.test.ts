import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {createTar} from '../../source/release/tar.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledge-tar-'));
afterAll(() => rmSync(folder, {recursive: true}));

test('tar unpacks the original files, with their time and executable bit', () => {
	const large = Buffer.alloc(70_000, 'abcdefg');
	const archive = createTar(
		[
			{path: 'a/program', content: large, isProgram: true},
			{path: 'a/empty', content: Buffer.alloc(0)},
			{path: 'a/block', content: Buffer.alloc(512, 'x')},
		],
		315_532_800,
	);
	writeFileSync(join(folder, 'it.tar'), archive);
	expect(execFileSync('tar', ['-xvf', 'it.tar'], {cwd: folder, encoding: 'utf8'})).toBe(
		'a/program\na/empty\na/block\n',
	);
	expect(readFileSync(join(folder, 'a/program'))).toEqual(large);
	expect(readFileSync(join(folder, 'a/empty'))).toHaveLength(0);
	expect(readFileSync(join(folder, 'a/block'), 'utf8')).toBe('x'.repeat(512));
	expect(statSync(join(folder, 'a/program')).mode & 0o777).toBe(0o755);
	expect(statSync(join(folder, 'a/empty')).mode & 0o777).toBe(0o644);
	expect(statSync(join(folder, 'a/block')).mtimeMs).toBe(315_532_800_000);
});

test.each(['', 'two words', 'ä', 'x'.repeat(101)])('a file name cannot be "%s"', path => {
	expect(() => createTar([{path, content: Buffer.alloc(0)}], 0)).toThrow(
		'An archive cannot have a file called',
	);
});
