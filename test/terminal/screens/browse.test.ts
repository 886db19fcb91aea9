import {expect, test} from 'vitest';
import {goToFirewall, waitForHome} from '../../screens/support/sample-ways.ts';
import {program} from '../../support/program.ts';
import {openProgram} from '../screen/open.ts';
import {atHome, atNamespaces} from './ways.ts';

test('keys alone lead from the start to a namespace and its keys, and back', async () => {
	const screen = await atHome();
	expect(screen.inAlternateScreen).toBe(true);
	screen.press('enter');
	await screen.waitFor('catalogue');
	expect(screen.selectedRow().text).toContain('CONFIG');
	screen.press('enter');
	await screen.waitFor(/\d+ keys?\b/);
	screen.press('esc');
	await screen.waitFor('catalogue');
	expect(screen.selectedRow().text).toContain('CONFIG');
	screen.press('esc');
	await screen.waitFor('Nothing you do here reaches a real account.');
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);
	expect(screen.textWithHistory().trim()).toBe('');
});

test('with a pipe instead of a terminal, the program reports in text', async () => {
	const screen = await openProgram(['sh', '-c', `"${process.execPath}" "${program}" --simulate | cat`]);
	await screen.waitForEnd();
	expect(screen.received()).not.toContain('\u001b[?1049h');
	expect(screen.text()).toContain('Getting started');
});

test('without colours nothing is lost, and the state of a rule is a word', async () => {
	const screen = await atNamespaces({env: {NO_COLOR: '1'}});
	expect(screen.selectedRow().text).toContain('CONFIG');
	screen.press('esc');
	await waitForHome(screen);
	await goToFirewall(screen);
	expect(screen.text()).toContain('filter paused');
	expect(screen.received()).not.toMatch(/\u001b\[(?:[0-9;]*;)?(?:[349][0-7]|[34]8;[0-9;]*)m/);
});

test('a terminal that is not UTF-8 gets plain marks', async () => {
	const screen = await atHome({env: {LC_ALL: 'C'}});
	screen.press('enter');
	await screen.waitFor(/> CONFIG/);
	expect(screen.text()).toMatch(/^[\n -~]*$/);
});
