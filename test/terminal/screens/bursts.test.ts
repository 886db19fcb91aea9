import {expect, test} from 'vitest';
import {openScreen} from '../screen/open.ts';
import {atNamespaces} from './ways.ts';

// What else comes at once: test/screens/shell/whole/bursts.test.ts.

test('down and enter in one chunk open the next row, not the previous one', async () => {
	const screen = await atNamespaces();
	screen.burst(['down', 'enter']);
	await screen.waitFor('480 keys');
	expect(screen.line(0)).toContain('SESSIONS');
});

test('a split escape sequence is one key', async () => {
	const screen = await atNamespaces();
	const before = screen.mark();
	screen.raw('\u001b[');
	screen.raw('B');
	await screen.settled(shown => shown.selectedRow().text.includes('SESSIONS '));
	expect(screen.line(0)).toContain('namespaces');
	expect(screen.since(before).bytes.length).toBeGreaterThan(0);
});

test('keys typed before the first frame count and are not echoed', async () => {
	const screen = await openScreen(['--simulate']);
	screen.burst(['enter']);
	await screen.waitFor('catalogue');
	expect(screen.line(0)).toContain('namespaces');
	screen.press('q');
	await screen.waitForEnd();
	expect(screen.textWithHistory().replace(/\s/g, '')).not.toContain('^');
});
