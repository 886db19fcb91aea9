import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../support/ledge.ts';
import {type RunningService, startService} from '../support/service.ts';
import {removeOwnSequences, runInTerminal, type TerminalOptions} from './pseudo-terminal.ts';

/** Clears the screen, sets the title, turns text round, rings, goes home, hides; each would do something if it got through. */
const hostile = 'x\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u202eevil\u2066\u0008\u000e\u007f\u001bc';
const hostileName = hostile.replaceAll('\u0000', '');

const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

let service: RunningService;
let folder: string;
let namespace: string;

beforeAll(async () => {
	service = await startService();
	folder = createScratchFolder();
	const [createdNamespace] = JSON.parse(
		(await ledge(['kv', 'namespace', 'create', hostileName, '--no-prefix', '--json'], {env: service.env}))
			.stdout,
	);
	namespace = createdNamespace.id;
	for (const where of [
		['--namespace-id', namespace],
		['--namespace-id', namespace, '--local', '--persist-to', folder],
	]) {
		const metadata = JSON.stringify({note: hostile});
		await ledge(['kv', 'key', 'put', hostileName, hostile, '--metadata', metadata, ...where], {
			env: service.env,
		});
	}
	writeFileSync(
		join(folder, 'bulk.json'),
		JSON.stringify([
			{key: hostileName, value: 5},
			{key: hostile.repeat(40), value: 'v'},
			{[hostile]: 1, key: 'k', value: 'v'},
		]),
	);
	writeFileSync(join(folder, 'names.json'), JSON.stringify([hostileName]));
	writeFileSync(
		join(folder, 'good.json'),
		JSON.stringify([{key: hostileName, value: hostile, [hostile]: 1}]),
	);
});

async function expectHarmless(words: string[], options: TerminalOptions = {}): Promise<string> {
	const {output} = await runInTerminal(words, {
		cwd: folder,
		...options,
		env: {...service.env, LEDGE_TIME_SCALE: '0.01', ...options.env},
	});
	const shown = removeOwnSequences(output);
	const found = harmful.exec(shown);
	expect(found && JSON.stringify(shown.slice(Math.max(0, found.index - 30), found.index + 10))).toBeNull();
	expect(shown).not.toBe('');
	return shown;
}

const remote = () => ['--namespace-id', namespace];
const local = () => ['--namespace-id', namespace, '--local', '--persist-to', folder];

describe('escape sequences in names, values, titles and messages change nothing on the terminal', () => {
	for (const [kind, where] of [
		['remote', remote],
		['local', local],
	] as const) {
		describe(kind, () => {
			test.each([
				['put', () => ['kv', 'key', 'put', hostileName, hostile]],
				['list', () => ['kv', 'key', 'list', '--metadata']],
				['list as ndjson', () => ['kv', 'key', 'list', '--metadata', '--format', 'ndjson']],
				['list as a table', () => ['kv', 'key', 'list', '--metadata', '--format', 'table']],
				['get', () => ['kv', 'key', 'get', hostileName]],
				['get --text', () => ['kv', 'key', 'get', hostileName, '--text']],
				['get --metadata', () => ['kv', 'key', 'get', hostileName, '--metadata']],
				['get --json', () => ['kv', 'key', 'get', hostileName, '--json']],
				['get of a missing key', () => ['kv', 'key', 'get', `${hostileName}-missing`]],
				['get --verbose', () => ['kv', 'key', 'get', hostileName, '--verbose']],
				['put --dry-run', () => ['kv', 'key', 'put', hostileName, hostile, '--dry-run']],
				['put with hostile metadata', () => ['kv', 'key', 'put', 'k', 'v', '--metadata', hostile]],
				['bulk get', () => ['kv', 'bulk', 'get', 'names.json', '--metadata']],
				['bulk put of bad entries', () => ['kv', 'bulk', 'put', 'bulk.json']],
				['bulk put', () => ['kv', 'bulk', 'put', 'good.json']],
				['bulk delete', () => ['kv', 'bulk', 'delete', 'names.json', '--yes']],
			])('%s', async (_name, words) => {
				await expectHarmless([...words(), ...where()]);
			});
		});
	}

	test.each([
		['namespace list', () => ['kv', 'namespace', 'list']],
		[
			'namespace rename',
			() => ['kv', 'namespace', 'rename', '--namespace-id', namespace, '--new-name', `${hostileName}2`],
		],
		['namespace delete, asked', () => ['kv', 'namespace', 'delete', '--namespace-id', namespace]],
		[
			'a namespace that does not exist',
			() => ['kv', 'namespace', 'delete', `${hostileName}-nobody`, '--yes'],
		],
		['an unknown binding', () => ['kv', 'key', 'get', 'k', '--binding', hostileName]],
		['an unknown command', () => ['kv', hostileName]],
		['an unknown option', () => ['kv', 'key', 'list', `--${hostileName}`]],
		['a missing file', () => ['kv', 'key', 'put', 'k', '--path', hostileName, ...local()]],
		['a missing configuration', () => ['config', '--config', `${hostileName}.toml`]],
		['config', () => ['config']],
		['whoami', () => ['whoami']],
		['zones', () => ['zones']],
		['jobs', () => ['jobs', 'list']],
		['local check', () => ['kv', 'local', 'check', '--persist-to', folder]],
		['the overview', () => ['--simulate', '--dry-run']],
	])('%s', async (_name, words) => {
		await expectHarmless(words(), {answers: [{when: '[y/N]', type: 'n\r'}]});
	});

	test('in a configuration file', async () => {
		const configurationFolder = createScratchFolder();
		const bindings = [
			{binding: hostileName, id: hostileName},
			{binding: 'B', id: 'x', [hostile]: 1},
		];
		writeFileSync(
			join(configurationFolder, 'wrangler.json'),
			JSON.stringify({name: hostile, account_id: hostile, kv_namespaces: bindings}),
		);
		for (const words of [['config'], ['kv', 'key', 'get', 'k', '--binding', 'nobody'], ['--dry-run']])
			await expectHarmless(words, {cwd: configurationFolder});
		writeFileSync(join(configurationFolder, 'wrangler.json'), `{"name": ${hostile}`);
		await expectHarmless(['config'], {cwd: configurationFolder});
	});
});
