import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join, resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createChooser} from '../../firewall/expression/any-expression.ts';
import {isFull} from '../../support/full.ts';
import {createUnconfiguredEnvironment, program} from '../../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
const launcher = join(folder, 'dist', 'ledge.cjs');
const ownNodePath = join(folder, 'node_modules', 'node', 'bin', 'node');

beforeAll(() => {
	mkdirSync(join(folder, 'dist'));
	mkdirSync(join(ownNodePath, '..'), {recursive: true});
	copyFileSync(resolve(import.meta.dirname, '../../../source/ledge.cjs'), launcher);
	writeFileSync(
		join(folder, 'old.cjs'),
		"Object.defineProperty(process.versions, 'node', {value: '20.0.0'});\n",
	);
});

afterAll(() => rmSync(folder, {recursive: true}));

/** Starts the launcher under a Node that says it is too old; the checkout's own Node is this script. */
function launch(ownNode: string, words: readonly string[] = []): ChildProcess {
	writeFileSync(ownNodePath, `#!/bin/sh\n${ownNode}\n`, {mode: 0o755});
	return spawn(process.execPath, ['--require', join(folder, 'old.cjs'), launcher, ...words]);
}

/** Reads what a process prints until its end. */
async function readOutput(child: ChildProcess): Promise<string> {
	let output = '';
	child.stdout?.on('data', piece => {
		output += piece;
	});
	await new Promise(ended => child.on('close', ended));
	return output;
}

test("the checkout's own Node gets our options after `--`, so it reads none of them", async () => {
	// The Node that runs the launcher may look for the file, too.
	const variables = join(folder, 'of ledge.env');
	writeFileSync(variables, '');
	const words = ['--env-file', variables];
	const received = await readOutput(launch(`printf '%s\\n' "$@"`, words));
	expect(received.trimEnd().split('\n')).toEqual(['--', launcher, ...words]);
});

test.each([
	'SIGINT',
	'SIGTERM',
	'SIGHUP',
] as const)('%s sent only to the launcher is passed on', async signal => {
	const child = launch(
		`exec '${process.execPath}' -e "process.on('${signal}', () => { console.log('got ${signal}'); process.exit(); }); console.log('ready'); process.stdin.resume()"`,
	);
	child.stdout?.once('data', () => child.kill(signal));
	expect(await readOutput(child)).toBe(`ready\ngot ${signal}\n`);
});

