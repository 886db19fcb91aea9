import {describe, expect, test} from 'vitest';
import {actions} from '../../source/screens/actions.ts';
import {getCurrentScreen} from '../../source/screens/shell/screen-name.ts';
import type {SessionOptions} from '../../source/session/parts.ts';
import {drawnAtHome, drawnAtKeys, drawnAtNamespaces} from './support/sample-screens.ts';
import type {DrawnScreen, Shown} from './support/screen.tsx';

type List = {
	readonly session?: SessionOptions;
	/** What to press from Home, and what to wait for before the next key. */
	readonly way: readonly (string | RegExp)[];
	readonly shows: RegExp;
	/** Whether a second click opens the row: it does not where enter does more than that. */
	readonly opens?: true;
};

const inZone = (zone: string): SessionOptions => ({simulate: true, zone});
const acme = inZone('acme.example');
const done = inZone('done.acme.example');

/** Every list, with the way to it. */
const lists: Readonly<Record<string, List>> = {
	home: {way: [], shows: /Activity/, opens: true},
	namespaces: {way: ['enter'], shows: /catalogue/, opens: true},
	keys: {way: ['enter', /catalogue/, 'enter'], shows: /9 keys/, opens: true},
	'the tree of a value': {
		way: ['enter', /catalogue/, 'enter', /9 keys/, 'down', 'enter'],
		shows: /JSON/,
	},
	zones: {way: ['F'], shows: /acme-shop\.example/, opens: true},
	rules: {session: acme, way: ['F'], shows: /rule 1 of \d+/, opens: true},
	filters: {session: acme, way: ['F', /rule 1 of/, 'tab'], shows: /used by rule 1/, opens: true},
	'rate limits': {
		session: done,
		way: ['F', /rule 1 of 4/, 'L'],
		shows: /rate limit 1 of 3/,
		opens: true,
	},
	'custom rules': {session: done, way: ['F'], shows: /rule 1 of 4/, opens: true},
	'rules to merge': {session: acme, way: ['F', /rule 1 of/, 'm'], shows: /to create/},
	'managed rules': {session: done, way: ['W'], shows: /OWASP/},
	activity: {way: ['enter', /catalogue/, 'A'], shows: /METHOD/},
	'the actions of a new rule': {
		session: acme,
		way: ['F', /rule 1 of/, 'n', /0 of 4,096/, ...'ssl', /can be sent as is/, 'enter'],
		shows: /▸ block/,
	},
	'a review': {
		way: ['enter', /catalogue/, 'enter', /9 keys/, 'down', 'enter', /JSON/, 'down', 'e', '7', 'ctrl-s'],
		shows: /Write the key/,
	},
	'the catalogue of managed rules': {session: done, way: ['W', /OWASP/, 'b'], shows: /rule/},
	'versions of custom rules': {session: done, way: ['F', /rule 1 of 4/, 'V'], shows: /Version \d+ is active/},
	'the palette': {way: ['enter', /catalogue/, ':'], shows: /search actions/},
	'a choice': {way: ['enter', /catalogue/, 'down', 'd'], shows: /Export its keys/},
};

async function at({session = {simulate: true}, way, shows}: List): Promise<DrawnScreen> {
	const screen = await drawnAtHome({}, session);
	for (const step of way) {
		if (typeof step === 'string') screen.press(step);
		else await screen.settled(step);
	}
	await screen.settled(shows);
	return screen;
}

/** The line of the cursor, by the mark that is the most to the left. */
function cursorLine(screen: DrawnScreen): number {
	const lines = screen.lines();
	const {text} = screen.selectedRow();
	return lines.indexOf(text);
}

async function pointed(screen: DrawnScreen, ...[what, column, row]: Parameters<DrawnScreen['point']>) {
	screen.point(what, column, row);
	await screen.settled();
}

/** Another row of the list: the one below, else the one above. */
async function otherLine(screen: DrawnScreen): Promise<number> {
	const here = cursorLine(screen);
	await screen.answerTo('down');
	const below = cursorLine(screen);
	if (below !== here) {
		await screen.answerTo('up');
		return below;
	}
	await screen.answerTo('up');
	return cursorLine(screen);
}

