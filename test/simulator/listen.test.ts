import {once} from 'node:events';
import {Agent, request as httpRequest, type IncomingMessage, type RequestOptions} from 'node:http';
import {connect} from 'node:net';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {toFailure} from '../../source/failure.ts';
import {
	createSimulator,
	type Listener,
	type Simulator,
	startListener,
} from '../../source/simulator/simulator.ts';
import {eventually} from '../support/eventually.ts';
import {makeNamespace} from './asking.ts';

const headers = {authorization: 'Bearer simulated'};
const controlHeaders = {'x-simulator': 'control'};

let simulator: Simulator;
let listener: Listener;

beforeEach(async () => {
	simulator = createSimulator({samples: false});
	listener = await startListener(simulator, {port: 0});
});
afterEach(async () => {
	await listener.close();
	simulator.close();
});

const callService = (path: string, init: RequestInit = {}) =>
	fetch(`${listener.url}${path}`, {...init, headers: {...headers, ...init.headers}});

const callControl = (path: string, init: RequestInit = {}) =>
	fetch(`http://127.0.0.1:${listener.port}${path}`, {...init, headers: {...controlHeaders, ...init.headers}});

/** Sends a request with node:http, for headers that `fetch` does not send. */
async function sendWithHttp(options: RequestOptions, body?: string) {
	const outgoing = httpRequest({host: '127.0.0.1', port: listener.port, path: '/client/v4/user', ...options});
	outgoing.end(body);
	const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
	let text = '';
	for await (const piece of incoming) text += piece;
	return {statusCode: incoming.statusCode, text, reused: outgoing.reusedSocket};
}

describe('the simulated service on a port', () => {
	test('reports its address and answers there', async () => {
		expect(listener.url).toBe(`http://127.0.0.1:${listener.port}/client/v4`);
		const response = await callService('/user');
		expect(response.status).toBe(200);
		expect(response.headers.get('cf-ray')).toMatch(/-SIM$/);
		expect(await response.json()).toMatchObject({success: true, result: {email: 'operator@acme.example'}});
	});

	test('accepts and returns the largest value', async () => {
		const path = await makeNamespace(simulator);
		const value = new Uint8Array(26_214_400).fill(7);
		expect(
			(await callService(`${path}/values/${encodeURIComponent('a/é 😀')}`, {method: 'PUT', body: value}))
				.status,
		).toBe(200);
		const back = await callService(`${path}/values/${encodeURIComponent('a/é 😀')}`);
		expect(Buffer.from(await back.arrayBuffer()).equals(value)).toBe(true);
	});

	test('rejects a body that is too large while receiving it, and accepts the next one', async () => {
		const path = await makeNamespace(simulator);
		const agent = new Agent({keepAlive: true, maxSockets: 1});
		const put = (size: number) =>
			sendWithHttp(
				{
					agent,
					method: 'PUT',
					path: `/client/v4${path}/values/k`,
					headers: {...headers, 'content-length': size},
				},
				'x'.repeat(size),
			);
		expect((await put(26_214_401)).statusCode).toBe(413);
		expect((await put(3)).statusCode).toBe(200);
		agent.destroy();
	});

	test('keeps connections alive', async () => {
		const agent = new Agent({keepAlive: true, maxSockets: 1});
		const reused = [];
		for (let number = 0; number < 3; number++) reused.push((await sendWithHttp({agent, headers})).reused);
		expect(reused).toEqual([false, true, true]);
		agent.destroy();
	});

	test('requests an announced body unless it would reject it anyway', async () => {
		const path = await makeNamespace(simulator);
		const putExpectingContinue = async (key: string, length: number) => {
			const outgoing = httpRequest({
				host: '127.0.0.1',
				port: listener.port,
				path: `/client/v4${path}/values/${key}`,
				method: 'PUT',
				headers: {...headers, expect: '100-continue', 'content-length': length},
			});
			let asked = false;
			outgoing.on('continue', () => {
				asked = true;
				outgoing.end('x'.repeat(length));
			});
			outgoing.on('error', () => {});
			outgoing.flushHeaders();
			const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
			incoming.resume();
			outgoing.destroy();
			return {asked, status: incoming.statusCode};
		};
		expect(await putExpectingContinue('k', 5)).toEqual({asked: true, status: 200});
		expect(await putExpectingContinue('k', 30_000_000)).toEqual({asked: false, status: 413});
		expect(await putExpectingContinue('%2e%2e', 5)).toMatchObject({asked: false});
	});

	test.each([
		'*',
		'http://127.0.0.1/client/v4/user',
		'client/v4/user',
	])('rejects the address %s', async path => {
		expect((await sendWithHttp({path, method: path === '*' ? 'OPTIONS' : 'GET', headers})).statusCode).toBe(
			400,
		);
	});
});

