import {describe, expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import type {Call, CallWait} from '../../source/service/call.ts';
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	neverAbortedSignal,
	type ScriptedReply,
} from './scripted-transport.ts';

function createTestClient(script: readonly ScriptedReply[], onWait: (wait: CallWait) => void = () => {}) {
	const waits: CallWait[] = [];
	const {client, sent, clock} = createScriptedClient(script, {
		events: {
			waiting(wait) {
				waits.push(wait);
				onWait(wait);
			},
		},
	});
	return {client, sent, waits, clock};
}

const get: Call = {method: 'GET', path: '/thing', repeat: 'always', writes: false};
const put: Call = {...get, method: 'PUT', writes: true};
const post: Call = {...get, method: 'POST', repeat: 'throttled', writes: true};

const failureOf = (work: Promise<unknown>): Promise<Failure> =>
	work.then(
		() => expect.fail('it did not fail'),
		error => (error instanceof Failure ? error : expect.fail(`not a failure: ${error}`)),
	);

describe('a limit of 20 seconds in all', () => {
	/** A client of a service that takes this long for each attempt, which then fails but may be retried. */
	const createSlowClient = (milliseconds: number, code: 'timed_out' | 'connection_lost') => {
		const made = createTestClient([
			() => {
				made.clock.advance(milliseconds);
				throw new Failure(code, 'no');
			},
		]);
		return made;
	};

	test('a hanging service is asked twice, not five times', async () => {
		const {client, sent} = createSlowClient(30_000, 'timed_out');
		expect((await failureOf(client.call(get, neverAbortedSignal))).details.why).toBe('tried 2 times');
		expect(sent).toHaveLength(2);
	});

	test.each([
		[1_000, 5],
		[5_000, 4],
		[8_000, 3],
	])('if each attempt takes %i ms, %i begin within 20 s', async (milliseconds, expectedAttempts) => {
		const {client, sent} = createSlowClient(milliseconds, 'connection_lost');
		await failureOf(client.call(get, neverAbortedSignal));
		expect(sent).toHaveLength(expectedAttempts);
	});

	test('a wait requested by the service does not count', async () => {
		const limited = buildErrorResponse(429, [], {'retry-after': '300'});
		const {client, sent} = createTestClient([limited, limited, limited, limited, buildEnvelope('yes')]);
		expect((await client.call(get, neverAbortedSignal)).result).toBe('yes');
		expect(sent).toHaveLength(5);
	});
});

describe('waiting for the quota', () => {
	const start = 1_000_000;
	const buildQuotaUsedUp = (seconds: number) =>
		buildEnvelope(1, {}, 200, {
			'x-ratelimit-remaining': '0',
			'x-ratelimit-reset': new Date(start + seconds * 1000).toUTCString(),
		});

	test('is reported once, however many calls wait together', async () => {
		const {client, waits} = createTestClient([buildQuotaUsedUp(20), buildEnvelope(2)]);
		await client.call(get, neverAbortedSignal);
		expect(waits).toEqual([]);
		await Promise.all([1, 2, 3].map(() => client.call(get, neverAbortedSignal)));
		expect(waits.map(wait => wait.milliseconds)).toEqual([20_000]);
		expect(waits[0]?.why).toContain('quota');
		expect(waits[0]).not.toHaveProperty('attempt');
	});

	test('does not start for a reset more than 330 s away', async () => {
		const {client, clock} = createTestClient([buildQuotaUsedUp(3600), buildEnvelope(2)]);
		await client.call(get, neverAbortedSignal);
		await client.call(get, neverAbortedSignal);
		expect(Math.max(0, ...clock.waits)).toBeLessThanOrEqual(1000);
	});

	test('does not delay the next call if Retry-After was too long to wait for', async () => {
		const {client, clock} = createTestClient([
			buildErrorResponse(429, [], {'retry-after': '3600'}),
			buildEnvelope('yes'),
		]);
		await failureOf(client.call(get, neverAbortedSignal));
		expect((await client.call(get, neverAbortedSignal)).result).toBe('yes');
		expect(clock.waits).toEqual([]);
	});
});

describe('advice about a 429', () => {
	test('says how long the service asks to wait', async () => {
		const {client} = createTestClient([
			buildErrorResponse(429, [{code: 971, message: 'Please wait'}], {'retry-after': '3600'}),
		]);
		const {details} = await failureOf(client.call(get, neverAbortedSignal));
		expect(details.why).toContain('the service says to wait 3600 s, but ledge waits 330 s at most');
		expect(details.next).toBe('Try again in 3600 s.');
	});

	test('has its own text for the daily free limit and for the one write per second per key', async () => {
		const limit = buildErrorResponse(429, [{code: 10_048, message: 'limit'}], {'retry-after': '5'});
		const dailyLimitFailure = await failureOf(createTestClient([limit]).client.call(get, neverAbortedSignal));
		expect(dailyLimitFailure.details.next).toContain('tomorrow');
		const tooManyWrites = buildErrorResponse(429, [{code: 10_022, message: 'too many requests'}]);
		const perKeyFailure = await failureOf(
			createTestClient([tooManyWrites]).client.call(put, neverAbortedSignal),
		);
		expect(perKeyFailure.details.next).toContain('each key');
	});
});

