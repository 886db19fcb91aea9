import {expect, test} from 'vitest';
import {runCommandLine} from '../../../source/commands/run.ts';
import {testHost} from '../../support/run.ts';

/** The exit code of a command whose output fails with that error, on a terminal or not. */
async function codeWith(code: string, tty: boolean): Promise<{code: number; stderr: string}> {
	const {host, stderr} = testHost({tty});
	host.stdout.write = () => {
		queueMicrotask(() => host.stdout.emit('error', Object.assign(new Error(code), {code})));
		return false;
	};
	return {code: await runCommandLine(['jobs', 'list'], host), stderr: stderr()};
}

test('a disk error on standard output is a failure; a closed reader is not', async () => {
	expect(await codeWith('EIO', false)).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("Can't write to standard output."),
	});
	expect(await codeWith('ENOSPC', false)).toMatchObject({code: 1});
	expect(await codeWith('EIO', true)).toEqual({code: 0, stderr: ''});
	expect(await codeWith('EPIPE', false)).toEqual({code: 0, stderr: ''});
});
