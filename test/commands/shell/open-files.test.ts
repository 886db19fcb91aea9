import {spawnSync} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {toFailure} from '../../../source/failure.ts';
import {createScratchFolder, ledge} from '../../support/ledge.ts';
import {createUnconfiguredEnvironment, program} from '../../support/program.ts';

describe('if no more files can be opened', () => {
	test.each(['EMFILE', 'ENFILE'])('%s is reported by name, not as an internal error', code => {
		const failure = toFailure(Object.assign(new Error(`${code}: too many open files`), {code}));
		expect(failure).toMatchObject({code: 'file_failed', message: 'Too many files are open.'});
		expect(failure.next).toContain('ulimit -n');
	});

	/** Node itself needs 22 open files to start. */
	test.skipIf(process.platform === 'win32')('a simulated world is not reported as damaged', async () => {
		const cwd = createScratchFolder();
		expect((await ledge(['zones', '--simulate', '--state', 'world'], {cwd})).code).toBe(0);
		for (const limit of [22, 23, 24, 26, 32, 64]) {
			const {status, stderr} = spawnSync(
				'sh',
				[
					'-c',
					'ulimit -n "$0" && exec "$@"',
					String(limit),
					process.execPath,
					program,
					'zones',
					'--simulate',
					'--state',
					'world',
				],
				{cwd, env: createUnconfiguredEnvironment(cwd), encoding: 'utf8'},
			);
			expect(stderr).not.toMatch(/damaged|--reset|Something in ledge itself/);
			if (status !== 0) expect(stderr).toMatch(/could not be opened|Too many files are open|EMFILE/);
		}
	});
});
