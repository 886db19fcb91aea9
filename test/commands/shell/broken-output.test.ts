import {expect, test} from 'vitest';
import {runCommandLine} from '../../../source/commands/run.ts';
import {createTestHost} from '../../support/run.ts';

/** Runs a command whose output fails with this error, on a terminal or not. */
async function runWithOutputError(code: string, tty: boolean): Promise<{code: number; stderr: string}> {
	const {host, stderr} = createTestHost({tty});
	host.stdout.write = () => {
		queueMicrotask(() => host.stdout.emit('error', Object.assign(new Error(code), {code})));
		return false;
	};
	return {code: await runCommandLine(['jobs', 'list'], host), stderr: stderr()};
}

test('a disk error on standard output is a failure; a closed reader is not', async () => {
	expect(await runWithOutputError('EIO', false)).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("Can't write to standard output."),
	});
	expect(await runWithOutputError('ENOSPC', false)).toMatchObject({code: 1});
	expect(await runWithOutputError('EIO', true)).toEqual({code: 0, stderr: ''});
	expect(await runWithOutputError('EPIPE', false)).toEqual({code: 0, stderr: ''});
});
