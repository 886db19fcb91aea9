import type {ChildProcess} from 'node:child_process';
import {expect, test} from 'vitest';
import {isPut, migratingZone} from '../../support/migration.ts';

test('a PUT in flight in another process is shown as running, and its answer is not lost', async () => {
	const zone = await migratingZone();
	let child: ChildProcess | undefined;
	const held = Promise.withResolvers<void>();
	zone.at({
		is: isPut,
		when: 'before',
		does() {
			held.resolve();
			return 'hold';
		},
	});
	const sending = zone.send('deploy', {
		// Hurried, the PUT would be given up after a third of a second.
		env: {LEDGE_TIME_SCALE: '1'},
		started: one => {
			child = one;
		},
	});
	await held.promise;
	const shown = JSON.parse((await zone.run(['status', '--json'])).stdout);
	expect(shown).toMatchObject({state: 'sending deploy', process: {pid: child?.pid}});
	expect(shown.next).toHaveLength(1);
	expect(shown.next[0]).toContain('status --watch');
	child?.kill('SIGKILL');
	await sending;
	expect(JSON.parse((await zone.run(['status', '--json'])).stdout)).toMatchObject({
		state: 'deploy in doubt',
		process: null,
	});
});
