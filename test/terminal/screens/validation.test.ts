import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	confirm,
	confirmMigrationReview,
	goToConfirmation,
	usualSize,
} from '../../screens/support/migration-ways.ts';
import {pressEnterAfterReading, pressEnterWhenShown} from '../../screens/support/ways.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {openScreen} from '../screen/open.ts';

const zone = {name: 'acme.example'};
const hour = 3_600_000;
const morning = Date.UTC(2027, 2, 10, 9);

/**
 * Creates a file that sets the clock of a program, which runs on from there, and the variables for that
 * program.
 */
function createClockFile(cwd: string) {
	const file = join(cwd, 'clock');
	const setClock = (milliseconds: number) => writeFileSync(file, String(milliseconds));
	setClock(morning);
	return {
		itIs: setClock,
		env: {
			NODE_OPTIONS: `--require ${join(import.meta.dirname, '../support/moved-clock.cjs')}`,
			LEDGE_MOVED_CLOCK: file,
		},
	};
}

test('a false positive found in validation gets an exception, and the rise disappears', async () => {
	const cwd = createScratchFolder();
	const {itIs: setClock, env} = createClockFile(cwd);
	const screen = await openScreen(['--simulate', '--zone', zone.name], {
		cwd,
		...usualSize,
		env: {...env, LEDGE_TIME_SCALE: '0.03'},
	});
	await screen.waitFor(/Account +Acme/);
	await goToConfirmation(screen, 'Validation first');
	await confirm(screen, zone);
	await screen.waitFor('▸ Mark validation as done');

	setClock(morning + 3.2 * hour);
	screen.press('v');
	await screen.waitFor('since validation began');
	screen.press('ctrl-r');
	await screen.waitFor(/▸ new candidate +[\d,]+ +\/api\/import +Apache Log4j/);
	expect(screen.text()).toContain('a=new rules stopped  b=previous rules stopped');
	expect(screen.text()).toMatch(/requests +[\d,]+ requests stopped; from 3 addresses/);

	screen.press('a');
	await screen.waitFor('Which requests?');
	expect(screen.text()).toContain('(http.host eq "acme.example" and http.request.uri.path eq "/api/import")');
	screen.press('enter');
	await screen.waitFor('What is it for?');
	screen.press('enter');
	await screen.waitFor('Unsent change: Add exception: skip 1 rule');
	await pressEnterWhenShown(screen, '⏎ review');
	await confirmMigrationReview(screen);
	await pressEnterAfterReading(screen, '▸ Send the reviewed configuration to validation');
	await screen.waitFor('▸ Rehearse in the simulated service');
	screen.press('down');
	await pressEnterWhenShown(screen, '▸ Continue without a rehearsal');
	await confirm(screen, zone);
	await screen.waitFor(/for 3 h\. The configuration you reviewed is active,/);

	setClock(morning + 6.4 * hour);
	screen.press('v');
	await screen.waitFor('since the last configuration');
	screen.press('ctrl-r');
	await screen.waitFor(/new +stopped [1-9][\d,]* requests/);
	await screen.waitFor('0 candidates');
	expect(screen.text()).not.toContain('/api/import');
	// The whole period of validation still contains it.
	screen.press('t');
	await screen.waitFor(/▸ new candidate +[\d,]+ +\/api\/import/);
});

test('a screen reader gets the plot as a table of its figures', async () => {
	const words = ['--simulate', '--screen-reader', '--zone', 'check.acme.example'];
	const cwd = createScratchFolder();
	const screen = await openScreen(words, {cwd, columns: 100, rows: 40, env: createClockFile(cwd).env});
	await screen.waitFor(/Account, Acme/);
	screen.press('5');
	await pressEnterWhenShown(screen, /Read the zone/);
	await screen.waitFor(/1 candidate for an exception/);
	screen.press('v');
	await screen.waitFor(/time UTC(?:, [^\n]*)?\n.*new rules stopped [\d,]+, previous rules stopped [\d,]+/);
	await screen.waitFor(/candidate, [\d,]+, [\d,]+, \/api\/import/);
	expect(screen.text()).not.toMatch(/[\u2800-\u28ff]/);
});
