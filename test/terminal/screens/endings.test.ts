import {expect, test} from 'vitest';
import {program} from '../../support/program.ts';
import {openProgram} from '../screen/open.ts';
import {atNamespaces} from './ways.ts';

test.each([
	['SIGTERM', 143],
	['SIGHUP', 129],
	['SIGINT', 130],
] as const)('%s restores the terminal', async (signal, code) => {
	const screen = await atNamespaces();
	screen.kill(signal);
	expect(await screen.waitForEnd()).toMatchObject({code});
	expect(screen.changedModes()).toEqual([]);
});

test('a dropped line ends it', async () => {
	const screen = await atNamespaces();
	screen.hangUp();
	await screen.ended;
});

test('ctrl-c ends it, with the terminal restored', async () => {
	const screen = await atNamespaces();
	screen.press('ctrl-c');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);
});

test('ctrl-c ends it also in a dialog', async () => {
	const screen = await atNamespaces();
	screen.press('n');
	await screen.waitFor('New namespace');
	screen.press('ctrl-c');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);
});

test('suspended, the window made smaller, brought back: drawn for the size that it has now', async () => {
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
