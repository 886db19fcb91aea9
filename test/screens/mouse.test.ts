import {describe, expect, test} from 'vitest';
import {actions} from '../../source/screens/actions.ts';
import {getCurrentScreen} from '../../source/screens/shell/screen-name.ts';
import type {SessionOptions} from '../../source/session/parts.ts';
import {drawAtHome, drawAtKeys, drawAtNamespaces} from './support/sample-screens.ts';
import type {DrawnScreen, Shown} from './support/screen.tsx';

type List = {
	readonly session?: SessionOptions;
	/** What to press from Home, and what to wait for before the next key. */
	readonly steps: readonly (string | RegExp)[];
	readonly shows: RegExp;
	/** Whether a second click opens the row. It does not if enter does more than opening it. */
	readonly opens?: true;
};

const inZone = (zone: string): SessionOptions => ({simulate: true, zone});
const acmeSession = inZone('acme.example');
const doneSession = inZone('done.acme.example');

/** Every list, with the way to it. */
const lists: Readonly<Record<string, List>> = {
	home: {steps: [], shows: /Activity/, opens: true},
	namespaces: {steps: ['enter'], shows: /catalogue/, opens: true},
	keys: {steps: ['enter', /catalogue/, 'enter'], shows: /9 keys/, opens: true},
	'the tree of a value': {
		steps: ['enter', /catalogue/, 'enter', /9 keys/, 'down', 'enter'],
		shows: /JSON/,
	},
	zones: {steps: ['2'], shows: /acme-shop\.example/, opens: true},
	rules: {session: acmeSession, steps: ['2'], shows: /rule 1 of \d+/, opens: true},
	filters: {session: acmeSession, steps: ['2', /rule 1 of/, 'tab'], shows: /used by rule 1/, opens: true},
	'rate limits': {
		session: doneSession,
		steps: ['2', /rule 1 of 4/, 'L'],
		shows: /rate limit 1 of 3/,
		opens: true,
	},
	'custom rules': {session: doneSession, steps: ['2'], shows: /rule 1 of 4/, opens: true},
	'rules to merge': {session: acmeSession, steps: ['2', /rule 1 of/, 'm'], shows: /to create/},
	'managed rules': {session: doneSession, steps: ['4'], shows: /OWASP/},
	activity: {steps: ['enter', /catalogue/, '9'], shows: /METHOD/, opens: true},
	'the actions of a new rule': {
		session: acmeSession,
		steps: ['2', /rule 1 of/, 'a', /0 of 4,096/, ...'ssl', /can be sent as is/, 'enter'],
		shows: /▸ block/,
	},
	'the catalogue of managed rules': {session: doneSession, steps: ['4', /OWASP/, 'b'], shows: /rule/},
	'versions of custom rules': {
		session: doneSession,
		steps: ['2', /rule 1 of 4/, 'V'],
		shows: /Version \d+ is active/,
		opens: true,
	},
	'the palette': {steps: ['enter', /catalogue/, ':'], shows: /search actions/},
	'a choice': {steps: ['enter', /catalogue/, 'down', 'd'], shows: /Export its keys/},
};

async function openList({session = {simulate: true}, steps, shows}: List): Promise<DrawnScreen> {
	const screen = await drawAtHome({}, session);
	for (const step of steps) {
		if (typeof step === 'string') screen.press(step);
		else await screen.settled(step);
	}
	await screen.settled(shows);
	return screen;
}

/** The line of the cursor, by the mark that is the most to the left. */
const cursorLine = (screen: DrawnScreen): number => screen.selectedRow().number;

async function pointAndWait(screen: DrawnScreen, ...[what, column, row]: Parameters<DrawnScreen['point']>) {
	screen.point(what, column, row);
	await screen.settled();
}

/** Another row of the list: the one below, else the one above. */
async function findOtherLine(screen: DrawnScreen): Promise<number> {
	const startLine = cursorLine(screen);
	await screen.pressAndAwaitFrame('down');
	const below = cursorLine(screen);
	if (below !== startLine) {
		await screen.pressAndAwaitFrame('up');
		return below;
	}
	await screen.pressAndAwaitFrame('up');
	return cursorLine(screen);
}

