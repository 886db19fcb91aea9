import {expect, test} from 'vitest';
import {startService} from '../../support/service.ts';
import {openScreen} from '../screen/open.ts';

test('a slow service: the wait is visible, esc cancels it, and what happened is said', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: service.env});
	await screen.waitFor(/Account +Acme/);
	await service.setFaults('latency=5000');
	screen.press('enter');
	await screen.waitFor(/reading the namespaces….*esc cancels/);
	await screen.waitFor(/reading the namespaces… {3}esc cancels {3}[12] s/);
	screen.press('esc');
	await screen.waitFor('Stopped: reading the namespaces.');
});

test('a service that fails: the retries are told, then why, and ctrl-r tries again', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: {...service.env, LEDGE_TIME_SCALE: '0.2'}});
	await screen.waitFor(/Account +Acme/);
	await service.setFaults('status=503');
	screen.press('enter');
	await screen.waitFor(/retrying \(2 of 5\) in/);
	await screen.waitFor('ctrl-r tries again', {within: 20_000});
	expect(screen.text()).toContain('× The service');
	await service.setFaults('');
	screen.press('ctrl-r');
	await screen.waitFor('catalogue');
});

test('rate limiting: the wait counts down', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: service.env});
	await screen.waitFor(/Account +Acme/);
	await service.setFaults('status=429 retry-after=3 times=1');
	screen.press('enter');
	await screen.waitFor(/retrying \(2 of \d\) in 3 s/);
	await screen.waitFor(/retrying \(2 of \d\) in 2 s/);
	await screen.waitFor('catalogue');
});

test('a service that is gone: why is said, and nothing is lost', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: {...service.env, LEDGE_TIME_SCALE: '0.05'}});
	await screen.waitFor(/Account +Acme/);
	screen.press('enter');
	await screen.waitFor('catalogue');
	await service.stop();
	screen.press('down', 'enter');
	await screen.waitFor(/× /, {within: 20_000});
	screen.press('i');
	await screen.waitFor(/cannot be reached|broke|refused/);
	screen.press('esc');
	screen.press('esc');
	await screen.waitFor('catalogue');
	expect(screen.selectedRow().text).toContain('SESSIONS');
});

test('a refused credential is named with the variable that it came from', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: {...service.env, CLOUDFLARE_API_TOKEN: 'wrong-token-of-mine'}});
	await screen.waitFor(/Account +not known/);
	expect(screen.text()).toContain('CLOUDFLARE_API_TOKEN');
	expect(screen.received()).not.toContain('wrong-token-of-mine');
});
