import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {openScreen, type Screen} from '../screen/open.ts';

/** Presses a key, and returns the lines that are printed for it once `last` is among them. */
async function readLinesAfter(
	screen: Screen,
	last: string | RegExp,
	press: () => void,
): Promise<readonly string[]> {
	const mark = screen.mark();
	press();
	const lines = () => screen.since(mark).text.split('\r\n').slice(0, -1);
	const isLast = (line: string) => (typeof last === 'string' ? line === last : last.test(line));
	await screen.waitFor(() => lines().some(isLast));
	return lines();
}

/** Matches the line that lists keys, beginning with this one, all in words. */
const keysLine = (first: string): RegExp =>
	new RegExp(`^${first}, (?:[^,]+, )*: commands, q quit, \\? help$`);

test.each([
	['LEDGE_SCREEN_READER', '1', ['--simulate']],
	['INK_SCREEN_READER', 'true', ['--simulate']],
	['TZ', 'UTC', ['--simulate', '--screen-reader']],
])('with %s=%s there are only words, and only changes', async (name, value, words) => {
	const screen = await openScreen(words, {env: {[name]: value}, columns: 400, rows: 50});
	await screen.waitFor('ready');
	await screen.waitFor(/\? help/);
	const pressAndRead = (key: string, last: string | RegExp) =>
		readLinesAfter(screen, last, () => screen.press(key));

	expect(screen.text()).toContain('cursor on Key-value store, in the simulated service, 1 of 8');

	const namespaces = await pressAndRead('enter', keysLine('enter keys'));
	expect(namespaces.slice(0, 2)).toEqual([
		'ledge, namespaces, Acme (simulated), SIMULATED',
		'TITLE, BINDING, ID, KEYS, SIZE, READS 24 h, WRITES 24 h PREVIEW',
	]);
	// Figures that come after the list are said with their row again, without the cursor, which has not moved.
	await screen.waitFor(
		/CONFIG, none, f406ca271a253d6e7fe341d7a1faa59c, 9, \d+ B, [\d.,]+k?, [\d.,]+k?, none, 1 of 6/,
	);

	const keys = await pressAndRead('enter', keysLine('enter open'));
	expect(keys[0]).toBe('ledge, CONFIG, Acme (simulated), SIMULATED');
	expect(keys[2]).toMatch(/^cursor on .*, 1 of \d+$/);

	expect(await pressAndRead('down', 'limits/api name 10 bytes 9 keys')).toEqual([
		'limits/api, none, 2 of 9',
		'limits/api name 10 bytes 9 keys',
	]);

	const tree = keysLine('enter fold, e edit');
	expect(await pressAndRead('enter', tree)).toEqual([
		'ledge, CONFIG, limits/api, Acme (simulated), SIMULATED',
		'JSON, 57 bytes, never expires, no metadata',
		'cursor on open {, 1 of 5',
		'$, tab text',
		expect.stringMatching(tree),
	]);
	// On a field, some keys act on the field.
	const fieldKeys = keysLine('e edit, a add field, d delete field');
	expect(await pressAndRead('down', fieldKeys)).toEqual([
		'"anonymous": 60, 2 of 5',
		'$.anonymous, tab text',
		expect.stringMatching(fieldKeys),
	]);

	const editing = 'ctrl-s review, esc close (draft kept), ctrl-o $EDITOR, f1 help';
	expect(await pressAndRead('e', editing)).toEqual([
		'ledge, CONFIG, limits/api, edit, Acme (simulated), SIMULATED',
		'JSON; the stored value is a number',
		'cursor on "anonymous": 60, selected: typing replaces it, 2 of 5',
		'$.anonymous',
		editing,
	]);
	screen.press('end');
	expect(await pressAndRead('backspace', '"anonymous": 6, 2 of 5')).toHaveLength(1);
	expect(await readLinesAfter(screen, '"anonymous": 67, 2 of 5', () => screen.type('7'))).toHaveLength(1);

	expect(await pressAndRead('ctrl-s', 'y write, r request, : commands, q quit, ? help')).toEqual([
		'ledge, CONFIG, limits/api, review, Acme (simulated), SIMULATED',
		'The stored key has not changed since you opened it.',
		'1 {',
		'2 removed, "anonymous": 60,',
		'2 added, "anonymous": 67,',
		'3, "member": 600,',
		'4, "partner": 6000',
		'5 }',
		'no expiration, no metadata, 57 bytes',
		'y write the key, esc back to the editor',
		'nothing has been sent',
		'y write, r request, : commands, q quit, ? help',
	]);
	await pressAndRead('esc', editing);

	expect(screen.inAlternateScreen).toBe(false);
	await pressAndRead('esc', /^e edit, .*X discard edit, .*\? help$/);
	expect(await pressAndRead('X', 'esc back, y yes')).toEqual([
		'Discard the edit of limits/api?',
		'Your changes and their draft will be deleted. The stored key does not change.',
		'y discard the edit, esc, n no',
		'$.anonymous, tab text, unsaved edit: e continues, X discards',
		'esc back, y yes',
	]);
	expect(await pressAndRead('y', fieldKeys)).toContain('The edit of limits/api was discarded.');
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);
	// Besides pasting in brackets, and what leaves the terminal as it was found, there is no sequence.
	const rest = screen.received().replaceAll(/\u001b\[(?:\?2004[hl]|0m|\?25h)/g, '');
	expect(stripVTControlCharacters(rest)).toBe(rest);
	expect(rest).toMatch(/^[\P{Cc}\r\n]*$/u);
	expect(rest).not.toMatch(/[\u2500-\u25ff\u2190-\u21ff\u2700-\u27bf…·›⟨⟩]/u);
});