describe('Node does not read options of ledge', () => {
	const repository = resolve(import.meta.dirname, '../../..');
	const {scripts} = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
		scripts: {start: string};
	};

	/** Creates a folder with a program that must not run, and a file of variables that makes Node run it. */
	function createHostileFolder(): string {
		const hostile = mkdtempSync(join(folder, 'hostile '));
		writeFileSync(join(hostile, 'evil.cjs'), "process.stderr.write('EVIL');");
		writeFileSync(
			join(hostile, 'evil.env'),
			`NODE_OPTIONS=--require "${join(hostile, 'evil.cjs')}"\nCLOUDFLARE_ACCOUNT_ID=of-the-file\n`,
		);
		symlinkSync(program, join(hostile, 'ledge'));
		return hostile;
	}

	/** The ways in which a person starts ledge: through the link that npm makes for the bin, and by `npm start`. */
	const launchers: Record<string, (hostile: string, words: readonly string[]) => ChildProcess> = {
		'the program itself': (hostile, words) => spawnLedge(program, words, hostile),
		'the link of the bin': (hostile, words) => spawnLedge(join(hostile, 'ledge'), words, hostile),
		'a relative path': (hostile, words) => spawnLedge('./ledge', words, hostile),
		'npm start': (hostile, words) =>
			spawnLedge(
				'sh',
				['-c', `${scripts.start.split('&&').at(-1)} "$@"`, 'sh', ...words],
				repository,
				hostile,
			),
	};

	function spawnLedge(command: string, words: readonly string[], cwd: string, home = cwd): ChildProcess {
		const env = createUnconfiguredEnvironment(home);
		return spawn(command, words, {
			cwd,
			env: {...env, PATH: `${dirname(process.execPath)}${delimiter}${env.PATH}`},
		});
	}

	async function waitForEnd(
		child: ChildProcess,
	): Promise<{code: number | null; stdout: string; stderr: string}> {
		const out = readOutput(child);
		let stderr = '';
		child.stderr?.on('data', piece => {
			stderr += piece;
		});
		child.stdin?.end();
		return {stdout: await out, stderr, code: child.exitCode};
	}

	describe.each(Object.entries(launchers))('started by %s', (launcherName, start) => {
		test('an --env-file is read only by ledge', async () => {
			const hostile = createHostileFolder();
			const words = ['config', '--json', '--env-file', join(hostile, 'evil.env')];
			const {code, stdout, stderr} = await waitForEnd(start(hostile, words));
			expect({code, stderr}).toEqual({code: 0, stderr: ''});
			if (launcherName !== 'npm start') expect(stdout).toContain('of-the-file');
		});

		test('a missing --env-file is reported by ledge', async () => {
			const hostile = createHostileFolder();
			const missing = join(hostile, 'missing.env');
			const {code, stderr} = await waitForEnd(start(hostile, ['config', `--env-file=${missing}`]));
			expect(stderr).toMatch(`error: The file ${missing} with environment variables cannot be read.`);
			expect(code).toBe(2);
		});

		test('the path of an --env-file is relative to --cwd', async () => {
			const hostile = createHostileFolder();
			const words = ['--cwd', hostile, '--env-file', 'evil.env', 'config', '--json'];
			const {code, stdout, stderr} = await waitForEnd(start(hostile, words));
			expect({code, stderr}).toEqual({code: 0, stderr: ''});
			if (launcherName !== 'npm start') expect(stdout).toContain('of-the-file');
		});
	});

	test.each([
		['--require', './evil.cjs'],
		['--import', './evil.cjs'],
		['--eval', 'process.stderr.write("EVIL")'],
		['--env-file-if-exists', 'evil.env'],
		['--inspect'],
		['--watch'],
		['--test'],
		['--run', 'start'],
		['--title=evil'],
	])('%s is an unknown option of ledge', async (...words) => {
		const hostile = createHostileFolder();
		const {code, stdout, stderr} = await waitForEnd(spawnLedge('./ledge', ['config', ...words], hostile));
		expect(stderr).toMatch(
			new RegExp(`^error: Unknown option '${words[0]?.replace(/=.*/, '')}'\\.\\n  next: [^\\n]+\\n$`),
		);
		expect({code, stdout}).toEqual({code: 2, stdout: ''});
	});

	test('without Node in PATH the shell reports the missing command', async () => {
		const hostile = createHostileFolder();
		const child = spawn(join(hostile, 'ledge'), ['--version'], {cwd: hostile, env: {PATH: hostile}});
		const {code, stderr} = await waitForEnd(child);
		expect(stderr).toMatch(/node.*not found/);
		expect(code).toBe(127);
	});
});

test('ledge starts even if the compile cache is damaged at any position', () => {
	const home = mkdtempSync(join(folder, 'home-'));
	const env = createUnconfiguredEnvironment(home, {XDG_CACHE_HOME: join(home, 'cache')});
	const help = () => execFileSync(process.execPath, [program, 'kv', '--help'], {encoding: 'utf8', env});
	const expectedHelp = help();
	const files = readdirSync(join(home, 'cache'), {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name));
	expect(files).not.toEqual([]);
	const choose = createChooser(1);
	for (const file of files) {
		const original = readFileSync(file);
		for (let attempt = 0; attempt < (isFull ? 12 : 4); attempt++) {
			const damaged = Buffer.from(original);
			for (let bytes = 1 + choose(64); bytes > 0; bytes--) damaged[choose(original.length)] = choose(256);
			writeFileSync(file, damaged);
			expect(help()).toBe(expectedHelp);
		}
	}
});
