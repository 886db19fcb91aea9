import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, expect, test} from 'vitest';
import {ledge, scratch} from '../../support/ledge.ts';
import {type RunningService, startService} from '../../support/service.ts';
import {openScreen, type Screen} from '../screen/open.ts';
import {atNamespaces} from './ways.ts';

let service: RunningService;
const keyCount = 2800;
/** Answers 26 of 28 readings of values, and then no more. */
const hangs = 'hang path=/bulk/get after=26';
/** Keys that are done then: at most twelve readings are ahead of one that is not answered. */
const some = '[12],[0-9]00';
const safe = 'safe to stop: what is done is recorded';

/** SESSIONS has 480 keys, and gets what is missing to 2,800. */
beforeAll(async () => {
	service = await startService();
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

/** Ledge on the keys of SESSIONS. */
async function atSessions(cwd: string, env: Readonly<Record<string, string>> = service.env): Promise<Screen> {
	const screen = await atNamespaces({cwd, env}, []);
	screen.press('down', 'enter');
	await screen.waitFor(/▸ .*load-0/);
	return screen;
}

/** Begins an export into SESSIONS.ndjson of the folder. */
async function beginExport(screen: Screen): Promise<void> {
	screen.press('x');
	await screen.waitFor('The file to write');
	screen.press('enter');
}

/** Begins a copy into local data. */
async function beginCopy(screen: Screen): Promise<void> {
	screen.press('c');
	await screen.waitFor('another store, by its name');
	screen.press('down', 'down');
	await screen.waitFor(/▸ another store/);
	screen.press('enter');
	await screen.waitFor('remote:TITLE');
	screen.paste('local:copied');
	await screen.waitFor('local:copied');
	screen.press('enter');
	await screen.waitFor('▸ Only the keys that are missing there');
	screen.press('down');
	await screen.waitFor('▸ All of them');
	screen.press('enter');
}

/** What tells SESSIONS from what was made of it. */
const diff = (cwd: string, other: string) =>
	ledge(['kv', 'diff', 'remote:SESSIONS', other], {cwd, env: service.env});

test.each([
	['an export', 'export', beginExport, (cwd: string) => `file:${join(cwd, 'SESSIONS.ndjson')}`],
	['a copy', 'copy', beginCopy, () => 'local:copied'],
] as const)('%s killed in the middle is in the jobs of the next start, and goes on to its end', async (_, kind, begin, made) => {
	const cwd = scratch();
	const killed = await atSessions(cwd);
	await service.setFaults(hangs);
	await begin(killed);
	await killed.waitFor(new RegExp(`${some} of 2,800 keys`));
	await killed.waitFor(safe);
	killed.kill('SIGKILL');
	await killed.ended;
	await service.setFaults('');

	const screen = await openScreen([], {cwd, env: service.env});
	await screen.waitFor(new RegExp(`Jobs +1 unfinished: ${kind}`));
	screen.press('J');
	// What was not written down yet is done again.
	await screen.waitFor(new RegExp(`unfinished +(0|${some}) `));
	screen.press('enter');
	await screen.waitFor(/done +✓ 2,800 keys/);
	screen.press('J');
	await screen.waitFor(/✓ done +2,800/);
	expect(await diff(cwd, made(cwd))).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('Identical: 2,800 keys.'),
	});
});

test('an export is paused, goes on behind other screens, and is cancelled; the jobs go on with it', async () => {
	const cwd = scratch();
	const screen = await atSessions(cwd);
	await service.setFaults(hangs);
	await beginExport(screen);
	await screen.waitFor(new RegExp(`${some} of 2,800 keys`));
	screen.press('p');
	await screen.waitFor(/paused +█/);
	await screen.waitFor(safe);
	screen.press('esc');
	await screen.waitFor(new RegExp(`export paused at ${some} of 2,800`));
	screen.press('q');
	await screen.waitFor('Still under way: exporting SESSIONS');
	expect(screen.text()).toContain('What is done is recorded');
	screen.press('esc');
	await screen.waitFor(/▸ .*load-0/);
	screen.press('J');
	await screen.waitFor(/▸ .*(this run|paused) +\d\d %/);
	screen.press('enter');
	await screen.waitFor(/paused +█/);
	screen.press('c');
	await screen.waitFor('Cancel this run?');
	screen.press('y');
	await screen.waitFor(/stopped +█/);
	await service.setFaults('');
	screen.press('J');
	await screen.waitFor(new RegExp(`unfinished +${some}`));
	screen.press('enter');
	await screen.waitFor(/done +✓ 2,800 keys/);
	expect(await diff(cwd, `file:${join(cwd, 'SESSIONS.ndjson')}`)).toMatchObject({code: 0});
});

test('a service that is gone in the middle of an export: it says why, and that the jobs go on with it', async () => {
	const gone = await startService();
	const screen = await atNamespaces({env: {...gone.env, LEDGE_TIME_SCALE: '0.05'}}, []);
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');
	await gone.setFaults('hang path=/bulk/get after=2');
	await beginExport(screen);
	await screen.waitFor(/[12]00 of 480 keys/);
	await gone.stop();
	await screen.waitFor(/stopped +█/, {within: 20_000});
	expect(screen.text()).toContain('cannot be reached');
	expect(screen.text()).toContain('So does J, the list of jobs.');
	screen.press('J');
	await screen.waitFor(/unfinished +[12]00/);
});
