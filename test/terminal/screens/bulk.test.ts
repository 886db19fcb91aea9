import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scratch} from '../../support/ledge.ts';
import {openScreen, type Screen} from '../screen/open.ts';
import {atKeys} from './ways.ts';

const state = (home: string) => join(home, '.local', 'state', 'ledge');

const entries = (count: number) =>
	Array.from({length: count}, (_, at) => ({key: `load:${at + 1}`, value: `value ${at + 1}`}));

/** From the keys to a checked file. */
async function check(screen: Screen, name: string): Promise<void> {
	screen.press('B');
	await screen.waitFor('Write the entries of a file');
	screen.press('enter');
	await screen.waitFor('The file: a JSON array or NDJSON');
	screen.type(name.slice(0, 3));
	screen.press('tab');
	await screen.waitFor(name);
	screen.press('enter');
	await screen.waitFor('Nothing has been sent.');
}

test('a file is checked, its good entries are sent, and what was selected is deleted', async () => {
	const cwd = scratch();
	const bad = {key: 'bad \u001b[2J\u202e', value: 1};
	writeFileSync(join(cwd, 'load.json'), JSON.stringify([...entries(40), bad]));
	const screen = await atKeys({cwd});
	await check(screen, 'load.json');
	expect(screen.text()).toContain('41 entries · 1 refused before sending');

	screen.press('v');
	await screen.waitFor('RULE');
	expect(screen.selectedRow().text).toMatch(/line 1 +bad \\x1b\[2J\\u202e +The property "value"/);
	for (const [columns, rows] of [
		[60, 15],
		[200, 60],
		[80, 24],
	] as const) {
		await screen.resize(columns, rows);
		await screen.settled();
		await screen.waitFor('line 1');
		expect(screen.wrapped()).toEqual([]);
	}
	screen.press('esc');
	await screen.waitFor('Nothing has been sent.');
	screen.press('enter');
	await screen.waitFor('Send the 40 good ones');
	screen.press('enter');
	await screen.waitFor('Wrote 40 of 41 keys');

	screen.press('esc', 'ctrl-r');
	await screen.waitFor('49 keys');
	screen.press('/');
	screen.type('load:');
	await screen.waitFor(shown => shown.selectedRow().text.includes('load:1'));
	screen.press('enter', 'a');
	await screen.waitFor('40 selected');
	screen.press('d');
	await screen.waitFor('Delete 40 selected keys from CONFIG?');
	screen.type('4');
	screen.press('enter');
	await screen.waitFor('Does not match; type');
	screen.type('0');
	screen.press('enter');
	await screen.waitFor('Deleted 40 keys');
	screen.press('esc');
	await screen.waitFor('9 keys');
});

test('killed in the middle, the next start says that there is a job, and goes on with it', async () => {
	const cwd = scratch();
	writeFileSync(join(cwd, 'load.json'), JSON.stringify(entries(25_000)));
	const first = await atKeys({cwd, env: {LEDGE_SIMULATE_FAULTS: 'hang method=PUT path=/bulk after=1'}});
	await check(first, 'load.json');
	first.press('enter');
	await first.waitFor('10,000 of 25,000');
	first.press('p');
	const jobs = join(state(cwd), 'jobs');
	await first.waitFor(() => existsSync(jobs) && readdirSync(jobs).some(name => name.endsWith('.ndjson')));
	first.kill('SIGKILL');
	await first.ended;

	const screen = await openScreen(['--simulate'], {cwd});
	await screen.waitFor(/Jobs +1 unfinished: bulk put load\.json/);
	screen.press('J');
	await screen.waitFor(/unfinished +40 %/);
	screen.press('enter');
	await screen.waitFor('Wrote 25,000 keys');
	screen.press('J');
	await screen.waitFor(/✓ done +100 %/);
	screen.press('d');
	await screen.waitFor('It is done; only its record goes.');
	screen.press('y');
	await screen.waitFor('No jobs.');
});

test('left with q while it runs, ledge asks, and the job can be gone on with', async () => {
	const cwd = scratch();
	writeFileSync(join(cwd, 'load.json'), JSON.stringify(entries(25_000)));
	const screen = await atKeys({cwd, env: {LEDGE_SIMULATE_FAULTS: 'hang method=PUT path=/bulk after=1'}});
	await check(screen, 'load.json');
	screen.press('enter');
	await screen.waitFor('10,000 of 25,000');
	screen.press('esc');
	await screen.waitFor(/^ bulk put 40 % +features/m);
	screen.press('q');
	await screen.waitFor('Still under way: bulk put load.json');
	screen.press('y');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	const next = await openScreen(['--simulate'], {cwd});
	await next.waitFor(/Jobs +1 unfinished: bulk put load\.json/);
});
