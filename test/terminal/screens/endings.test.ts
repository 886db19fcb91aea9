import {expect, test} from 'vitest';
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
