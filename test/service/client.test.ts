import {describe, expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import type {Call, CallRecord, PlannedCall} from '../../source/service/call.ts';
import type {ClientOptions} from '../../source/service/client.ts';
import {createFixedCredentials} from '../../source/service/request-credentials.ts';
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	createScriptedClock,
	neverAbortedSignal,
	type ScriptedReply,
} from './scripted-transport.ts';

const secret = 'never-to-be-seen';

function createTestClient(script: ScriptedReply[], options: Partial<ClientOptions> = {}) {
	const records: CallRecord[] = [];
	const planned: PlannedCall[] = [];
	const waits: number[] = [];
	const {client, sent, clock} = createScriptedClient(script, {
		credentials: createFixedCredentials({Authorization: `Bearer ${secret}`}),
		credentialVariables: [{header: 'Authorization: Bearer ', variable: '$CLOUDFLARE_API_TOKEN'}],
		events: {
			record: record => records.push(record),
			planned: call => planned.push(call),
			waiting: ({milliseconds}) => waits.push(milliseconds),
		},
		...options,
	});
	return {client, sent, records, planned, waits, clock};
}

const get: Call = {method: 'GET', path: '/thing', repeat: 'always', writes: false};
const put: Call = {
	method: 'PUT',
	path: '/values/k',
	body: {kind: 'bytes', bytes: Buffer.from('v')},
	repeat: 'always',
	writes: true,
};
const post: Call = {
	method: 'POST',
	path: '/things',
	body: {kind: 'json', value: {title: 't'}},
	repeat: 'throttled',
	writes: true,
};
const unrepeatablePut: Call = {...post, method: 'PUT', repeat: 'never'};

const failureOf = (work: Promise<unknown>): Promise<Failure> =>
	work.then(
		() => {
			throw new Error('it did not fail');
		},
		error => {
			if (error instanceof Failure) return error;
			throw error;
		},
	);

const transientFailures = {
	'a 500': buildErrorResponse(500, []),
	'a 524': buildErrorResponse(524, null),
	'an HTML page with status 502': new Response('<html>Bad gateway', {status: 502}),
	'a refused connection': new Failure('unreachable', 'no'),
	'a reset': new Failure('connection_lost', 'no'),
	'a time-out': new Failure('timed_out', 'no'),
} as const;

