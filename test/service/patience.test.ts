import {describe, expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import type {Call, CallWait} from '../../source/service/call.ts';
import {envelope, never, refused, type Scripted, scriptedClient} from './scripted-transport.ts';

function clientOf(script: readonly Scripted[], tell: (wait: CallWait) => void = () => {}) {
	const waits: CallWait[] = [];
	const {client, sent, clock} = scriptedClient(script, {
		events: {
			waiting(wait) {
				waits.push(wait);
				tell(wait);
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

describe('20 seconds in all', () => {
	/** A service that takes so long for each answer, which is a failure that may pass. */
	const slow = (milliseconds: number, code: 'timed_out' | 'connection_lost') => {
		const made = clientOf([
			() => {
				made.clock.advance(milliseconds);
				throw new Failure(code, 'no');
			},
		]);
		return made;
	};

	test('a service that hangs is asked twice, not five times', async () => {
		const {client, sent} = slow(30_000, 'timed_out');
		expect((await failureOf(client.call(get, never))).details.why).toBe('tried 2 times');
		expect(sent).toHaveLength(2);
	});

	test.each([
		[1_000, 5],
		[5_000, 4],
		[8_000, 3],
	])('when each attempt takes %i ms, %i begin within 20 s', async (milliseconds, attempts) => {
		const {client, sent} = slow(milliseconds, 'connection_lost');
		await failureOf(client.call(get, never));
		expect(sent).toHaveLength(attempts);
	});

	test('what the service asks to wait is not counted', async () => {
		const limited = refused(429, [], {'retry-after': '300'});
		const {client, sent} = clientOf([limited, limited, limited, limited, envelope('yes')]);
		expect((await client.call(get, never)).result).toBe('yes');
		expect(sent).toHaveLength(5);
	});
});

describe('waiting for the quota', () => {
	const start = 1_000_000;
	const usedUp = (seconds: number) =>
		envelope(1, {}, 200, {
			'x-ratelimit-remaining': '0',
			'x-ratelimit-reset': new Date(start + seconds * 1000).toUTCString(),
		});

	test('is told once, however many calls wait together', async () => {
		const {client, waits} = clientOf([usedUp(20), envelope(2)]);
		await client.call(get, never);
		expect(waits).toEqual([]);
		await Promise.all([1, 2, 3].map(() => client.call(get, never)));
		expect(waits.map(wait => wait.milliseconds)).toEqual([20_000]);
		expect(waits[0]?.why).toContain('quota');
		expect(waits[0]).not.toHaveProperty('attempt');
	});

	test('is not begun for a reset more than 330 s away', async () => {
		const {client, clock} = clientOf([usedUp(3600), envelope(2)]);
		await client.call(get, never);
		await client.call(get, never);
		expect(Math.max(0, ...clock.waits)).toBeLessThanOrEqual(1000);
	});

	test('a Retry-After too long to wait for does not hold up the next call', async () => {
		const {client, clock} = clientOf([refused(429, [], {'retry-after': '3600'}), envelope('yes')]);
		await failureOf(client.call(get, never));
		expect((await client.call(get, never)).result).toBe('yes');
		expect(clock.waits).toEqual([]);
	});
});

describe('advice about a 429', () => {
	test('says how long the service asks to wait', async () => {
		const {client} = clientOf([refused(429, [{code: 971, message: 'Please wait'}], {'retry-after': '3600'})]);
		const {details} = await failureOf(client.call(get, never));
		expect(details.why).toContain('the service asks for 3600 s, ledge waits 330 s at most');
		expect(details.next).toBe('Try again in 3600 s.');
	});

	test('the free limit of a day, and the one write a second for a key, have advice of their own', async () => {
		const limit = refused(429, [{code: 10_048, message: 'limit'}], {'retry-after': '5'});
		const daily = await failureOf(clientOf([limit]).client.call(get, never));
		expect(daily.details.next).toContain('tomorrow');
		const often = refused(429, [{code: 10_022, message: 'too many requests'}]);
		const each = await failureOf(clientOf([often]).client.call(put, never));
		expect(each.details.next).toContain('each key');
	});
});

describe('a write whose answer is missing', () => {
	const aborting = (stop: AbortController): Scripted => {
		return () => {
			stop.abort();
			throw new Error('aborted');
		};
	};

	test('ctrl-c while it is under way says that it may have been done', async () => {
		for (const [call, says] of [
			[post, 'look before you send it again'],
			[put, 'not known'],
		] as const) {
			const stop = new AbortController();
			const failure = await failureOf(clientOf([aborting(stop)]).client.call(call, stop.signal));
			expect(failure.code).toBe('interrupted');
			expect(failure.details.left).toContain(says);
		}
	});

	test('ctrl-c while a write waits to be tried again says so, too', async () => {
		const stop = new AbortController();
		const {client} = clientOf([new Failure('timed_out', 'no')], () => stop.abort());
		const failure = await failureOf(client.call(put, stop.signal));
		expect(failure.details.left).toContain('not known');
	});

	test('nothing is said of a read, nor of a write that was not sent or was refused', async () => {
		const stop = new AbortController();
		expect((await failureOf(clientOf([aborting(stop)]).client.call(get, stop.signal))).details.left).toBe(
			undefined,
		);
		const unsent = clientOf([envelope(1)]);
		const failure = await failureOf(unsent.client.call(post, stop.signal));
		expect(failure.code).toBe('interrupted');
		expect(failure.details.left).toBe(undefined);
		expect(unsent.sent).toHaveLength(0);
		const limited = clientOf([refused(429, [{code: 1, message: 'no'}])], () => again.abort());
		const again = new AbortController();
		const error = await limited.client.call(post, again.signal).catch(thrown => thrown);
		expect(error).not.toMatchObject({details: {left: expect.anything()}});
	});

	test('an answer to a POST that is nothing, or no envelope, says that it may have been done', async () => {
		for (const answer of [new Response(null, {status: 200}), new Response('<html>', {status: 200})]) {
			const failure = await failureOf(clientOf([answer]).client.call(post, never));
			expect(failure.code).toBe('answer_malformed');
			expect(failure.details.left).toContain('look before you send it again');
		}
	});

	test('an empty answer to a write does not say that it was done, also where it may be repeated', async () => {
		const {client} = clientOf([new Response(null, {status: 200})]);
		for (const write of [put, {...post, repeat: 'always'} as const]) {
			const failure = await failureOf(client.call(write, never));
			expect(failure).toMatchObject({code: 'answer_malformed', details: {outcomeUnknown: true}});
		}
	});
});

describe('what rests on a look that was just taken', () => {
	const fresh = (since: number): Call => ({
		...put,
		repeat: 'never',
		freshFor: {since, milliseconds: 10_000},
	});

	/** The quota is used up after the first answer, for so many seconds. */
	const heldFor = (seconds: number) => {
		const made = clientOf([
			() =>
				envelope('seen', {}, 200, {
					'x-ratelimit-remaining': '0',
					'x-ratelimit-reset': new Date(made.clock.now() + seconds * 1000).toISOString(),
				}),
			envelope('put'),
		]);
		return made;
	};

	test('leaves where the quota keeps it for less than it counts', async () => {
		const {client, clock} = heldFor(9);
		await client.call(get, never);
		expect((await client.call(fresh(clock.now()), never)).result).toBe('put');
	});

	test('is not sent where the quota kept it longer, and nothing is in doubt', async () => {
		const {client, sent, clock} = heldFor(11);
		await client.call(get, never);
		const failure = await failureOf(client.call(fresh(clock.now()), never));
		expect(failure.code).toBe('changed_meanwhile');
		expect(failure.details).toMatchObject({next: expect.stringContaining('Nothing was sent')});
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(sent.map(({method}) => method)).toEqual(['GET']);
	});

	test('is not sent where it waited longer behind other calls', async () => {
		const {client, sent, clock} = scriptedClient(
			[
				() => {
					clock.advance(11_000);
					return envelope('slow');
				},
				envelope('put'),
			],
			{concurrency: 1},
		);
		const slow = client.call(get, never);
		const failure = await failureOf(client.call(fresh(clock.now()), never));
		await slow;
		expect(failure.code).toBe('changed_meanwhile');
		expect(sent).toHaveLength(1);
	});

	test('is not sent where the clock was set back: nobody knows how old it is', async () => {
		const {client, sent, clock} = clientOf([envelope('put')]);
		expect((await failureOf(client.call(fresh(clock.now() + 1), never))).code).toBe('changed_meanwhile');
		expect(sent).toHaveLength(0);
	});
});