describe.each(Object.entries(lists))('%s', (_name, list) => {
	test('a click selects the row, and a second one opens it if that is harmless', async () => {
		const screen = await at(list);
		const line = await otherLine(screen);
		const before = cursorLine(screen);
		expect(line).not.toBe(before);
		const front = getCurrentScreen(screen.state());
		const dialog = screen.state().dialog.current;
		await pointed(screen, 'click', 6, line);
		expect(cursorLine(screen)).toBe(line);
		expect(getCurrentScreen(screen.state())).toBe(front);
		await pointed(screen, 'click', 6, before);
		expect(cursorLine(screen)).toBe(before);
		const selected = screen.text();
		await pointed(screen, 'click', 6, before);
		if (list.opens) {
			await screen.waitFor(() => screen.text() !== selected);
			return;
		}
		expect(cursorLine(screen)).toBe(before);
		expect(getCurrentScreen(screen.state())).toBe(front);
		expect(screen.state().dialog.current?.kind).toBe(dialog?.kind);
	});

	test('the wheel moves down and up again', async () => {
		const screen = await at(list);
		screen.press('up', 'up', 'up', 'up', 'up', 'up');
		await screen.settled();
		const before = screen.text();
		await pointed(screen, 'wheel-down', 6, cursorLine(screen));
		expect(screen.text()).not.toBe(before);
		for (let time = 0; time < 6; time++) await pointed(screen, 'wheel-up', 6, cursorLine(screen));
		await pointed(screen, 'wheel-down', 6, cursorLine(screen));
		await pointed(screen, 'wheel-up', 6, cursorLine(screen));
		expect(cursorLine(screen)).toBeGreaterThan(1);
	});
});

test('a second click only opens: it never sends, deletes or confirms anything', () => {
	const opening = actions.filter(({opensRow}) => opensRow);
	expect(opening.map(({id}) => id)).toContain('keys.open');
	expect(opening.filter(({isDestructive}) => isDestructive)).toEqual([]);
	expect(opening.filter(({keys}) => !keys.includes('enter'))).toEqual([]);
	expect(opening.filter(({id}) => /send|delete|restore|resume|dialog|review/.test(id))).toEqual([]);
});

test('the second click only selects if a key was pressed or the row was scrolled in between', async () => {
	const screen = await drawnAtKeys();
	const line = cursorLine(screen) + 1;
	await pointed(screen, 'click', 6, line);
	screen.press('down', 'up');
	await screen.settled();
	await pointed(screen, 'click', 6, line);
	expect(getCurrentScreen(screen.state())).toBe('keys');
	await pointed(screen, 'click', 6, line);
	expect(getCurrentScreen(screen.state())).toBe('key');
});

test('clicks never answer a question', async () => {
	const screen = await drawnAtKeys();
	screen.press('d');
	const shown: Shown = /Keep the key/;
	await screen.settled(shown);
	for (let row = 0; row < screen.rows; row++)
		for (let time = 0; time < 2; time++) await pointed(screen, 'click', 6, row);
	expect(screen.text()).toContain('Keep the key');
	expect(screen.state().keys.data?.index.count).toBe(9);
});

test('clicks outside every list or beyond the screen do nothing', async () => {
	const screen = await drawnAtNamespaces();
	await screen.waitFor(/catalogue .* 100,000 /);
	const before = screen.text();
	for (const [column, row] of [
		[6, 0],
		[6, screen.rows - 1],
		[500, 5],
		[6, 500],
		[99_998, 99_998],
	] as const)
		await pointed(screen, 'click', column, row);
	expect(screen.text()).toBe(before);
});

test.each([
	['the help', ['?'], /search shortcuts/],
	['a value as text', ['down', 'enter', /JSON/, 'tab'], /JSON as text/],
	['a filter that is typed', ['/'], /\/ /],
] as const)('the wheel in %s types nothing and leaves nothing', async (_what, keys, shows) => {
	const screen = await drawnAtKeys({rows: 15});
	for (const key of keys) {
		if (typeof key === 'string') screen.press(key);
		else await screen.settled(key);
	}
	await screen.settled(shows);
	// A key that expires does so in fewer days after a second.
	const shown = () => screen.text().replaceAll(/in \d+ d/g, 'in days');
	const before = shown();
	await pointed(screen, 'wheel-down', 6, 6);
	expect(shown()).not.toBe(before);
	for (let time = 0; time < 3; time++) await pointed(screen, 'wheel-up', 6, 6);
	expect(shown()).toBe(before);
});
