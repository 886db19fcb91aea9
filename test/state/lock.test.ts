import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {
	describeHolding,
	getHolderState,
	getThisProcess,
	type Holder,
	readHolder,
} from '../../source/state/holder.ts';
import {findLockHolder, takeLock} from '../../source/state/lock.ts';
import {makeWorkspace} from '../kv/support/workspace.ts';

const linux: Holder = {
	pid: 2 ** 30,
	host: 'here',
	started: '12',
	machine: 'this machine',
	boot: 'this boot',
	space: 'pid:[1]',
};
const mac: Holder = {...linux, started: null, machine: null, boot: null, space: null};
/** This test's own process, as another ledge on the same system would see it. */
const living = {pid: process.pid, started: getThisProcess().started};

test.each<readonly [string, Partial<Holder>, Holder, ReturnType<typeof getHolderState>]>([
	['ended', {}, linux, 'gone'],
	['runs', living, linux, 'lives'],
	['had the id of one that runs', {pid: process.pid, started: '0'}, linux, 'gone'],
	['ran before this machine was renamed', {host: 'old name'}, linux, 'gone'],
	['runs on this machine, renamed', {...living, host: 'old name'}, linux, 'lives'],
	['is in another container', {space: 'pid:[2]'}, linux, 'out of sight'],
	[
		'is in another container with a host name of its own',
		{space: 'pid:[2]', host: 'c1'},
		linux,
		'out of sight',
	],
	['has an id that runs here, in another container', {...living, space: 'pid:[2]'}, linux, 'out of sight'],
	['has no namespace on a system that has them', {space: null}, linux, 'out of sight'],
	[
		'ran before this machine was started again',
		{...living, boot: 'boot before', space: 'pid:[9]'},
		linux,
		'gone',
	],
	['is on a machine of the same name', {boot: 'other boot', machine: 'other machine'}, linux, 'out of sight'],
	[
		'is on a machine of the same name without an id',
		{boot: 'other boot', machine: null},
		linux,
		'out of sight',
	],
	[
		'is on another machine',
		{host: 'there', boot: 'other boot', machine: 'other machine'},
		linux,
		'out of sight',
	],
	['is of an older version, and ended', {machine: null, boot: null, space: null}, linux, 'gone'],
	['is of an older version, and runs', {...living, machine: null, boot: null, space: null}, linux, 'lives'],
	[
		'is of an older version elsewhere',
		{host: 'there', machine: null, boot: null, space: null},
		linux,
		'out of sight',
	],
	['ended, on a system without /proc', {...mac}, mac, 'gone'],
	['runs, on a system without /proc', {...mac, pid: process.pid}, mac, 'lives'],
	['has a boot, on a system without /proc', {}, mac, 'out of sight'],
])('a process that %s', (_what, holder, own, expected) => {
	expect(getHolderState({...linux, ...holder}, own)).toBe(expected);
});

test.each([
	{pid: 0, host: 'here'},
	{pid: -1, host: 'here'},
	{pid: 1.5, host: 'here'},
	{pid: '1', host: 'here'},
	{pid: 1},
	null,
	[],
])('%j is not a holder', json => {
	expect(readHolder(json)).toBeUndefined();
});

test('a lock names process, start, machine, boot and namespace, and one of the previous version is read', () => {
	using space = makeWorkspace();
	using _lock = takeLock(space.path('job'));
	const written = JSON.parse(readFileSync(space.path('job.lock.1'), 'utf8'));
	expect(Object.keys(written)).toEqual(['pid', 'host', 'started', 'machine', 'boot', 'space']);
	expect(readHolder(written)).toEqual(getThisProcess());
	const {pid, host, started} = getThisProcess();
	expect(readHolder({pid, host, started})).toEqual({
		...{pid, host, started},
		...{machine: null, boot: null, space: null},
	});
});

test('a lock from another container is not taken over until a person has removed it', () => {
	using space = makeWorkspace();
	const elsewhere: Holder = {
		...getThisProcess(),
		boot: getThisProcess().boot ?? 'boot',
		space: 'pid:[1]',
		pid: 2 ** 30,
	};
	space.file('job it is.lock.4', JSON.stringify(elsewhere));
	const path = space.path('job it is');
	expect(findLockHolder(path)).toEqual(elsewhere);
	expect(describeHolding(elsewhere)).toMatch(
		/^process 1073741824 .*on \S+ holds it; ledge can't check from here whether it is still running$/,
	);
	let next = '';
	try {
		takeLock(path);
	} catch (error) {
		expect(error).toMatchObject({
			code: 'job_running',
			message: 'Another process may be working on this job.',
			details: {
				why: expect.stringMatching(
					/^Process 1073741824 .*holds the lock; ledge can't check from here whether it is still running/,
				),
			},
		});
		({next} = (error as {details: {next: string}}).details);
	}
	expect(readdirSync(space.folder)).toEqual(['job it is.lock.4']);
	// What is printed works as printed.
	execFileSync('sh', ['-c', /`(.*)`/.exec(next)?.[1] ?? 'false']);
	takeLock(path)[Symbol.dispose]();
	expect(readdirSync(space.folder)).toEqual([]);
});

const ownNamespace = ['--pid', '--fork', '--mount-proc', '--kill-child'];

function mayUnshare(): boolean {
	try {
		execFileSync('unshare', [...ownNamespace, 'true'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}

test.runIf(mayUnshare())('a process in another PID namespace keeps its lock', async () => {
	using space = makeWorkspace();
	const path = space.path('job');
	const lock = new URL('../../source/state/lock.ts', import.meta.url).href;
	const holding = `
		import {takeLock} from ${JSON.stringify(lock)};
		takeLock(${JSON.stringify(path)});
		process.stdout.write(String(process.pid));
		setInterval(() => {}, 1000);`;
	const words = ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', holding];
	const child = spawn('unshare', [...ownNamespace, process.execPath, ...words]);
	const [pid] = await once(child.stdout, 'data');
	expect(findLockHolder(path)).toMatchObject({pid: Number(pid)});
	expect(() => takeLock(path)).toThrow('Another process may be working on this job.');
	child.kill('SIGKILL');
	await once(child, 'exit');
	// It cannot be known from here that it has ended.
	expect(() => takeLock(path)).toThrow('Another process may be working on this job.');
});
