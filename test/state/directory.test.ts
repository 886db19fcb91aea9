import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {removeWorldFile} from '../../source/simulator/simulator.ts';
import {appendAudit, getAuditLogPath} from '../../source/state/audit.ts';
import {
	createFileFailure,
	discardPath,
	getStateDirectory,
	makeFolder,
	openStateDirectory,
	removeIfPresent,
	writePrivateFile,
} from '../../source/state/directory.ts';
import {writePrivateFileIfWanted} from '../../source/state/private-file-later.ts';
import {makeWorkspace} from '../kv/support/workspace.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the state directory', () => {
	test.each([
		[{LEDGE_STATE_DIR: '/s', XDG_STATE_HOME: '/x', HOME: '/h'}, '/s'],
		[{LEDGE_STATE_DIR: '', XDG_STATE_HOME: '/x', HOME: '/h'}, '/x/ledge'],
		[{XDG_STATE_HOME: 'relative', HOME: '/h'}, '/h/.local/state/ledge'],
		[{HOME: '/h'}, '/h/.local/state/ledge'],
		[{HOME: ''}, undefined],
		[{}, undefined],
	])('for %j is %s', (environment, expected) => {
		expect(getStateDirectory(environment)).toBe(expected);
	});

	test('is created for the owner only, with its folders, when something is saved', () => {
		using space = makeWorkspace();
		expect(readdirSync(space.folder)).toEqual([]);
		const jobs = openStateDirectory(space.environment, 'jobs');
		expect([modeOf(space.state), modeOf(jobs)]).toEqual([0o700, 0o700]);
	});

	test('is refused if others can write to it', () => {
		using space = makeWorkspace();
		mkdirSync(space.state);
		chmodSync(space.state, 0o777);
		expect(() => openStateDirectory(space.environment)).toThrow('Others can write to the state directory');
	});

	test('fails with a next step if it cannot be created', () => {
		using space = makeWorkspace();
		const file = space.writeFile('taken', '');
		const failures: unknown[] = [];
		for (const environment of [{}, {LEDGE_STATE_DIR: `${file}/below`}]) {
			try {
				openStateDirectory(environment);
			} catch (error) {
				failures.push(error);
			}
		}
		expect(failures).toEqual([
			expect.objectContaining({
				code: 'file_failed',
				details: expect.objectContaining({next: expectedNextStep}),
			}),
			expect.objectContaining({
				code: 'file_failed',
				details: expect.objectContaining({next: expectedNextStep}),
			}),
		]);
	});
});

const expectedNextStep = 'Set LEDGE_STATE_DIR to a folder of your own.';

describe('makeFolder', () => {
	// Node's own recursive mkdir loops forever below /proc, so such a process is killed after a minute.
	test.runIf(process.platform === 'linux').each(['/proc/ledge/state', '/proc/self/ledge', '/dev/null/ledge'])(
		'fails below %s without looping',
		folder => {
			const code = `import('${new URL('../../source/state/directory.ts', import.meta.url)}').then(({makeFolder}) => {
				try { makeFolder('${folder}', 0o700); } catch (error) { console.log(error.code); }
			})`;
			const {status, stdout} = spawnSync(
				process.execPath,
				['--experimental-strip-types', '--no-warnings', '--eval', code],
				{
					encoding: 'utf8',
					killSignal: 'SIGKILL',
					timeout: 60_000,
				},
			);
			expect(status).toBe(0);
			expect(stdout.trim()).toMatch(/^(ENOENT|ENOTDIR)$/);
		},
	);

	test('creates all missing parents and accepts an existing folder', () => {
		using workspace = makeWorkspace();
		const root = workspace.folder;
		const folder = join(root, 'a/b/c');
		makeFolder(folder, 0o700);
		makeFolder(folder, 0o700);
		expect(statSync(folder).mode & 0o777).toBe(0o700);
		expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
	});

	test('follows a link, and fails if a file is in the way', () => {
		using workspace = makeWorkspace();
		const root = workspace.folder;
		makeFolder(join(root, 'real'));
		symlinkSync(join(root, 'real'), join(root, 'link'));
		makeFolder(join(root, 'link/new'));
		expect(statSync(join(root, 'real/new')).isDirectory()).toBe(true);
		writeFileSync(join(root, 'file'), '');
		expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
		symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
		expect(() => makeFolder(join(root, 'dangling/new'))).toThrow('EEXIST');
	});
});