describe.each(Object.entries(lists))('%s', (_name, list) => {
	test('a click selects the row, and a second one opens it if that is harmless', async () => {
		const screen = await openList(list);
		const line = await findOtherLine(screen);
		const before = cursorLine(screen);
		expect(line).not.toBe(before);
		const screenBefore = getCurrentScreen(screen.state());
		const dialog = screen.state().dialog.current;
		await pointAndWait(screen, 'click', 6, line);
		expect(cursorLine(screen)).toBe(line);
		expect(getCurrentScreen(screen.state())).toBe(screenBefore);
		await pointAndWait(screen, 'click', 6, before);
		expect(cursorLine(screen)).toBe(before);
		const selected = screen.text();
		await pointAndWait(screen, 'click', 6, before);
		if (list.opens) {
			await screen.waitFor(() => screen.text() !== selected);
			return;
		}
		expect(cursorLine(screen)).toBe(before);
		expect(getCurrentScreen(screen.state())).toBe(screenBefore);
		expect(screen.state().dialog.current?.kind).toBe(dialog?.kind);
	});

	test('the wheel moves down and up again', async () => {
		const screen = await openList(list);
		screen.press('up', 'up', 'up', 'up', 'up', 'up');
		await screen.settled();
		const before = screen.text();
		await pointAndWait(screen, 'wheel-down', 6, cursorLine(screen));
		expect(screen.text()).not.toBe(before);
		for (let time = 0; time < 6; time++) await pointAndWait(screen, 'wheel-up', 6, cursorLine(screen));
		await pointAndWait(screen, 'wheel-down', 6, cursorLine(screen));
		await pointAndWait(screen, 'wheel-up', 6, cursorLine(screen));
		expect(cursorLine(screen)).toBeGreaterThan(1);
	});
});

test('a second click only opens: it never sends, deletes or confirms anything', () => {
	const opening = actions.filter(({opensRow}) => opensRow);
	expect(opening.map(({id}) => id)).toContain('keys.open');
	expect(opening.filter(({isDestructive}) => isDestructive)).toEqual([]);
	expect(opening.filter(({keys}) => !keys.includes('enter') && !keys.includes('right'))).toEqual([]);
	expect(opening.filter(({id}) => /send|delete|restore|resume|dialog|review/.test(id))).toEqual([]);
});

test('the second click only selects if a key was pressed or the row was scrolled in between', async () => {
	const screen = await drawAtKeys();
	const line = cursorLine(screen) + 1;
	await pointAndWait(screen, 'click', 6, line);
	screen.press('down', 'up');
	await screen.settled();
	await pointAndWait(screen, 'click', 6, line);
	expect(getCurrentScreen(screen.state())).toBe('keys');
	await pointAndWait(screen, 'click', 6, line);
	expect(getCurrentScreen(screen.state())).toBe('key');
});

test('clicks never answer a question', async () => {
	const screen = await drawAtKeys();
	screen.press('d');
	const shown: Shown = /y delete the key/;
	await screen.settled(shown);
	for (let row = 0; row < screen.rows; row++)
		for (let time = 0; time < 2; time++) await pointAndWait(screen, 'click', 6, row);
	expect(screen.text()).toContain('y delete the key');
	expect(screen.state().keys.data?.index.count).toBe(9);
});

test('clicks outside every list, path and hint, or beyond the screen, do nothing', async () => {
	const screen = await drawAtNamespaces();
	await screen.waitFor(/catalogue .* 100,000 /);
	const before = screen.text();
	const gapInPath = (screen.lines()[0]?.indexOf('›') ?? 0) - 1;
	const gapInHints = screen.lines()[screen.rows - 1]?.indexOf('   ') ?? 0;
	for (const [column, row] of [
		[gapInPath, 0],
		[6, 1],
		[gapInHints, screen.rows - 1],
		[500, 5],
		[6, 500],
		[99_998, 99_998],
	] as const)
		await pointAndWait(screen, 'click', column, row);
	expect(screen.text()).toBe(before);
});

test.each([
	['the help', ['?'], /search shortcuts/],
	['a value as text', ['down', 'enter', /JSON/, 'tab'], /JSON as text/],
	['a filter that is typed', ['/'], /\/ /],
] as const)('the wheel in %s only scrolls: it types nothing, and nothing is closed', async (_what, keys, shows) => {
	const screen = await drawAtKeys({rows: 15});
	for (const key of keys) {
		if (typeof key === 'string') screen.press(key);
		else await screen.settled(key);
	}
	await screen.settled(shows);
	// The days left of an expiring key can change meanwhile.
	const shown = () => screen.text().replaceAll(/in \d+ d/g, 'in days');
	const before = shown();
	await pointAndWait(screen, 'wheel-down', 6, 6);
	expect(shown()).not.toBe(before);
	for (let time = 0; time < 3; time++) await pointAndWait(screen, 'wheel-up', 6, 6);
	expect(shown()).toBe(before);
});
