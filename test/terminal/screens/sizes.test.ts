import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {waitForHome} from '../../screens/support/sample-ways.ts';
import {openScreen, type Screen} from '../screen/open.ts';

// All other places: test/screens/sizes.test.tsx.

const sizes = [
	[60, 15],
	[80, 24],
	[200, 60],
] as const;

function expectFits(screen: Screen, columns: number) {
	expect(screen.wrapped(), screen.drawWithBorder()).toEqual([]);
	for (const line of screen.lines()) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
	expect(screen.line(0)).toMatch(/^ \S.* · ⟨ [A-Z]+ ⟩/);
	expect(screen.line(1)).toBe('─'.repeat(columns));
	// The keys are on the last line at every size.
	expect(screen.line(-1)).toMatch(/\S/);
}

/** What the cursor is on, as far as it is shown at every size. */
const selectedName = (screen: Screen): string => screen.selectedRow().text.trim().slice(0, 16);

test('a list fits at 60×15, 80×24 and 200×60, and through a resize', async () => {
	const [first] = sizes;
	const screen = await openScreen(['--simulate'], {columns: first[0], rows: first[1]});
	await waitForHome(screen);
	await screen.pressAndAwaitFrame('enter');
	await screen.pressAndAwaitFrame('down');
	await screen.pressAndAwaitFrame('enter');
	await screen.settled('480 keys');
	expectFits(screen, first[0]);
	const selected = selectedName(screen);
	for (const [columns, rows] of [...sizes.slice(1), first]) {
		await screen.resize(columns, rows);
		await screen.settled(shown => shown.text().includes('480 keys') && shown.line(1) === '─'.repeat(columns));
		expectFits(screen, columns);
		expect(selectedName(screen)).toBe(selected);
	}
});