describe('a server for this machine only, and not for websites', () => {
	test.each([
		'evil.example',
		'127.0.0.1',
		'127.0.0.1:1',
		'localhost.evil.example:PORT',
		'0.0.0.0:PORT',
	])('rejects the Host %s with 403', async host => {
		const hostHeader = host.replace('PORT', String(listener.port));
		const {statusCode, text} = await sendWithHttp({headers: {...headers, host: hostHeader}});
		expect([statusCode, JSON.parse(text).success]).toEqual([403, false]);
		expect(simulator.calls.list()).toEqual([]);
	});

	test.each([
		'127.0.0.1:PORT',
		'localhost:PORT',
		'LOCALHOST:PORT',
		'[::1]:PORT',
	])('accepts the Host %s', async host => {
		const hostHeader = host.replace('PORT', String(listener.port));
		expect((await sendWithHttp({headers: {...headers, host: hostHeader}})).statusCode).toBe(200);
	});

	test('rejects a missing Host with 400', async () => {
		const socket = connect(listener.port, '127.0.0.1');
		socket.end('GET /client/v4/user HTTP/1.1\r\n\r\n');
		const [answer] = await once(socket, 'data');
		expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
	});

	test.each([
		'https://evil.example',
		'null',
		'http://127.0.0.1',
		'http://localhost:1',
	])('rejects the Origin %s with 403', async origin => {
		expect((await sendWithHttp({headers: {...headers, origin}})).statusCode).toBe(403);
		expect(
			(await sendWithHttp({path: '/simulator/calls', headers: {...controlHeaders, origin}})).statusCode,
		).toBe(403);
	});

	test('accepts its own Origin', async () => {
		const origin = `http://127.0.0.1:${listener.port}`;
		expect((await sendWithHttp({headers: {...headers, origin}})).statusCode).toBe(200);
	});

	test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com'])('does not listen on %s', async host => {
		const refused = await startListener(simulator, {port: 0, host}).catch((error: unknown) => error);
		expect(toFailure(refused).code).toBe('usage');
	});

	test('does not listen on a port that is taken', async () => {
		const refused = await startListener(simulator, {port: listener.port}).catch((error: unknown) => error);
		expect(toFailure(refused)).toMatchObject({
			code: 'usage',
			message: expect.stringContaining(String(listener.port)),
		});
	});
});

describe('faults on the wire', () => {
	test('a lost response breaks the connection after the effect', async () => {
		const path = await makeNamespace(simulator);
		simulator.faults.add('lost-answer times=1');
		await expect(callService(`${path}/values/k`, {method: 'PUT', body: 'v'})).rejects.toThrow('fetch failed');
		expect(await (await callService(`${path}/values/k`)).text()).toBe('v');
	});

	test('a reset keeps the bytes sent before it', async () => {
		const path = await makeNamespace(simulator);
		await callService(`${path}/values/k`, {method: 'PUT', body: '0123456789'});
		simulator.faults.add('reset=4');
		const response = await callService(`${path}/values/k`);
		expect([response.status, response.headers.get('content-length')]).toEqual([200, '10']);
		let receivedText = '';
		const read = async () => {
			for await (const piece of response.body ?? []) receivedText += new TextDecoder().decode(piece);
		};
		await expect(read()).rejects.toThrow('terminated');
		expect(receivedText).toBe('0123');
	});

	test('a drip delivers everything', async () => {
		simulator.faults.add('drip=50 pause=1');
		expect(await (await callService('/user')).json()).toMatchObject({success: true});
	});

	test('a client that gives up ends the wait', async () => {
		const reached = Promise.withResolvers<void>();
		using hangingSimulator = createSimulator({samples: false, wait: async () => reached.resolve()});
		hangingSimulator.faults.add('latency=1 hang');
		await using otherListener = await startListener(hangingSimulator, {port: 0});
		const abortController = new AbortController();
		const rejection = expect(
			fetch(`${otherListener.url}/user`, {headers, signal: abortController.signal}),
		).rejects.toThrow();
		await reached.promise;
		abortController.abort();
		await rejection;
		await eventually(() =>
			expect(hangingSimulator.calls.list()).toMatchObject([{path: '/user', status: 'lost'}]),
		);
	});
});

describe('control from outside', () => {
	const callFaults = (method: string, body?: string) =>
		callControl('/simulator/faults', {method, ...(body !== undefined && {body})});

	test('sets, shows and clears the faults', async () => {
		expect(await (await callFaults('PUT', 'status=503 times=1; latency=0')).text()).toBe(
			'status=503 times=1\nlatency=0\n',
		);
		expect((await callService('/user')).status).toBe(503);
		expect((await callService('/user')).status).toBe(200);
		expect(await (await callFaults('GET')).text()).toBe('status=503 times=1\nlatency=0\n');
		expect((await callFaults('DELETE')).status).toBe(200);
		expect(simulator.faults.list()).toEqual([]);
	});

	test('rejects invalid faults with an explanation and changes nothing', async () => {
		simulator.faults.add('status=503');
		const refused = await callFaults('PUT', 'nonsense');
		expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('"nonsense"')]);
		expect(simulator.faults.list()).toEqual([{status: 503}]);
	});

	test('shows the calls', async () => {
		await callService('/user?a=1');
		const shown = await callControl('/simulator/calls');
		expect(shown.headers.get('x-simulator-calls')).toBe('1');
		expect(await shown.json()).toEqual([{method: 'GET', path: '/user', query: 'a=1', bytes: 0, status: 200}]);
	});

	test('requires its header and rejects other paths and methods', async () => {
		expect((await callControl('/simulator/calls', {headers: {'x-simulator': 'no'}})).status).toBe(403);
		expect((await callControl('/simulator/other')).status).toBe(404);
		expect((await callControl('/simulator/calls', {method: 'DELETE'})).status).toBe(404);
		expect((await callService('/../../simulator/calls')).status).toBe(403);
	});
});

describe('shutdown', () => {
	test('closes open connections and can be requested twice', async () => {
		simulator.faults.add('hang');
		const answer = callService('/user');
		const rejection = expect(answer).rejects.toThrow();
		await eventually(async () => expect((await callControl('/simulator/faults')).status).toBe(200));
		await listener.close();
		await rejection;
		await listener.close();
		await expect(fetch(listener.url)).rejects.toThrow();
	});

	test('follows the abort signal', async () => {
		const abortController = new AbortController();
		await using otherListener = await startListener(simulator, {port: 0, signal: abortController.signal});
		expect((await fetch(`${otherListener.url}/user`, {headers})).status).toBe(200);
		abortController.abort();
		await eventually(() => expect(fetch(otherListener.url)).rejects.toThrow());
	});
});
