import {closeSync, openSync, rmSync, statSync, writeSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join, resolve} from 'node:path';
import {bundleFile, type Measured, medians, runWithMemory} from './measure.ts';
import {formatBenchMilliseconds, formatBenchSeconds, type Row, ratioRow} from './row.ts';

const bare = resolve(import.meta.dirname, 'bare-remote.mjs');
const latency = 100;
const concurrency = 6;
const account = 'a'.repeat(32);

type Sink = {
	readonly env: Record<string, string>;
	requests(): number;
	maxConcurrent(): number;
	close(): void;
};

/**
 * Starts a service that discards every request body and sends the same success without a result to all
 * requests, after `delay` milliseconds, so that only the client is measured.
 */
async function startSink(delay: number): Promise<Sink> {
	let requests = 0;
	let activeCount = 0;
	let maxActive = 0;
	const server: Server = createServer((request, response) => {
		requests++;
		maxActive = Math.max(maxActive, ++activeCount);
		request.resume();
		request.on('end', () => {
			setTimeout(() => {
				activeCount--;
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
		maxConcurrent: () => maxActive,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Writes a bulk file of this many entries, piece by piece. */
function writeLargeFile(file: string, entries: number, valueBytes: number): string {
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
	words: [bundleFile, 'kv', 'bulk', 'put', file, '--namespace-id', 'b'.repeat(32)],
	cwd: folder,
	env,
});

/**
 * Measures the whole process of `ledge kv key get`, against a bare script that sends the same request and
 * prints the response.
 */
export async function remoteGetRow(folder: string, turnCount: number): Promise<Row[]> {
	const service = await startSink(0);
	const {CLOUDFLARE_API_BASE_URL: base} = service.env;
	const url = `${base}/accounts/${account}/storage/kv/namespaces/${'b'.repeat(32)}/values/greeting`;
	try {
		const found = await medians(turnCount, {
			empty: {words: ['-e', '0'], cwd: folder},
			bare: {words: [bare, url], cwd: folder},
			ledge: {
				words: [bundleFile, 'kv', 'key', 'get', 'greeting', '--namespace-id', 'b'.repeat(32)],
				cwd: folder,
				env: service.env,
			},
		});
		return [
			ratioRow(
				'`ledge kv key get` of a service on this machine, whole process, against a bare script over `node:http`',
				found.ledge / found.bare,
				2,
				`${formatBenchMilliseconds(found.ledge)}; bare ${formatBenchMilliseconds(found.bare)}; empty node ${formatBenchMilliseconds(found.empty)}`,
			),
		];
	} finally {
		service.close();
	}
}

/** Bulk writing to a service that takes 100 ms for each answer. */
export async function remoteBulkPutRow(folder: string, requests: number): Promise<Row[]> {
	const service = await startSink(latency);
	try {
		const file = writeLargeFile(join(folder, 'many.json'), requests * 10_000, 10);
		const result = await runWithMemory(bulkPut(folder, file, service.env));
		if (result.code !== 0) throw new Error(result.stderr);
		const ideal = (service.requests() * latency) / concurrency;
		return [
			{
				what: `\`ledge kv bulk put\`, ${requests * 10_000} entries, ${latency} ms an answer`,
				measured: `${formatBenchSeconds(result.milliseconds)}, ${service.requests()} requests (× latency ÷ ${concurrency} = ${formatBenchSeconds(ideal)}), at most ${service.maxConcurrent()} at once, ${Math.round(result.peakMegabytes)} MB`,
				budget: 'as many at once as allowed, never more',
				within: service.maxConcurrent() <= concurrency,
			},
		];
	} finally {
		service.close();
	}
}

/** Peak memory of a bulk write of a large file, to a service and to local data. */
export async function memoryRows(folder: string, megabytes: number): Promise<Row[]> {
	const file = writeLargeFile(join(folder, 'huge.json'), megabytes * 100, 10_000);
	const size = Math.round(statSync(file).size / 1e6);
	const row = ({peakMegabytes, milliseconds, code, stderr}: Measured, where: string): Row => {
		if (code !== 0) throw new Error(stderr);
		return {
			what: `memory of \`ledge kv bulk put${where}\`, a file of ${size} MB`,
			measured: `${Math.round(peakMegabytes)} MB (${formatBenchSeconds(milliseconds)})`,
			budget: '≤ 120 MB',
			within: Math.round(peakMegabytes) <= 120,
		};
	};
	const service = await startSink(0);
	const root = join(folder, 'huge');
	try {
		const remote = await runWithMemory(bulkPut(folder, file, service.env));
		const words = ['kv', 'bulk', 'put', file, '--local', '--persist-to', root, '--namespace-id', 'N'];
		const local = await runWithMemory({words: [bundleFile, ...words], cwd: folder});
		return [row(remote, ''), row(local, ' --local')];
	} finally {
		service.close();
		rmSync(root, {recursive: true, force: true});
		rmSync(file);
	}
}
