import {describe, expect, test} from 'vitest';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import {
	ask,
	createClockedSimulator,
	getErrorCodes,
	json,
	makeNamespace,
	namespacesPath,
	request,
} from '../asking.ts';

/** A simulator with faults, which records its waits instead of waiting. */
function createFaultySimulator(faults: string) {
	const waited: number[] = [];
	const wait = async (milliseconds: number, signal: AbortSignal) => {
		signal.throwIfAborted();
		waited.push(milliseconds);
	};
	const clocked = createClockedSimulator({wait});
	clocked.simulator.faults.add(faults);
	return {...clocked, waited};
}

const fetchStatuses = async (
	simulator: ReturnType<typeof createFaultySimulator>['simulator'],
	count: number,
	path = '/user',
) => {
	const statusCodes = [];
	for (let number = 0; number < count; number++)
		statusCodes.push((await simulator.fetch(request(path))).status);
	return statusCodes;
};

describe('requests hit by a fault', () => {
	test('are limited by times and after', async () => {
		expect(await fetchStatuses(createFaultySimulator('status=500 times=2').simulator, 4)).toEqual([
			500, 500, 200, 200,
		]);
		expect(await fetchStatuses(createFaultySimulator('status=500 after=1 times=1').simulator, 3)).toEqual([
			200, 500, 200,
		]);
	});

	test('are chosen by method and path, encoded or not', async () => {
		const {simulator} = createFaultySimulator('status=500 method=PUT path=/values/a/b');
		const path = await makeNamespace(simulator);
		expect((await ask(simulator, `${path}/values/a%2Fb`, {method: 'PUT', body: 'v'})).status).toBe(500);
		expect((await ask(simulator, `${path}/values/other`, {method: 'PUT', body: 'v'})).status).toBe(200);
		expect((await ask(simulator, `${path}/values/a%2Fb`)).status).toBe(404);
	});

	test('can be hit by several faults, each with its own count', async () => {
		const {simulator, waited} = createFaultySimulator('latency=5; latency=7 times=1; status=500 times=1');
		expect(await fetchStatuses(simulator, 2)).toEqual([500, 200]);
		expect(waited).toEqual([12, 5]);
	});

	test('change when faults are replaced or cleared at run time', async () => {
		const {simulator} = createFaultySimulator('status=500');
		simulator.faults.replace('status=503');
		expect(await fetchStatuses(simulator, 1)).toEqual([503]);
		expect(() => simulator.faults.replace('nonsense')).toThrow();
		expect(simulator.faults.list()).toEqual([{status: 503}]);
		simulator.faults.clear();
		expect(await fetchStatuses(simulator, 1)).toEqual([200]);
	});
});

describe('a response in place of the service', () => {
	test.each([
		['status=429 retry-after=2', 429, 971],
		['status=500', 500, 10001],
		['status=401', 401, 10000],
		['status=413', 413, 10024],
		['status=403 code=10037', 403, 10037],
		['status=200', 200, 10001],
	])('to %s is %i with code %i and has no effect', async (fault, status, code) => {
		const {simulator} = createFaultySimulator(`${fault} times=1 method=POST`);
		const response = await ask(simulator, namespacesPath, json('POST', {title: 'a'}));
		expect([response.status, response.success, ...getErrorCodes(response)]).toEqual([status, false, code]);
		expect(response.headers.get('cf-ray')).not.toBeNull();
		expect((await ask(simulator, namespacesPath)).result).toEqual([]);
	});

	test('can have retry-after in seconds or as a date, and a custom error text', async () => {
		const {simulator} = createFaultySimulator(
			'status=429 retry-after=2 times=1; status=429 retry-after=Wed,%2021%20Oct%202099%2007:28:00%20GMT message=%1b[2J',
		);
		expect((await ask(simulator, '/user')).headers.get('retry-after')).toBe('2');
		const second = await ask(simulator, '/user');
		expect(second.headers.get('retry-after')).toBe('Wed, 21 Oct 2099 07:28:00 GMT');
		expect(second.errors[0]?.message).toBe('\u001b[2J');
	});

	test.each([502, 504, 520, 524])('is a page from the edge for %i', async status => {
		const response = await createFaultySimulator(`status=${status}`).simulator.fetch(request('/user'));
		expect([response.status, response.headers.get('content-type')]).toEqual([
			status,
			'text/html; charset=UTF-8',
		]);
		expect(await response.text()).toContain(`${status}: `);
	});

	test('is a challenge if it is a page with 403, and not otherwise', async () => {
		const challenge = await createFaultySimulator('html=403').simulator.fetch(request('/user'));
		expect([challenge.status, challenge.headers.get('cf-mitigated')]).toEqual([403, 'challenge']);
		const other = await createFaultySimulator('html=200').simulator.fetch(request('/user'));
		expect([other.status, other.headers.has('cf-mitigated')]).toEqual([200, false]);
	});

	test('can be a rejection without errors', async () => {
		expect(await ask(createFaultySimulator('empty-errors').simulator, '/user')).toMatchObject({
			status: 403,
			success: false,
			errors: [],
		});
		expect((await ask(createFaultySimulator('empty-errors status=400').simulator, '/user')).status).toBe(400);
	});

	test('can be a redirect, which fetch rejects if told to', async () => {
		const {simulator} = createFaultySimulator('redirect=https://elsewhere.example/');
		const response = await simulator.fetch(request('/user', {redirect: 'manual'}));
		expect([response.status, response.headers.get('location')]).toEqual([302, 'https://elsewhere.example/']);
		await expect(simulator.fetch(request('/user', {redirect: 'error'}))).rejects.toThrow('fetch failed');
	});

	test('has no body with 204', async () => {
		const response = await createFaultySimulator('status=204').simulator.fetch(request('/user'));
		expect([response.status, await response.text()]).toEqual([204, '']);
	});

	test('is a 413 page for bodies that are too large, and only counts for those', async () => {
		const {simulator} = createFaultySimulator('max-body=10 times=1 method=PUT');
		const path = await makeNamespace(simulator);
		const put = (body: string) => simulator.fetch(request(`${path}/values/k`, {method: 'PUT', body}));
		const statusCodes = [];
		for (const size of [10, 11, 11]) statusCodes.push((await put('x'.repeat(size))).status);
		expect(statusCodes).toEqual([200, 413, 200]);
	});
});

