import assert from 'node:assert/strict';
import type {Checks} from './checks.ts';
import {Namespace} from './namespace.ts';
import {start, stop, waitForOutput} from './process.ts';
import {builtLedge, createInteropEnvironment, type Environment, type Program} from './programs.ts';

/** wrangler's whole `kv` command set against `ledge simulate`. */
export async function checkSimulatedService(
	checks: Checks,
	wrangler: Program,
	folder: string,
): Promise<void> {
	const words = [builtLedge, 'simulate', '--port', '0', '--memory'];
	const server = start(process.execPath, words, {cwd: folder, env: createInteropEnvironment(folder)});
	try {
		let address = '';
		await checks.check('ledge simulate starts', async () => {
			const url = /http:\/\/127\.0\.0\.1:\d+\/client\/v4/;
			address = url.exec(await waitForOutput(server, url, 20_000))?.[0] ?? '';
		});
		if (address === '') return;
		const env = {CLOUDFLARE_API_BASE_URL: address, CLOUDFLARE_API_TOKEN: 'simulated'};
		const id = await checkNamespaces(checks, wrangler, env);
		if (id === undefined) return;
		await checkKeys(checks, new Namespace(wrangler, folder, ['--remote', '--namespace-id', id], env));
		await checks.check('wrangler deletes a namespace at the simulated service', async () => {
			const result = await wrangler.run(['kv', 'namespace', 'delete', '--namespace-id', id, '-y'], env);
			assert.equal(result.code, 0, `${result.out}${result.err}`);
			assert.ok(!(await listNamespaces(wrangler, env)).some(namespace => namespace.id === id));
		});
	} finally {
		stop(server);
	}
}

async function listNamespaces(
	wrangler: Program,
	env: Environment,
): Promise<{id: string; title: string; jurisdiction?: string}[]> {
	const result = await wrangler.run(['kv', 'namespace', 'list'], env);
	assert.equal(result.code, 0, `${result.out}${result.err}`);
	return JSON.parse(result.out.toString('utf8'));
}

async function checkNamespaces(
	checks: Checks,
	wrangler: Program,
	env: Environment,
): Promise<string | undefined> {
	let id: string | undefined;
	await checks.check('wrangler creates, lists and renames namespaces at the simulated service', async () => {
		for (const words of [['first'], ['second', '--preview']]) {
			const result = await wrangler.run(['kv', 'namespace', 'create', ...words], env);
			assert.equal(result.code, 0, `${result.out}${result.err}`);
		}
		const titles = (await listNamespaces(wrangler, env)).map(({title}) => title);
		assert.ok(titles.includes('first') && titles.includes('second_preview'), titles.join(', '));
		const renamed = await wrangler.run(['kv', 'namespace', 'rename', 'first', '--new-name', 'renamed'], env);
		assert.equal(renamed.code, 0, `${renamed.out}${renamed.err}`);
		id = (await listNamespaces(wrangler, env)).find(({title}) => title === 'renamed')?.id;
		assert.match(id ?? '', /^[0-9a-f]{32}$/);
	});
	await checks.check('wrangler is told that a title is taken', async () => {
		const result = await wrangler.run(['kv', 'namespace', 'create', 'renamed'], env);
		assert.equal(result.code, 1);
		assert.match(`${result.err}${result.out}`, /already exists/);
	});
	await checks.check('wrangler creates a namespace in a jurisdiction, and lists it', async () => {
		const result = await wrangler.run(['kv', 'namespace', 'create', 'kept', '--jurisdiction', 'eu'], env);
		assert.equal(result.code, 0, `${result.out}${result.err}`);
		const kept = (await listNamespaces(wrangler, env)).find(({title}) => title === 'kept');
		assert.equal(kept?.jurisdiction, 'eu');
	});
	return id;
}

async function checkKeys(checks: Checks, namespace: Namespace): Promise<void> {
	const binary = Buffer.from(Array.from({length: 256}, (_, byte) => byte));
	await checks.check('wrangler puts and gets text, bytes and an empty value', async () => {
		await namespace.putText('text', 'hello');
		await namespace.put({key: 'binary', value: binary});
		await namespace.put({key: 'empty', value: Buffer.alloc(0)});
		assert.equal((await namespace.get('text')).toString(), 'hello');
		assert.ok((await namespace.get('binary')).equals(binary));
		assert.equal((await namespace.get('empty')).length, 0);
	});
	await checks.check('wrangler puts metadata and an expiry, and lists them', async () => {
		const expiration = 2_147_483_647;
		await namespace.put({key: 'имя é/?#%41', value: binary, metadata: {a: ['é']}, expiration});
		assert.deepEqual(await namespace.list('имя'), [{name: 'имя é/?#%41', expiration, metadata: {a: ['é']}}]);
		assert.ok((await namespace.get('имя é/?#%41')).equals(binary));
		await namespace.put({key: 'living', value: binary, ttl: 3600});
		assert.ok((await namespace.list('living'))[0]?.expiration);
	});
	await checks.check('wrangler puts, lists, gets and deletes in bulk', async () => {
		const entries = Array.from({length: 2500}, (_, index) => ({key: `bulk:${index}`, value: `${index}`}));
		await namespace.bulkPut(entries);
		assert.equal((await namespace.list('bulk:')).length, 2500);
		assert.deepEqual(await namespace.bulkGet(['bulk:1', 'absent']), {'bulk:1': '1', absent: null});
		await namespace.bulkDelete(entries.map(({key}) => key));
		assert.deepEqual(await namespace.list('bulk:'), []);
	});
	await checks.check('wrangler deletes a key, and is told what does not exist', async () => {
		await namespace.delete('text');
		await assert.rejects(namespace.get('text'), /404/);
	});
}
