import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {ledge, scratch} from '../support/ledge.ts';
import {type RunningService, startService} from '../support/service.ts';
import {runInTerminal, type TerminalOptions, withoutOwnSequences} from './pseudo-terminal.ts';

/** Clears the screen, sets the title, turns text round, rings, goes home, hides; each would do something if it got through. */
const hostile = 'x\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u202eevil\u2066\u0008\u000e\u007f\u001bc';
const oneLine = hostile.replaceAll('\u0000', '');

const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

let service: RunningService;
let folder: string;
let namespace: string;

beforeAll(async () => {
	service = await startService();
	folder = scratch();
	const [made] = JSON.parse(
		(await ledge(['kv', 'namespace', 'create', oneLine, '--no-prefix', '--json'], {env: service.env})).stdout,
	);
	namespace = made.id;
	for (const where of [
		['--namespace-id', namespace],
		['--namespace-id', namespace, '--local', '--persist-to', folder],
	]) {
		const metadata = JSON.stringify({note: hostile});
		await ledge(['kv', 'key', 'put', oneLine, hostile, '--metadata', metadata, ...where], {env: service.env});
	}
	writeFileSync(
		join(folder, 'bulk.json'),
		JSON.stringify([
			{key: oneLine, value: 5},
			{key: hostile.repeat(40), value: 'v'},
			{[hostile]: 1, key: 'k', value: 'v'},
		]),
	);
	writeFileSync(join(folder, 'names.json'), JSON.stringify([oneLine]));
	writeFileSync(join(folder, 'good.json'), JSON.stringify([{key: oneLine, value: hostile, [hostile]: 1}]));
});

async function expectHarmless(words: string[], options: TerminalOptions = {}): Promise<string> {
	const {output} = await runInTerminal(words, {
		cwd: folder,
		...options,
		env: {...service.env, LEDGE_TIME_SCALE: '0.01', ...options.env},
	});
	const shown = withoutOwnSequences(output);
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
				['put', () => ['kv', 'key', 'put', oneLine, hostile]],
				['list', () => ['kv', 'key', 'list', '--metadata']],
				['list as ndjson', () => ['kv', 'key', 'list', '--metadata', '--format', 'ndjson']],
				['list as a table', () => ['kv', 'key', 'list', '--metadata', '--format', 'table']],
				['get', () => ['kv', 'key', 'get', oneLine]],
				['get --text', () => ['kv', 'key', 'get', oneLine, '--text']],
				['get --metadata', () => ['kv', 'key', 'get', oneLine, '--metadata']],
				['get --json', () => ['kv', 'key', 'get', oneLine, '--json']],
				['get of a missing key', () => ['kv', 'key', 'get', `${oneLine}-missing`]],
				['get --verbose', () => ['kv', 'key', 'get', oneLine, '--verbose']],
				['put --dry-run', () => ['kv', 'key', 'put', oneLine, hostile, '--dry-run']],
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
			() => ['kv', 'namespace', 'rename', '--namespace-id', namespace, '--new-name', `${oneLine}2`],
		],
		['namespace delete, asked', () => ['kv', 'namespace', 'delete', '--namespace-id', namespace]],
		['a namespace that does not exist', () => ['kv', 'namespace', 'delete', `${oneLine}-nobody`, '--yes']],
		['an unknown binding', () => ['kv', 'key', 'get', 'k', '--binding', oneLine]],
		['an unknown command', () => ['kv', oneLine]],
		['an unknown option', () => ['kv', 'key', 'list', `--${oneLine}`]],
		['a missing file', () => ['kv', 'key', 'put', 'k', '--path', oneLine, ...local()]],
		['a missing configuration', () => ['config', '--config', `${oneLine}.toml`]],
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
		const place = scratch();
		const bindings = [
			{binding: oneLine, id: oneLine},
			{binding: 'B', id: 'x', [hostile]: 1},
		];
		writeFileSync(
			join(place, 'wrangler.json'),
			JSON.stringify({name: hostile, account_id: hostile, kv_namespaces: bindings}),
		);
		for (const words of [['config'], ['kv', 'key', 'get', 'k', '--binding', 'nobody'], ['--dry-run']])
			await expectHarmless(words, {cwd: place});
		writeFileSync(join(place, 'wrangler.json'), `{"name": ${hostile}`);
		await expectHarmless(['config'], {cwd: place});
	});
});
