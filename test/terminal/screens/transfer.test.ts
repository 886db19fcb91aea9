import {expect, test} from 'vitest';
import {beginExport} from '../../screens/support/sample-ways.ts';
import {createScratchFolder, ledge} from '../../support/ledge.ts';
import {openScreen} from '../screen/open.ts';
import {atNamespaces} from './ways.ts';

test('an export killed midway is listed by the next start and continues to its end', async () => {
	const cwd = createScratchFolder();
	// The service responds to two of five requests for values, and then no more.
	const killed = await atNamespaces({cwd, env: {LEDGE_SIMULATE_FAULTS: 'hang path=/bulk/get after=2'}});
	killed.press('down', 'enter');
	await killed.waitFor('480 keys');
	await beginExport(killed);
	await killed.waitFor(/[12]00 of 480 keys/);
	await killed.waitFor('safe to quit: resumes where it stopped');
	killed.kill('SIGKILL');
	await killed.ended;

	const screen = await openScreen(['--simulate'], {cwd});
	await screen.waitFor(/Jobs +1 unfinished: export/);
	screen.press('7');
	// What the journal does not record yet is done again.
	await screen.waitFor(/unfinished +(0|[12]00) /);
	screen.press('enter');
	await screen.waitFor('y resume the job');
	screen.press('y');
	await screen.waitFor(/done +✓ 480 keys/);
	screen.press('7');
	await screen.waitFor(/✓ done +480/);
	expect(
		await ledge(['kv', 'diff', 'remote:SESSIONS', 'file:SESSIONS.ndjson', '--simulate'], {cwd}),
	).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('Identical: 480 keys.'),
	});
});
