import {beforeEach, expect, test} from 'vitest';
import {findEnd} from '../../../source/firewall/rules/end-time.ts';
import {migratedSampleZone} from '../../screens/support/custom-rules.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

let service: ServedSimulator;
beforeEach(async () => {
	service = await serveSimulator();
});

const run = (...words: readonly string[]) =>
	ledge(words, {env: {...service.env, LEDGE_TIME_SCALE: '0.01'}, cwd: createScratchFolder()});

const expression = ['--expression', 'ip.src eq 198.51.100.7', '--action', 'block'];

test.each([
	['acme.example', ['firewall', 'emergency', '198.51.100.7'], ['firewall', 'rule', 'list']],
	['acme.example', ['firewall', 'rule', 'create', ...expression], ['firewall', 'rule', 'list']],
	[migratedSampleZone.name, ['rules', 'create', ...expression], ['rules', 'list']],
	[migratedSampleZone.name, ['firewall', 'emergency', '198.51.100.7', '--yes'], ['rules', 'list']],
])('in %s, %j --for 2h ends by itself, and the list says when', async (zone, create, list) => {
	const before = Date.now();
	const created = await run(...create, '--for', '2h', '--zone', zone);
	expect(created, created.stderr).toMatchObject({code: 0});
	const [, end = ''] =
		/The rule acts (until .* UTC); after that it matches nothing\./.exec(created.stderr) ?? [];
	const {stdout} = await run(...list, '--zone', zone);
	expect(stdout).toContain(end);
	const sent = JSON.stringify(service.writes().map(({body}) => body));
	const seconds = Number(/http\.request\.timestamp\.sec lt (\d+)/.exec(sent)?.[1]);
	expect(seconds * 1000).toBeGreaterThanOrEqual(before + 2 * 3_600_000);
	expect(seconds * 1000).toBeLessThanOrEqual(Date.now() + 2 * 3_600_000 + 1000);
	expect(findEnd(`(ip.src eq 198.51.100.7) and http.request.timestamp.sec lt ${seconds}`)).toBe(seconds);
});

test.each([['90'], ['30s'], ['400d'], ['soon']])('--for %s is refused', async time => {
	const {code, stderr} = await run(
		'firewall',
		'emergency',
		'198.51.100.7',
		'--for',
		time,
		'--zone',
		'acme.example',
	);
	expect(code).toBe(2);
	expect(stderr).toContain('--for <time> takes a time with a unit');
	expect(service.writes()).toEqual([]);
});

test('the printed commands of an ambiguous block keep the end', async () => {
	const {stderr} = await run(
		'firewall',
		'emergency',
		'198.51.100.7',
		'/login',
		'--for',
		'2h',
		'--zone',
		'acme.example',
	);
	expect(stderr.match(/--for 7200s/g)).toHaveLength(2);
});

test.each([
	['acme.example', ['firewall', 'rule', 'create'], ['firewall', 'rule']],
	[migratedSampleZone.name, ['rules', 'create'], ['rules']],
])('in %s, the list says which rules have ended, and how to delete them', async (zone, create, area) => {
	const ended = '(ip.src eq 198.51.100.7) and http.request.timestamp.sec lt 1700000000';
	const untouched = await run(...area, 'list', '--zone', zone);
	expect(untouched.stderr).not.toContain('ended');
	const created = await run(...create, '--expression', ended, '--action', 'block', '--zone', zone, '--json');
	expect(created, created.stderr).toMatchObject({code: 0});
	const {stdout, stderr} = await run(...area, 'list', '--zone', zone);
	expect(stdout).toContain('ended 2023-11-14 22:13 UTC');
	const [, command = ''] =
		/1 rule has ended and matches no more requests\. To delete it: ledge (.*)/.exec(stderr) ?? [];
	expect(command).toContain([...area, 'delete'].join(' '));
	const deleted = await run(...command.trim().split(' '), '--yes');
	expect(deleted, deleted.stderr).toMatchObject({code: 0});
	expect((await run(...area, 'list', '--zone', zone)).stdout).not.toContain('ended');
});
