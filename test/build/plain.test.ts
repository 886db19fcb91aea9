import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {goToConfigKeys, goToFirewall, goToNamespaces, waitForHome} from '../screens/support/sample-ways.ts';
import {createUnconfiguredEnvironment} from '../support/program.ts';
import {closeScreens, Screen} from '../terminal/screen/screen.ts';

// `npm run build -- --plain` builds with esbuild alone, without source/build, in case that stops working.
const folder = mkdtempSync(join(tmpdir(), 'ledge-plain-'));
const plainProgram = join(folder, 'dist', 'ledge.cjs');
const env = createUnconfiguredEnvironment(folder);

beforeAll(() => {
	execFileSync('npm', ['run', '--silent', 'build', '--', '--plain', '--into', join(folder, 'dist')], {
		cwd: resolve(import.meta.dirname, '../..'),
	});
});
afterAll(async () => {
	await closeScreens();
	rmSync(folder, {recursive: true});
});

const localOptions = ['--local', '--namespace-id', 'n'];
const zoneOptions = ['--simulate', '--zone', 'acme.example'];

test.each<readonly [words: readonly string[], shows: string | RegExp]>([
	[['--version'], /^\d+\.\d+\.\d+\n$/],
	[['kv', 'key', 'put', 'greeting', 'hello', ...localOptions], 'greeting'],
	[['kv', 'key', 'get', 'greeting', ...localOptions], 'hello'],
	[['kv', 'key', 'list', ...localOptions], 'greeting'],
	[['kv', 'namespace', 'list', '--simulate'], 'SESSIONS'],
	[['firewall', 'rule', 'list', ...zoneOptions], 'block'],
	[['firewall', 'explain', 'ip.src eq 192.0.2.1'], 'ip.src'],
	[['migration', 'status', ...zoneOptions], 'acme.example'],
	[['licenses'], 'MIT'],
	[['__complete', 'bash', '9', '=:', 'ledge kv key list --format '], 'json'],
])('the command %j runs', (words, shows) => {
	const {status, stdout, stderr} = spawnSync(process.execPath, [plainProgram, ...words], {
		cwd: folder,
		env,
		encoding: 'utf8',
	});
	expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''});
	expect(stdout + stderr).toMatch(shows);
});

const openScreens = (): Screen =>
	new Screen({command: [process.execPath, plainProgram, '--simulate'], cwd: folder, env});

test('the screens show Home, the namespaces and the keys of one namespace, then quit', async () => {
	const screen = openScreens();
	await waitForHome(screen);
	await goToNamespaces(screen);
	await goToConfigKeys(screen);
	screen.press('ctrl-c');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	expect(screen.changedModes()).toEqual([]);
});

test('the screens show the firewall rules of a zone', async () => {
	const screen = openScreens();
	await waitForHome(screen);
	await goToFirewall(screen);
	expect(screen.text()).toMatch(/rule 1 of \d+/);
});

test('the screens show a value', async () => {
	const screen = openScreens();
	await waitForHome(screen);
	await goToNamespaces(screen);
	await goToConfigKeys(screen);
	screen.press('enter');
	await screen.waitFor(() => /\d+ bytes/.test(screen.text()) && !screen.text().includes('limits/upload'));
});
