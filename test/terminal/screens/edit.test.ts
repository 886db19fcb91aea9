import {existsSync, readdirSync, watch} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLimits, runKeyCommand, typeMember} from '../../screens/support/edit-ways.ts';
import {confirmAfterReading} from '../../screens/support/ways.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {openScreen} from '../screen/open.ts';

// What else happens to an edit: test/screens/edit/whole.

test('an edit killed while typing is offered by the next start and can be saved', async () => {
	const service = await serveSimulator();
	const home = createScratchFolder();
	const first = await openScreen([], {env: service.env, home});
	await openLimits(first);
	await typeMember(first, '777');
	await waitForDraft(home);
	first.kill('SIGKILL');
	await first.ended;
	const second = await openScreen([], {env: service.env, home});
	await second.waitFor(/1 draft, U opens it: limits\/api in CONFIG/);
	second.press('U');
	await second.waitFor(/Unsaved edit of limits\/api/);
	second.press('enter');
	await second.waitFor('"member": 777');
	second.press('ctrl-s');
	await confirmAfterReading(second, 'y write the key');
	await second.waitFor(/Wrote \d+ bytes/);
	expect(JSON.parse(await runKeyCommand(service, 'get', 'limits/api'))).toMatchObject({member: 777});
	second.press('q');
	expect(await second.waitForEnd()).toMatchObject({code: 0});
	// Nothing is left that a third start could offer.
	expect(draftsIn(home)).toEqual([]);
});

test.each([
	'SIGHUP',
	'SIGTERM',
] as const)('%s during an edit restores the terminal and keeps the edit at once', async signal => {
	const home = createScratchFolder();
	const screen = await openScreen(['--simulate'], {home});
	await openLimits(screen);
	await typeMember(screen, '777');
	screen.kill(signal);
	await screen.waitForEnd();
	expect(screen.changedModes()).toEqual([]);
	const next = await openScreen(['--simulate'], {home});
	await next.waitFor(/1 draft, U opens it: limits\/api in CONFIG/);
});

function draftsIn(home: string): string[] {
	const folder = join(home, '.local/state/ledge/drafts');
	return existsSync(folder) ? readdirSync(folder).filter(name => !name.endsWith('.new')) : [];
}

/** The draft comes a moment after the last key: waits until it is on the disk. */
async function waitForDraft(home: string): Promise<void> {
	const isKept = () => draftsIn(home).length > 0;
	if (isKept()) return;
	await new Promise<void>(resolve => {
		const watcher = watch(home, {recursive: true}, () => {
			if (!isKept()) return;
			watcher.close();
			resolve();
		});
		if (isKept()) {
			watcher.close();
			resolve();
		}
	});
}
