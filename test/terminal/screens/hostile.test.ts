import {test} from 'vitest';
import {expectNothingLeaked} from '../../screens/support/leaks.ts';
import {atNamespaces} from './ways.ts';

test('hostile names of keys and their values, on every screen they come to', async () => {
	const screen = await atNamespaces();
	screen.press('end', 'enter');
	await screen.waitFor(/\d+ keys?\b/);
	const {length} = screen.lines();
	for (let row = 0; row < length; row++) {
		screen.press('down');
		await screen.settled();
	}
	screen.press('A');
	await screen.waitFor('METHOD');
	expectNothingLeaked(screen);
});
