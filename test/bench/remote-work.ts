import {closeSync, openSync, rmSync, statSync, writeSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join, resolve} from 'node:path';
import {type Measured, medians, program, runWithMemory} from './measure.ts';
import {type Row, ratioRow, seconds, wholeMilliseconds} from './row.ts';

const bare = resolve(import.meta.dirname, 'bare-remote.mjs');
const latency = 100;
const concurrency = 6;
const account = 'a'.repeat(32);

type Sink = {readonly env: Record<string, string>; requests(): number; most(): number; close(): void};

/** A service that takes every bulk write, throws it away and answers after a while: what is left is the client. */
async function sink(delay: number): Promise<Sink> {
	let requests = 0;
	let underWay = 0;
	let most = 0;
	const server: Server = createServer((request, response) => {
		requests++;
		most = Math.max(most, ++underWay);
		request.resume();
		request.on('end', () => {
			setTimeout(() => {
				underWay--;
				response.setHeader('content-type', 'application/json');
				response.end('{"success":true,"errors":[],"messages":[],"result":null}');
			}, delay);
		});
	});
	await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
	const {port} = server.address() as AddressInfo;
	return {
		env: {
			CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
			CLOUDFLARE_API_TOKEN: 'bench',
			CLOUDFLARE_ACCOUNT_ID: account,
		},
		requests: () => requests,
		most: () => most,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** A bulk file as large as asked for, written piece by piece. */
function largeFile(file: string, entries: number, valueBytes: number): string {
	const out = openSync(file, 'w');
	const value = 'v'.repeat(valueBytes);
	for (let index = 0; index < entries; index++) {
		writeSync(out, `${index === 0 ? '[' : ','}\n{"key":"key-${index}","value":"${value}"}`);
	}
	writeSync(out, '\n]\n');
	closeSync(out);
	return file;
}

const bulkPut = (folder: string, file: string, env: Record<string, string>) => ({
	words: [program, 'kv', 'bulk', 'put', file, '--namespace-id', 'b'.repeat(32)],
	cwd: folder,
	env,
});

/** A remote reading as a whole process, against a bare script that sends the same request and prints the answer. */
export async function remoteGetRow(folder: string, times: number): Promise<Row[]> {
	const service = await sink(0);
	const {CLOUDFLARE_API_BASE_URL: base} = service.env;
	const url = `${base}/accounts/${account}/storage/kv/namespaces/${'b'.repeat(32)}/values/greeting`;
	try {
		const found = await medians(times, {
			empty: {words: ['-e', '0'], cwd: folder},
			bare: {words: [bare, url], cwd: folder},
			ledge: {
				words: [program, 'kv', 'key', 'get', 'greeting', '--namespace-id', 'b'.repeat(32)],
				cwd: folder,
				env: service.env,
			},
		});
		return [
			ratioRow(
				'`ledge kv key get` of a service on this machine, whole process, against a bare script over `node:http`',
				found.ledge / found.bare,
				2,
				`${wholeMilliseconds(found.ledge)}; bare ${wholeMilliseconds(found.bare)}; empty node ${wholeMilliseconds(found.empty)}`,
			),
		];
	} finally {
		service.close();
	}
}

/** Bulk writing to a service that takes 100 ms for each answer. */
export async function remoteRows(folder: string, requests: number): Promise<Row[]> {
	const service = await sink(latency);
	try {
		const file = largeFile(join(folder, 'many.json'), requests * 10_000, 10);
		const done = await runWithMemory(bulkPut(folder, file, service.env));
		if (done.code !== 0) throw new Error(done.stderr);
		const ideal = (service.requests() * latency) / concurrency;
		return [
			{
				what: `\`ledge kv bulk put\`, ${requests * 10_000} entries, ${latency} ms an answer`,
				measured: `${seconds(done.milliseconds)}, ${service.requests()} requests (× latency ÷ ${concurrency} = ${seconds(ideal)}), at most ${service.most()} at once, ${Math.round(done.peakMegabytes)} MB`,
				budget: 'as many at once as allowed, never more',
				within: service.most() <= concurrency,
			},
		];
	} finally {
		service.close();
	}
}

/** Peak memory of a bulk write of a large file, to a service and to local data. */
export async function memoryRows(folder: string, megabytes: number): Promise<Row[]> {
	const file = largeFile(join(folder, 'huge.json'), megabytes * 100, 10_000);
	const size = Math.round(statSync(file).size / 1e6);
	const row = ({peakMegabytes, milliseconds, code, stderr}: Measured, where: string): Row => {
		if (code !== 0) throw new Error(stderr);
		return {
			what: `memory of \`ledge kv bulk put${where}\`, a file of ${size} MB`,
			measured: `${Math.round(peakMegabytes)} MB (${seconds(milliseconds)})`,
			budget: '≤ 120 MB',
			within: Math.round(peakMegabytes) <= 120,
		};
	};
	const service = await sink(0);
	const root = join(folder, 'huge');
	try {
		const remote = await runWithMemory(bulkPut(folder, file, service.env));
		const words = ['kv', 'bulk', 'put', file, '--local', '--persist-to', root, '--namespace-id', 'N'];
		const local = await runWithMemory({words: [program, ...words], cwd: folder});
		return [row(remote, ''), row(local, ' --local')];
	} finally {
		service.close();
		rmSync(root, {recursive: true, force: true});
		rmSync(file);
	}
}
