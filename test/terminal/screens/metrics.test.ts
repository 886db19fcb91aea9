import {expect, test} from 'vitest';
import {atNamespaces} from './ways.ts';

// What else it does: test/screens/metrics.

test('the namespaces, sorted by use, lead to the plots of one: days, more plots, all of them, and back', async () => {
	const screen = await atNamespaces({columns: 80, rows: 24});
	await screen.waitFor(/catalogue .* 100,000 +[\d.]+ MB/);
	for (const order of ['keys, most', 'size, largest', 'reads in 24 hours, most']) {
		screen.press('s');
		await screen.waitFor(`Sorted by ${order} first.`);
	}
	const titles = ['catalogue', 'assets', 'CONFIG', 'odd names'];
	const rowIndexes = titles.map(title =>
		screen
			.text()
			.split('\n')
			.findIndex(row => row.includes(title)),
	);
	expect(rowIndexes).toEqual(rowIndexes.toSorted((one, other) => one - other));
	expect(screen.selectedRow().text).toContain('CONFIG');
	screen.press('M');
	await screen.waitFor('CONFIG › metrics');
	await screen.waitFor(/Operations +[\d,.]+[kM]? .*read/);
	expect(screen.text()).toMatch(/└[─┬]*┬/);
	await screen.waitFor('plots 1-2 of 4');
	screen.press('t');
	await screen.waitFor(/31 days +daily/);
	screen.press('end');
	await screen.waitFor('plots 3-4 of 4');
	expect(screen.text()).toMatch(/Keys +9/);
	expect(screen.text()).toMatch(/Size +[\d.]+ (?:B|KB)/);
	screen.press('A');
	await screen.waitFor('metrics of all');
	await screen.waitFor(/Keys +1\d\d,\d{3}/);
	screen.press('esc');
	await screen.waitFor('WRITES');
	expect(screen.selectedRow().text).toContain('CONFIG');
});
