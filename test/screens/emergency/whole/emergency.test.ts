import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {minReviewMs} from '../../../../source/screens/write-flow/review-timer.ts';
import {type FirewallService, startFirewallService, zoneIds} from '../../../support/firewall.ts';
import {createScratchFolder} from '../../../support/ledge.ts';
import {goToBlockQuestion, goToEmergency, goToRules, ruleZone} from '../../support/rule-ways.ts';
import {type DrawnScreen, drawScreen, type ScreenOptions} from '../../support/screen.tsx';
import {drawHome, drawRulesScreen} from '../../support/served-screens.ts';
import {confirmAfterReading, pressEnterAfterReading} from '../../support/ways.ts';

const sizes = [
	{columns: 80, rows: 24},
	{columns: 60, rows: 15},
];

/** Goes from Home to the emergency screen. */
async function openEmergencyScreen(service: FirewallService, options?: ScreenOptions): Promise<DrawnScreen> {
	const screen = await drawRulesScreen(service, options);
	await goToEmergency(screen);
	return screen;
}

test.each(
	sizes,
)('from Home to an active block takes three keys after the expression and one call, $columns×$rows', async size => {
	const service = await startFirewallService();
	const screen = await openEmergencyScreen(service, size);
	await service.takeWrites();
	await goToBlockQuestion(screen, 'ip.src eq 192.0.2.9');
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('Active: rule');
	expect(
		(await service.takeWrites()).map(({method, path}) => `${method} ${path.replace(/^.*zones\/\w+/, '')}`),
	).toEqual(['POST /firewall/rules']);
	const createdRules = (await service.rules()).filter(
		({filter}) => filter.expression === 'ip.src eq 192.0.2.9',
	);
	expect(createdRules).toMatchObject([{action: 'block', paused: false}]);
	await pressEnterAfterReading(screen, '▸ Done');
	await screen.waitFor(/rule \d+ of 13/);
});

test('the cursor of the actions stays where it is while the help is open', async () => {
	const screen = await openEmergencyScreen(await startFirewallService());
	screen.type('192.0.2.20');
	await screen.waitFor('enter reads it as');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('down', 'down');
	await screen.waitFor('▸ js_challenge');
	screen.press('?');
	await screen.waitFor(shown => !shown.text().includes('▸ js_challenge'));
	screen.press('esc');
	await screen.waitFor('the browser has to run a script');
	expect(screen.text()).toContain('▸ js_challenge');
});

test('a bare address becomes an expression, which is shown', async () => {
	const service = await startFirewallService();
	const env = {SSH_CONNECTION: '192.0.2.20 50000 192.0.2.1 22'};
	const screen = await openEmergencyScreen(service, {env});
	await service.takeWrites();
	screen.type('192.0.2.20');
	await screen.waitFor('enter reads it as: ip.src eq 192.0.2.20');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('enter');
	await screen.waitFor('your own address 192.0.2.20');
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('Active: rule');
	const createdRules = (await service.rules()).filter(
		({filter}) => filter.expression === 'ip.src eq 192.0.2.20',
	);
	expect(createdRules).toMatchObject([{action: 'block', paused: false}]);
});

test('the request sent is in the audit log', async () => {
	const service = await startFirewallService();
	const stateFolder = createScratchFolder();
	const screen = await openEmergencyScreen(service, {env: {LEDGE_STATE_DIR: stateFolder}});
	await goToBlockQuestion(screen, 'ip.src eq 192.0.2.10');
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('Active: rule');
	const log = readFileSync(join(stateFolder, 'audit.ndjson'), 'utf8');
	expect(log).toMatch(/create filter [0-9a-f]{32} and rule [0-9a-f]{32}/);
	expect(log).toContain('"result":"done"');
});