describe('retries', () => {
	test.each([
		['text', () => new Response('slow down', {status: 429})],
		['a page', () => new Response('<html>', {status: 429, headers: {'content-type': 'text/html'}})],
		['nothing', () => new Response(null, {status: 429})],
	])('a 429 of %s is waited for and retried', async (_name, answer) => {
		const {client, sent} = createTestClient([answer, buildEnvelope('yes')]);
		expect((await client.call(post, neverAbortedSignal)).result).toBe('yes');
		expect(sent).toHaveLength(2);
	});

	for (const [name, answer] of Object.entries(transientFailures)) {
		test(`${name} on a repeatable call is retried, and the new response counts`, async () => {
			const {client, sent, waits} = createTestClient([answer, answer, buildEnvelope('yes')]);
			expect((await client.call(put, neverAbortedSignal)).result).toBe('yes');
			expect(sent).toHaveLength(3);
			expect(waits).toEqual([500, 1000]);
		});
		test(`${name} on a plain POST is not retried, and the outcome is reported as unknown`, async () => {
			const {client, sent} = createTestClient([answer, buildEnvelope('yes')]);
			const failure = await failureOf(client.call(post, neverAbortedSignal));
			expect(sent).toHaveLength(1);
			if (failure.code !== 'unreachable') expect(failure.details.left).toContain('may have taken effect');
		});
	}

	test('five attempts are made, and then the failure says so', async () => {
		const {client, sent} = createTestClient([buildErrorResponse(503, [])]);
		const failure = await failureOf(client.call(get, neverAbortedSignal));
		expect(sent).toHaveLength(5);
		expect(failure.code).toBe('service_failed');
		expect(failure.details.why).toContain('tried 5 times');
	});

	test('a 429 is waited for as long as Retry-After says, also for a plain POST', async () => {
		const limited = buildErrorResponse(429, [{code: 971, message: 'Please wait'}], {'retry-after': '7'});
		const {client, waits, sent} = createTestClient([limited, buildEnvelope('yes')]);
		expect((await client.call(post, neverAbortedSignal)).result).toBe('yes');
		expect(sent).toHaveLength(2);
		expect(waits).toEqual([7000]);
	});

	test('a Retry-After may be an HTTP date', async () => {
		const {client, waits, clock} = createTestClient([buildEnvelope('yes')]);
		clock.advance(0);
		const date = new Date(clock.now() + 12_000).toUTCString();
		const dated = createTestClient([
			buildErrorResponse(429, [], {'retry-after': date}),
			buildEnvelope('yes'),
		]);
		await dated.client.call(get, neverAbortedSignal);
		expect(dated.waits[0]).toBeGreaterThan(10_000);
		expect(dated.waits[0]).toBeLessThanOrEqual(12_000);
		expect(client.concurrency).toBe(6);
		expect(waits).toEqual([]);
	});

	test('a Retry-After over 330 seconds is not waited for', async () => {
		const {client, sent} = createTestClient([buildErrorResponse(429, [], {'retry-after': '331'})]);
		expect((await failureOf(client.call(get, neverAbortedSignal))).code).toBe('rate_limited');
		expect(sent).toHaveLength(1);
	});

	test('a call that needs a check first is not retried even on a 429', async () => {
		const {client, sent} = createTestClient([buildErrorResponse(429, [], {'retry-after': '1'})]);
		await failureOf(client.call(unrepeatablePut, neverAbortedSignal));
		expect(sent).toHaveLength(1);
	});

	test('bulk work passes a 524 or a timeout to the caller, which halves it', async () => {
		for (const answer of [buildErrorResponse(524, []), new Failure('timed_out', 'no')]) {
			const {client, sent} = createTestClient([answer]);
			await failureOf(client.call({...put, bulk: true}, neverAbortedSignal));
			expect(sent).toHaveLength(1);
		}
	});

	for (const status of [400, 401, 403, 404, 409, 413]) {
		test(`a ${status} is never retried`, async () => {
			const {client, sent} = createTestClient([buildErrorResponse(status, [{code: 1, message: 'no'}])]);
			await failureOf(client.call(get, neverAbortedSignal));
			expect(sent).toHaveLength(1);
		});
	}

	test('the daily limit is not waited for', async () => {
		const {client, sent} = createTestClient([
			buildErrorResponse(429, [{code: 10_048, message: 'free limit reached'}]),
		]);
		await failureOf(client.call(get, neverAbortedSignal));
		expect(sent).toHaveLength(1);
	});

	test('an aborted signal ends a wait as interrupted', async () => {
		const stop = new AbortController();
		const {client} = createTestClient([buildErrorResponse(500, [])], {events: {waiting: () => stop.abort()}});
		await expect(client.call(get, stop.signal)).rejects.toThrow();
	});
});

