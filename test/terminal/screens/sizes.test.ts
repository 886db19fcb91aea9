import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {lookingTime} from '../../../source/screens/review/state.ts';
import {openScreen, type Screen} from '../screen/open.ts';
import {atNamespaces} from './ways.ts';

const sizes = [
	[60, 15],
	[80, 24],
	[200, 60],
] as const;

/** With its zone named, the areas of a zone open it at once. */
const inAcme = ['--zone', 'acme.example'];

type Place = {
	readonly words?: readonly string[];
	/** What to press, and between keys what has to have been looked at before the next one counts. */
	readonly keys: readonly (string | RegExp)[];
	/** What is then to be seen at every size. */
	readonly shows: RegExp;
};

/** Two of the places of test/screens/sizes.test.tsx: a list, and a text behind two looks. */
const places: Readonly<Record<string, Place>> = {
	keys: {keys: ['enter', 'down', 'enter'], shows: /480 keys/},
	'what a migration would do': {
		words: inAcme,
		keys: ['M', /▸ Read the zone/, 'enter', /▸ Continue/, 'enter'],
		shows: /OWASP Core/,
	},
};

function check(screen: Screen, columns: number) {
	expect(screen.wrapped(), screen.framed()).toEqual([]);
	for (const line of screen.lines()) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
	expect(screen.line(0)).toMatch(/^ ledge/);
	expect(screen.line(1)).toBe('─'.repeat(columns));
	// The keys are on the last line at every size.
	expect(screen.line(-1)).toMatch(/\S/);
}

/** What the cursor is on, as far as it is shown at every size; nothing where there is not a list. It may be the right one of two. */
const selectedName = (screen: Screen): string | undefined =>
	screen
		.lines()
		.map(line => /(?:^.{0,4}| {2})(▸ .*)/.exec(line)?.[1])
		.find(found => found !== undefined)
		?.trim()
		.slice(0, 16);

describe.each(Object.entries(places))('%s', (_name, {words = [], keys, shows}) => {
	test('fits at 60×15, 80×24 and 200×60, and through a resize', async () => {
		const [first] = sizes;
		const screen = await openScreen(['--simulate', ...words], {columns: first[0], rows: first[1]});
		await screen.waitFor('Acme (simulated)');
		for (const key of keys)
			await (typeof key === 'string'
				? screen.answerTo(key)
				: screen.settled(key, {quiet: lookingTime + 100}));
		await screen.waitFor(shows);
		await screen.settled();
		check(screen, first[0]);
		const selected = selectedName(screen);
		for (const [columns, rows] of [...sizes.slice(1), first]) {
			await screen.resize(columns, rows);
			await screen.settled(shown => shows.test(shown.text()) && shown.line(1) === '─'.repeat(columns));
			check(screen, columns);
			expect(selectedName(screen)).toBe(selected);
		}
	});
});

test('below 60×15 it says so, and comes back where it was', async () => {
	const screen = await atNamespaces();
	screen.press('down');
	await screen.waitFor(shown => shown.selectedRow().text.includes('SESSIONS'));
	await screen.resize(59, 24);
	await screen.waitFor('ledge needs 60×15');
	await screen.resize(20, 3);
	await screen.waitFor('ledge needs');
	await screen.resize(80, 24);
	await screen.waitFor('catalogue');
	expect(screen.selectedRow().text).toContain('SESSIONS');
});
