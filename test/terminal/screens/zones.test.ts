import {expect, test} from 'vitest';
import {atHome} from './ways.ts';

// What else the overview does: test/screens/zones/overview.test.tsx.

test('the zone overview at 80×24 shows the most urgent zone first, and enter continues there', async () => {
	const screen = await atHome({columns: 80, rows: 24});
	screen.press('8');
	await screen.waitFor(() => /check\.acme\.example/.test(screen.line(3)));
	const rows = screen.text().split('\n');
	const findRow = (name: string) => rows.findIndex(row => row.includes(` ${name}`));
	expect(rows[2]).toMatch(/^ {3}ZONE \(by \w+\) +PLAN +OLD +NEW +MIGRATION +CUSTOM$/);
	expect(rows[3]).toMatch(/^ ▸ check\.acme\.example +Enterprise enabled +enabled +validation +0\/1,000$/);
	expect(rows[findRow('done.acme.example')]).toMatch(/ Pro +disabled enabled +complete +4\/20$/);
	expect(rows[findRow('acme-blog.example')]).toMatch(/ Free +– +– +– +0\/5$/);
	expect(findRow('acme-legacy.example')).toBeGreaterThan(findRow('acme-shop.example'));
	expect(findRow('done.acme.example')).toBeGreaterThan(findRow('acme-legacy.example'));
	expect(screen.line(-2)).toMatch(/^ check\.acme\.example: both versions are on {3}.* 13 zones$/);

	screen.press('/');
	screen.type('override');
	screen.press('enter');
	await screen.waitFor(/acme-legacy\.example: 3 URI overrides/);
	screen.press('enter');
	await screen.waitFor(/ledge › migration › acme-legacy\.example/);
});
