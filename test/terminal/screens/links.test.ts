import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ledge} from '../../support/ledge.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {openScreen, type Screen} from '../screen/open.ts';

const zone = 'done.acme.example';
const startOfLink = '\u001b]8;';

/** Serves zones in the place of the default service; `env` leads a program to it. */
async function serveDefault() {
	const {url} = await serveSimulator();
	const preloaded = join(import.meta.dirname, '../support/default-service.cjs');
	return {
		CLOUDFLARE_API_TOKEN: 'simulated',
		NODE_OPTIONS: `--require ${preloaded}`,
		LEDGE_DEFAULT_SERVICE: url,
	};
}

/** Opens the details of a security event. */
async function openEvent(
	env: Readonly<Record<string, string>>,
	size: {readonly columns?: number; readonly rows?: number} = {},
) {
	const screen = await openScreen(['--zone', zone], {env, ...size});
	await screen.waitFor(/Account,? +Acme/);
	screen.press('6');
	await screen.waitFor(/[\d,]+ events,? +last 24 h/);
	screen.press('shift-tab');
	await screen.waitFor(/▸ +\d\d:\d\d:\d\d|latest 200/);
	screen.press('enter');
	await screen.waitFor(/ray,? +[0-9a-f]{16}/);
	return screen;
}

/** Waits for the end of a command, and reads what it printed. */
async function runInTerminal(words: readonly string[], env: Readonly<Record<string, string>>) {
	const screen: Screen = await openScreen(words, {env, columns: 200});
	await screen.ended;
	return {links: screen.links(), received: screen.received(), text: screen.textWithHistory()};
}

test('the zone and the ray id open the dashboard, and nothing else is a link', async () => {
	const screen = await openEvent({...(await serveDefault()), FORCE_HYPERLINK: '1'});
	const [, ray = ''] = /ray +([0-9a-f]{16})/.exec(screen.text()) ?? [];
	const [, account = ''] = /cloudflare\.com\/([0-9a-f]{32})\//.exec(screen.received()) ?? [];
	const address = `https://dash.cloudflare.com/${account}/${zone}`;
	expect(screen.links()).toEqual([
		{text: zone, link: address},
		{text: ray, link: `${address}/security/events`},
	]);
	screen.press('?');
	await screen.waitFor('show keyboard shortcuts');
	expect(screen.links()).toEqual([{text: zone, link: address}]);
	screen.press('esc', 'esc', 'esc');
	await screen.waitFor(/Account +Acme/);
	expect(screen.links()).toEqual([]);
});

test('without room in the header, the zone below it is the link', async () => {
	const screen = await openEvent({...(await serveDefault()), FORCE_HYPERLINK: '1'}, {columns: 40, rows: 40});
	expect(screen.line(1)).toContain(zone);
	expect(screen.links().map(({text}) => text)).toEqual([zone, expect.stringMatching(/^[0-9a-f]{16}$/)]);
});

test.each([
	['another service', async () => ({...(await serveSimulator()).env, FORCE_HYPERLINK: '1'})],
	['a terminal without links', serveDefault],
	[
		'a screen reader',
		async () => ({...(await serveDefault()), FORCE_HYPERLINK: '1', LEDGE_SCREEN_READER: '1'}),
	],
])('%s gets no links', async (_name, serve) => {
	const screen = await openEvent(await serve());
	expect(screen.received()).not.toContain(startOfLink);
});

test('commands link zones and ray ids on a terminal', async () => {
	const env = {...(await serveDefault()), FORCE_HYPERLINK: '1'};
	const zones = JSON.parse((await ledge(['zones', '--json'], {env})).stdout);
	const toAddress = ({name, account}: {name: string; account: {id: string}}) =>
		`https://dash.cloudflare.com/${account.id}/${name}`;
	const listed = await runInTerminal(['zones'], env);
	expect(listed.links).toEqual(
		zones.map((one: {name: string; account: {id: string}}) => ({text: one.name, link: toAddress(one)})),
	);
	const events = await runInTerminal(['firewall', 'events', '--zone', zone, '--limit', '3'], env);
	const rays = events.text.match(/\b[0-9a-f]{16}\b/g) ?? [];
	const address = toAddress(zones.find(({name}: {name: string}) => name === zone));
	expect(rays).toHaveLength(3);
	expect(events.links).toEqual(rays.map(ray => ({text: ray, link: `${address}/security/events`})));
});

test('commands print no links into pipes, as JSON, without support, or of the simulated service', async () => {
	const env = await serveDefault();
	const withLinks = {...env, FORCE_HYPERLINK: '1'};
	const piped = await ledge(['zones'], {env: withLinks});
	const plain = await runInTerminal(['zones'], env);
	expect(plain.received.replaceAll('\r', '')).toBe(piped.stdout);
	expect(piped.stdout).toContain(zone);
	for (const words of [
		['zones', '--json'],
		['zones', '--simulate'],
		['firewall', 'events', '--zone', zone, '--json'],
	])
		expect((await runInTerminal(words, withLinks)).received).not.toContain(startOfLink);
});

test('codes and addresses of documentation open it', async () => {
	const env = {FORCE_HYPERLINK: '1'};
	const explained = await runInTerminal(['firewall', 'explain', '--code', 'L001'], env);
	const [{text: address} = {text: ''}] = explained.links;
	expect(address).toMatch(/^https:\/\/developers\.cloudflare\.com\/[\w/-]+\/$/);
	expect(explained.links).toEqual([{text: address, link: address}]);
	const problems = await runInTerminal(['firewall', 'explain', 'http.host eq "A"'], env);
	expect(problems.links[0]).toEqual({
		text: expect.stringMatching(/^[EL]\d{3}$/),
		link: expect.stringMatching(/^https:\/\/developers\.cloudflare\.com\//),
	});
	const failed = await runInTerminal(['kv', 'key', 'get', 'a', '--namespace', 'A', '--query', 'a['], env);
	expect(failed.links).toEqual([{text: 'https://jmespath.org', link: 'https://jmespath.org'}]);
});
