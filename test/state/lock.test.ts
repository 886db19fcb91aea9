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

const linuxHolder: Holder = {
	pid: 2 ** 30,
	host: 'here',
	started: '12',
	machine: 'this machine',
	boot: 'this boot',
	space: 'pid:[1]',
};
const macHolder: Holder = {...linuxHolder, started: null, machine: null, boot: null, space: null};
/** This test's own process, as another ledge on the same system would see it. */
const livingProcess = {pid: process.pid, started: getThisProcess().started};

test.each<readonly [string, Partial<Holder>, Holder, ReturnType<typeof getHolderState>]>([
	['ended', {}, linuxHolder, 'gone'],
	['runs', livingProcess, linuxHolder, 'lives'],
	['had the id of one that runs', {pid: process.pid, started: '0'}, linuxHolder, 'gone'],
	['ran before this machine was renamed', {host: 'old name'}, linuxHolder, 'gone'],
	['runs on this machine, renamed', {...livingProcess, host: 'old name'}, linuxHolder, 'lives'],
	['is in another container', {space: 'pid:[2]'}, linuxHolder, 'out of sight'],
	[
		'is in another container with a host name of its own',
		{space: 'pid:[2]', host: 'c1'},
		linuxHolder,
		'out of sight',
	],
	[
		'has an id that runs here, in another container',
		{...livingProcess, space: 'pid:[2]'},
		linuxHolder,
		'out of sight',
	],
	['recorded no namespace on a system that has them', {space: null}, linuxHolder, 'out of sight'],
	[
		'ran before this machine was started again',
		{...livingProcess, boot: 'boot before', space: 'pid:[9]'},
		linuxHolder,
		'gone',
	],
	[
		'is on a machine of the same name',
		{boot: 'other boot', machine: 'other machine'},
		linuxHolder,
		'out of sight',
	],
	[
		'is on a machine of the same name without an id',
		{boot: 'other boot', machine: null},
		linuxHolder,
		'out of sight',
	],
	[
		'is on another machine',
		{host: 'there', boot: 'other boot', machine: 'other machine'},
		linuxHolder,
		'out of sight',
	],
	['is of an older version, and ended', {machine: null, boot: null, space: null}, linuxHolder, 'gone'],
	[
		'is of an older version, and runs',
		{...livingProcess, machine: null, boot: null, space: null},
		linuxHolder,
		'lives',
	],
	[
		'is of an older version elsewhere',
		{host: 'there', machine: null, boot: null, space: null},
		linuxHolder,
		'out of sight',
	],
	['ended, on a system without /proc', {...macHolder}, macHolder, 'gone'],
	['runs, on a system without /proc', {...macHolder, pid: process.pid}, macHolder, 'lives'],
	['has a boot, on a system without /proc', {}, macHolder, 'out of sight'],
])('a process that %s', (_what, holder, thisHolder, expected) => {
	expect(getHolderState({...linuxHolder, ...holder}, thisHolder)).toBe(expected);
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
	const lockContent = JSON.parse(readFileSync(space.path('job.lock.1'), 'utf8'));
	expect(Object.keys(lockContent)).toEqual(['pid', 'host', 'started', 'machine', 'boot', 'space']);
	expect(readHolder(lockContent)).toEqual(getThisProcess());
	const {pid, host, started} = getThisProcess();
	expect(readHolder({pid, host, started})).toEqual({
		...{pid, host, started},
		...{machine: null, boot: null, space: null},
	});
});

test('a lock from another container is not taken over until a person has removed it', () => {
	using space = makeWorkspace();
	const foreignHolder: Holder = {
		...getThisProcess(),
		boot: getThisProcess().boot ?? 'boot',
		space: 'pid:[1]',
		pid: 2 ** 30,
	};
	space.writeFile('job it is.lock.4', JSON.stringify(foreignHolder));
	const path = space.path('job it is');
	expect(findLockHolder(path)).toEqual(foreignHolder);
	expect(describeHolding(foreignHolder)).toMatch(
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
	// The printed command works as printed.
	execFileSync('sh', ['-c', /`(.*)`/.exec(next)?.[1] ?? 'false']);
	takeLock(path)[Symbol.dispose]();
	expect(readdirSync(space.folder)).toEqual([]);
});

const unshareArguments = ['--pid', '--fork', '--mount-proc', '--kill-child'];

function canUnshare(): boolean {
	try {
		execFileSync('unshare', [...unshareArguments, 'true'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}

test.runIf(canUnshare())('a process in another PID namespace keeps its lock', async () => {
	using space = makeWorkspace();
	const path = space.path('job');
	const lock = new URL('../../source/state/lock.ts', import.meta.url).href;
	const lockingCode = `
		import {takeLock} from ${JSON.stringify(lock)};
		takeLock(${JSON.stringify(path)});
		process.stdout.write(String(process.pid));
		setInterval(() => {}, 1000);`;
	const nodeArguments = [
		'--experimental-strip-types',
		'--no-warnings',
		'--input-type=module',
		'-e',
		lockingCode,
	];
	const child = spawn('unshare', [...unshareArguments, process.execPath, ...nodeArguments]);
	const [pid] = await once(child.stdout, 'data');
	expect(findLockHolder(path)).toMatchObject({pid: Number(pid)});
	expect(() => takeLock(path)).toThrow('Another process may be working on this job.');
	child.kill('SIGKILL');
	await once(child, 'exit');
	// This process cannot see that the other one has ended.
	expect(() => takeLock(path)).toThrow('Another process may be working on this job.');
});
