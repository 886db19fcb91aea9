import {expect, test} from 'vitest';
import {program} from '../../support/program.ts';
import {openProgram} from '../screen/open.ts';
import {atNamespaces} from './ways.ts';

// Other endings are tested elsewhere: SIGTERM and SIGHUP in edit.test.ts, SIGHUP also in drafts.test.ts and
// migration-ended.test.ts. test/terminal/full-screen.test.ts tests what endings write to the terminal.

test('SIGINT restores the terminal', async () => {
	const screen = await atNamespaces();
	screen.kill('SIGINT');
	expect(await screen.waitForEnd()).toMatchObject({code: 130});
	expect(screen.changedModes()).toEqual([]);
});

test('ctrl-c ends the program, even in a dialog, and restores the terminal', async () => {
	const screen = await atNamespaces();
	screen.press('a');
	await screen.waitFor('New namespace');
	screen.press('ctrl-c');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);
});

test('quitting costs little on a slow line: the frame is not redrawn', async () => {
	const screen = await atNamespaces();
	await screen.settled();
	const before = screen.mark();
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	const {bytes, text} = screen.since(before);
	// Not only what restores the terminal: an update for data that has just arrived may still be drawn.
	expect(bytes.length).toBeLessThan(700);
	expect(text).not.toMatch(/ledge ›|quit/);
	expect(screen.changedModes()).toEqual([]);
});

test('a program suspended while the window shrinks is redrawn for the new size', async () => {
	const screen = await openProgram(['bash', '--norc', '--noprofile', '-i']);
	screen.type(`"${process.execPath}" "${program}" --simulate\r`);
	await screen.waitFor(/Account +Acme/);
	screen.press('ctrl-z');
	await screen.waitFor('Stopped');
	expect(screen.inAlternateScreen).toBe(false);
	await screen.resize(70, 20);
	screen.type('fg\r');
	await screen.waitFor(shown => shown.line(1) === '─'.repeat(70));
	screen.press('enter');
	await screen.settled('catalogue');
	expect(screen.line(1)).toBe('─'.repeat(70));
	expect(screen.wrapped()).toEqual([]);
});