describe('responses', () => {
	test('success decides, not the status', async () => {
		const {client} = createTestClient([
			Response.json({success: false, errors: [{code: 5, message: 'no'}], messages: [], result: null}),
		]);
		expect((await failureOf(client.call(get, neverAbortedSignal))).message).toContain('no (code 5)');
	});

	test('an empty 204 is never a valid response', async () => {
		const {client} = createTestClient([new Response(null, {status: 204})]);
		expect((await failureOf(client.call(get, neverAbortedSignal))).code).toBe('answer_malformed');
		for (const write of [put, {...unrepeatablePut, method: 'DELETE'} as const])
			expect((await failureOf(client.call(write, neverAbortedSignal))).details.outcomeUnknown).toBe(true);
	});

	test('null arrays and empty errors are reported as a rejection without a reason', async () => {
		const {client} = createTestClient([
			Response.json({success: false, errors: null, messages: null, result: {}}, {status: 403}),
		]);
		const failure = await failureOf(client.call(get, neverAbortedSignal));
		expect(failure.message).toContain('gave no reason');
		expect(failure.details.http).toBe(403);
	});

	test('the failure has the code, chain, pointer and ray', async () => {
		const error = {
			code: 6003,
			message: 'Invalid request headers',
			error_chain: [{code: 6111, message: 'Invalid format'}],
			source: {pointer: '/rules/0'},
		};
		const {client} = createTestClient([buildErrorResponse(400, [error], {'cf-ray': 'abc-FRA'})]);
		const failure = await failureOf(client.call(get, neverAbortedSignal));
		expect(failure.code).toBe('credential_refused');
		expect(failure.details.ray).toBe('abc-FRA');
		expect(failure.details.why).toContain('Invalid format (code 6111)');
		expect(failure.details.why).toContain('/rules/0');
		expect(failure.details.service).toEqual([6003, 6111]);
	});

	test('a redirect is an error and is not followed', async () => {
		const {client, sent} = createTestClient([
			new Response(null, {status: 302, headers: {location: 'https://evil.test/'}}),
		]);
		const failure = await failureOf(client.call(get, neverAbortedSignal));
		expect(failure.code).toBe('redirected');
		expect(failure.details.why).toContain('https://evil.test/');
		expect(sent).toHaveLength(1);
	});

	test('HTML instead of JSON is shown by its first words, and the block page by its name', async () => {
		const page = createTestClient([
			new Response('<html>\n<h1>hello</h1>', {status: 200, headers: {'content-type': 'text/html'}}),
		]);
		const failure = await failureOf(page.client.call(get, neverAbortedSignal));
		expect(failure.code).toBe('answer_malformed');
		expect(failure.details.why).toContain('<html> <h1>hello</h1>');
		const blocked = createTestClient([
			new Response('<html>', {status: 403, headers: {'cf-mitigated': 'challenge'}}),
		]);
		const blockedFailure = await failureOf(blocked.client.call(get, neverAbortedSignal));
		expect(blockedFailure.code).toBe('blocked');
		expect(blockedFailure.message).toContain('was blocked before it reached the service');
	});

	test('the flat body of a 429 is read', async () => {
		const {client} = createTestClient([
			Response.json({code: 971, message: 'Please wait'}, {status: 429, headers: {'retry-after': '999'}}),
		]);
		const failure = await failureOf(client.call(get, neverAbortedSignal));
		expect(failure.code).toBe('rate_limited');
		expect(failure.message).toContain('Please wait');
	});

	test('raw values are returned unchanged', async () => {
		const bytes = new Uint8Array([0, 255, 10]);
		const {client} = createTestClient([new Response(bytes)]);
		expect([...(await client.read(get, neverAbortedSignal)).bytes]).toEqual([0, 255, 10]);
	});
});

describe('writes', () => {
	test('read-only mode refuses before anything is sent', async () => {
		const {client, sent} = createTestClient([buildEnvelope('yes')], {readOnly: true});
		expect((await failureOf(client.call(put, neverAbortedSignal))).code).toBe('read_only');
		expect(sent).toHaveLength(0);
		expect((await client.call(get, neverAbortedSignal)).result).toBe('yes');
	});

	test('a dry run shows the request, sends nothing, and returns the pretended result of the call', async () => {
		const {client, sent, planned} = createTestClient([buildEnvelope('yes')], {dryRun: true});
		const result = await client.call({...post, dryRunResult: {id: '<id from step 1>'}}, neverAbortedSignal);
		expect(result.result).toEqual({id: '<id from step 1>'});
		expect(sent).toHaveLength(0);
		expect(planned[0]?.curl).toBe(
			`curl -sS -X POST -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" -H 'Content-Type: application/json' --data-binary @body.json https://service.test/client/v4/things`,
		);
		expect(planned[0]?.body?.content).toContain('"title": "t"');
	});

	test('neither plans nor records contain a value or the credential', async () => {
		const value = Buffer.from('the-value-of-the-key');
		const calls: Call[] = [
			{...put, body: {kind: 'bytes', bytes: value}},
			{...put, body: {kind: 'value', bytes: value, metadata: {v: 1}}},
			{...put, body: {kind: 'list', items: [{key: 'k', value: value.toString()}]}},
		];
		for (const dryRun of [true, false]) {
			const {client, planned, records} = createTestClient([buildEnvelope(null)], {dryRun});
			for (const call of calls) await client.call(call, neverAbortedSignal);
			const recordedText = JSON.stringify([planned, records]);
			expect(recordedText.length).toBeGreaterThan(100);
			expect(recordedText).not.toContain('the-value-of-the-key');
			expect(recordedText).not.toContain(secret);
		}
	});
});

test('the limiter never exceeds the allowed number of running calls', async () => {
	let activeCount = 0;
	let maxActive = 0;
	const {client} = createTestClient(
		[
			async () => {
				maxActive = Math.max(maxActive, ++activeCount);
				await new Promise(resolve => setImmediate(resolve));
				activeCount--;
				return buildEnvelope(1);
			},
		],
		{concurrency: 3},
	);
	await Promise.all(Array.from({length: 20}, () => client.call(get, neverAbortedSignal)));
	expect(maxActive).toBe(3);
});

