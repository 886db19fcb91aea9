import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lookingTime} from '../../../source/screens/review/state.ts';
import {type FirewallService, startFirewallService, zoneIds} from '../../support/firewall.ts';
import {scratch} from '../../support/ledge.ts';
import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

const sizes = [
	{columns: 80, rows: 24},
	{columns: 60, rows: 15},
];

/** From Home to an emergency in the Enterprise zone of a running service. */
async function atEmergency(service: FirewallService, options: OpenOptions = {}): Promise<Screen> {
	const screen = await openScreen(['--zone', 'acme.example'], {env: service.env, ...options});
	await screen.waitFor(/Account +Acme/);
	screen.press('F');
	await screen.waitFor(/rule 1 of \d+|has retired/);
	screen.press('!');
	await screen.waitFor('EMERGENCY');
	return screen;
}

/** Types an expression, and takes the first action. */
async function toSend(screen: Screen, expression: string): Promise<void> {
	screen.type(expression);
	await screen.waitFor('it can be sent as it is');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('enter');
}

/** Looks at what is asked, as a person does, before enter counts. */
async function lookAndSend(screen: Screen, asked: string): Promise<void> {
	await screen.settled(asked, {quiet: lookingTime + 100});
	screen.press('enter');
}

test.each(
	sizes,
)('from Home to a block in force: three keys after the expression, one call, $columns×$rows', async size => {
	const service = await startFirewallService();
	const cwd = scratch();
	const screen = await atEmergency(service, {...size, cwd, home: cwd});
	await service.writes();
	await toSend(screen, 'ip.src eq 192.0.2.9');
	await lookAndSend(screen, 'SEND IT');
	await screen.waitFor('In force: rule');
	expect(
		(await service.writes()).map(({method, path}) => `${method} ${path.replace(/^.*zones\/\w+/, '')}`),
	).toEqual(['POST /firewall/rules']);
	const made = (await service.rules()).filter(({filter}) => filter.expression === 'ip.src eq 192.0.2.9');
	expect(made).toMatchObject([{action: 'block', paused: false}]);
	await lookAndSend(screen, '▸ Done');
	await screen.waitFor(/rule \d+ of 13/);
});

test('what was sent stands in the audit log', async () => {
	const service = await startFirewallService();
	const state = scratch();
	const screen = await atEmergency(service, {env: {...service.env, LEDGE_STATE_DIR: state}});
	await toSend(screen, 'ip.src eq 192.0.2.10');
	await lookAndSend(screen, 'SEND IT');
	await screen.waitFor('In force: rule');
	const log = readFileSync(join(state, 'audit.ndjson'), 'utf8');
	expect(log).toMatch(/create filter [0-9a-f]{32} and rule [0-9a-f]{32}/);
	expect(log).toContain('"result":"done"');
});

test.each(
	sizes,
)('where firewall rules are gone, the same block is one custom rule, one key later, $columns×$rows', async size => {
	const service = await startFirewallService();
	const screen = await atEmergency(service, size);
	await toSend(screen, 'ip.src eq 192.0.2.11');
	await screen.settled('SEND IT', {quiet: lookingTime + 100});
	await service.setFaults('path=firewall/rules status=410');
	screen.press('enter');
	await screen.waitFor('(410)');
	await lookAndSend(screen, '/rulesets');
	await screen.waitFor('In force: custom rule');
	expect(await customRules(service)).toMatchObject([
		{action: 'block', expression: 'ip.src eq 192.0.2.11', enabled: true},
	]);
});

test('where the lists have shown that they are gone, the custom rule is asked at once', async () => {
	const service = await startFirewallService();
	await service.setFaults('path=firewall/rules status=410');
	const screen = await atEmergency(service);
	await toSend(screen, 'ip.src eq 192.0.2.12');
	await lookAndSend(screen, '/rulesets');
	await screen.waitFor('In force: custom rule');
	expect(await customRules(service)).toMatchObject([{expression: 'ip.src eq 192.0.2.12'}]);
});

test('where ledge is read-only, it does not begin, with the reason', async () => {
	const service = await startFirewallService();
	const screen = await openScreen(['--zone', 'acme.example', '--read-only'], {env: service.env});
	await screen.waitFor(/Account +Acme/);
	screen.press('F');
	await screen.waitFor(/rule 1 of \d+/);
	screen.press('!');
	await screen.waitFor('ledge is read-only');
	expect(screen.text()).not.toContain('EMERGENCY');
});

/** The custom rules of the Enterprise zone, read without ledge. */
async function customRules(service: FirewallService): Promise<readonly unknown[]> {
	const path = `/zones/${zoneIds.enterprise}/rulesets/phases/http_request_firewall_custom/entrypoint`;
	const answer = await fetch(`${service.url}${path}`, {headers: {Authorization: 'Bearer simulated'}});
	const {result} = (await answer.json()) as {result: {rules: readonly unknown[]}};
	return result.rules;
}
