import {createServer, type RequestListener, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {Worker} from 'node:worker_threads';
import {gzipSync} from 'node:zlib';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {buildValueForm} from '../../source/service/multipart.ts';
import {getOutcome} from '../../source/service/outcome.ts';
import {createProxiedFetch, findProxy} from '../../source/service/proxy.ts';
import {createTransport, type Transport} from '../../source/service/transport.ts';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	servers.push(server);
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

const sendRequest = (transport: Transport, url: string, more: Partial<Parameters<Transport>[0]> = {}) =>
	transport({method: 'GET', url, headers: {}, timeout: 5000, signal: new AbortController().signal, ...more});

const getFailureCode = (work: Promise<unknown>): Promise<string> =>
	work.then(
		() => 'it did not fail',
		error => (error instanceof Failure ? error.code : `not a failure: ${error}`),
	);

describe('the transport over a real connection', () => {
	test('returns the status, the headers and the raw bytes', async () => {
		const url = await serve((_request, response) =>
			response.writeHead(418, {'cf-ray': 'r'}).end(Buffer.from([0, 1, 255])),
		);
		const answer = await sendRequest(createTransport(), url);
		expect(answer.status).toBe(418);
		expect(answer.headers.get('cf-ray')).toBe('r');
		expect([...answer.bytes]).toEqual([0, 1, 255]);
	});

	test.each(['POST', 'DELETE'])('sends the body of a %s with its length', async method => {
		const url = await serve(async (request, response) => {
			const body = (await request.toArray()).join('');
			response.end(`${request.headers['content-length']} ${body}`);
		});
		const {bytes} = await sendRequest(createTransport(), url, {method, body: '{"items":"ü"}'});
		expect(Buffer.from(bytes).toString()).toBe('14 {"items":"ü"}');
	});

	test('does not follow a redirect, so that the credential goes nowhere else', async () => {
		const requestedPaths: string[] = [];
		const url = await serve((request, response) => {
			requestedPaths.push(request.url ?? '');
			response.writeHead(302, {location: '/elsewhere'}).end();
		});
		expect((await sendRequest(createTransport(), url, {headers: {Authorization: 'Bearer x'}})).status).toBe(
			302,
		);
		expect(requestedPaths).toEqual(['/']);
	});

	test('drops a response that is larger than allowed, and reports it as too large', async () => {
		const closed = Promise.withResolvers<void>();
		const url = await serve((_request, response) => {
			response.on('close', closed.resolve);
			response.write(Buffer.alloc(1000));
		});
		const failure = await sendRequest(createTransport(), url, {maxBytes: 999}).catch(error => error);
		expect(failure).toMatchObject({code: 'answer_malformed', details: {tooMuch: true}});
		await closed.promise;
	});

	test('reports a reset in the middle of a response as a lost connection', async () => {
		const url = await serve((_request, response) => {
			response.writeHead(200, {'content-length': '100'});
			response.write('half', () => response.socket?.destroy());
		});
		expect(await getFailureCode(sendRequest(createTransport(), url))).toBe('connection_lost');
	});

	test('reports a reset before the response as a lost connection, too', async () => {
		const url = await serve(request => request.socket.destroy());
		expect(await getFailureCode(sendRequest(createTransport(), url))).toBe('connection_lost');
	});

	test('reports an absent server as unreachable', async () => {
		const url = await serve(() => {});
		const server = servers.pop();
		await new Promise(resolve => server?.close(resolve));
		expect(await getFailureCode(sendRequest(createTransport(), url))).toBe('unreachable');
	});

	test('names an unknown host', async () => {
		const failure = await sendRequest(createTransport(), 'https://no-such-host.invalid/').catch(
			error => error,
		);
		expect(failure).toBeInstanceOf(Failure);
		expect(failure.code).toBe('unreachable');
		expect(failure.message).toContain('no-such-host.invalid');
	});

	test('times out without a response in time, and if a response stops halfway', async () => {
		const silent = await serve(() => {});
		expect(await getFailureCode(sendRequest(createTransport(), silent, {timeout: 50}))).toBe('timed_out');
		const stuck = await serve((_request, response) => response.writeHead(200).write('begun'));
		expect(await getFailureCode(sendRequest(createTransport(), stuck, {timeout: 50}))).toBe('timed_out');
	});

	test('reads a response that came while ledge was suspended for longer than the timeout', async () => {
		const turns = new Int32Array(new SharedArrayBuffer(12));
		const [arrived, blocked, answered] = [0, 1, 2];
		const server = new Worker(
			`const {workerData: {turns}, parentPort} = require('node:worker_threads');
			const server = require('node:http').createServer((request, response) => {
				Atomics.store(turns, ${arrived}, 1);
				Atomics.wait(turns, ${blocked}, 0);
				response.end('it came', () => {
					Atomics.store(turns, ${answered}, 1);
					Atomics.notify(turns, ${answered});
				});
			});
			server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
			{eval: true, workerData: {turns}},
		);
		try {
			const port = await new Promise(resolve => server.once('message', resolve));
			const timeout = 200;
			const work = sendRequest(createTransport(), `http://127.0.0.1:${port}`, {timeout});
			await vi.waitUntil(() => Atomics.load(turns, arrived) === 1, {interval: 1});
			// After an immediate, timers run first, and only then is what has arrived read.
			await new Promise(setImmediate);
			Atomics.store(turns, blocked, 1);
			Atomics.notify(turns, blocked);
			Atomics.wait(turns, answered, 0);
			Atomics.wait(turns, answered, 1, 2 * timeout);
			expect(Buffer.from((await work).bytes).toString()).toBe('it came');
		} finally {
			await server.terminate();
		}
	});

	test('ends at once on an aborted signal', async () => {
		const stop = new AbortController();
		const url = await serve(() => stop.abort(new Error('stopped by the person')));
		await expect(sendRequest(createTransport(), url, {signal: stop.signal})).rejects.toThrow(
			'stopped by the person',
		);
	});

	test('sends a value with metadata as a form with both fields, bytes unchanged', async () => {
		let form: Promise<FormData> | undefined;
		const url = await serve((request, response) => {
			const pieces: Buffer[] = [];
			request.on('data', piece => pieces.push(piece));
			request.on('end', () => {
				form = new Response(Buffer.concat(pieces), {
					headers: {'content-type': request.headers['content-type'] ?? ''},
				}).formData();
				response.end();
			});
		});
		const value = Buffer.from([0, 13, 10, 45, 45, 255]);
		const {type, body} = buildValueForm(value, {v: 'ü"\r\n'});
		await sendRequest(createTransport(), url, {method: 'PUT', headers: {'Content-Type': type}, body});
		const receivedForm = await form;
		const field = receivedForm?.get('value');
		expect(field).toBeInstanceOf(Blob);
		expect(Buffer.from(await (field as Blob).arrayBuffer())).toEqual(value);
		expect(JSON.parse(String(receivedForm?.get('metadata')))).toEqual({v: 'ü"\r\n'});
	});

	test('treats a 421 as a response like any other, and does not send the request again', async () => {
		let requestCount = 0;
		const url = await serve((request, response) => {
			requestCount++;
			request.resume().on('end', () => response.writeHead(421).end());
		});
		const answer = await sendRequest(createTransport(), url, {method: 'POST', body: '{}'});
		expect(answer.status).toBe(421);
		expect(requestCount).toBe(1);
	});

	test('counts only requests that never left as not sent', async () => {
		const getOutcomeOf = (work: Promise<unknown>) =>
			work.then(
				() => 'done',
				error => (error instanceof Failure ? getOutcome(error) : String(error)),
			);
		const transport = createTransport();
		const closedUrl = await serve(() => {});
		const server = servers.pop();
		await new Promise(resolve => server?.close(resolve));
		expect(await getOutcomeOf(sendRequest(transport, closedUrl))).toBe('not sent');
		expect(await getOutcomeOf(sendRequest(transport, 'https://no-such-host.invalid/'))).toBe('not sent');
		const plain = await serve((_request, response) => response.end());
		expect(await getOutcomeOf(sendRequest(transport, plain.replace('http:', 'https:')))).toBe('not sent');
		const resets = await serve(request => request.socket.resetAndDestroy());
		expect(await getOutcomeOf(sendRequest(transport, resets))).toBe('no answer');
		const silent = await serve(() => {});
		expect(await getOutcomeOf(sendRequest(transport, silent, {timeout: 50}))).toBe('no answer');
		const stopped = AbortSignal.abort();
		expect(await getOutcomeOf(sendRequest(transport, silent, {signal: stopped}))).toBe('not sent');
	});

	test('uses a separate connection for requests that cannot be repeated', async () => {
		const sockets = new Set<unknown>();
		const url = await serve((request, response) => {
			sockets.add(request.socket);
			response.end();
		});
		const transport = createTransport();
		for (let time = 0; time < 3; time++) await sendRequest(transport, url);
		expect(sockets.size).toBe(1);
		await sendRequest(transport, url, {fresh: true});
		expect(sockets.size).toBe(2);
	});

	test('reads a compressed response, and drops one that expands beyond the maximum size', async () => {
		const url = await serve((_request, response) => {
			response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync(Buffer.alloc(5_000_000)));
		});
		expect((await sendRequest(createTransport(), url)).bytes.length).toBe(5_000_000);
		expect(await getFailureCode(sendRequest(createTransport(), url, {maxBytes: 1_000_000}))).toBe(
			'answer_malformed',
		);
	});

	test('sends a request through the configured proxy', async () => {
		const tunnelTargets: string[] = [];
		const target = await serve((request, response) => response.end(`for ${request.headers.host}`));
		const proxy = await serve((_request, response) => response.end());
		servers.at(-1)?.on('connect', (request, socket) => {
			tunnelTargets.push(request.url ?? '');
			const {port} = new URL(target);
			import('node:net').then(({connect}) => {
				const tunnel = connect(Number(port), '127.0.0.1', () => {
					socket.write('HTTP/1.1 200 OK\r\n\r\n');
					tunnel.pipe(socket).pipe(tunnel);
				});
			});
		});
		const answer = await sendRequest(
			createTransport(await createProxiedFetch({url: proxy, variable: 'HTTP_PROXY', displayUrl: proxy})),
			'http://service.test/x',
		);
		expect(Buffer.from(answer.bytes).toString()).toBe('for service.test');
		expect(tunnelTargets).toEqual(['service.test:80']);
	});
});