test.each(
	sizes,
)('if firewall rules are gone, the same block becomes one custom rule with one more key, $columns×$rows', async size => {
	const service = await startFirewallService();
	const screen = await openEmergencyScreen(service, size);
	await goToBlockQuestion(screen, 'ip.src eq 192.0.2.11');
	await screen.settled('y send', {quiet: minReviewMs + 100});
	await service.setFaults('path=firewall/rules status=410');
	screen.press('y');
	await screen.waitFor('are retired');
	await confirmAfterReading(screen, '/rulesets');
	await screen.waitFor('Active: custom rule');
	expect(await readCustomRules(service)).toMatchObject([
		{action: 'block', expression: 'ip.src eq 192.0.2.11', enabled: true},
	]);
});

test('if the lists have shown that firewall rules are gone, the custom rule is offered at once', async () => {
	const service = await startFirewallService();
	await service.setFaults('path=firewall/rules status=410');
	const screen = await openEmergencyScreen(service);
	await goToBlockQuestion(screen, 'ip.src eq 192.0.2.12');
	await confirmAfterReading(screen, '/rulesets');
	await screen.waitFor('Active: custom rule');
	expect(await readCustomRules(service)).toMatchObject([{expression: 'ip.src eq 192.0.2.12'}]);
});

test('a read-only ledge does not start an emergency, and says why', async () => {
	const service = await startFirewallService();
	const screen = await drawScreen({zone: ruleZone, readOnly: true}, {env: service.env});
	await goToRules(screen);
	screen.press('!');
	await screen.waitFor('ledge is read-only');
	expect(screen.text()).not.toContain('EMERGENCY');
});

test.each(
	sizes,
)('from Home one key starts an emergency in the named zone and leads back, $columns×$rows', async size => {
	const service = await startFirewallService();
	const screen = await drawScreen({zone: ruleZone}, {env: service.env, ...size});
	await screen.waitFor(/Account +Acme/);
	await goToEmergency(screen);
	screen.press('esc');
	await screen.waitFor('Key-value store');
});

test('from Home without a zone the emergency starts in the zone chosen there', async () => {
	const service = await startFirewallService();
	const screen = await drawHome(service);
	screen.press('!');
	await screen.waitFor('Choose a zone, then press ! to start the emergency block.');
	await goToEmergency(screen);
	await screen.waitFor('acme-blog.example');
	screen.press('esc');
	await screen.waitFor('acme-shop.example');
	expect(screen.text()).not.toContain('EMERGENCY');
});

test('from Home an emergency does not start in a read-only ledge', async () => {
	const service = await startFirewallService();
	const screen = await drawScreen({zone: ruleZone, readOnly: true}, {env: service.env});
	await screen.waitFor(/Account +Acme/);
	screen.press('!');
	await screen.waitFor('ledge is read-only');
});

test('sending and undoing are in the audit log, as separate writes', async () => {
	const service = await startFirewallService();
	const stateFolder = createScratchFolder();
	const screen = await openEmergencyScreen(service, {env: {LEDGE_STATE_DIR: stateFolder}});
	await goToBlockQuestion(screen, 'ip.src eq 192.0.2.10');
	await confirmAfterReading(screen, 'y send');
	await screen.settled('Active: rule', {quiet: minReviewMs + 100});
	screen.press('u');
	await screen.waitFor('Undone.');
	const results = readFileSync(join(stateFolder, 'audit.ndjson'), 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as {what: string; result: string});
	expect(results.map(({what, result}) => `${what.replaceAll(/[0-9a-f]{32}/g, 'ID')}: ${result}`)).toEqual([
		'create filter ID and rule ID: done',
		'delete rule ID: done',
		'delete filter ID: done',
	]);
});

/** The custom rules of the Enterprise zone, read without ledge. */
async function readCustomRules(service: FirewallService): Promise<readonly unknown[]> {
	const path = `/zones/${zoneIds.enterprise}/rulesets/phases/http_request_firewall_custom/entrypoint`;
	const response = await fetch(`${service.url}${path}`, {headers: {Authorization: 'Bearer simulated'}});
	const {result} = (await response.json()) as {result: {rules: readonly unknown[]}};
	return result.rules;
}
