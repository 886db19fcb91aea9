import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {openScreen, type Screen} from '../screen/open.ts';

/** Presses a key, and returns the lines that are printed for it once `last` is among them. */
async function readFor(screen: Screen, last: string, press: () => void): Promise<readonly string[]> {
	const mark = screen.mark();
	press();
	await screen.waitFor(() => screen.since(mark).text.includes(`${last}\r\n`));
	return screen.since(mark).text.split('\r\n').slice(0, -1);
}

test.each([
	['LEDGE_SCREEN_READER', '1', ['--simulate']],
	['INK_SCREEN_READER', 'true', ['--simulate']],
	['TZ', 'UTC', ['--simulate', '--screen-reader']],
])('with %s=%s, words only, and only what changed', async (name, value, words) => {
	const screen = await openScreen(words, {env: {[name]: value}, columns: 400, rows: 50});
	await screen.waitFor('ready');
	await screen.waitFor(/\? help/);
	const on = (key: string, last: string) => readFor(screen, last, () => screen.press(key));

	expect(screen.text()).toContain('cursor on Key-value store, of the simulated service, 1 of 6');

	const namespaces = await on(
		'enter',
		'enter keys, n new, r rename, d delete, / filter, : commands, q quit, ? help',
	);
	expect(namespaces.slice(0, 3)).toEqual([
		'ledge, namespaces, Acme (simulated), SIMULATED',
		'TITLE, BINDING, ID, KEYS PREVIEW',
		'cursor on CONFIG, none, f406ca271a253d6e7fe341d7a1faa59c, none, 1 of 6',
	]);

	const help =
		'enter open, space select, e edit, d delete, x export, c copy to..., / filter, t tree/list, = compare, n new, B bulk, : commands, q quit, ? help';
	const keys = await on('enter', help);
	expect(keys[0]).toBe('ledge, CONFIG, Acme (simulated), SIMULATED');
	expect(keys[2]).toMatch(/^cursor on .*, 1 of \d+$/);

	const down = await on('down', '');
	expect(down).toHaveLength(1);

	expect(screen.inAlternateScreen).toBe(false);
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);
	// Besides pasting in brackets, and what leaves the terminal as it was found, there is no sequence.
	const rest = screen.received().replaceAll(/\u001b\[(?:\?2004[hl]|0m|\?25h)/g, '');
	expect(stripVTControlCharacters(rest)).toBe(rest);
	expect(rest).toMatch(/^[\P{Cc}\r\n]*$/u);
	expect(rest).not.toMatch(/[\u2500-\u25ff\u2190-\u21ff\u2700-\u27bf…·›⟨⟩]/u);
});
