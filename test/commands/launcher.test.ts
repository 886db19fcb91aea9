import {type ChildProcess, spawn} from 'node:child_process';
import {copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
const launcher = join(folder, 'dist', 'ledge.cjs');
const own = join(folder, 'node_modules', 'node', 'bin', 'node');

beforeAll(() => {
	mkdirSync(join(folder, 'dist'));
	mkdirSync(join(own, '..'), {recursive: true});
	copyFileSync(resolve(import.meta.dirname, '../../source/ledge.cjs'), launcher);
	writeFileSync(
		join(folder, 'old.cjs'),
		"Object.defineProperty(process.versions, 'node', {value: '20.0.0'});\n",
	);
});

afterAll(() => rmSync(folder, {recursive: true}));

/** Starts the launcher under a Node that says it is too old; the checkout's own Node is this script. */
function launch(ownNode: string, words: readonly string[] = []): ChildProcess {
	writeFileSync(own, `#!/bin/sh\n${ownNode}\n`, {mode: 0o755});
	return spawn(process.execPath, ['--require', join(folder, 'old.cjs'), launcher, ...words]);
}

/** What a process prints, up to its end. */
async function printed(child: ChildProcess): Promise<string> {
	let output = '';
	child.stdout?.on('data', piece => {
		output += piece;
	});
	await new Promise(ended => child.on('close', ended));
	return output;
}

test("the checkout's own Node gets our options behind `--`, so that none is taken for its own", async () => {
	// The Node that runs the launcher may look for the file, too.
	const variables = join(folder, 'of ledge.env');
	writeFileSync(variables, '');
	const words = ['--env-file', variables];
	const given = await printed(launch(`printf '%s\\n' "$@"`, words));
	expect(given.trimEnd().split('\n')).toEqual(['--', launcher, ...words]);
});

test.each([
	'SIGINT',
	'SIGTERM',
	'SIGHUP',
] as const)('%s that comes to the launcher alone is passed on', async signal => {
	const child = launch(
		`exec '${process.execPath}' -e "process.on('${signal}', () => { console.log('got ${signal}'); process.exit(); }); console.log('ready'); process.stdin.resume()"`,
	);
	child.stdout?.once('data', () => child.kill(signal));
	expect(await printed(child)).toBe(`ready\ngot ${signal}\n`);
});
