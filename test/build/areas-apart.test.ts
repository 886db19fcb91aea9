import {execFileSync} from 'node:child_process';
import {cpSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-areas-'));
	cpSync(resolve(import.meta.dirname, '../../dist'), join(folder, 'dist'), {recursive: true});
});
afterEach(() => rmSync(folder, {recursive: true}));

/** Runs the program without these files of the build. */
function run(removedFiles: readonly string[], ...command: readonly string[]): string {
	for (const file of removedFiles) rmSync(join(folder, 'dist', file), {force: true});
	return execFileSync(process.execPath, [join(folder, 'dist', 'ledge.cjs'), ...command], {
		encoding: 'utf8',
		cwd: folder,
		env: {PATH: process.env.PATH, HOME: folder},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}

const otherBundles = ['firewall.cjs', 'migration.cjs', 'simulator.cjs', 'screens.cjs', 'completion.cjs'];

test('reading single local keys loads only cli.cjs; writing them may also load kv.cjs and more.cjs', () => {
	const runKeyCommand = (removedFiles: readonly string[], ...words: readonly string[]) =>
		run(
			[...otherBundles, ...removedFiles],
			'kv',
			'key',
			...words,
			'--local',
			'--persist-to',
			'data',
			'--namespace-id',
			'n',
		);
	runKeyCommand([], 'put', 'greeting', 'hello');
	expect(runKeyCommand(['kv.cjs', 'more.cjs'], 'get', 'greeting')).toBe('hello');
	expect(runKeyCommand(['kv.cjs', 'more.cjs'], 'list')).toContain('greeting');
});

test('--version loads no bundle', () => {
	expect(run([...otherBundles, 'cli.cjs', 'kv.cjs', 'more.cjs'], '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

const zoneOptions = ['--simulate', '--zone', 'done.acme.example'];

test('rules commands do not load the key or migration commands', () => {
	expect(run(['migration.cjs', 'kv.cjs', 'screens.cjs'], ...zoneOptions, 'rules', 'list')).toContain('block');
});

test('migration commands do not load the key or rules commands', () => {
	const status = run(['firewall.cjs', 'kv.cjs', 'screens.cjs'], ...zoneOptions, 'migration', 'status');
	expect(status).toContain('new version only');
});
