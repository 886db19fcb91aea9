import {execFile} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {toFailure} from '../../../source/failure.ts';
import {createSimulator, migrationZones, type Simulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, getErrorCodes, json, makeNamespace, namespacesPath, request} from '../asking.ts';

let folder: string;
let state: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	state = join(folder, 'state', 'world.sqlite');
});
afterEach(() => rmSync(folder, {recursive: true}));

const listTitles = async (simulator: Simulator) =>
	((await ask(simulator, `${namespacesPath}?order=title`)).result as readonly JsonObject[]).map(
		({title}) => title,
	);

const captureFailure = (work: () => unknown) => {
	try {
		work();
	} catch (error) {
		const {code, next} = toFailure(error);
		return {code, next};
	}
	return undefined;
};

const getMode = (file: string) => statSync(file).mode & 0o777;

describe('a world in a file', () => {
	test('is available again the next time', async () => {
		{
			using simulator = createSimulator({state, samples: false});
			const path = await makeNamespace(simulator, 'kept');
			await ask(simulator, `${path}/values/k`, {method: 'PUT', body: 'v'});
		}
		using reopened = createSimulator({state});
		const {result} = await ask(reopened, namespacesPath);
		const [{id} = {}, ...others] = result as readonly JsonObject[];
		expect(others).toEqual([]);
		expect(await (await reopened.fetch(request(`${namespacesPath}/${id}/values/k`))).text()).toBe('v');
	});

	test('can only be read by its owner', async () => {
		using simulator = createSimulator({state, samples: false});
		await makeNamespace(simulator);
		expect(getMode(join(folder, 'state'))).toBe(0o700);
		for (const suffix of ['', '-wal', '-shm']) expect(getMode(`${state}${suffix}`)).toBe(0o600);
	});

	test('serves two simulators at once', async () => {
		using one = createSimulator({state, samples: false});
		using other = createSimulator({state});
		const path = await makeNamespace(one, 'shared');
		await ask(other, `${path}/values/k`, {method: 'PUT', body: 'from the other'});
		expect(await (await one.fetch(request(`${path}/values/k`))).text()).toBe('from the other');
		expect(getErrorCodes(await ask(other, namespacesPath, json('POST', {title: 'shared'})))).toEqual([10014]);
		one.reset();
		expect(await listTitles(other)).toEqual([]);
	});

	test('creates the sample of a zone once for all simulators, and again after a reset', async () => {
		using one = createSimulator({state});
		using other = createSimulator({state});
		const readFilterInfo = async (simulator: Simulator) =>
			(await ask(simulator, `/zones/${migrationZones.bulk}/filters?per_page=100`)).info;
		const expectedInfo = {count: 100, page: 1, per_page: 100, total_count: 230, total_pages: 3};
		expect(await readFilterInfo(one)).toEqual(expectedInfo);
		expect(await readFilterInfo(other)).toEqual(expectedInfo);
		const [first] = (await ask(other, `/zones/${migrationZones.bulk}/firewall/rules`))
			.result as readonly JsonObject[];
		await ask(other, `/zones/${migrationZones.bulk}/firewall/rules/${first?.id}`, {method: 'DELETE'});
		expect(await readFilterInfo(one)).toEqual(expectedInfo);
		one.reset();
		const {info: infoAfterReset} = await ask(other, `/zones/${migrationZones.bulk}/firewall/rules`);
		expect(infoAfterReset).toMatchObject({total_count: 230});
	});

	test('is created once by processes that start together, and loses none of their writes', async () => {
		const modules = ['simulator/simulator.ts'].map(name =>
			JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../../source', name)).href),
		);
		const script = `
			const {createSimulator} = await import(${modules[0]});
			const simulator = createSimulator({state: ${JSON.stringify(state)}});
			const name = process.env.NAME;
			for (let number = 0; number < 50; number++) {
				const response = await simulator.fetch(new Request(
					'http://x.invalid/client/v4${namespacesPath}/f406ca271a253d6e7fe341d7a1faa59c/values/' + name + number,
					{method: 'PUT', body: name, headers: {authorization: 'Bearer simulated'}},
				));
				if (response.status !== 200) throw new Error(await response.text());
			}
			simulator.close();`;
		const run = (name: string) =>
			promisify(execFile)(
				process.execPath,
				['--experimental-strip-types', '--no-warnings', '--input-type=module', '--eval', script],
				{env: {...process.env, NAME: name}},
			);
		await Promise.all(['a', 'b', 'c'].map(run));
		using simulator = createSimulator({state});
		expect(await listTitles(simulator)).toHaveLength(6);
		for (const name of ['a', 'b', 'c']) {
			const {result} = await ask(
				simulator,
				`${namespacesPath}/f406ca271a253d6e7fe341d7a1faa59c/keys?prefix=${name}`,
			);
			expect(result).toHaveLength(50);
		}
	});

	test('is refused if it has another version, and replaced on request', async () => {
		createSimulator({state}).close();
		const database = new DatabaseSync(state);
		database.exec('PRAGMA user_version = 99');
		database.close();
		expect(captureFailure(() => createSimulator({state}))).toEqual({
			code: 'world_unusable',
			next: expect.stringContaining('ledge simulate --reset'),
		});
		using simulator = createSimulator({state, replaceUnusable: true});
		expect(await listTitles(simulator)).toContain('CONFIG');
	});

	test('is refused and left unchanged if it is another database', () => {
		const file = join(folder, 'other.sqlite');
		const database = new DatabaseSync(file);
		database.exec('CREATE TABLE t (a)');
		database.close();
		const before = readFileSync(file);
		expect(captureFailure(() => createSimulator({state: file}))?.code).toBe('world_unusable');
		expect(readFileSync(file)).toEqual(before);
	});

	test('is refused if it is not a database, or replaced on request', () => {
		const file = join(folder, 'text');
		writeFileSync(file, 'This is a letter, not a database. '.repeat(100));
		expect(captureFailure(() => createSimulator({state: file}))?.code).toBe('world_unusable');
		createSimulator({state: file, replaceUnusable: true}).close();
		createSimulator({state: file}).close();
	});

	test('reports that it cannot be opened', () => {
		writeFileSync(join(folder, 'file'), '');
		expect(captureFailure(() => createSimulator({state: join(folder, 'file', 'world')}))?.code).toBe(
			'file_failed',
		);
	});
});

