import {describe, expect, test} from 'vitest';
import {drawScreen, type ScreenOptions} from '../support/screen.tsx';
import {pressEnterWhenShown} from '../support/ways.ts';

/** Opens the events of a zone that has been in validation for a long time. */
async function openEvents(options: ScreenOptions) {
	const screen = await drawScreen({simulate: true, zone: 'check.acme.example'}, options);
	await screen.waitFor(/Account +Acme/);
	screen.press('5');
	await pressEnterWhenShown(screen, '▸ Read the zone');
	await screen.waitFor('v events');
	screen.press('v');
	await screen.waitFor('1 candidate');
	await screen.waitFor(/candidate +(about )?[\d,]+ +\S+/);
	return screen;
}

describe.each([
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
])('at $columns×$rows', size => {
	test('the versions are side by side, with the candidates first', async () => {
		const text = (await openEvents(size)).text();
		expect(text).toMatch(/new +stopped [\d,]+ requests, logged [\d,]+/);
		expect(text).toMatch(/previous +stopped [\d,]+ requests, logged [\d,]+/);
		expect(text).toMatch(/▸ new candidate +[\d,]+.* \/api\/import +Apache/);
		expect(text).toContain('VERSION');
		if (size.columns === 200)
			expect(text).toMatch(/rule +Apache Log4j.*\(new managed rules, Managed Ruleset\)/);
		expect(text).toContain('a exception');
		const lines = text.split('\n');
		expect(lines.length).toBeLessThanOrEqual(size.rows);
	});

	test('both are drawn over time if there is room', async () => {
		const text = (await openEvents(size)).text();
		expect(text.includes('a=new rules stopped  b=previous rules stopped')).toBe(size.rows > 15);
		expect(/requests +[\d,]+ requests stopped; from 3 addresses/.test(text)).toBe(size.rows > 15);
	});
});

test('estimates are marked in the list, as in the figures above it', async () => {
	const screen = await openEvents({
		columns: 200,
		rows: 60,
		env: {LEDGE_SIMULATE_FAULTS: 'sample-interval=10'},
	});
	expect(screen.text()).toMatch(/▸ new candidate +about [\d,]+ +about [\d,]+ .*\/api\/import/);
});

test('if the versions cannot be compared, neither screen reports zero candidates', async () => {
	const screen = await drawScreen(
		{simulate: true, zone: 'check.acme.example'},
		{columns: 120, rows: 50, env: {LEDGE_SIMULATE_FAULTS: 'lacks-dimension=clientRequestPath'}},
	);
	await screen.waitFor(/Account +Acme/);
	screen.press('5');
	await pressEnterWhenShown(screen, '▸ Read the zone');
	await screen.waitFor('Exception candidates could not be loaded.');
	expect(screen.text()).toContain('the start of validation is unknown here');
	screen.press('v');
	await screen.waitFor('candidates could not be read');
	expect(screen.text()).not.toContain('0 candidates');
});
