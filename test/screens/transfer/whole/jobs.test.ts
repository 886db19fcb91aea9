import {once} from 'node:events';
import {mkdirSync, watch, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, expect, test} from 'vitest';
import {listJobs} from '../../../../source/state/jobs.ts';
import {startLedge} from '../../../support/ledge.ts';
import {createScratchFolder, ledge} from '../../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../../support/serve-simulator.ts';
import {drawAtHome, drawAtNamespaces} from '../../support/sample-screens.ts';
import {beginExport} from '../../support/sample-ways.ts';
import type {DrawnScreen} from '../../support/screen.tsx';

let service: ServedSimulator;
const keyCount = 2800;
/** Fault: 26 of 28 reads of values get a response, the others hang. */
const hangFault = 'hang path=/bulk/get after=26';
/** Pattern of the number of keys done then: at most 12 reads are ahead of the first that hangs. */
const partialCount = '[12],[0-9]00';
const safeToQuit = 'safe to quit: resumes where it stopped';

/** SESSIONS has 480 keys, and is filled up to 2,800. */
beforeAll(async () => {
	service = await serveSimulator();
	const cwd = createScratchFolder();
	const lines = Array.from({length: keyCount - 480}, (_, at) =>
		JSON.stringify({key: `load-${at}`, value: `value ${at}`, metadata: {at}}),
	);
	writeFileSync(join(cwd, 'load.ndjson'), lines.join('\n'));
	const loading = await ledge(['kv', 'copy', 'file:load.ndjson', 'remote:SESSIONS', '--yes'], {
		cwd,
		env: service.env,
	});
	expect(loading, loading.stderr).toMatchObject({code: 0});
});
beforeEach(() => service.setFaults(''));

/** Compares SESSIONS with a copy or an export of it. */
const diff = (cwd: string, other: string) =>
	ledge(['kv', 'diff', 'remote:SESSIONS', other], {cwd, env: service.env});

/** A person on the keys of SESSIONS. */
async function drawnAtSessions(cwd: string): Promise<DrawnScreen> {
	const screen = await drawAtNamespaces({cwd, env: service.env}, {});
	screen.press('down', 'enter');
	await screen.waitFor(/▸ .*load-0/);
	return screen;
}

/** Resolves when the journal of a job in this folder records progress. */
function waitForProgress(cwd: string): Promise<void> {
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

/** Cancels what is under way, on its screen or on that of the jobs, and continues it from the jobs to its end. */
async function cancelAndResume(screen: DrawnScreen, isOnJobs: boolean): Promise<void> {
	if (isOnJobs) {
		screen.press('7');
		await screen.waitFor(/▸ .*this run/);
	}
	screen.press('ctrl-x');
	await screen.waitFor('Cancel this run?');
	screen.press('y');
	if (!isOnJobs) await screen.waitFor(/stopped +█/);
	await service.setFaults('');
	if (!isOnJobs) screen.press('7');
	await screen.waitFor(new RegExp(`unfinished +${partialCount}`));
	screen.press('enter');
	await screen.waitFor('y resume the job');
	screen.press('y');
	await screen.waitFor(/done +✓ 2,800 keys/);
}

test('a copy killed halfway is in the jobs after a restart, and continues to its end', async () => {
	const cwd = createScratchFolder();
	await service.setFaults(hangFault);
	const progress = waitForProgress(cwd);
	const killed = startLedge(['kv', 'copy', 'remote:SESSIONS', 'local:copied', '--yes'], {
		cwd,
		env: service.env,
	});
	const ended = once(killed, 'exit');
	await progress;
	killed.kill('SIGKILL');
	expect(await ended).toEqual([null, 'SIGKILL']);
	await service.setFaults('');

	const screen = await drawAtHome({cwd, env: service.env}, {});
	await screen.waitFor(/Jobs +1 unfinished: copy/);
	screen.press('7');
	// Progress that was not recorded before the kill is lost.
	await screen.waitFor(new RegExp(`unfinished +(0|${partialCount}) `));
	screen.press('enter');
	await screen.waitFor('y resume the job');
	screen.press('y');
	await screen.waitFor(/done +✓ 2,800 keys/);
	screen.press('7');
	await screen.waitFor(/✓ done +2,800/);
	expect(await diff(cwd, 'local:copied')).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('Identical: 2,800 keys.'),
	});
});

test('a copy of all keys is cancelled halfway, and continues from the jobs', async () => {
	const cwd = createScratchFolder();
	const screen = await drawnAtSessions(cwd);
	await service.setFaults(hangFault);
	screen.press('c');
	await screen.waitFor('▸ Only ');
	screen.press('down');
	await screen.waitFor('▸ All keys');
	screen.press('enter');
	await screen.waitFor('or type another');
	screen.paste('local:copied');
	await screen.waitFor('local:copied');
	screen.press('enter');
	await screen.waitFor('▸ Copy only keys that are missing there (asks first)');
	screen.press('down');
	await screen.waitFor('▸ Copy, and overwrite keys that exist there (asks first)');
	screen.press('enter');
	await screen.waitFor('To continue, type  local:copied');
	screen.type('local:copied');
	screen.press('enter');
	await screen.waitFor(new RegExp(`${partialCount} of 2,800 keys`));
	await screen.waitFor(safeToQuit);
	await cancelAndResume(screen, true);
	expect(await diff(cwd, 'local:copied')).toMatchObject({code: 0});
});

test('an export is paused, continues behind other screens, is cancelled, and continues from the jobs', async () => {
	const cwd = createScratchFolder();
	const screen = await drawnAtSessions(cwd);
	await service.setFaults(hangFault);
	await beginExport(screen);
	await screen.waitFor(new RegExp(`${partialCount} of 2,800 keys`));
	screen.press('p');
	await screen.waitFor(/paused +█/);
	await screen.waitFor(safeToQuit);
	screen.press('esc');
	await screen.waitFor(new RegExp(`export paused at ${partialCount} of 2,800`));
	screen.press('q');
	await screen.waitFor('Still running: exporting SESSIONS');
	expect(screen.text()).toContain('Progress is saved');
	screen.press('esc');
	await screen.waitFor(/▸ .*load-0/);
	screen.press('7');
	await screen.waitFor(/▸ .*(this run|paused) +\d\d%/);
	screen.press('enter');
	await screen.waitFor(/paused +█/);
	await cancelAndResume(screen, false);
	expect(await diff(cwd, `file:${join(cwd, 'SESSIONS.ndjson')}`)).toMatchObject({code: 0});
});

test('an export that loses the service shows the reason, and can be resumed from the jobs', async () => {
	const failingService = await serveSimulator();
	const screen = await drawAtNamespaces({env: {...failingService.env, LEDGE_TIME_SCALE: '0.05'}}, {});
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');
	await failingService.setFaults('hang path=/bulk/get after=2');
	await beginExport(screen);
	await screen.waitFor(/[12]00 of 480 keys/);
	await failingService.stop();
	await screen.waitFor(/stopped +█/);
	expect(screen.text()).toContain('cannot be reached');
	expect(screen.text()).toContain('You can also resume it from Jobs (7).');
	screen.press('7');
	await screen.waitFor(/unfinished +[12]00/);
});