function catchFailure(work: () => unknown): Failure {
	try {
		work();
	} catch (error) {
		if (error instanceof Failure) return error;
	}
	return expect.fail('it did not fail');
}

describe('the choice of the proxy', () => {
	const serviceUrl = new URL('https://api.service.test/client/v4');
	test.each([
		[{HTTPS_PROXY: 'http://p:1'}, 'http://p:1'],
		[{https_proxy: 'http://p:2', HTTPS_PROXY: 'http://p:1'}, 'http://p:2'],
		[{HTTP_PROXY: 'http://p:1'}, undefined],
		[{HTTPS_PROXY: ''}, undefined],
		[{HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other.test, .service.test'}, undefined],
		[{HTTPS_PROXY: 'http://p:1', NO_PROXY: 'api.service.test:443'}, undefined],
		[{HTTPS_PROXY: 'http://p:1', NO_PROXY: 'api.service.test:8443'}, 'http://p:1'],
		[{HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ice.test'}, 'http://p:1'],
		[{HTTPS_PROXY: 'http://p:1', NO_PROXY: '*'}, undefined],
	])('%j', (env, proxy) => {
		expect(findProxy(serviceUrl, env)?.url).toBe(proxy);
	});

	test.each([
		'proxy.test',
		'127.0.0.1:3128',
		'user:word@proxy.test:3128',
	])('%s has the scheme http, as with curl', proxySetting =>
		expect(findProxy(serviceUrl, {HTTPS_PROXY: proxySetting})?.url).toBe(`http://${proxySetting}`));

	test.each([
		'http://',
		'http://user:pass-word@ho st:1',
		'ftp://user:pass-word@p:1',
		'http://u:pass-word%zz@p:1',
	])('%s is refused; the variable is named and the password is not', proxySetting => {
		const failure = catchFailure(() => findProxy(serviceUrl, {https_proxy: proxySetting}));
		expect(failure).toMatchObject({code: 'usage', message: expect.stringContaining('https_proxy')});
		expect(JSON.stringify([failure.message, failure.details])).not.toContain('pass-word');
	});

	test('the failure names a proxy that does not exist, without its password', async () => {
		const closedUrl = await serve(() => {});
		const server = servers.pop();
		await new Promise(resolve => server?.close(resolve));
		const {port} = new URL(closedUrl);
		const proxy = findProxy(serviceUrl, {HTTPS_PROXY: `user:pass-word@127.0.0.1:${port}`});
		const transport = proxy && createTransport(await createProxiedFetch(proxy), proxy);
		const failure = await (transport && sendRequest(transport, serviceUrl.href).catch(error => error));
		expect(failure).toMatchObject({code: 'unreachable'});
		expect(failure.message).toContain(`through the proxy http://127.0.0.1:${port} (from HTTPS_PROXY)`);
		expect(failure.next).toContain('HTTPS_PROXY');
		expect(JSON.stringify([failure.message, failure.details.why, failure.next])).not.toMatch(
			/pass-word|base URL/,
		);
	});

	test('loopback never uses a proxy', () => {
		for (const host of ['127.0.0.1:8799', 'localhost', '[::1]:1']) {
			expect(
				findProxy(new URL(`http://${host}/client/v4`), {HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1'}),
			).toBeUndefined();
		}
	});
});
