import type {Screen} from '../terminal/screen/screen.ts';
import {type Scene, simulatedStart} from './scene.ts';

/** Goes to the namespaces, waits until their figures are there, and selects the one with this title. */
async function goToNamespace(screen: Screen, title: string): Promise<void> {
	await screen.waitFor('Account');
	screen.press('enter');
	await screen.waitFor(/catalogue .* 100,000 +[\d.]+ MB/);
	screen.press('/');
	screen.type(title);
	screen.press('enter');
	await screen.waitFor(() => screen.selectedRow().text.includes(title));
}

/** Pictures of what is counted: namespaces, metrics, statistics, security events. */
export const insight: readonly Scene[] = [
	{
		...simulatedStart,
		name: 'namespaces',
		columns: 80,
		rows: 20,
		async play(screen) {
			await screen.waitFor('Account');
			screen.press('enter');
			await screen.waitFor(/catalogue .* 100,000 +[\d.]+ MB/);
			for (const order of ['keys', 'size', 'reads']) {
				screen.press('s');
				await screen.waitFor(`Sorted by ${order}`);
			}
		},
	},
	{
		...simulatedStart,
		name: 'metrics',
		columns: 80,
		rows: 24,
		async play(screen, camera) {
			await goToNamespace(screen, 'SESSIONS');
			screen.press('M');
			await screen.waitFor('plots 1-2 of 4');
			await camera.hold(3);
			screen.press('t');
			await screen.waitFor(/31 days +daily/);
			await camera.hold(3);
			screen.press('end');
			await screen.waitFor('plots 3-4 of 4');
			await camera.hold(3);
		},
	},
	{
		...simulatedStart,
		name: 'metrics-wide',
		columns: 200,
		rows: 60,
		async play(screen) {
			await goToNamespace(screen, 'SESSIONS');
			screen.press('M');
			await screen.waitFor(/Latency.*Size/s);
		},
	},
	{
		...simulatedStart,
		name: 'stats',
		columns: 80,
		rows: 24,
		async play(screen, camera) {
			await goToNamespace(screen, 'SESSIONS');
			screen.press('S');
			await screen.waitFor('1,000 per call');
			await camera.hold(2.6);
			screen.press('enter');
			await screen.waitFor('Keys by prefix');
			await camera.hold(3);
			await camera.press(['tab', 'tab', 'tab', 'tab'], 3);
		},
	},
	{
		...simulatedStart,
		name: 'events',
		columns: 80,
		rows: 24,
		programArguments: ['--simulate', '--zone', 'done.acme.example'],
		async play(screen, camera) {
			await screen.waitFor('Account');
			screen.press('6');
			await screen.waitFor(/UTC +.*\d\d:00/);
			await camera.hold(3);
			await camera.press(['/'], 0.5);
			await camera.type('log4j');
			await camera.hold(1);
			await camera.press(['enter'], 1);
			screen.press('enter');
			await screen.waitFor(/\[events\].*▸ .*POST \/api\/import/s);
			await camera.hold(2.6);
			screen.press('enter');
			await screen.waitFor(/ray +[0-9a-f]{16}/);
			await camera.hold(3);
			screen.press('a');
			await screen.waitFor('Which requests?');
			await camera.hold(2.4);
			screen.press('enter');
			await screen.waitFor('What is it for?');
			await camera.hold(1.4);
			screen.press('enter');
			await screen.waitFor('Unsent change: ');
			await camera.hold(2);
			screen.press('enter');
			await screen.waitFor('exactly as it will be sent');
			await camera.hold(3);
		},
	},
];