describe('a private file', () => {
	test.each(['ENOSPC', 'EDQUOT'])('reports a full disk before any path, at %s', code => {
		const diskFailure = Object.assign(new Error('write'), {code});
		expect(createFileFailure('The file /a/long/path cannot be written.', diskFailure).message).toBe(
			'The disk is full: the file /a/long/path cannot be written.',
		);
	});

	test('is readable only by its owner and replaces the old one without leftovers', () => {
		using space = makeWorkspace();
		const path = space.path('kept');
		writePrivateFile(path, 'old');
		writePrivateFile(path, Buffer.from('new'));
		expect([readFileSync(path, 'utf8'), modeOf(path), readdirSync(space.folder)]).toEqual([
			'new',
			0o600,
			['kept'],
		]);
	});

	test('fails with a failure and leaves the old one unchanged', () => {
		using space = makeWorkspace();
		mkdirSync(space.path('folder'));
		expect(() => writePrivateFile(space.path('folder'), 'x')).toThrow(
			expect.objectContaining({code: 'file_failed'}),
		);
		expect(readdirSync(space.folder)).toEqual(['folder']);
	});
});

describe('a file in place of a folder', () => {
	test('makes saving a file fail with its own error, not with one from cleaning up', async () => {
		using space = makeWorkspace();
		const path = `${space.writeFile('taken', '')}/below`;
		const message = `The file ${path} cannot be written.`;
		expect(() => writePrivateFile(path, 'text')).toThrow(message);
		await expect(writePrivateFileIfWanted(path, 'text', () => true)).rejects.toThrow(message);
	});

	test.each([{recursive: false}, {recursive: true}])('has nothing below it to remove (%j)', options => {
		using space = makeWorkspace();
		const file = space.writeFile('taken', 'as it was');
		removeIfPresent(`${file}/below`, options);
		removeIfPresent(`${file}-missing`, options);
		discardPath(`${file}/below`);
		expect(readFileSync(file, 'utf8')).toBe('as it was');
		removeIfPresent(file, options);
		expect(readdirSync(space.folder)).toEqual([]);
	});

	test('lets the simulator remove its world without an error', () => {
		using space = makeWorkspace();
		removeWorldFile(`${space.writeFile('taken', '')}/world`);
	});
});

describe('the audit log', () => {
	const entry = {target: 'Acme › SESSIONS', what: 'put user:1', result: 'done'};

	test('gets a line for each write', () => {
		using space = makeWorkspace();
		expect(appendAudit(entry, space.environment, 0)).toBeUndefined();
		expect(appendAudit({...entry, result: 'unreachable'}, space.environment, 1000)).toBeUndefined();
		const path = getAuditLogPath(space.environment) ?? '';
		expect(modeOf(path)).toBe(0o600);
		expect(
			readFileSync(path, 'utf8')
				.trim()
				.split('\n')
				.map(line => JSON.parse(line)),
		).toEqual([
			{time: '1970-01-01T00:00:00.000Z', ...entry},
			{time: '1970-01-01T00:00:01.000Z', ...entry, result: 'unreachable'},
		]);
	});

	test('starts a new file at 5 MB and keeps the previous one', () => {
		using space = makeWorkspace();
		const path = getAuditLogPath(space.environment) ?? '';
		openStateDirectory(space.environment);
		writeFileSync(path, 'x'.repeat(5_000_000));
		appendAudit(entry, space.environment);
		appendAudit(entry, space.environment);
		expect(readdirSync(space.state).sort()).toEqual(['audit.1.ndjson', 'audit.ndjson']);
		expect(statSync(path).size).toBeLessThan(200);
	});

	test('never makes a write fail, but reports the problem', () => {
		using space = makeWorkspace();
		expect(appendAudit(entry, {})).toMatchObject({code: 'file_failed'});
		expect(appendAudit(entry, {HOME: space.writeFile('home', '')})).toMatchObject({code: 'file_failed'});
	});

	test('does not follow a link to a file elsewhere', () => {
		using space = makeWorkspace();
		const victim = space.writeFile('victim', 'as it was');
		symlinkSync(victim, `${openStateDirectory(space.environment)}/audit.ndjson`);
		expect(appendAudit(entry, space.environment)).toBeDefined();
		expect(readFileSync(victim, 'utf8')).toBe('as it was');
	});
});
