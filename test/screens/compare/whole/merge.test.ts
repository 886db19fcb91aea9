import {expect, test} from 'vitest';
import {createTwoNamespaces, firstDifferingNumber, keyOf} from '../../../support/two-namespaces.ts';
import {drawAtLocalKeys} from '../../support/sample-screens.ts';
import type {DrawnScreen} from '../../support/screen.tsx';

const keyCount = 1300;
/** From key number `first` (300) on, each 20th key differs: 50 keys. */
const differenceInterval = 20;
const comparisonSummary = '50 differences · 1,250 identical';

/** Matches the selected row if it is that of this key. */
const createCursorPattern = (number: number): RegExp => new RegExp(`▸ . ${keyOf(number)}`);

/** Opens the key that the cursor is on, and writes one side to the other. */
async function merge(screen: DrawnScreen, key: '<' | '>', question: string): Promise<void> {
	const [name = ''] = /item-\d+/.exec(screen.selectedRow().text) ?? [];
	screen.press('enter');
	await screen.waitFor(shown => !shown.text().includes('KEY  '));
	const side = key === '>' ? 'right' : 'left';
	await screen.waitFor(`${key} ${question.startsWith('Delete') ? 'delete on the' : 'copy to'} ${side}`);
	screen.press(key);
	await screen.waitFor(question);
	screen.press('y');
	await screen.waitFor(`${question.startsWith('Delete') ? 'Deleted' : 'Merged'} ${name}`);
}

/** Writes one side of the selected key to the other, without opening it first. */
async function mergeInList(screen: DrawnScreen, key: '<' | '>', question: string): Promise<void> {
	screen.press(key);
	await screen.waitFor(question);
	screen.press('y');
	await screen.waitFor(/(Merged|Deleted) item-/);
}

test('all 50 differences are visited and merged in both directions', async () => {
	const {cwd, numbers, readValue} = await createTwoNamespaces(keyCount, differenceInterval);
	const screen = await drawAtLocalKeys(cwd);
	screen.press('=');
	await screen.waitFor(/▸ .*preview/);
	screen.press('enter');
	await screen.waitFor(comparisonSummary);
	screen.press('G');
	await screen.waitFor(createCursorPattern(numbers.at(-1) ?? 0));
	screen.press('k');
	await screen.waitFor(createCursorPattern(numbers.at(-2) ?? 0));
	screen.press('g');
	await screen.waitFor(createCursorPattern(firstDifferingNumber));

	await merge(screen, '>', `Write ${keyOf(firstDifferingNumber)} to`);
	expect(await readValue('right', keyOf(firstDifferingNumber))).toBe(`left ${firstDifferingNumber}`);
	const [, second = 0, third = 0, fourth = 0, fifth = 0] = numbers;
	// The cursor stays on the merged key.
	await screen.waitFor(createCursorPattern(firstDifferingNumber));
	expect(screen.row(keyOf(firstDifferingNumber))).toMatch(/= item-000300 .*kept +updated/);
	screen.press('>');
	await screen.waitFor('both sides are the same now');
	screen.press('j');
	await screen.waitFor(createCursorPattern(second));
	await mergeInList(screen, '<', `Write ${keyOf(second)} to DATA?`);
	expect(await readValue('left', keyOf(second))).toBe(`right ${second}`);
	await screen.waitFor(createCursorPattern(second));
	screen.press('j', 'j');
	await screen.waitFor(createCursorPattern(fourth));
	expect(screen.selectedRow().text).toMatch(/\+ item-000360 +missing +only here/);
	await merge(screen, '>', `Delete ${keyOf(fourth)} from`);
	expect(await readValue('right', keyOf(fourth))).toBeUndefined();
	screen.press('j');
	await screen.waitFor(createCursorPattern(fifth));
	await merge(screen, '>', `Write ${keyOf(fifth)} to`);
	expect(await readValue('right', keyOf(fifth))).toBe(`left ${fifth}`);
	screen.press('g');
	await screen.waitFor(`${comparisonSummary} · 4 merged   ${keyOf(firstDifferingNumber)}`);

	// After a repeated comparison, the third key is the first difference: the others before it were merged.
	screen.press('ctrl-r');
	await screen.waitFor(createCursorPattern(third));
});
