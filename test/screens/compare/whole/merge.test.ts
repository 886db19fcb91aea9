import {expect, test} from 'vitest';
import {first, keyOf, twoNamespaces} from '../../../support/two-namespaces.ts';
import {drawnAtLocalKeys} from '../../support/sample-screens.ts';
import type {DrawnScreen} from '../../support/screen.tsx';

const keyCount = 1300;
/** Each so many keys one differs, from the first one on: 50 of them. */
const between = 20;
const whole = '50 differences · 1,250 identical';

/** The cursor on the row of a key. */
const isOn = (number: number): RegExp => new RegExp(`▸ . ${keyOf(number)}`);

/** Opens the key that the cursor is on, and writes one side to the other. */
async function merge(screen: DrawnScreen, key: '<' | '>', question: string): Promise<void> {
	const [name = ''] = /item-\d+/.exec(screen.selectedRow().text) ?? [];
	screen.press('enter');
	await screen.waitFor('left to right');
	await screen.waitFor(shown => !shown.text().includes('KEY  '));
	screen.press(key);
	await screen.waitFor(question);
	screen.press('y');
	await screen.waitFor(`Merged ${name}`);
}

test('all 50 differences are visited and merged in both directions', async () => {
	const {cwd, numbers, stored} = await twoNamespaces(keyCount, between);
	const screen = await drawnAtLocalKeys(cwd);
	screen.press('=');
	await screen.waitFor(/▸ .*preview/);
	screen.press('enter');
	await screen.waitFor(whole);
	screen.press('G');
	await screen.waitFor(isOn(numbers.at(-1) ?? 0));
	screen.press('k');
	await screen.waitFor(isOn(numbers.at(-2) ?? 0));
	screen.press('g');
	await screen.waitFor(isOn(first));

	await merge(screen, '>', `Write ${keyOf(first)} to`);
	expect(await stored('right', keyOf(first))).toBe(`left ${first}`);
	const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = numbers;
	// The cursor has gone on to the next one.
	await screen.waitFor(isOn(second));
	expect(screen.row(keyOf(first))).toMatch(/= item-000300 .*kept +updated/);
	await merge(screen, '<', `Write ${keyOf(second)} to DATA?`);
	expect(await stored('left', keyOf(second))).toBe(`right ${second}`);
	await screen.waitFor(isOn(third));
	screen.press('j');
	await screen.waitFor(isOn(fourth));
	expect(screen.selectedRow().text).toMatch(/> item-000360 +missing +only here/);
	await merge(screen, '>', `Delete ${keyOf(fourth)} from`);
	expect(await stored('right', keyOf(fourth))).toBeUndefined();
	await screen.waitFor(isOn(fifth));
	await merge(screen, '>', `Write ${keyOf(fifth)} to`);
	expect(await stored('right', keyOf(fifth))).toBe(`left ${fifth}`);
	await screen.waitFor(isOn(sixth));
	screen.press('g');
	await screen.waitFor(`${whole} · 4 merged   ${keyOf(first)}`);

	// Compared again, what was merged is the same.
	screen.press('ctrl-r');
	await screen.waitFor(isOn(third));
});
