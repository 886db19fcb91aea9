import {expect, test} from 'vitest';
import {serveSimulator} from '../../../support/serve-simulator.ts';
import {holdTime} from '../../support/held-time.ts';
import {drawScreen} from '../../support/screen.tsx';
import {drawHome} from '../../support/served-screens.ts';

test('a slow service: the wait is visible, esc cancels it, and the outcome is reported', async () => {
	const service = await serveSimulator();
	const screen = await drawHome(service);
	const clock = holdTime();
	await service.setFaults('hang');
	screen.press('enter');
	await screen.settled('ledge › namespaces');
	expect(screen.text()).not.toContain('loading namespaces…');
	await clock.advance(999);
	await screen.settled(/loading namespaces… {3}esc cancels$/m);
	await clock.advance(1);
	await screen.settled(/loading namespaces… {3}esc cancels {3}1 s$/m);
	await clock.advance(1000);
	await screen.settled(/loading namespaces… {3}esc cancels {3}2 s$/m);
	screen.press('esc');
	await screen.settled();
	await clock.advance(1000);
	await screen.waitFor('Stopped: loading namespaces.');
});

test('a failing service: the retries are shown, then the reason, and ctrl-r retries', async () => {
	const service = await serveSimulator();
	const screen = await drawHome(service);
	const clock = holdTime();
	await service.setFaults('status=503');
	screen.press('enter');
	for (const next of [2, 3, 4, 5]) {
		await screen.waitFor(`retrying (${next} of 5) in`);
		// The maximum of this wait.
		await clock.advance(625 * 2 ** (next - 2));
	}
	await screen.waitFor('ctrl-r tries again');
	expect(screen.text()).toContain('× The service');
	await service.setFaults('');
	screen.press('ctrl-r');
	await screen.waitFor('catalogue');
});

test('rate limiting: the wait counts down, and nothing is sent before it ends', async () => {
	const service = await serveSimulator();
	const screen = await drawHome(service);
	const clock = holdTime();
	await service.setFaults('status=429 retry-after=3 times=1');
	screen.press('enter');
	await screen.waitFor(/quota: 3 s[\s\S]*it\s+continues\s+by\s+itself/);
	const sent = (await service.calls()).length;
	await clock.advance(1000);
	await screen.waitFor(/quota: 2 s[\s\S]*it\s+continues\s+by\s+itself/);
	await clock.advance(1000);
	await screen.waitFor(/quota: 1 s[\s\S]*it\s+continues\s+by\s+itself/);
	await clock.advance(999);
	await screen.settled(/quota: 1 s[\s\S]*it\s+continues\s+by\s+itself/);
	expect(await service.calls()).toHaveLength(sent);
	await clock.advance(1);
	await screen.waitFor('catalogue');
});

test('an unreachable service: the reason is reported, and nothing is lost', async () => {
	const service = await serveSimulator();
	const screen = await drawHome(service, {env: {LEDGE_TIME_SCALE: '0.01'}});
	screen.press('enter');
	await screen.waitFor('catalogue');
	await service.stop();
	screen.press('down', 'enter');
	await screen.waitFor('× ');
	screen.press('i');
	await screen.waitFor(/cannot be reached|broke|refused/);
	screen.press('esc');
	screen.press('esc');
	await screen.waitFor('catalogue');
	expect(screen.selectedRow().text).toContain('SESSIONS');
});

test('a rejected credential is named with the variable it came from', async () => {
	const service = await serveSimulator();
	const screen = await drawScreen({}, {env: {...service.env, CLOUDFLARE_API_TOKEN: 'wrong-token-of-mine'}});
	await screen.waitFor(/Account +unknown/);
	expect(screen.text()).toContain('CLOUDFLARE_API_TOKEN');
	expect(screen.received()).not.toContain('wrong-token-of-mine');
});
