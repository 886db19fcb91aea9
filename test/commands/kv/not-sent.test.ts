import {writeFileSync} from 'node:fs';
import {createServer as createHttp} from 'node:http';
import {type AddressInfo, createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';

const servers: Server[] = [];

afterEach(async () => {
	for (const server of servers.splice(0)) await new Promise(resolve => server.close(resolve));
});

async function listen(server: Server): Promise<number> {
	servers.push(server);
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

/** A port on which nothing listens. */
async function findFreePort(): Promise<number> {
	const server = createServer();
	const port = await listen(server);
	servers.splice(servers.indexOf(server), 1);
	await new Promise(resolve => server.close(resolve));
	return port;
}

/** Starts a server that speaks HTTP where TLS is expected. */
const startPlainServer = (): Promise<number> =>
	listen(
		createServer(socket => {
			socket.on('error', () => {});
			socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy()));
		}),
	);

/** Starts a proxy that refuses to open a tunnel. */
const startRefusingProxy = (): Promise<number> =>
	listen(
		createHttp().on('connect', (_request, socket) =>
			socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'),
		),
	);

const connectionFailures: readonly (readonly [string, () => Promise<Readonly<Record<string, string>>>])[] = [
	[
		'connection refused',
		async () => ({CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${await findFreePort()}/client/v4`}),
	],
	['no such host', async () => ({CLOUDFLARE_API_BASE_URL: 'https://no-such-host.invalid/client/v4'})],
	[
		'no TLS',
		async () => ({CLOUDFLARE_API_BASE_URL: `https://127.0.0.1:${await startPlainServer()}/client/v4`}),
	],
	[
		'proxy gone',
		async () => ({
			CLOUDFLARE_API_BASE_URL: 'https://api.invalid/client/v4',
			HTTPS_PROXY: `http://127.0.0.1:${await findFreePort()}`,
		}),
	],
	[
		'proxy refuses',
		async () => ({
			CLOUDFLARE_API_BASE_URL: 'https://api.invalid/client/v4',
			HTTPS_PROXY: `http://127.0.0.1:${await startRefusingProxy()}`,
		}),
	],
];

test.each(
	connectionFailures,
)('%s: nothing is sent or reported as written, and no job is left', async (_name, getEnvironment) => {
	const cwd = createScratchFolder();
	writeFileSync(
		join(cwd, 'in.json'),
		JSON.stringify([1, 2, 3].map(number => ({key: `k${number}`, value: 'v'}))),
	);
	const options = {
		cwd,
		clock: createVirtualClock(),
		env: {
			CLOUDFLARE_API_TOKEN: 'simulated',
			CLOUDFLARE_ACCOUNT_ID: 'a'.repeat(32),
			...(await getEnvironment()),
		},
	};
	const words = ['kv', 'bulk', 'put', 'in.json', '--namespace-id', 'b'.repeat(32), '--verbose'];
	const ended = await ledge(words, options);
	expect(ended.code).toBe(1);
	const calls = ended.stderr.split('\n').filter(line => line.includes('PUT /accounts/'));
	expect(calls.length).toBeGreaterThan(0);
	for (const call of calls) expect(call).toContain('0 B sent');
	expect(ended.stderr).toContain('0 of 3 entries are written, 3 are left.');
	expect(ended.stderr).not.toMatch(/may be|not known/);
	expect((await ledge(['jobs'], options)).stdout).toBe('No jobs.\n');
});
