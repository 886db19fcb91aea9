import {test} from 'vitest';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {openScreen} from '../screen/open.ts';

// Seconds that are counted, and retries: test/screens/shell/whole.

test('a slow service shows the wait, esc cancels it, and the outcome is reported', async () => {
	const service = await serveSimulator();
	const screen = await openScreen([], {env: service.env});
	await screen.waitFor(/Account +Acme/);
	await service.setFaults('hang');
	screen.press('enter');
	await screen.waitFor(/loading namespaces….*esc cancels/);
	await screen.waitFor(/loading namespaces… {3}esc cancels {3}\d+ s/);
	screen.press('esc');
	await screen.waitFor('Stopped: loading namespaces.');
});
