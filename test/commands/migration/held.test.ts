import type {ChildProcess} from 'node:child_process';
import {expect, test} from 'vitest';
import {createMigratingZone, isPut} from '../../support/migration.ts';

test('a PUT in flight is shown as running, and as in doubt after its process is killed', async () => {
	const zone = await createMigratingZone();
	let child: ChildProcess | undefined;
	const putArrived = Promise.withResolvers<void>();
	zone.onCall({
		is: isPut,
		when: 'before',
		does() {
			putArrived.resolve();
			return 'hold';
		},
	});
	const sending = zone.send('deploy', {
		// At the time scale of other tests, the PUT would time out after a third of a second.
		env: {LEDGE_TIME_SCALE: '1'},
		onStart: one => {
			child = one;
		},
	});
	await putArrived.promise;
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
