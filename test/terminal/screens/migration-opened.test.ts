import {expect, test} from 'vitest';
import {openScreen} from '../screen/open.ts';

test('M opens the migration of the zone that was named, reads it, and leads to its review', async () => {
	const screen = await openScreen(['--simulate', '--zone', 'acme-shop.example']);
	await screen.waitFor(/Account +Acme/);
	screen.press('M');
	await screen.waitFor('Read the zone');
	expect(screen.line(0)).toMatch(/ledge › migration › acme-shop\.example +pro/);
	screen.press('enter');
	await screen.waitFor('Continue');
	screen.press('enter');
	await screen.waitFor(/review/);
	screen.press('esc');
	await screen.waitFor('Continue');
});