test('after 1,200 calls the rate is four per second', async () => {
	const {client, clock} = createTestClient([buildEnvelope(1)], {concurrency: 1});
	for (let call = 0; call < 1208; call++) await client.call(get, neverAbortedSignal);
	const totalWait = clock.waits.reduce((sum, wait) => sum + wait, 0);
	expect(totalWait).toBeGreaterThanOrEqual(1750);
	expect(totalWait).toBeLessThanOrEqual(2250);
});

test('the quota follows the scale of the clock', async () => {
	const scripted = {...createScriptedClock(), scale: 0.01};
	const {client} = createTestClient([buildEnvelope(1)], {concurrency: 1, clock: scripted});
	for (let call = 0; call < 1300; call++) await client.call(get, neverAbortedSignal);
	const totalWait = scripted.waits.reduce((sum, wait) => sum + wait, 0);
	expect(totalWait).toBeGreaterThanOrEqual(240);
	expect(totalWait).toBeLessThanOrEqual(260);
});

test('the quota reported by the service is obeyed', async () => {
	const {client, clock} = createTestClient(
		[buildEnvelope(1, {}, 200, {'x-ratelimit-remaining': '1'}), buildEnvelope(1)],
		{
			concurrency: 1,
		},
	);
	for (let call = 0; call < 3; call++) await client.call(get, neverAbortedSignal);
	expect(clock.waits.length).toBeGreaterThan(0);
});

test('a wait for the quota is reported again after the call that waited was cancelled', async () => {
	const stop = new AbortController();
	const waits: {readonly milliseconds: number; readonly signal: AbortSignal}[] = [];
	const clock = createScriptedClock();
	const {client} = createTestClient(
		[
			buildEnvelope(1, {}, 200, {
				'x-ratelimit-remaining': '0',
				'x-ratelimit-reset': new Date(clock.now() + 60_000).toUTCString(),
			}),
			buildEnvelope(1),
		],
		{
			concurrency: 1,
			clock,
			events: {
				waiting(wait) {
					waits.push(wait);
					if (waits.length === 1) stop.abort();
				},
			},
		},
	);
	await client.call(get, neverAbortedSignal);
	await expect(client.call(get, stop.signal)).rejects.toThrow();
	await client.call(get, neverAbortedSignal);
	expect(waits.map(({signal}) => signal.aborted)).toEqual([true, false]);
});

describe('a question whether the service would accept a write', () => {
	const question: Call = {...unrepeatablePut, isQuestion: true};
	const answerValid = () => buildEnvelope(null);

	test.each([
		'https://api.cloudflare.com/client/v4',
		'http://127.0.0.1:8787/client/v4',
		'http://simulated.invalid/client/v4',
	])('is sent with dry_run=true to %s', async baseUrl => {
		const {client, sent} = createTestClient([answerValid], {baseUrl});
		await client.call(question, neverAbortedSignal);
		expect(sent.map(({url}) => url)).toEqual([`${baseUrl}/things?dry_run=true`]);
	});

	test.each([
		'https://api.example/client/v4',
		'https://api.cloudflare.com/client/v3',
		'https://api.cloudflare.com.example/client/v4',
		'https://127.0.0.1.example/client/v4',
	])('is never sent to %s, which may not know it', async baseUrl => {
		const {client, sent} = createTestClient([answerValid], {baseUrl});
		expect(await failureOf(client.call(question, neverAbortedSignal))).toMatchObject({code: 'usage'});
		expect(sent).toEqual([]);
	});

	test('is never sent about a migration', async () => {
		const {client, sent} = createTestClient([answerValid], {baseUrl: 'http://127.0.0.1/client/v4'});
		for (const migration of [
			{...question, query: {waf_migration: 'pending'}},
			{...question, path: '/things?waf_migration=pending'},
		])
			await failureOf(client.call(migration, neverAbortedSignal));
		expect(sent).toEqual([]);
	});

	test('is never sent by a client that only reads', async () => {
		const {client, sent} = createTestClient([answerValid], {
			baseUrl: 'http://127.0.0.1/client/v4',
			readOnly: true,
		});
		expect(await failureOf(client.call(question, neverAbortedSignal))).toMatchObject({code: 'read_only'});
		expect(sent).toEqual([]);
	});
});
