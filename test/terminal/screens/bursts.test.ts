import {expect, test} from 'vitest';
import {openScreen} from '../screen/open.ts';
import {atHome, atNamespaces} from './ways.ts';

test('three keys in one chunk move three rows', async () => {
	const screen = await atNamespaces();
	screen.burst('jjj');
	await screen.settled(shown => shown.selectedRow().text.includes('assets'));
	screen.burst(['up', 'up', 'up', 'down']);
	await screen.settled(shown => shown.selectedRow().text.includes('SESSIONS '));
});

test('down and enter in one chunk open the next row, not the one before', async () => {
	const screen = await atNamespaces();
	screen.burst(['down', 'enter']);
	await screen.waitFor('480 keys');
	expect(screen.line(0)).toContain('SESSIONS');
});

test('in a menu of Ink, too', async () => {
	const screen = await atHome();
	screen.burst(['end', 'down', 'up', 'up', 'up', 'down']);
	const entries = screen.lines().filter(line => /^ {3}[▸ ] \S/.test(line)).length;
	expect(entries).toBeGreaterThan(1);
	screen.burst(['up', 'up', 'up', 'up', 'up', 'up', 'up'].slice(0, entries - 1));
	await screen.settled();
	expect(screen.selectedRow().text).toMatch(/\S/);
});

test('typing, rubbing out and enter in one chunk filter by what was meant', async () => {
	const screen = await atNamespaces();
	screen.burst(['/', 'a', 'b', 'backspace', 's', 's', 'e', 't', 'enter']);
	await screen.settled(shown => shown.selectedRow().text.includes('assets'));
	expect(screen.text()).not.toContain('CONFIG');
});

test('a paste counts as text, its line feeds do not submit', async () => {
	const screen = await atNamespaces();
	screen.press('/');
	await screen.waitFor(/^ \/ /m);
	screen.paste('odd\nnames');
	await screen.settled(shown => shown.selectedRow().text.includes('odd names'));
	expect(screen.line(0)).toContain('namespaces');
});

test('an escape sequence torn apart is one key', async () => {
	const screen = await atNamespaces();
	const before = screen.mark();
	screen.raw('\u001b[');
	screen.raw('B');
	await screen.settled(shown => shown.selectedRow().text.includes('SESSIONS '));
	expect(screen.line(0)).toContain('namespaces');
	expect(screen.since(before).bytes.length).toBeGreaterThan(0);
});

test('keys typed before the first frame count, and are not echoed', async () => {
	const screen = await openScreen(['--simulate']);
	screen.burst(['enter']);
	await screen.waitFor('catalogue');
	expect(screen.line(0)).toContain('namespaces');
	screen.press('q');
	await screen.waitForEnd();
	expect(screen.textWithHistory().replace(/\s/g, '')).not.toContain('^');
});
