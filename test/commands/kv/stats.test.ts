import {EventEmitter} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {runCommandLine as runHere} from '../../../source/commands/run.ts';
import {createLocalProject} from '../../support/local-project.ts';
import {
	createScratchFolder,
	createTestHost,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';

let service: RunningService;
let folder: string;
const title = 'statistics';
const now = Date.now();

/** A key: its value has as many bytes as its number, every tenth expires, every fifth has metadata. */
const createEntry = (at: number) => ({
	key: `${at % 3 === 0 ? 'user:' : 'log/2026/'}${String(at).padStart(5, '0')}`,
	value: 'x'.repeat(at),
	...(at % 10 === 0 && {expiration: Math.floor(now / 1000) + 7200}),
	...(at % 5 === 0 && {metadata: {number: at}}),
});
const entries = Array.from({length: 2500}, (_, at) => createEntry(at));
const totalBytes = (2500 * 2499) / 2;

const run = (words: readonly string[], options: RunOptions = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, clock: createVirtualClock(now), env: service.env, ...options});

const stats = (words: readonly string[], options: RunOptions = {}): Promise<EndedRun> =>
	run(['kv', 'stats', '--namespace', title, ...words], options);

beforeAll(async () => {
	service = await serveSimulator();
	folder = createScratchFolder();
	expect((await run(['kv', 'namespace', 'create', title, '--no-prefix'])).code).toBe(0);
	writeFileSync(join(folder, 'entries.json'), JSON.stringify(entries));
	expect((await run(['kv', 'bulk', 'put', 'entries.json', '--namespace', title])).code).toBe(0);
});
beforeEach(() => service.setFaults(''));

/** Paths of the calls from this index on, without the part before the namespace. */
const listCallPaths = async (startIndex: number): Promise<string[]> =>
	(await service.calls())
		.slice(startIndex)
		.map(({path}) => path.replace(/.*namespaces\/[^/]+/, '').replace(/\?.*/, ''));

