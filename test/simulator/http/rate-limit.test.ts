import {expect, test} from 'vitest';
import {ask, createClockedSimulator, getErrorCodes} from '../asking.ts';

test('1,200 requests are allowed in five minutes; one more blocks the next five minutes', async () => {
	const {clock, simulator} = createClockedSimulator();
	const first = await ask(simulator, '/user');
	expect(first.headers.get('x-ratelimit-limit')).toBe('1200');
	expect(first.headers.get('x-ratelimit-remaining')).toBe('1199');
	expect(first.headers.get('x-ratelimit-reset')).toBe(new Date(clock.now + 300_000).toUTCString());
	for (let count = 2; count < 1200; count++) await ask(simulator, '/user');
	const last = await ask(simulator, '/user');
	expect([last.status, last.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);

	clock.now += 10_500;
	const refused = await ask(simulator, '/user');
	expect([refused.status, ...getErrorCodes(refused)]).toEqual([429, 971]);
	expect(refused.errors[0]?.message).toBe('Please wait and consider throttling your request speed');
	expect(refused.headers.get('retry-after')).toBe('300');
	clock.now += 299_001;
	const secondRefused = await ask(simulator, '/user');
	expect([secondRefused.status, secondRefused.headers.get('retry-after')]).toEqual([429, '1']);
	clock.now += 999;
	expect((await ask(simulator, '/user')).status).toBe(200);
});

test('the count restarts with each period', async () => {
	const {clock, simulator} = createClockedSimulator({rateLimit: {requests: 2, seconds: 10}});
	const statuses = [];
	for (const elapsedMs of [0, 0, 10_000, 0, 0]) {
		clock.now += elapsedMs;
		statuses.push((await ask(simulator, '/user')).status);
	}
	expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

test('requests without a valid credential do not count', async () => {
	const {simulator} = createClockedSimulator({rateLimit: {requests: 1, seconds: 10}});
	for (let count = 0; count < 3; count++)
		expect((await ask(simulator, '/user', {headers: {authorization: 'Bearer other'}})).status).toBe(403);
	expect((await ask(simulator, '/user')).status).toBe(200);
});

test('a disabled rate limit neither rejects requests nor sends headers', async () => {
	const {simulator} = createClockedSimulator({rateLimit: false});
	for (let count = 0; count < 1300; count++) expect((await ask(simulator, '/user')).status).toBe(200);
	expect((await ask(simulator, '/user')).headers.has('x-ratelimit-limit')).toBe(false);
});