describe('a write without a response', () => {
	const abortAndThrow = (stop: AbortController): ScriptedReply => {
		return () => {
			stop.abort();
			throw new Error('aborted');
		};
	};

	test('says on ctrl-c that it may have been applied', async () => {
		for (const [call, expectedText] of [
			[post, 'check before you send it again'],
			[put, 'may have taken effect'],
		] as const) {
			const stop = new AbortController();
			const failure = await failureOf(createTestClient([abortAndThrow(stop)]).client.call(call, stop.signal));
			expect(failure.code).toBe('interrupted');
			expect(failure.details.left).toContain(expectedText);
		}
	});

	test('says so on ctrl-c during the wait before a retry, too', async () => {
		const stop = new AbortController();
		const {client} = createTestClient([new Failure('timed_out', 'no')], () => stop.abort());
		const failure = await failureOf(client.call(put, stop.signal));
		expect(failure.details.left).toContain('may have taken effect');
	});

	test('says nothing more after a read or after an unsent or rejected write', async () => {
		const stop = new AbortController();
		expect(
			(await failureOf(createTestClient([abortAndThrow(stop)]).client.call(get, stop.signal))).details.left,
		).toBe(undefined);
		const unsent = createTestClient([buildEnvelope(1)]);
		const failure = await failureOf(unsent.client.call(post, stop.signal));
		expect(failure.code).toBe('interrupted');
		expect(failure.details.left).toBe(undefined);
		expect(unsent.sent).toHaveLength(0);
		const limited = createTestClient([buildErrorResponse(429, [{code: 1, message: 'no'}])], () =>
			secondStop.abort(),
		);
		const secondStop = new AbortController();
		const error = await limited.client.call(post, secondStop.signal).catch(thrown => thrown);
		expect(error).not.toMatchObject({details: {left: expect.anything()}});
	});

	test('says after an empty or malformed response to a POST that it may have been applied', async () => {
		for (const answer of [new Response(null, {status: 200}), new Response('<html>', {status: 200})]) {
			const failure = await failureOf(createTestClient([answer]).client.call(post, neverAbortedSignal));
			expect(failure.code).toBe('answer_malformed');
			expect(failure.details.left).toContain('check before you send it again');
		}
	});

	test('does not count as applied after an empty response, even if it may be repeated', async () => {
		const {client} = createTestClient([new Response(null, {status: 200})]);
		for (const write of [put, {...post, repeat: 'always'} as const]) {
			const failure = await failureOf(client.call(write, neverAbortedSignal));
			expect(failure).toMatchObject({code: 'answer_malformed', details: {outcomeUnknown: true}});
		}
	});
});

describe('a write based on a recent check', () => {
	const buildCheckedPut = (since: number): Call => ({
		...put,
		repeat: 'never',
		freshFor: {since, milliseconds: 10_000},
	});

	/** A client whose quota is used up after the first response, for this many seconds. */
	const createDelayedClient = (seconds: number) => {
		const made = createTestClient([
			() =>
				buildEnvelope('seen', {}, 200, {
					'x-ratelimit-remaining': '0',
					'x-ratelimit-reset': new Date(made.clock.now() + seconds * 1000).toISOString(),
				}),
			buildEnvelope('put'),
		]);
		return made;
	};

	test('is sent if the quota delays it for less than the check is valid', async () => {
		const {client, clock} = createDelayedClient(9);
		await client.call(get, neverAbortedSignal);
		expect((await client.call(buildCheckedPut(clock.now()), neverAbortedSignal)).result).toBe('put');
	});

	test('is not sent if the quota delayed it longer, and the outcome is certain', async () => {
		const {client, sent, clock} = createDelayedClient(11);
		await client.call(get, neverAbortedSignal);
		const failure = await failureOf(client.call(buildCheckedPut(clock.now()), neverAbortedSignal));
		expect(failure.code).toBe('changed_meanwhile');
		expect(failure.details).toMatchObject({next: expect.stringContaining('Nothing was sent')});
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(sent.map(({method}) => method)).toEqual(['GET']);
	});

	test('is not sent if it waited longer behind other calls', async () => {
		const {client, sent, clock} = createScriptedClient(
			[
				() => {
					clock.advance(11_000);
					return buildEnvelope('slow');
				},
				buildEnvelope('put'),
			],
			{concurrency: 1},
		);
		const slow = client.call(get, neverAbortedSignal);
		const failure = await failureOf(client.call(buildCheckedPut(clock.now()), neverAbortedSignal));
		await slow;
		expect(failure.code).toBe('changed_meanwhile');
		expect(sent).toHaveLength(1);
	});

	test('is not sent if the clock was set back, as the age of the check is unknown', async () => {
		const {client, sent, clock} = createTestClient([buildEnvelope('put')]);
		expect((await failureOf(client.call(buildCheckedPut(clock.now() + 1), neverAbortedSignal))).code).toBe(
			'changed_meanwhile',
		);
		expect(sent).toHaveLength(0);
	});
});