describe('broken connections', () => {
	test('a lost response takes effect without the client knowing', async () => {
		const {simulator} = createFaultySimulator('lost-answer method=POST');
		const lost = simulator.fetch(request(namespacesPath, json('POST', {title: 'a'})));
		await expect(lost).rejects.toMatchObject({name: 'TypeError', cause: {code: 'ECONNRESET'}});
		expect((await ask(simulator, namespacesPath)).result).toMatchObject([{title: 'a'}]);
		expect(simulator.calls.list().map(({status}) => status)).toEqual(['lost', 200]);
	});

	test.each([
		[0, 10, 0],
		[9, 10, 9],
		[1_000_000, 10, 9],
	])('a reset after %i bytes of %i delivers %i, then fails', async (after, size, expected) => {
		const {simulator} = createFaultySimulator(`reset=${after} method=GET`);
		const path = await makeNamespace(simulator);
		await ask(simulator, `${path}/values/k`, {method: 'PUT', body: 'x'.repeat(size)});
		const response = await simulator.fetch(request(`${path}/values/k`));
		expect(response.status).toBe(200);
		let receivedByteCount = 0;
		const read = async () => {
			for await (const piece of response.body ?? []) receivedByteCount += piece.length;
		};
		await expect(read()).rejects.toMatchObject({message: 'terminated', cause: {code: 'ECONNRESET'}});
		expect(receivedByteCount).toBe(expected);
	});

	test('a drip delivers everything, in pieces with pauses', async () => {
		const {simulator, waited} = createFaultySimulator('drip=4 pause=25 method=GET');
		const path = await makeNamespace(simulator);
		await ask(simulator, `${path}/values/k`, {method: 'PUT', body: '0123456789'});
		const response = await simulator.fetch(request(`${path}/values/k`));
		const pieces = [];
		for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece));
		expect(pieces).toEqual(['0123', '4567', '89']);
		expect(waited).toEqual([25, 25]);
	});
});

describe('waiting ends when the request is aborted', () => {
	test.each(['hang', 'latency=600000'])('%s', async fault => {
		using simulator = createSimulator({samples: false});
		simulator.faults.add(fault);
		const abortController = new AbortController();
		const answer = simulator.fetch(request('/user', {signal: abortController.signal}));
		await Promise.resolve();
		abortController.abort();
		await expect(answer).rejects.toMatchObject({name: 'AbortError'});
	});

	test('in a drip', async () => {
		using simulator = createSimulator({samples: false});
		simulator.faults.add('drip=1 pause=600000');
		const abortController = new AbortController();
		const response = await simulator.fetch(request('/user', {signal: abortController.signal}));
		const reading = response.text();
		abortController.abort();
		await expect(reading).rejects.toMatchObject({name: 'AbortError'});
	});

	test('a request aborted beforehand has no effect', async () => {
		const {simulator} = createFaultySimulator('latency=1');
		const signal = AbortSignal.abort();
		await expect(
			simulator.fetch(request(namespacesPath, {...json('POST', {title: 'a'}), signal})),
		).rejects.toThrow();
		expect((await ask(simulator, namespacesPath)).result).toEqual([]);
	});
});

