import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkFile} from '../../screens/support/sample-ways.ts';
import {scratch} from '../../support/ledge.ts';
import {openScreen} from '../screen/open.ts';
import {atKeys} from './ways.ts';

test('a job stopped with q, and then killed, is listed and continued by each next start', async () => {
	const cwd = scratch();
	const entries = Array.from({length: 25_000}, (_, at) => ({
		key: `load:${at + 1}`,
		value: `value ${at + 1}`,
	}));
	writeFileSync(join(cwd, 'load.json'), JSON.stringify(entries));
	const env = {LEDGE_SIMULATE_FAULTS: 'hang method=PUT path=/bulk after=1'};
	const left = await atKeys({cwd, env});
	await checkFile(left, 'load.json');
	left.press('enter');
	await left.waitFor('10,000 of 25,000');
	left.press('esc');
	await left.waitFor(/^ bulk put 40% +features/m);
	left.press('q');
	await left.waitFor('Still running: bulk put load.json');
	left.press('y');
	expect(await left.waitForEnd()).toMatchObject({code: 0});

	const killed = await openScreen(['--simulate'], {cwd, env});
	await killed.waitFor(/Jobs +1 unfinished: bulk put load\.json/);
	killed.press('J');
	await killed.waitFor(/unfinished +40%/);
	killed.press('enter');
	await killed.waitFor('20,000 of 25,000');
	killed.press('p');
	await killed.waitFor('safe to quit: resumes where it stopped');
	const jobs = join(cwd, '.local', 'state', 'ledge', 'jobs');
	expect(existsSync(jobs) && readdirSync(jobs).filter(name => name.endsWith('.ndjson'))).toHaveLength(1);
	killed.kill('SIGKILL');
	await killed.ended;

	const screen = await openScreen(['--simulate'], {cwd});
	await screen.waitFor(/Jobs +1 unfinished: bulk put load\.json/);
	screen.press('J');
	await screen.waitFor(/unfinished +80%/);
	screen.press('enter');
	await screen.waitFor('Wrote 25,000 keys');
	screen.press('J');
	await screen.waitFor(/✓ done +100%/);
	screen.press('d');
	await screen.waitFor('The job is done; only its record is deleted.');
	screen.press('y');
	await screen.waitFor('No jobs.');
});
