import {test} from 'vitest';
import {expectNothingLeaked} from '../../screens/support/leaks.ts';
import {atNamespaces} from './ways.ts';

test('hostile key names and values do no harm on any screen', async () => {
	const screen = await atNamespaces();
	screen.press('end', 'enter');
	await screen.waitFor(/\d+ keys?\b/);
	const {length} = screen.lines();
	for (let row = 0; row < length; row++) {
		screen.press('down');
		await screen.settled();
	}
	screen.press('9');
	await screen.waitFor('METHOD');
	expectNothingLeaked(screen);
});
