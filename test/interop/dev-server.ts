import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Checks} from './checks.ts';
import {Namespace} from './namespace.ts';
import type {Peer} from './peer.ts';
import {start, stop, waitForOutput} from './process.ts';
import {createNodeProgram, type Program} from './programs.ts';

const workerCode = `export default {
	async fetch(request, env) {
		const {pathname, searchParams} = new URL(request.url);
		const key = searchParams.get('key');
		if (pathname === '/put') await env.KV.put(key, await request.text());
		if (pathname === '/get') return new Response((await env.KV.get(key)) ?? 'absent');
		if (pathname === '/list') {
			const names = [];
			let cursor;
			do {
				const page = await env.KV.list({cursor});
				names.push(...page.keys.map(({name}) => name));
				cursor = page.list_complete ? undefined : page.cursor;
			} while (cursor);
			return Response.json(names);
		}
		return new Response('done');
	},
};`;

/** Checks ledge while a dev server of wrangler runs on the same data. */
export async function checkDevServer(
	checks: Checks,
	peer: Peer,
	wrangler: Program,
	ledge: Program,
	parent: string,
): Promise<void> {
	const folder = join(parent, 'dev');
	mkdirSync(folder);
	writeFileSync(join(folder, 'worker.js'), workerCode);
	const configuration = {
		name: 'beside',
		main: 'worker.js',
		compatibility_date: '2026-01-01',
		kv_namespaces: [{binding: 'KV', id: 'beside-dev'}],
	};
	writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(configuration));
	const words = [
		peer.program,
		'dev',
		'--ip',
		'127.0.0.1',
		'--port',
		'0',
		'--inspector-port',
		'0',
		'--show-interactive-dev-session=false',
	];
	const server = start(process.execPath, words, {cwd: folder, env: peer.env});
	try {
		let address = '';
		await checks.check('wrangler dev starts', async () => {
			const text = await waitForOutput(server, /Ready on http:\/\/127\.0\.0\.1:\d+/, 60_000);
			address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
		});
		if (address !== '') await checkWithServer(checks, address, folder, wrangler, ledge);
	} finally {
		stop(server);
	}
}

async function checkWithServer(
	checks: Checks,
	address: string,
	folder: string,
	wrangler: Program,
	ledge: Program,
): Promise<void> {
	const fetchWorker = (path: string, body?: string) =>
		fetch(`${address}${path}`, body === undefined ? {} : {method: 'POST', body});
	const namespaceOptions = [
		'--local',
		'--persist-to',
		join(folder, '.wrangler', 'state'),
		'--namespace-id',
		'beside-dev',
	];
	const ledgeNamespace = new Namespace(ledge, folder, namespaceOptions);
	await checks.check('the worker and ledge see what the other has written at once', async () => {
		assert.equal((await fetchWorker('/put?key=theirs', 'by the worker')).status, 200);
		assert.equal((await ledgeNamespace.get('theirs')).toString(), 'by the worker');
		await ledgeNamespace.putText('ours', 'by ledge');
		assert.equal(await (await fetchWorker('/get?key=ours')).text(), 'by ledge');
		await ledgeNamespace.delete('theirs');
		assert.equal(await (await fetchWorker('/get?key=theirs')).text(), 'absent');
	});
	const acknowledged: string[] = [];
	const entries = Array.from({length: 20_000}, (_, index) => ({key: `ledge:${index}`, value: `${index}`}));
	await checks.check(
		'ledge writes 20,000 entries and single keys while the worker writes: no error',
		async () => {
			let refusedCount = 0;
			const stopWriting = new AbortController();
			const workerWrites = (async () => {
				for (let index = 0; !stopWriting.signal.aborted; index++) {
					// The runtime of wrangler fails at once on a lock, which is no fault of ledge.
					const response = await fetchWorker(`/put?key=worker:${index}`, `${index}`);
					if (response.status === 200) acknowledged.push(`worker:${index}`);
					else refusedCount++;
					await response.arrayBuffer();
				}
			})();
			try {
				await Promise.all([
					ledgeNamespace.bulkPut(entries),
					(async () => {
						for (let index = 0; index < 5; index++)
							await ledgeNamespace.putText(`single:${index}`, `${index}`);
					})(),
				]);
			} finally {
				stopWriting.abort();
				await workerWrites;
			}
			process.stdout.write(
				`        the worker wrote ${acknowledged.length} meanwhile, and was refused ${refusedCount} times by its own runtime\n`,
			);
		},
	);
	await checks.check('nothing of either is lost, and both list the same', async () => {
		const expected = [
			...entries.map(({key}) => key),
			...acknowledged,
			...Array.from({length: 5}, (_, index) => `single:${index}`),
		];
		const listed = new Set((await ledgeNamespace.list()).map(({name}) => name));
		const missing = expected.filter(key => !listed.has(key));
		assert.equal(missing.length, 0, `${missing.length} keys are missing, such as ${missing[0]}`);
		assert.deepEqual(await (await fetchWorker('/list')).json(), [...listed]);
		for (const key of acknowledged.slice(-20))
			assert.equal((await ledgeNamespace.get(key)).toString(), key.slice('worker:'.length));
		assert.equal(await (await fetchWorker('/get?key=ledge:19999')).text(), '19999');
	});
	await checks.check('a wrangler command works on the same data meanwhile', async () => {
		const wranglerNamespace = new Namespace(wrangler, folder, namespaceOptions);
		assert.equal((await wranglerNamespace.get('ledge:0')).toString(), '0');
		assert.equal((await wranglerNamespace.list('single:')).length, 5);
	});
	await checks.check('ledge kv local check finds nothing wrong while the server runs', async () => {
		const state = join(folder, '.wrangler', 'state');
		const result = await ledge.run(['kv', 'local', 'check', '--persist-to', state, '--json']);
		assert.equal(result.code, 0, `${result.out}${result.err}`);
	});
}

/** Both programs in one folder. */
export const createBothPrograms = (
	peer: Peer,
	ledgeScript: string,
	folder: string,
): {wrangler: Program; ledge: Program} => ({
	wrangler: createNodeProgram('wrangler', peer.program, folder, {...peer.env, HOME: folder}),
	ledge: createNodeProgram('ledge', ledgeScript, folder, {...peer.env, HOME: folder}),
});
