import {expect, test} from 'vitest';
import {actions} from '../../source/screens/actions.ts';
import {findScreenOfPathPart, getScreenPath} from '../../source/screens/path.ts';
import {getCurrentScreen} from '../../source/screens/shell/screen-name.ts';
import {drawAtHome, drawAtKeys, drawAtNamespaces} from './support/sample-screens.ts';
import type {DrawnScreen} from './support/screen.tsx';

/** Clicks a text of a row: of the last one, the hints, unless another is given. */
async function clickText(screen: DrawnScreen, text: string, row = screen.rows - 1): Promise<void> {
	const column = screen.lines()[row]?.indexOf(text) ?? -1;
	if (column < 0) throw new Error(`The row ${row} has no "${text}": ${screen.lines()[row]}`);
	screen.point('click', column, row);
	await screen.settled();
}

const clickPath = (screen: DrawnScreen, part: string) => clickText(screen, part, 0);

async function drawAtReview(): Promise<DrawnScreen> {
	const screen = await drawAtKeys();
	screen.press('down', 'enter');
	await screen.settled(/JSON/);
	screen.press('down', 'e', '7', 'ctrl-s');
	await screen.settled(/y write the key/);
	return screen;
}

test('a click on a hint runs its action', async () => {
	const screen = await drawAtKeys({columns: 200});
	await clickText(screen, 'help');
	expect(screen.state().dialog.current?.kind).toBe('help');
	await clickText(screen, 'esc');
	expect(screen.state().dialog.current).toBeUndefined();
	await clickText(screen, 'filter');
	expect(screen.state().dialog.isFiltering).toBe(true);
	screen.press('enter');
	await screen.settled();
	await clickText(screen, 'open');
	expect(getCurrentScreen(screen.state())).toBe('key');
});

test('between the hints and after them, a click does nothing', async () => {
	const screen = await drawAtKeys();
	const before = screen.text();
	const row = screen.rows - 1;
	const hints = screen.lines()[row] ?? '';
	for (const column of [0, hints.indexOf('   '), hints.length, hints.length + 1]) {
		screen.point('click', column, row);
		await screen.settled();
		expect(screen.text()).toBe(before);
	}
});

test('a hint that prepares a write is clicked up to the review, and the review is not', async () => {
	const screen = await drawAtKeys();
	screen.press('down');
	await screen.settled();
	await clickText(screen, 'delete');
	await screen.settled(/y delete the key/);
	const before = screen.text();
	for (const hint of ['delete key']) await clickText(screen, hint);
	expect(screen.text()).toBe(before);
	expect(screen.state().keys.data?.index.count).toBe(9);
});

test('a hint that writes does nothing, on the list as in the review', async () => {
	const screen = await drawAtNamespaces();
	await clickText(screen, 'delete');
	expect(screen.state().dialog.current).toBeUndefined();
	const review = await drawAtReview();
	await clickText(review, 'write');
	expect(getCurrentScreen(review.state())).toBe('review');
	expect(review.state().review.data?.phase).toBe('asking');
});

test('in a question, only the hint that closes it can be clicked', async () => {
	const screen = await drawAtKeys();
	screen.press('down', 'enter');
	await screen.settled(/JSON/);
	screen.press('down', 'e', '7', 'esc', 'X');
	await screen.settled(/Discard the edit/);
	await clickText(screen, 'yes');
	expect(screen.state().dialog.current?.kind).toBe('confirm');
	await clickText(screen, 'back');
	expect(screen.state().dialog.current).toBeUndefined();
	expect(screen.state().edits.list).toHaveLength(1);
});

test('no hint of a question or a field that goes on can be clicked', () => {
	const answers = actions.filter(
		({group, hint, keys}) => group === 'Dialogs' && hint && !keys.includes('esc'),
	);
	const harmless = [
		'dialog.mode',
		'dialog.complete',
		'dialog.text-down',
		'dialog.suggestion-down',
		'dialog.read-field',
		'dialog.help-search',
		'dialog.help-accept',
		'filter.accept',
	];
	expect(answers.filter(({id, effect}) => effect === undefined && !harmless.includes(id))).toEqual([]);
});

test('a click on the path goes up to that screen, past a filter and the editor', async () => {
	const screen = await drawAtKeys();
	screen.press('/', 'm', 'o', 't', 'enter', 'enter');
	await screen.settled(/motd/);
	await screen.waitFor(() => screen.state().key.data?.reading === 'read');
	screen.press('e', 'x');
	await screen.settled(/ctrl-s/);
	await clickPath(screen, 'CONFIG');
	expect(screen.state().navigation.stack).toEqual(['home', 'namespaces', 'keys']);
	expect(screen.state().keys.data?.filter).toBe('mot');
	expect(screen.state().edits.hasUnsavedEdits()).toBe(true);
	// What was said on the way, for the screens below, is gone as after another esc.
	expect(screen.state().messages.latest).toBeUndefined();
	// The screen in front stays as it is.
	await clickPath(screen, 'CONFIG');
	expect(screen.state().keys.data?.filter).toBe('mot');
	await clickPath(screen, 'ledge');
	expect(screen.state().navigation.stack).toEqual(['home']);
	expect(screen.state().edits.hasUnsavedEdits()).toBe(true);
});

test('leaving a form by the path asks as esc does, and goes on after the answer', async () => {
	const screen = await drawAtHome({columns: 100, rows: 24}, {simulate: true, zone: 'acme.example'});
	screen.press('2');
	await screen.settled(/rule 1 of/);
	screen.press('a');
	await screen.settled(/0 of 4,096/);
	screen.type('ssl');
	await screen.settled(/can be sent as is/);
	await clickPath(screen, 'ledge');
	await screen.settled(/Close the/);
	screen.press('esc');
	await screen.settled(/can be sent as is/);
	expect(getCurrentScreen(screen.state())).toBe('wizard');
	await clickPath(screen, 'ledge');
	await screen.settled(/Close the/);
	// The path is covered by the question.
	await clickPath(screen, 'ledge');
	expect(screen.state().dialog.current?.kind).toBe('choice');
	screen.press('enter');
	await screen.waitFor(() => getCurrentScreen(screen.state()) === 'home');
});

test('each part of a path belongs to the first screen that shows it', async () => {
	const screen = await drawAtReview();
	const state = screen.state();
	const path = getScreenPath(state);
	expect(path.map((_, index) => state.navigation.stack[findScreenOfPathPart(state, index)])).toEqual([
		'home',
		'keys',
		'key',
		'review',
	]);
});
