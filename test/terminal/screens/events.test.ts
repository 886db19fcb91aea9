import {expect, test} from 'vitest';
import {confirmAfterReading} from '../../screens/support/ways.ts';
import {startFirewallService} from '../../support/firewall.ts';
import {openScreen} from '../screen/open.ts';

// What else the screen does: test/screens/events.

const zone = 'done.acme.example';

async function atEvents() {
	const service = await startFirewallService();
	const screen = await openScreen(['--zone', zone], {env: service.env});
	await screen.waitFor(/Account +Acme/);
	screen.press('6');
	await screen.waitFor(/\[rules\].*managed rules|\[rules\].*RULE/s);
	await service.takeWrites();
	return {service, screen};
}

test('a false positive is found, inspected and given an exception for its rule and path', async () => {
	const {service, screen} = await atEvents();
	await screen.waitFor(/UTC +.*\d\d:00/);
	expect(screen.text()).toMatch(/a=block/);
	screen.press('/');
	screen.type('execution (body)');
	await screen.waitFor(/· 1 of \d+/);
	screen.press('enter');
	await screen.waitFor(/▸ +[\d,]+ +.*Apache Log4j/);
	screen.press('enter');
	await screen.waitFor(/\[events\].*▸ .*POST \/api\/import/s);
	expect(screen.text()).toMatch(/done\.acme\.example ›|security ev/);
	screen.press('enter');
	await screen.waitFor(/ray +[0-9a-f]{16}/);
	const [, rule] = /rule id +([0-9a-f]{32})/.exec(screen.text()) ?? [];
	expect(screen.text()).toMatch(/ruleset +Managed Ruleset/);

	screen.press('a');
	await screen.waitFor('Which requests?');
	expect(screen.text()).toContain('(http.host eq "done.acme.example" and http');
	screen.press('enter');
	await screen.waitFor(/What is it for\?.*False positive of Apache Log4j/s);
	screen.press('enter');
	await screen.waitFor('Unsent change: Add exception');
	expect(await service.takeWrites()).toEqual([]);
	screen.press('enter');
	await screen.waitFor('exactly as it will be sent');
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('version 2');
	expect(await service.takeWrites()).toEqual([
		expect.objectContaining({
			method: 'POST',
			path: expect.stringMatching(/\/rulesets\/[0-9a-f]{32}\/rules$/),
			body: expect.objectContaining({
				action: 'skip',
				expression: '(http.host eq "done.acme.example" and http.request.uri.path eq "/api/import")',
				action_parameters: {rules: {efb7b8c949ac4650a09736fc376e9aee: [rule]}},
			}),
		}),
	]);
});

test('an address of an event goes straight to the emergency block, and nothing is sent before the review', async () => {
	const {service, screen} = await atEvents();
	screen.press('tab', 'tab');
	await screen.waitFor(/\[addresses\].*▸ +[\d,]+ .*[0-9a-f]+[.:]/s);
	const [, address] = /▸ +[\d,]+ +(?:\d+% +)?(\S+)/.exec(screen.text()) ?? [];
	screen.press('!');
	await screen.waitFor(/EMERGENCY/);
	await screen.waitFor(`ip.src eq ${address}`);
	expect(await service.takeWrites()).toEqual([]);
});
