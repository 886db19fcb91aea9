import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runOwnProgram} from '../../source/terminal/own-program.ts';
import {failureOf} from '../settings/support/files.ts';
import {eventually} from '../support/eventually.ts';
import {isAlive} from '../support/is-alive.ts';
import {createScratchFolder} from '../support/ledge.ts';

const run = (
	command: readonly [string, ...string[]],
	options: Partial<Parameters<typeof runOwnProgram>[0]> = {},
) =>
	runOwnProgram({
		command,
		cwd: createScratchFolder(),
		env: process.env,
		isForeground: false,
		capture: 'stdout',
		maxBytes: 1000,
		signal: new AbortController().signal,
		...options,
	});

const shell = (script: string, options?: Parameters<typeof run>[1]) => run(['sh', '-c', script], options);

/** A script that starts another process, writes both ids to a file, and waits. */
function createWaitingGroup(prefix = '') {
	const file = join(createScratchFolder(), 'ids');
	const script = `${prefix}sleep 1000 & echo $$ $! > ${file}.new; mv ${file}.new ${file}; wait`;
	const readIds = () => readFileSync(file, 'utf8').trim().split(' ').map(Number);
	return {script, readIds};
}

describe('output', () => {
	test('is returned with the exit code', async () => {
		expect(await shell('echo out; echo first >&2; echo last >&2; exit 3')).toEqual({
			status: 3,
			output: Buffer.from('out\n'),
			isTruncated: false,
			lastErrorLine: 'last',
		});
	});

	test('of both streams can be kept', async () => {
		const {output} = await shell('echo out; sleep 0.1; echo error >&2', {capture: 'all'});
		expect(output.toString()).toBe('out\nerror\n');
	});

	test('of 20 MB is read to the end, and only its start is kept', async () => {
		const {status, output, isTruncated} = await shell('head -c 20000000 /dev/zero; exit 4');
		expect([status, output.length, isTruncated]).toEqual([4, 1000, true]);
	});

	test('beyond the limit of a value stops the program', async () => {
		const failure = await failureOf(() => shell('yes', {failsBeyondLimit: true}));
		expect([failure.code, failure.message]).toEqual([
			'command_failed',
			'"sh" was stopped: it printed more than 1000 bytes.',
		]);
	});

	test('is not waited for if a process that it left holds the pipe', async () => {
		const {status, output} = await shell('(exec setsid sleep 30) & echo done');
		expect([status, output.toString()]).toEqual([0, 'done\n']);
	});
});

describe('a program', () => {
	test('has neither input nor a terminal', async () => {
		const {output} = await shell('cat; (echo x > /dev/tty) 2>/dev/null || echo none');
		expect(output.toString()).toBe('none\n');
	});

	test('reads the input that it is given, or need not', async () => {
		const input = Buffer.alloc(10_000_000, 'x');
		expect((await run(['wc', '-c'], {input})).output.toString().trim()).toBe('10000000');
		expect((await shell('exec <&-; echo closed', {input})).output.toString()).toBe('closed\n');
	});

	test('that does not exist cannot be started', async () => {
		const {code, message, details} = await failureOf(() => run(['ledge-no-such-program']));
		expect([code, message, details.why]).toEqual([
			'command_failed',
			'"ledge-no-such-program" could not be started.',
			'The program does not exist.',
		]);
	});

	test('that is a file without permission cannot be started', async () => {
		const file = join(createScratchFolder(), 'x');
		writeFileSync(file, '', {mode: 0o600});
		expect((await failureOf(() => run([file]))).details.why).toBe('There is no permission to run it.');
	});

	test('with an argument that no system takes cannot be started', async () => {
		expect((await failureOf(() => run(['true', 'x'.repeat(10_000_000)]))).code).toBe('command_failed');
	});

	test('ended by a signal says so', async () => {
		expect(await shell('kill -SEGV $$')).toMatchObject({status: 'SIGSEGV'});
	});
});

describe('stopping', () => {
	test('ends the whole process group', async () => {
		const {script, readIds} = createWaitingGroup();
		const controller = new AbortController();
		const end = failureOf(() => shell(script, {signal: controller.signal}));
		const ids = await eventually(readIds);
		expect(ids.map(isAlive)).toEqual([true, true]);
		controller.abort();
		expect((await end).code).toBe('interrupted');
		await eventually(() => expect(ids.filter(isAlive)).toEqual([]));
	});

	test('ends what ignores SIGTERM', async () => {
		const {script, readIds} = createWaitingGroup("trap '' TERM; ");
		const controller = new AbortController();
		const end = failureOf(() => shell(script, {signal: controller.signal}));
		const ids = await eventually(readIds);
		controller.abort();
		expect((await end).code).toBe('interrupted');
		await eventually(() => expect(ids.filter(isAlive)).toEqual([]));
	});

	test('comes after the time limit', async () => {
		const {script, readIds} = createWaitingGroup();
		const {code, message} = await failureOf(() => shell(script, {timeout: 500}));
		expect([code, message]).toEqual(['command_failed', '"sh" was stopped: it took longer than 0.5 s.']);
		const ids = readIds();
		await eventually(() => expect(ids.filter(isAlive)).toEqual([]));
	});

	test('before the start starts nothing', async () => {
		const file = join(createScratchFolder(), 'started');
		const signal = AbortSignal.abort();
		expect((await failureOf(() => shell(`touch ${file}`, {signal}))).code).toBe('interrupted');
		expect(existsSync(file)).toBe(false);
	});
});