describe('kv stats', () => {
	test('prints exact figures for listed keys, and intervals for sizes that contain the true value', async () => {
		const before = (await service.calls()).length;
		const {stdout, code} = await stats(['--json', '--sample', '600', '--seed', '8']);
		expect(code).toBe(0);
		const found = JSON.parse(stdout);
		expect(found).toMatchObject({
			complete: true,
			listed: true,
			prefix: null,
			keys: 2500,
			prefixes: [
				{prefix: 'log/2026/', keys: 1666, otherKeys: 1666, prefixes: []},
				{prefix: 'user:', keys: 834, otherKeys: 834, prefixes: []},
			],
			smallerPrefixes: {prefixes: 0, keys: 0},
			otherKeys: 0,
			expiries: {never: 2250, first: Math.floor(now / 1000) + 7200},
			metadata: {none: 2000, kinds: [{kind: 'object', keys: 500}], otherFields: 0},
			values: {chosen: 'sample', seed: 8, measured: 600, gone: 0, exact: false, confidence: 0.95},
		});
		expect(found.metadata.fields).toMatchObject([{name: 'number', keys: 500, largest: 4}]);
		expect(found.expiries.spans[1]).toEqual({name: 'within a day', seconds: 86_400, keys: 250});
		const {total, median} = found.values;
		expect(total.low).toBeLessThan(totalBytes);
		expect(total.high).toBeGreaterThan(totalBytes);
		expect((total.high - total.low) / totalBytes).toBeLessThan(0.15);
		expect(median.low).toBeLessThan(1250);
		expect(median.high).toBeGreaterThan(1250);
		const calls = await listCallPaths(before);
		expect(calls.filter(path => path === '/keys')).toHaveLength(3);
		expect(calls.filter(path => path === '/bulk/get')).toHaveLength(6);
	});

	test('samples the same keys with the same seed, and prints the seed', async () => {
		const {stdout} = await stats(['--sample', '50', '--seed', '4711']);
		expect(stdout).toContain('--seed 4711');
		expect((await stats(['--sample', '50', '--seed', '4711'])).stdout).toBe(stdout);
		expect((await stats(['--sample', '50', '--seed', '4712'])).stdout).not.toBe(stdout);
	});

	test('prints the cost before starting, and then bars', async () => {
		const {stdout, stderr} = await stats(['--sample', 'all', '--depth', '1']);
		expect(stderr).toBe(
			'Lists all keys, 1,000 per call, then reads every value, 100 per call.\n' +
				'How many keys there are is not known yet. Examples:\n' +
				'100,000 keys: 1,100 calls, 37 s or more\n' +
				'1,000,000 keys: 11,000 calls, 41 min or more\n',
		);
		expect(stdout).toMatch(/statistics: 2,500 keys\n\nKeys by prefix\n {2}log\/2026\/ █+ 1,666 {2}67%\n/);
		expect(stdout).toContain('Total 3 MB: 2,500 values.');
		expect(stdout).toMatch(/ {2}log\/2026\/02498 █+ +2.4 KB\n/);
		expect(stdout).not.toContain('--seed');
		const {stdout: ascii} = await stats(['--no-values'], {env: {...service.env, LC_ALL: 'C'}});
		expect(ascii).toMatch(/^[\n\x20-\x7e\u203a]+$/);
		expect(ascii).not.toContain('Total');
	});

	test('--prefix counts the keys under a prefix', async () => {
		const {stdout} = await stats(['--prefix', 'user:', '--no-values', '--json']);
		expect(JSON.parse(stdout)).toMatchObject({prefix: 'user:', keys: 834, otherKeys: 834, values: null});
	});

	test('waits as the service asks, and continues reading', async () => {
		await service.setFaults(
			'path=/keys after=1 times=1 status=429 retry-after=2; path=/bulk/get times=1 status=503',
		);
		const {stdout, code} = await stats(['--json', '--sample', 'all']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			complete: true,
			values: {exact: true, total: {value: totalBytes}},
		});
	});

	test('prints incomplete figures and the error after a failure', async () => {
		await service.setFaults('path=/keys after=1 status=403');
		const {stdout, stderr, code} = await stats([]);
		expect(code).toBe(4);
		expect(stdout).toContain(
			'Incomplete: the figures cover the first 1,000 keys by name, which is not a random sample.',
		);
		expect(stderr).toContain('error:');
	});

	test('prints the figures so far when interrupted', async () => {
		await service.setFaults('path=/bulk/get after=1 hang');
		const events = new EventEmitter();
		const {host, bytes: getPrintedBytes, stderr} = createTestHost({cwd: folder, env: service.env, events});
		const words = ['kv', 'stats', '--namespace', title, '--sample', '300', '--concurrency', '1'];
		const ended = runHere([...words, '--json', '--progress', 'json'], host);
		while (!stderr().includes('"done":100')) await turn();
		events.emit('SIGINT');
		expect(await ended).toBe(130);
		expect(JSON.parse(getPrintedBytes().toString())).toMatchObject({
			complete: false,
			listed: true,
			keys: 2500,
			values: {measured: 100, exact: false},
		});
	});

	test('works offline with local data, and is exact', async () => {
		const cwd = await createLocalProject({'a:1': 'x', 'a:2': 'yyy', b: ''});
		const {stdout, stderr, code} = await ledge(
			['kv', 'stats', '--binding', 'DATA', '--local', '--json', '--sample', '1'],
			{cwd},
		);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		expect(JSON.parse(stdout)).toMatchObject({
			complete: true,
			keys: 3,
			prefixes: [{prefix: 'a:', keys: 2}],
			otherKeys: 1,
			values: {
				chosen: 'all',
				seed: null,
				exact: true,
				total: {value: 4, low: 4, high: 4},
				largest: [
					{key: 'a:2', bytes: 3},
					{key: 'a:1', bytes: 1},
					{key: 'b', bytes: 0},
				],
			},
		});
	});

	test.each([
		['--sample', '0'],
		['--sample', 'some'],
		['--depth', '4'],
		['--seed', '4294967296'],
	])('refuses %s %s', async (...words) => {
		expect(await stats(words)).toMatchObject({code: 2, stdout: ''});
	});

	test('fails for a missing namespace', async () => {
		expect((await run(['kv', 'stats', '--namespace', 'statistic'])).code).toBe(3);
	});
});
