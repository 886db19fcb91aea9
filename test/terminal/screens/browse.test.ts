import {expect, test} from 'vitest';
import {program} from '../../support/program.ts';
import {openProgram, openScreen} from '../screen/open.ts';
import {atHome, atNamespaces} from './ways.ts';

test('from the start to a namespace and its keys, and back, by keys alone', async () => {
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

test('a filter shows what is sought; esc takes it back and keeps the key', async () => {
	const screen = await atNamespaces();
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');
	screen.press('/');
	screen.type('00042');
	await screen.waitFor(/\/ 00042/);
	await screen.waitFor(shown => shown.selectedRow().text.includes('user:00042:profile'));
	screen.press('enter', 'down');
	await screen.waitFor(shown => shown.selectedRow().text.includes('user:00042:session'));
	screen.press('esc');
	await screen.waitFor('user:00041:');
	expect(screen.selectedRow().text).toContain('user:00042:session');
});

test('the palette finds an action by a few letters and does it', async () => {
	const screen = await atHome();
	screen.press(':');
	screen.type('calls session');
	await screen.waitFor(shown => shown.selectedRow().text.includes('go to the calls of this session'));
	screen.press('enter');
	await screen.waitFor('METHOD');
	expect(screen.line(0)).toContain('activity');
});

test('the help of a screen can be searched', async () => {
	const screen = await atHome();
	screen.press('?');
	await screen.waitFor('Everywhere');
	screen.type('suspend');
	await screen.waitFor(shown => shown.text().includes('ctrl-z') && !shown.text().includes('ctrl-r'));
	screen.press('esc');
	await screen.waitFor('Key-value store');
});

test('with a pipe in place of a terminal it tells in text what there is', async () => {
	const screen = await openProgram(['sh', '-c', `"${process.execPath}" "${program}" --simulate | cat`]);
	await screen.waitForEnd();
	expect(screen.received()).not.toContain('\u001b[?1049h');
	expect(screen.text()).toContain('Where to begin');
});

test('without colours everything is still said', async () => {
	const screen = await atNamespaces({env: {NO_COLOR: '1'}});
	expect(screen.received()).not.toMatch(/\u001b\[(?:[0-9;]*;)?(?:[349][0-7]|[34]8;[0-9;]*)m/);
	expect(screen.selectedRow().text).toContain('CONFIG');
});

test('a terminal that is not UTF-8 gets plain marks', async () => {
	const screen = await atHome({env: {LC_ALL: 'C'}});
	screen.press('enter');
	await screen.waitFor(/> CONFIG/);
	expect(screen.text()).toMatch(/^[\n -~]*$/);
});

test('a screen reader is told the same in words', async () => {
	const screen = await openScreen(['--simulate'], {env: {INK_SCREEN_READER: 'true'}});
	await screen.waitFor('Key-value store');
	screen.press('enter');
	await screen.waitFor('SESSIONS_preview');
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
});
