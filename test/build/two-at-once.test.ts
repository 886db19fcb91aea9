import {execFile} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, expect, test} from 'vitest';

const parent = mkdtempSync(join(tmpdir(), 'ledge-builds-'));
const root = resolve(import.meta.dirname, '../..');
afterAll(() => rmSync(parent, {recursive: true}));

const build = async (): Promise<unknown> =>
	promisify(execFile)('npm', ['run', '--silent', 'build', '--', '--into', join(parent, 'dist')], {cwd: root});

test('two concurrent builds into one folder leave the same files as one', async () => {
	await Promise.all([build(), build()]);
	expect(readdirSync(parent)).toEqual(['dist']);
	const builtFiles = readdirSync(join(parent, 'dist')).sort();
	const expectedFiles = readdirSync(join(root, 'dist')).filter(name => name !== 'man');
	expect(builtFiles).toEqual(expectedFiles.sort());
	for (const name of builtFiles)
		expect(
			readFileSync(join(parent, 'dist', name)).equals(readFileSync(join(root, 'dist', name))),
			name,
		).toBe(true);
});
