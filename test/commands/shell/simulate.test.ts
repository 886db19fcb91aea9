import {EventEmitter} from 'node:events';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {runCommandLine} from '../../../source/commands/run.ts';
import {withTurns} from '../../../source/commands/shell/simulated-service.ts';
import {faultWords} from '../../../source/simulator/simulator.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {createTestHost, ledge} from '../../support/run.ts';

describe('ledge simulate', () => {
	test('prints its address and how to use it, one item per line', async () => {
		const events = new EventEmitter();
		const {host, bytes, stderr: printed} = createTestHost({events});
		const running = runCommandLine(['simulate', '--port', '0', '--memory', '--verbose'], host);
		while (!printed().includes('Press ctrl-c to stop it.')) await turn();
		events.emit('SIGINT');
		expect(await running).toBe(0);
		const url = bytes().toString().trim();
		const stderr = printed();
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
		expect(stderr).not.toContain('\\n');
		expect(stderr.split('\n')).toContain(
			`  export CLOUDFLARE_API_BASE_URL=${url} CLOUDFLARE_API_TOKEN=simulated`,
		);
	});

	test('describes every fault word in its help', async () => {
		const {stdout} = await ledge(['simulate', '--help']);
		for (const [word, {means}] of Object.entries(faultWords)) {
			const line = stdout.split('\n').find(one => new RegExp(`^ {2}${word}(=…)? `).test(one));
			expect(line?.trim().replace(/^\S+ +/, ''), word).toBe(means);
		}
		expect(stdout).not.toContain('readme');
	});

	test.each([
		['a word that is not known', 'statuss=503', 'unknown word'],
		['nothing that goes wrong', 'method=GET', ''],
	])('refuses a fault with %s and refers to the help', async (_what, fault) => {
		const {code, stderr} = await ledge(['simulate', '--port', '0', '--memory', '--fault', fault]);
		expect(code).toBe(2);
		expect(stderr).toContain('`ledge simulate --help` lists all words');
	});
});

describe('ledge simulate --retired-firewall', () => {
	const shopId = '6e23b63489e7241c0d871b10a397cebb';
	const createWorldOptions = () => ['--state', join(createScratchFolder(), 'world.sqlite')];
	const listRules = (zone: string, state: readonly string[]) =>
		ledge(['--simulate', ...state, '--zone', zone, 'firewall', 'rule', 'list', '--json']);

	test('makes filters and firewall rules answer 410 in the named zones only', async () => {
		const events = new EventEmitter();
		const {host, bytes, stderr} = createTestHost({events});
		const retired = ['acme.example', shopId].flatMap(zone => ['--retired-firewall', zone]);
		const running = runCommandLine(['simulate', '--port', '0', '--memory', '--verbose', ...retired], host);
		while (!stderr().includes('Press ctrl-c to stop it.')) await turn();
		const fetchStatus = async (zone: string, path: string) => {
			const url = `${bytes().toString().trim()}/zones/${zone}/${path}`;
			return (await fetch(url, {headers: {authorization: 'Bearer simulated'}})).status;
		};
		for (const zone of ['d0e032749968114a09730950255c7c0f', shopId]) {
			expect(await fetchStatus(zone, 'filters')).toBe(410);
			expect(await fetchStatus(zone, 'firewall/rules')).toBe(410);
			expect(await fetchStatus(zone, 'rulesets')).toBe(200);
		}
		expect(await fetchStatus('a947660370b0b679559176bf9d8aead4', 'firewall/rules')).toBe(200);
		events.emit('SIGINT');
		expect(await running).toBe(0);
	});

	test('lasts in the world until the next reset', async () => {
		const state = createWorldOptions();
		await ledge(['simulate', '--reset', ...state, '--retired-firewall', 'ACME-shop.example']);
		const {code, stderr} = await listRules('acme-shop.example', state);
		expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'gone']);
		expect((await listRules('acme-pay.example', state)).code).toBe(0);
		await ledge(['simulate', '--reset', ...state]);
		expect((await listRules('acme-shop.example', state)).code).toBe(0);
	});

	test.each([
		['a zone that does not exist', 'acme.exmaple', 'has no zone "acme.exmaple".*acme.example, acme-blog'],
		['a name of two zones', 'acme-moved.example', 'more than one simulated zone.*8311e2d1.* or c2564438'],
	])('refuses %s and leaves the world unchanged', async (_what, zone, expectedPattern) => {
		const state = createWorldOptions();
		await ledge(['simulate', '--reset', ...state, '--retired-firewall', shopId]);
		for (const startWords of [['--reset'], ['--port', '0']]) {
			const words = ['--retired-firewall', 'acme-pay.example', '--retired-firewall', zone];
			const {code, stderr} = await ledge(['simulate', ...startWords, ...state, ...words, '--json']);
			const {error} = JSON.parse(stderr);
			expect([code, error.code]).toEqual([2, 'usage']);
			expect(`${error.what} ${error.why ?? ''} ${error.next}`).toMatch(new RegExp(expectedPattern));
		}
		expect((await listRules('acme-shop.example', state)).code).toBe(1);
		expect((await listRules('acme-pay.example', state)).code).toBe(0);
	});
});

test.each([
	[300, true],
	[1, false],
])('responses of the simulated service that take %d ms each leave a turn to timers and keys: %s', async (milliseconds, hasTurn) => {
	let time = 0;
	const fetch = withTurns(
		async () => {
			time += milliseconds;
			return new Response();
		},
		() => time,
	);
	let turns = 0;
	const immediate = setImmediate(() => turns++);
	for (let request = 0; request < 5; request++) await fetch(new Request('https://simulated/'));
	clearImmediate(immediate);
	expect(turns > 0).toBe(hasTurn);
});
