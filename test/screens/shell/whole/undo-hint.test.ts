import {expect, test} from 'vitest';
import {drawAtFirewall, drawAtHome} from '../../support/sample-screens.ts';
import type {DrawnScreen} from '../../support/screen.tsx';
import {confirmAfterReading} from '../../support/ways.ts';

const getHints = (screen: DrawnScreen): string => screen.text().trimEnd().split('\n').at(-1) ?? '';

test('at 80 columns the last line of a list names the undo while there is one', async () => {
	const screen = await drawAtFirewall();
	expect(getHints(screen)).not.toContain('u undo');
	screen.press('p');
	await confirmAfterReading(screen, 'y pause rule');
	await screen.waitFor(() => getHints(screen).includes('u undo'));
	expect(getHints(screen)).toMatch(/d delete +! block now +u undo .*help$/);
	screen.press('u');
	await confirmAfterReading(screen, 'y undo');
	await screen.waitFor(() => !getHints(screen).includes('u undo') && screen.text().includes('Undone'));
});

test('the active managed rules name the undo of what is not sent, and of what was sent', async () => {
	const screen = await drawAtHome({}, {simulate: true, zone: 'done.acme.example'});
	screen.press('4');
	await screen.waitFor('execute OWASP Core Ruleset');
	expect(getHints(screen)).not.toContain('u undo');
	screen.press('T');
	await screen.waitFor('Tune the OWASP ruleset');
	screen.press('down', 'enter');
	await screen.waitFor('Which score threshold?');
	screen.press('down', 'enter');
	await screen.waitFor('1 unsent change');
	expect(getHints(screen)).toContain('u undo');
	screen.press('enter');
	await screen.waitFor('exactly as it will be sent');
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('Changed managed rules, version 2');
	await screen.waitFor(() => getHints(screen).includes('u undo'));
});
