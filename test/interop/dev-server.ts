import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Checks} from './checks.ts';
import {Namespace} from './namespace.ts';
import type {Peer} from './peer.ts';
import {printed, start, stop} from './process.ts';
import {type Program, programIn} from './programs.ts';

const worker = `export default {
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

/** ledge beside a running dev server of the peer, on the same data. */
export async function checkDevServer(
	checks: Checks,
	peer: Peer,
	wrangler: Program,
	ledge: Program,
	parent: string,
): Promise<void> {
	const folder = join(parent, 'dev');
	mkdirSync(folder);
	writeFileSync(join(folder, 'worker.js'), worker);
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
			const text = await printed(server, /Ready on http:\/\/127\.0\.0\.1:\d+/, 60_000);
			address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
		});
		if (address !== '') await checkBeside(checks, address, folder, wrangler, ledge);
	} finally {
		stop(server);
	}
}

async function checkBeside(
	checks: Checks,
	address: string,
	folder: string,
	wrangler: Program,
	ledge: Program,
): Promise<void> {
	const ask = (path: string, body?: string) =>
		fetch(`${address}${path}`, body === undefined ? {} : {method: 'POST', body});
	const selection = [
		'--local',
		'--persist-to',
		join(folder, '.wrangler', 'state'),
		'--namespace-id',
		'beside-dev',
	];
	const ours = new Namespace(ledge, folder, selection);
	await checks.check('the worker and ledge see what the other has written at once', async () => {
		assert.equal((await ask('/put?key=theirs', 'by the worker')).status, 200);
		assert.equal((await ours.get('theirs')).toString(), 'by the worker');
		await ours.putText('ours', 'by ledge');
		assert.equal(await (await ask('/get?key=ours')).text(), 'by ledge');
		await ours.delete('theirs');
		assert.equal(await (await ask('/get?key=theirs')).text(), 'absent');
	});
	const acknowledged: string[] = [];
	const entries = Array.from({length: 20_000}, (_, index) => ({key: `ledge:${index}`, value: `${index}`}));
	await checks.check(
		'ledge writes 20,000 entries and single keys while the worker writes: no error',
		async () => {
			let refused = 0;
			const running = new AbortController();
			const worker = (async () => {
				for (let index = 0; !running.signal.aborted; index++) {
					// wrangler fails at once when it meets a lock: not a fault of ledge.
					const answer = await ask(`/put?key=worker:${index}`, `${index}`);
					if (answer.status === 200) acknowledged.push(`worker:${index}`);
					else refused++;
					await answer.arrayBuffer();
				}
			})();
			try {
				await Promise.all([
					ours.bulkPut(entries),
					(async () => {
						for (let index = 0; index < 5; index++) await ours.putText(`single:${index}`, `${index}`);
					})(),
				]);
			} finally {
				running.abort();
				await worker;
			}
			process.stdout.write(
				`        the worker wrote ${acknowledged.length} meanwhile, and was refused ${refused} times by its own runtime\n`,
			);
		},
	);
	await checks.check('nothing of either is lost, and both list the same', async () => {
		const expected = [
			...entries.map(({key}) => key),
			...acknowledged,
			...Array.from({length: 5}, (_, index) => `single:${index}`),
		];
		const listed = new Set((await ours.list()).map(({name}) => name));
		const missing = expected.filter(key => !listed.has(key));
		assert.equal(missing.length, 0, `${missing.length} keys are missing, such as ${missing[0]}`);
		assert.deepEqual(await (await ask('/list')).json(), [...listed]);
		for (const key of acknowledged.slice(-20))
			assert.equal((await ours.get(key)).toString(), key.slice('worker:'.length));
		assert.equal(await (await ask('/get?key=ledge:19999')).text(), '19999');
	});
	await checks.check('a wrangler command works on the same data meanwhile', async () => {
		const theirs = new Namespace(wrangler, folder, selection);
		assert.equal((await theirs.get('ledge:0')).toString(), '0');
		assert.equal((await theirs.list('single:')).length, 5);
	});
	await checks.check('ledge kv local check finds nothing wrong while the server runs', async () => {
		const state = join(folder, '.wrangler', 'state');
		const done = await ledge.run(['kv', 'local', 'check', '--persist-to', state, '--json']);
		assert.equal(done.code, 0, `${done.out}${done.err}`);
	});
}

/** Both programs in one folder. */
export const programsIn = (
	peer: Peer,
	ledgeScript: string,
	folder: string,
): {wrangler: Program; ledge: Program} => ({
	wrangler: programIn('wrangler', peer.program, folder, {...peer.env, HOME: folder}),
	ledge: programIn('ledge', ledgeScript, folder, {...peer.env, HOME: folder}),
});
