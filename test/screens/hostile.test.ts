import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../support/run.ts';
import {expectNothingLeaked} from './support/leaks.ts';
import {readAllFrames} from './support/measured.ts';
import {drawAtNamespaces} from './support/sample-screens.ts';
import {waitForHome} from './support/sample-ways.ts';
import {type DrawnScreen, drawScreen} from './support/screen.tsx';

async function expectScreenLeaksNothing(screen: DrawnScreen): Promise<void> {
	expectNothingLeaked(await readAllFrames(screen));
	expect(screen.copied).toEqual([]);
}

test('a hostile namespace title is safe in the list, the path, a dialog, the calls and a failure', async () => {
	const screen = await drawAtNamespaces();
	screen.press('a');
	await screen.waitFor('New namespace');
	screen.paste('evil\u0007\u009b2J\u202etitle');
	await screen.waitFor('evil');
	screen.press('enter');
	await screen.waitFor('Created');
	screen.press('d');
	await screen.waitFor('Delete without an export');
	screen.press('down', 'enter');
	await screen.waitFor('To continue, type');
	screen.type('wrong');
	screen.press('enter');
	await screen.waitFor('Does not match. Type');
	screen.press('esc', 'esc', 'enter');
	await screen.waitFor('No keys yet');
	screen.press('9');
	await screen.waitFor('METHOD');
	await expectScreenLeaksNothing(screen);
});

test('hostile rule and filter texts are safe in the lists, the full view and dialogs', async () => {
	const cwd = createScratchFolder();
	const zone = 'acme-shop.example';
	const words = ['--simulate', '--zone', zone];
	const description = 'evil\u001b]0;title\u0007\u009b2J\u202edescription';
	const expression = `http.host eq "evil\u009b2J\u202e.example"`;
	const creation = await ledge(
		['firewall', 'rule', 'create', ...words, '--expression', expression, '--action', 'block']
			.concat(['--priority', '1', '--description', description])
			.concat(['--yes']),
		{cwd},
	);
	expect(creation.code, creation.stderr).toBe(0);
	const screen = await drawScreen({simulate: true, zone}, {cwd});
	await waitForHome(screen);
	screen.press('2');
	await screen.waitFor(/rule 1 of \d+/);
	await screen.waitFor('evil');
	for (const key of [
		'enter',
		'esc',
		'f',
		'enter',
		'esc',
		'f',
		'p',
		'esc',
		'd',
		'esc',
		'O',
		'esc',
		'/',
		'esc',
	])
		await screen.pressAndAwaitFrame(key);
	await screen.resize(200, 60);
	await screen.settled();
	screen.press('9');
	await screen.waitFor('METHOD');
	await expectScreenLeaksNothing(screen);
});

test('a hostile configuration and local data are safe on Home and in the list', async () => {
	const cwd = createScratchFolder();
	const hostile = '\u001b]0;title\u0007\u001b[2J\u202e\u009b31mname';
	const bindings = [
		{binding: hostile, id: hostile},
		{binding: 'B', id: 'x', [hostile]: 1},
	];
	writeFileSync(join(cwd, 'wrangler.json'), JSON.stringify({name: hostile, kv_namespaces: bindings}));
	const screen = await drawScreen({local: true}, {cwd});
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.settled();
	await screen.pressAndAwaitFrame('?');
	await expectScreenLeaksNothing(screen);
	writeFileSync(join(cwd, 'wrangler.json'), `{"name": ${hostile}`);
	const broken = await drawScreen({local: true}, {cwd});
	await broken.waitFor('wrangler.json');
	await expectScreenLeaksNothing(broken);
});
