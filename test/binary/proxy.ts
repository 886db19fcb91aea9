import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, request} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import {type AddressInfo, connect, type Server} from 'node:net';
import {join} from 'node:path';
import type {Duplex} from 'node:stream';

export type ProxiedService = AsyncDisposable & {
	/** Of the service, whose name only the proxy knows. */
	readonly url: string;
	readonly proxy: string;
	/** The file with the authority that vouches for the service, in the folder given. */
	readonly certificate: string;
	/** What the proxy was asked for: `api.service.test:443`. */
	readonly tunnels: readonly string[];
	/** Requests that came through. */
	requests(): number;
};

const host = 'api.service.test';

/**
 * Starts an HTTPS service that only its proxy can reach; it forwards requests to `targetUrl`, on loopback.
 */
export async function startProxiedService(targetUrl: string, folder: string): Promise<ProxiedService> {
	const {key, cert, certificate} = createCertificate(folder);
	const tunnels: string[] = [];
	const clients = new Set<Duplex>();
	let requests = 0;
	const service = createSecureServer({key, cert}, (incoming: IncomingMessage, response) => {
		requests++;
		const {method, headers, url = ''} = incoming;
		const target = new URL(url, targetUrl);
		const forwardedRequest = request(target, {method, headers: {...headers, host: target.host}}, reply => {
			response.writeHead(reply.statusCode ?? 502, reply.headers);
			reply.pipe(response);
		});
		incoming.pipe(forwardedRequest);
	});
	const proxy = createServer((_incoming, response) => response.writeHead(405).end());
	const servicePort = await listenOnLoopback(service);
	proxy.on('connect', ({url = ''}: IncomingMessage, client) => {
		tunnels.push(url);
		clients.add(client);
		const server = connect(servicePort, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			server.pipe(client);
			client.pipe(server);
		});
		for (const socket of [server, client]) socket.on('error', () => socket.destroy());
	});
	const proxyPort = await listenOnLoopback(proxy);
	return {
		url: `https://${host}${new URL(targetUrl).pathname}`,
		proxy: `http://127.0.0.1:${proxyPort}`,
		certificate,
		tunnels,
		requests: () => requests,
		async [Symbol.asyncDispose]() {
			for (const client of clients) client.destroy();
			service.closeAllConnections();
			await Promise.all([service, proxy].map(server => new Promise(done => server.close(done))));
		},
	};
}

function createCertificate(folder: string) {
	const file = (name: string) => join(folder, name);
	execFileSync(
		'openssl',
		[
			...[
				'req',
				'-x509',
				'-newkey',
				'ec',
				'-pkeyopt',
				'ec_paramgen_curve:prime256v1',
				'-nodes',
				'-days',
				'2',
			],
			...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
			...['-keyout', file('key.pem'), '-out', file('authority.pem')],
		],
		{stdio: ['ignore', 'pipe', 'pipe']},
	);
	return {
		key: readFileSync(file('key.pem')),
		cert: readFileSync(file('authority.pem')),
		certificate: file('authority.pem'),
	};
}

async function listenOnLoopback(server: Server): Promise<number> {
	await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
	return (server.address() as AddressInfo).port;
}