describe('responses of other shapes', () => {
	async function createFilledNamespace(faults: string) {
		const clocked = createFaultySimulator('');
		const path = await makeNamespace(clocked.simulator);
		const entries = Array.from({length: 25}, (_, number) => ({key: `k${number + 10}`, value: 'v'}));
		await ask(clocked.simulator, `${path}/bulk`, json('PUT', entries));
		clocked.simulator.faults.add(faults);
		return {...clocked, path};
	}

	test('keys rejected by bulk writes are not written, and the fault only counts for them', async () => {
		const {simulator, path} = await createFilledNamespace('refuse-keys=a,b,k10 times=2');
		const put = (...keys: string[]) =>
			ask(
				simulator,
				`${path}/bulk`,
				json(
					'PUT',
					keys.map(key => ({key, value: 'new'})),
				),
			);
		expect((await put('c')).result).toEqual({successful_key_count: 1, unsuccessful_keys: []});
		expect((await put('a', 'c', 'b')).result).toEqual({
			successful_key_count: 1,
			unsuccessful_keys: ['a', 'b'],
		});
		const removed = await ask(simulator, `${path}/bulk/delete`, json('POST', ['k10', 'k11']));
		expect(removed.result).toEqual({successful_key_count: 1, unsuccessful_keys: ['k10']});
		expect((await ask(simulator, `${path}/values/a`)).status).toBe(404);
		expect((await put('a', 'b')).result).toEqual({successful_key_count: 2, unsuccessful_keys: []});
		expect((await simulator.fetch(request(`${path}/values/k10`))).status).toBe(200);
	});

	test('old bulk: null for writes, values as usual', async () => {
		const {simulator, path} = await createFilledNamespace('old-bulk');
		expect((await ask(simulator, `${path}/bulk`, json('PUT', [{key: 'a', value: 'v'}]))).result).toBeNull();
		expect((await ask(simulator, `${path}/bulk/delete`, json('POST', ['k10']))).result).toBeNull();
		expect((await ask(simulator, `${path}/bulk`, json('DELETE', ['k11']))).result).toBeNull();
		expect((await ask(simulator, `${path}/bulk/get`, json('POST', {keys: ['a']}))).result).toEqual({
			values: {a: 'v'},
		});
	});

	test('older rename: null, but the rename takes effect', async () => {
		const {simulator, path} = await createFilledNamespace('older-rename');
		expect(await ask(simulator, path, json('PUT', {title: 'new'}))).toMatchObject({
			success: true,
			result: null,
		});
		expect((await ask(simulator, path)).result).toMatchObject({title: 'new'});
	});

	test('null instead of empty lists, errors as usual', async () => {
		const {simulator} = await createFilledNamespace('null-errors');
		const response = await simulator.fetch(request('/user'));
		expect(await response.json()).toMatchObject({success: true, errors: null, messages: null});
		expect(getErrorCodes(await ask(simulator, '/nothing'))).toEqual([7003, 7000]);
	});

	test('shorter key pages than requested, with a cursor', async () => {
		const {simulator, path} = await createFilledNamespace('short-list=10');
		const first = await ask(simulator, `${path}/keys`);
		expect([first.info.count, first.info.cursor]).toEqual([10, expect.stringMatching(/./)]);
		const second = await ask(simulator, `${path}/keys?cursor=${first.info.cursor}`);
		expect(second.info.count).toBe(10);
	});

	test('a last page without a cursor', async () => {
		const {simulator, path} = await createFilledNamespace('absent-cursor');
		expect((await ask(simulator, `${path}/keys?limit=10`)).info).toHaveProperty('cursor');
		expect((await ask(simulator, `${path}/keys`)).info).toEqual({count: 25});
	});

	test('every page is the first one', async () => {
		const {simulator} = await createFilledNamespace('ignore-page');
		expect((await ask(simulator, `${namespacesPath}?page=7`)).result).toMatchObject([{title: 'test'}]);
		expect((await ask(simulator, '/zones?page=7')).result).toHaveLength(13);
	});
});

describe('the log of calls', () => {
	test('records each request and its outcome', async () => {
		const {simulator} = createFaultySimulator('status=500 times=1');
		await ask(simulator, '/user?a=%20b');
		await ask(simulator, namespacesPath, {method: 'POST', body: '{"title":"é"}'});
		expect(simulator.calls.list()).toEqual([
			{method: 'GET', path: '/user', query: 'a=%20b', bytes: 0, status: 500},
			{method: 'POST', path: namespacesPath, query: '', bytes: 14, status: 200},
		]);
		simulator.calls.clear();
		expect(simulator.calls.list()).toEqual([]);
	});

	test('keeps the last thousand calls and counts all', async () => {
		const {simulator} = createClockedSimulator({rateLimit: false});
		for (let number = 0; number < 1001; number++) await ask(simulator, `/user?${number}`);
		expect(simulator.calls.list()).toHaveLength(1000);
		expect(simulator.calls.list()[0]?.query).toBe('1');
		expect(simulator.calls.count).toBe(1001);
	});
});
