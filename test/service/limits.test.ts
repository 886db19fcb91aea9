import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import type {Call} from '../../source/service/call.ts';
import {type Client, createClient} from '../../source/service/client.ts';
import {createFixedCredentials} from '../../source/service/request-credentials.ts';
import {responseLimits} from '../../source/service/response-limits.ts';
import {createTransport} from '../../source/service/transport.ts';
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	createScriptedClock,
	neverAbortedSignal,
} from './scripted-transport.ts';

const readCall: Call = {method: 'GET', path: '/thing', repeat: 'never', writes: false};

/** Starts a service whose responses never end, and counts the bytes that it could send. */
async function serveEndlessResponse() {
	let sent = 0;
	const closed = Promise.withResolvers<void>();
	const server = createServer((_request, response) => {
		const piece = Buffer.alloc(1024 * 1024, ' ');
		const pour = () => {
			while (response.writable && response.write(piece)) sent += piece.length;
		};
		response.on('drain', pour).on('close', closed.resolve);
		pour();
	});
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const client = createClient({
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		credentials: createFixedCredentials({}),
		credentialVariables: [],
		userAgent: 'test',
		transport: async () => createTransport(),
	});
	return {client, closed: closed.promise, sent: () => sent};
}

describe('an endless response', () => {
	const kinds: readonly (readonly [keyof typeof responseLimits, (client: Client) => Promise<unknown>])[] = [
		['other', client => client.call(readCall, neverAbortedSignal)],
		['listing', client => client.call({...readCall, responseLimit: 'listing'}, neverAbortedSignal)],
		['value', client => client.read(readCall, neverAbortedSignal)],
	];

	test.each(kinds)('is dropped at the maximum size of its kind: %s', async (kind, sendCall) => {
		const {client, closed, sent} = await serveEndlessResponse();
		const failure = await sendCall(client).catch((error: unknown) => error);
		if (!(failure instanceof Failure)) throw new Error('it did not fail');
		expect(failure).toMatchObject({code: 'answer_malformed', details: {tooMuch: true}});
		expect(failure.details.why).toContain(String(responseLimits[kind]));
		await closed;
		// What the buffers of the two sockets hold comes on top.
		expect(sent()).toBeLessThan(responseLimits[kind] + 16 * 1024 * 1024);
	});
});

describe('a clock set back an hour', () => {
	const hour = 3_600_000;

	test('delays no call longer than the service asked for', async () => {
		const clock = createScriptedClock();
		let date = Date.UTC(2026, 0, 1);
		const {client} = createScriptedClient(
			[buildErrorResponse(429, [{code: 971, message: 'wait'}], {'retry-after': '7'}), buildEnvelope('yes')],
			{clock: {...clock, now: () => date}},
		);
		const pendingCall = client.call({...readCall, repeat: 'always'}, neverAbortedSignal);
		date -= hour;
		expect((await pendingCall).result).toBe('yes');
		date -= hour;
		expect((await client.call(readCall, neverAbortedSignal)).result).toBe('yes');
		expect(clock.waits.every(milliseconds => milliseconds <= 7000)).toBe(true);
	});

	test('leaves the quota unchanged', async () => {
		const clock = createScriptedClock();
		let now = Date.UTC(2026, 0, 1);
		const {client} = createScriptedClient([buildEnvelope('yes')], {clock: {...clock, now: () => now}});
		for (let call = 0; call < 100; call++) {
			await client.call(readCall, neverAbortedSignal);
			now -= hour;
		}
		expect(clock.waits).toEqual([]);
	});

	test('does not affect a Retry-After date, which is compared with the date of the response', async () => {
		const {client, clock} = createScriptedClient([
			buildErrorResponse(429, [], {
				date: 'Thu, 01 Jan 2026 00:00:00 GMT',
				'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT',
			}),
			buildEnvelope('yes'),
		]);
		await client.call({...readCall, repeat: 'always'}, neverAbortedSignal);
		expect(clock.waits).toContain(9000);
	});
});

describe('the remaining quota', () => {
	test('is the unused part of 1,200 calls, and refills by 4 a second', async () => {
		const {client, clock} = createScriptedClient([buildEnvelope('yes')]);
		expect(client.quota()).toEqual({calls: 1200, waitSeconds: 0});
		for (let call = 0; call < 100; call++) await client.call(readCall, neverAbortedSignal);
		expect(client.quota()).toEqual({calls: 1100, waitSeconds: 0});
		clock.advance(10_000);
		expect(client.quota().calls).toBe(1140);
		clock.advance(1_000_000);
		expect(client.quota().calls).toBe(1200);
	});

	test('is the figure from the service if others have used it', async () => {
		const {client} = createScriptedClient([buildEnvelope('yes', {}, 200, {'x-ratelimit-remaining': '17'})]);
		await client.call(readCall, neverAbortedSignal);
		expect(client.quota()).toEqual({calls: 17, waitSeconds: 0});
	});

	test('counts the rest of a wait requested by the service', async () => {
		const {client, clock} = createScriptedClient([buildErrorResponse(429, [], {'retry-after': '300'})]);
		await expect(client.call(readCall, neverAbortedSignal)).rejects.toMatchObject({code: 'rate_limited'});
		expect(client.quota()).toEqual({calls: 1200, waitSeconds: 300});
		clock.advance(280_000);
		expect(client.quota().waitSeconds).toBe(20);
	});
});