describe('a new world', () => {
	const namespaceIds = {
		config: 'f406ca271a253d6e7fe341d7a1faa59c',
		catalogue: 'fd9e7ab1d6c2cae84b7cff436b83ca69',
	};

	test('has sample namespaces unless they are turned off', async () => {
		using simulator = createSimulator();
		expect(await listTitles(simulator)).toEqual([
			'CONFIG',
			'SESSIONS',
			'SESSIONS_preview',
			'assets',
			'catalogue',
			'odd names',
		]);
		using empty = createSimulator({samples: false});
		expect(await listTitles(empty)).toEqual([]);
	});

	test('has only sample entries within the limits of the service', async () => {
		using simulator = createSimulator();
		using copy = createSimulator({samples: false});
		const {result} = await ask(simulator, namespacesPath);
		for (const namespace of result as readonly JsonObject[]) {
			if (namespace.id === namespaceIds.catalogue) continue;
			const from = `${namespacesPath}/${namespace.id}`;
			const to = await makeNamespace(copy, String(namespace.title));
			const entries = [];
			for (const {name} of (await ask(simulator, `${from}/keys`)).result as readonly JsonObject[]) {
				const value = await simulator.fetch(request(`${from}/values/${encodeURIComponent(String(name))}`));
				entries.push({
					key: name,
					value: Buffer.from(await value.arrayBuffer()).toString('base64'),
					base64: true,
				});
			}
			expect(entries.length).toBeGreaterThan(1);
			const written = await ask(copy, `${to}/bulk`, json('PUT', entries));
			expect(written.result).toEqual({successful_key_count: entries.length, unsuccessful_keys: []});
		}
	});

	test('has values of many kinds', async () => {
		using simulator = createSimulator();
		const readValue = async (namespace: string, key: string) =>
			Buffer.from(
				await (
					await simulator.fetch(request(`${namespacesPath}/${namespace}/values/${encodeURIComponent(key)}`))
				).arrayBuffer(),
			);
		const assets = '78d5e02e7ed219d729def7bc334f6ee2';
		expect((await readValue(assets, 'img/logo.png')).toString('latin1', 1, 4)).toBe('PNG');
		expect((await readValue(assets, 'css/site.css.gz')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
		expect(await readValue(assets, 'fonts/.keep')).toEqual(Buffer.alloc(0));
		expect((await readValue(assets, 'logs/access.log')).length).toBeGreaterThan(300_000);
		expect(JSON.parse(String(await readValue(namespaceIds.config, 'site')))).toHaveProperty('name');
	});

	test('has sessions with various expirations, counted from the first access', async () => {
		let now = 1_900_000_000_000;
		using simulator = createSimulator({now: () => now});
		now += 1_000_000_000;
		const path = `${namespacesPath}/7ce064d8b26f93391d8a14e4c40b28bb/keys`;
		const {result} = await ask(simulator, path);
		const secondsLeft = (result as readonly JsonObject[])
			.map(({expiration}) => Number(expiration) - now / 1000)
			.filter(seconds => !Number.isNaN(seconds));
		expect(secondsLeft).toHaveLength(240);
		expect(Math.min(...secondsLeft)).toBe(90);
		expect(Math.max(...secondsLeft)).toBeGreaterThan(29 * 86_400);
	});

	test('has a catalogue of 100,000 keys in order', async () => {
		using simulator = createSimulator();
		const path = `${namespacesPath}/${namespaceIds.catalogue}/keys`;
		let count = 0;
		let last = '';
		for (let cursor = ''; ; ) {
			const {result, info} = await ask(simulator, `${path}?cursor=${cursor}`);
			for (const {name} of result as readonly JsonObject[]) {
				expect(String(name) > last).toBe(true);
				last = String(name);
				count += 1;
			}
			cursor = String(info.cursor);
			if (cursor === '') break;
		}
		expect(count).toBe(100_000);
	});

	test('can be closed more than once', () => {
		const simulator = createSimulator();
		simulator.close();
		simulator.close();
	});

	test('is restored by a reset, including all IDs', async () => {
		using simulator = createSimulator();
		await ask(simulator, `${namespacesPath}/${namespaceIds.config}`, {method: 'DELETE'});
		await makeNamespace(simulator, 'mine');
		simulator.reset();
		expect(simulator.calls.list()).toEqual([]);
		expect(await listTitles(simulator)).toHaveLength(6);
		expect((await ask(simulator, `${namespacesPath}/${namespaceIds.config}/keys`)).result).not.toEqual([]);
		expect((await ask(simulator, '/zones')).result).toHaveLength(13);
	});
});
