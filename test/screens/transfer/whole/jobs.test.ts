import {once} from 'node:events';
import {mkdirSync, watch, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, expect, test} from 'vitest';
import {listJobs} from '../../../../source/state/jobs.ts';
import {startLedge} from '../../../support/ledge.ts';
import {ledge, scratch} from '../../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../../support/serve-simulator.ts';
import {drawnAtHome, drawnAtNamespaces} from '../../support/sample-screens.ts';
import {beginExport} from '../../support/sample-ways.ts';
import type {DrawnScreen} from '../../support/screen.tsx';

let service: ServedSimulator;
const keyCount = 2800;
/** Answers 26 of 28 readings of values, and then no more. */
const hangs = 'hang path=/bulk/get after=26';
/** Keys that are done then: at most twelve readings are ahead of one that is not answered. */
const some = '[12],[0-9]00';
const safe = 'safe to quit: resumes where it stopped';

/** SESSIONS has 480 keys, and gets what is missing to 2,800. */
beforeAll(async () => {
	service = await serveSimulator();
	const cwd = scratch();
	const lines = Array.from({length: keyCount - 480}, (_, at) =>
		JSON.stringify({key: `load-${at}`, value: `value ${at}`, metadata: {at}}),
	);
	writeFileSync(join(cwd, 'load.ndjson'), lines.join('\n'));
	const made = await ledge(['kv', 'copy', 'file:load.ndjson', 'remote:SESSIONS', '--yes'], {
		cwd,
		env: service.env,
	});
	expect(made, made.stderr).toMatchObject({code: 0});
});
beforeEach(() => service.setFaults(''));

/** What tells SESSIONS from what was made of it. */
const diff = (cwd: string, other: string) =>
	ledge(['kv', 'diff', 'remote:SESSIONS', other], {cwd, env: service.env});

/** A person on the keys of SESSIONS. */
async function drawnAtSessions(cwd: string): Promise<DrawnScreen> {
	const screen = await drawnAtNamespaces({cwd, env: service.env}, {});
	screen.press('down', 'enter');
	await screen.waitFor(/▸ .*load-0/);
	return screen;
}

/** Ends when the journal of a job in that folder says that something is done. */
function somethingDone(cwd: string): Promise<void> {
	const LEDGE_STATE_DIR = join(cwd, '.local/state/ledge');
	const jobs = join(LEDGE_STATE_DIR, 'jobs');
	mkdirSync(jobs, {recursive: true, mode: 0o700});
	return new Promise(resolve => {
		const watcher = watch(jobs, {persistent: false}, async () => {
			const listed = await listJobs({LEDGE_STATE_DIR});
			if (!listed.some(job => 'record' in job && job.record.done > 0)) return;
			watcher.close();
			resolve();
		});
	});
}

/** Cancels what is under way, and continues it from the jobs to its end. */
async function cancelAndResume(screen: DrawnScreen): Promise<void> {
	screen.press('c');
	await screen.waitFor('Cancel this run?');
	screen.press('y');
	await screen.waitFor(/stopped +█/);
	await service.setFaults('');
	screen.press('J');
	await screen.waitFor(new RegExp(`unfinished +${some}`));
	screen.press('enter');
	await screen.waitFor(/done +✓ 2,800 keys/);
}

test('a copy killed halfway is in the jobs after a restart, and continues to its end', async () => {
	const cwd = scratch();
	await service.setFaults(hangs);
	const recorded = somethingDone(cwd);
	const killed = startLedge(['kv', 'copy', 'remote:SESSIONS', 'local:copied', '--yes'], {
		cwd,
		env: service.env,
	});
	const ended = once(killed, 'exit');
	await recorded;
	killed.kill('SIGKILL');
	expect(await ended).toEqual([null, 'SIGKILL']);
	await service.setFaults('');

	const screen = await drawnAtHome({cwd, env: service.env}, {});
	await screen.waitFor(/Jobs +1 unfinished: copy/);
	screen.press('J');
	// What was not written down yet is done again.
	await screen.waitFor(new RegExp(`unfinished +(0|${some}) `));
	screen.press('enter');
	await screen.waitFor(/done +✓ 2,800 keys/);
	screen.press('J');
	await screen.waitFor(/✓ done +2,800/);
	expect(await diff(cwd, 'local:copied')).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('Identical: 2,800 keys.'),
	});
});

test('a copy of all keys is cancelled halfway, and continues from the jobs', async () => {
	const cwd = scratch();
	const screen = await drawnAtSessions(cwd);
	await service.setFaults(hangs);
	screen.press('c');
	await screen.waitFor('another store, by name');
	screen.press('down', 'down');
	await screen.waitFor(/▸ another store/);
	screen.press('enter');
	await screen.waitFor('remote:TITLE');
	screen.paste('local:copied');
	await screen.waitFor('local:copied');
	screen.press('enter');
	await screen.waitFor('▸ Copy only keys that are missing there');
	screen.press('down');
	await screen.waitFor('▸ Copy all keys, overwriting existing ones');
	screen.press('enter');
	await screen.waitFor(new RegExp(`${some} of 2,800 keys`));
	await screen.waitFor(safe);
	await cancelAndResume(screen);
	expect(await diff(cwd, 'local:copied')).toMatchObject({code: 0});
});

test('an export is paused, continues behind other screens, is cancelled, and continues from the jobs', async () => {
	const cwd = scratch();
	const screen = await drawnAtSessions(cwd);
	await service.setFaults(hangs);
	await beginExport(screen);
	await screen.waitFor(new RegExp(`${some} of 2,800 keys`));
	screen.press('p');
	await screen.waitFor(/paused +█/);
	await screen.waitFor(safe);
	screen.press('esc');
	await screen.waitFor(new RegExp(`export paused at ${some} of 2,800`));
	screen.press('q');
	await screen.waitFor('Still running: exporting SESSIONS');
	expect(screen.text()).toContain('Progress is recorded');
	screen.press('esc');
	await screen.waitFor(/▸ .*load-0/);
	screen.press('J');
	await screen.waitFor(/▸ .*(this run|paused) +\d\d%/);
	screen.press('enter');
	await screen.waitFor(/paused +█/);
	await cancelAndResume(screen);
	expect(await diff(cwd, `file:${join(cwd, 'SESSIONS.ndjson')}`)).toMatchObject({code: 0});
});

test('a service lost during an export: the reason is shown, and that the jobs can continue it', async () => {
	const gone = await serveSimulator();
	const screen = await drawnAtNamespaces({env: {...gone.env, LEDGE_TIME_SCALE: '0.05'}}, {});
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');
	await gone.setFaults('hang path=/bulk/get after=2');
	await beginExport(screen);
	await screen.waitFor(/[12]00 of 480 keys/);
	await gone.stop();
	await screen.waitFor(/stopped +█/);
	expect(screen.text()).toContain('cannot be reached');
	expect(screen.text()).toContain('You can also resume it from Jobs (J).');
	screen.press('J');
	await screen.waitFor(/unfinished +[12]00/);
});
