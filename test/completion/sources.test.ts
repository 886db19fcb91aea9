import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createCompletionSources} from '../../source/completion/sources.ts';
import {cacheListing, readListings} from '../../source/state/listing-cache.ts';
import {createScratchFolder, ledge} from '../support/run.ts';

const day = 24 * 60 * 60 * 1000;
const origin = 'https://api.cloudflare.com';
const toOptions = (...pairs: readonly (readonly [string, string])[]) =>
	new Map(pairs.map(([name, value]) => [name, [value]] as const));

describe('a saved listing', () => {
	const listing = {
		kind: 'namespaces',
		place: origin,
		account: 'a1',
		items: [{id: 'n1', name: 'one'}],
	} as const;

	test('is a file for this user only, used for seven days and then removed', () => {
		const env = {LEDGE_STATE_DIR: join(createScratchFolder(), 'state')};
		cacheListing(env, listing, 1000);
		const folder = join(env.LEDGE_STATE_DIR, 'listed');
		const [file = ''] = readdirSync(folder);
		expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
		expect(readListings(env, 'namespaces', origin, 1000 + 7 * day)).toHaveLength(1);
		expect(readListings(env, 'namespaces', origin, 1001 + 7 * day)).toEqual([]);
		expect(readListings(env, 'namespaces', origin, 999)).toEqual([]);
		cacheListing(env, {...listing, account: 'a2'}, 1001 + 7 * day);
		expect(readdirSync(folder)).toHaveLength(1);
		expect(readdirSync(folder)).not.toContain(file);
	});

	test('is not rewritten within an hour if nothing changed', () => {
		const env = {LEDGE_STATE_DIR: join(createScratchFolder(), 'state')};
		cacheListing(env, listing, 1000);
		cacheListing(env, listing, 2000);
		expect(readListings(env, 'namespaces', origin, 2000)).toMatchObject([{at: 1000}]);
		cacheListing(env, {...listing, items: []}, 3000);
		expect(readListings(env, 'namespaces', origin, 3000)).toMatchObject([{at: 3000, items: []}]);
	});

	test('is not written without a home folder, and ignored if damaged', () => {
		cacheListing({}, listing, 1000);
		const env = {LEDGE_STATE_DIR: join(createScratchFolder(), 'state')};
		cacheListing(env, listing, 1000);
		const folder = join(env.LEDGE_STATE_DIR, 'listed');
		writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), '{"at": 1');
		expect(readListings(env, 'namespaces', origin, 1000)).toEqual([]);
	});
});

describe('completion sources', () => {
	test('offer namespaces of the given or the last listed account, never of another service', async () => {
		const cwd = createScratchFolder();
		const env = {LEDGE_STATE_DIR: join(cwd, 'state'), HOME: cwd};
		const cacheNamespace = (place: string, account: string, name: string, at: number) =>
			cacheListing(env, {kind: 'namespaces', place, account, items: [{id: name, name}]}, at);
		cacheNamespace(origin, 'a1', 'first', 1000);
		cacheNamespace(origin, 'a2', 'second', 2000);
		cacheNamespace('simulated', 'a3', 'simulated', 3000);
		const readNames = async (...pairs: readonly (readonly [string, string])[]) =>
			(await createCompletionSources(toOptions(...pairs), {env, cwd, now: 5000}).namespaces()).map(
				({name}) => name,
			);
		expect(await readNames()).toEqual(['second']);
		expect(await readNames(['--account-id', 'a1'])).toEqual(['first']);
		expect(await readNames(['--account-id', 'unknown'])).toEqual([]);
		expect(await readNames(['--simulate', ''])).toEqual(['simulated']);
		expect(await readNames(['--base-url', 'https://other.example/client/v4'])).toEqual([]);
		expect(await readNames(['--base-url', 'not a url'])).toEqual([]);
	});

	test('offer bindings, environments and contexts from files, but none from unsafe files', async () => {
		const cwd = createScratchFolder();
		const env = {HOME: cwd, XDG_CONFIG_HOME: join(cwd, 'config')};
		writeFileSync(
			join(cwd, 'wrangler.toml'),
			'[[kv_namespaces]]\nbinding = "TOP"\nid = "1"\n[[env.staging.kv_namespaces]]\nbinding = "STAGED"\nid = "2"\n',
		);
		mkdirSync(join(cwd, 'config', 'ledge'), {recursive: true, mode: 0o700});
		const contexts = join(cwd, 'config', 'ledge', 'contexts.toml');
		writeFileSync(contexts, '[contexts.work]\naccount_id = "abc"\n', {mode: 0o600});
		const createSources = (...pairs: readonly (readonly [string, string])[]) =>
			createCompletionSources(toOptions(...pairs), {env, cwd, now: 5000});
		const readBindings = async (...pairs: readonly (readonly [string, string])[]) =>
			(await createSources(...pairs).bindings()).map(({binding}) => binding);
		expect(await readBindings()).toEqual(['TOP']);
		expect(await readBindings(['--env', 'staging'])).toEqual(['STAGED']);
		expect(await readBindings(['--env', 'unknown'])).toEqual(['TOP']);
		expect(await readBindings(['--cwd', '/nowhere'])).toEqual([]);
		expect(await createSources().environments()).toEqual(['staging']);
		expect(await createSources().contexts()).toEqual(['work']);
		expect(await createSources(['--context', 'unknown']).contexts()).toEqual([]);
		chmodSync(contexts, 0o666);
		expect(await createSources().contexts()).toEqual([]);
	});

	test('offer names that commands listed, without secrets', async () => {
		const cwd = createScratchFolder();
		const env = {LEDGE_STATE_DIR: join(cwd, 'state'), CLOUDFLARE_API_TOKEN: 'very-secret-token'};
		await ledge(['kv', 'namespace', 'list', '--simulate'], {cwd, env});
		await ledge(['zones', '--simulate'], {cwd, env});
		const sources = createCompletionSources(toOptions(['--simulate', '']), {env, cwd, now: Date.now()});
		expect((await sources.namespaces()).map(({name}) => name)).toContain('CONFIG');
		expect((await sources.zones()).map(({name}) => name)).toContain('acme.example');
		const folder = join(env.LEDGE_STATE_DIR, 'listed');
		const cachedTexts = readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'));
		expect(cachedTexts.join('\n')).not.toContain('secret');
	});

	test('offer files in a folder, and hidden ones only on request', () => {
		const cwd = createScratchFolder();
		mkdirSync(join(cwd, 'data'));
		writeFileSync(join(cwd, 'data', 'a.json'), '');
		writeFileSync(join(cwd, 'data', '.b.json'), '');
		const {files} = createCompletionSources(toOptions(), {env: {}, cwd, now: 0});
		expect(files('da')).toEqual(['data/']);
		expect(files('data/')).toEqual(['data/a.json']);
		expect(files('data/.b')).toContain('data/.b.json');
		expect(files(`${cwd}/data/a`)).toContain(`${cwd}/data/a.json`);
		expect(files('nowhere/')).toEqual([]);
	});
});
