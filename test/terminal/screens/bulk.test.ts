import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkFile, sendCheckedFile} from '../../screens/support/sample-ways.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {openScreen} from '../screen/open.ts';
import {atKeys} from './ways.ts';

test('a job stopped with q, and then killed, is listed and continued by each next start', async () => {
	const cwd = createScratchFolder();
	const entries = Array.from({length: 25_000}, (_, index) => ({
		key: `load:${index + 1}`,
		value: `value ${index + 1}`,
	}));
	writeFileSync(join(cwd, 'load.json'), JSON.stringify(entries));
	const env = {LEDGE_SIMULATE_FAULTS: 'hang method=PUT path=/bulk after=1'};
	const stoppedScreen = await atKeys({cwd, env});
	await checkFile(stoppedScreen, 'load.json');
	await sendCheckedFile(stoppedScreen, 'CONFIG');
	await stoppedScreen.waitFor('10,000 of 25,000');
	stoppedScreen.press('esc');
	await stoppedScreen.waitFor(/^ bulk put 40% +features/m);
	stoppedScreen.press('q');
	await stoppedScreen.waitFor('Still running: bulk put load.json');
	stoppedScreen.press('y');
	expect(await stoppedScreen.waitForEnd()).toMatchObject({code: 0});

	const killedScreen = await openScreen(['--simulate'], {cwd, env});
	await killedScreen.waitFor(/Jobs +1 unfinished: bulk put load\.json/);
	killedScreen.press('7');
	await killedScreen.waitFor(/unfinished +40%/);
	killedScreen.press('enter');
	await killedScreen.waitFor('y resume the job');
	killedScreen.press('y');
	await killedScreen.waitFor('20,000 of 25,000');
	killedScreen.press('p');
	await killedScreen.waitFor('safe to quit: resumes where it stopped');
	const jobs = join(cwd, '.local', 'state', 'ledge', 'jobs');
	const journals = readdirSync(jobs).filter(name => name.endsWith('.ndjson'));
	expect(journals).toHaveLength(1);
	// The pause is recorded after the screen shows it, and with it what was acknowledged.
	await expect
		.poll(() => readFileSync(join(jobs, journals[0] ?? ''), 'utf8'), {timeout: 60_000})
		.toContain('"paused"');
	killedScreen.kill('SIGKILL');
	await killedScreen.ended;

	const screen = await openScreen(['--simulate'], {cwd});
	await screen.waitFor(/Jobs +1 unfinished: bulk put load\.json/);
	screen.press('7');
	await screen.waitFor(/unfinished +80%/);
	screen.press('enter');
	await screen.waitFor('y resume the job');
	screen.press('y');
	await screen.waitFor('Wrote 25,000 keys');
	screen.press('7');
	await screen.waitFor(/✓ done +100%/);
	screen.press('d');
	await screen.waitFor('The job is done; only its record is deleted.');
	screen.press('y');
	await screen.waitFor('No jobs.');
});
