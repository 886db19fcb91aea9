import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Simulator} from '../../../source/simulator/simulator.ts';
import {getRunCount} from '../../support/full.ts';
import {ask, createClockedSimulator, getErrorCodes, json, makeNamespace, request} from '../asking.ts';

async function createNamespace(options = {}) {
	const clocked = createClockedSimulator(options);
	return {...clocked, path: await makeNamespace(clocked.simulator)};
}

const put = (
	simulator: Simulator,
	path: string,
	body: NonNullable<RequestInit['body']>,
	init: RequestInit = {},
) => ask(simulator, path, {method: 'PUT', body, ...init});

async function getBytes(simulator: Simulator, path: string) {
	const response = await simulator.fetch(request(path));
	return {response, bytes: new Uint8Array(await response.arrayBuffer())};
}

const createForm = (value: string | Blob, metadata?: string): FormData => {
	const form = new FormData();
	form.set('value', value);
	if (metadata !== undefined) form.set('metadata', metadata);
	return form;
};

describe('a value', () => {
	test('comes back byte for byte, with its type and without an envelope', async () => {
		const {simulator, path} = await createNamespace();
		const value = Uint8Array.from({length: 256}, (_, byte) => byte);
		expect(await put(simulator, `${path}/values/k`, value)).toMatchObject({status: 200, result: null});
		const readResult = await getBytes(simulator, `${path}/values/k`);
		expect(readResult.bytes).toEqual(value);
		expect(readResult.response.headers.get('content-type')).toBe('application/octet-stream');
		expect(readResult.response.headers.get('content-length')).toBe('256');
		expect(readResult.response.headers.has('expiration')).toBe(false);
	});

	test('can be empty, and can be replaced', async () => {
		const {simulator, path} = await createNamespace();
		await put(simulator, `${path}/values/k`, 'long');
		await put(simulator, `${path}/values/k`, '');
		expect(await getBytes(simulator, `${path}/values/k`)).toMatchObject({
			response: {status: 200},
			bytes: new Uint8Array(),
		});
	});

	test('gives 404 and 10009 before it is written', async () => {
		const {simulator, path} = await createNamespace();
		const response = await ask(simulator, `${path}/values/k`);
		expect([response.status, response.errors]).toEqual([
			404,
			[{code: 10009, message: "get: 'key not found'"}],
		]);
	});

	test('can be deleted, even if it does not exist', async () => {
		const {simulator, path} = await createNamespace();
		await put(simulator, `${path}/values/k`, 'v');
		for (const _ of [1, 2])
			expect(await ask(simulator, `${path}/values/k`, {method: 'DELETE'})).toMatchObject({
				status: 200,
				result: null,
			});
		expect((await ask(simulator, `${path}/values/k`)).status).toBe(404);
	});

	test('has at most 26,214,400 bytes', async () => {
		const {simulator, path} = await createNamespace();
		const largest = new Uint8Array(26_214_400);
		expect((await put(simulator, `${path}/values/k`, largest)).status).toBe(200);
		expect((await getBytes(simulator, `${path}/values/k`)).bytes.length).toBe(26_214_400);
		const oversized = await put(simulator, `${path}/values/k`, new Uint8Array(26_214_401));
		expect([oversized.status, ...getErrorCodes(oversized)]).toEqual([413, 10024]);
	});

	test('is stored unchanged for every content type except multipart', async () => {
		const {simulator, path} = await createNamespace();
		const headers = {'content-type': 'application/x-www-form-urlencoded'};
		await put(simulator, `${path}/values/k`, 'value=1&metadata=2', {headers});
		expect(new TextDecoder().decode((await getBytes(simulator, `${path}/values/k`)).bytes)).toBe(
			'value=1&metadata=2',
		);
	});
});

describe('metadata', () => {
	test('comes with the value in a multipart body', async () => {
		const {simulator, path} = await createNamespace();
		const value = new Blob([Uint8Array.of(0, 255, 13, 10, 45, 45)]);
		expect((await put(simulator, `${path}/values/k`, createForm(value, '{"v": 1}'))).status).toBe(200);
		expect((await getBytes(simulator, `${path}/values/k`)).bytes).toEqual(
			Uint8Array.of(0, 255, 13, 10, 45, 45),
		);
		expect((await ask(simulator, `${path}/metadata/k`)).result).toEqual({v: 1});
		expect((await ask(simulator, `${path}/keys`)).result).toEqual([{name: 'k', metadata: {v: 1}}]);
	});

	test('may be any JSON, and null is the same as none', async () => {
		const {simulator, path} = await createNamespace();
		for (const [metadata, expectedMetadata] of [
			['[1]', [1]],
			['"text"', 'text'],
			['null', null],
			[undefined, null],
		] as const) {
			await put(simulator, `${path}/values/k`, createForm('text', metadata));
			expect((await ask(simulator, `${path}/metadata/k`)).result).toEqual(expectedMetadata);
		}
	});

	test('is removed if the value is written without it', async () => {
		const {simulator, path} = await createNamespace();
		await put(simulator, `${path}/values/k`, createForm('v', '{"v":1}'));
		await put(simulator, `${path}/values/k`, 'v');
		expect((await ask(simulator, `${path}/metadata/k`)).result).toBeNull();
	});

	test('gives 404 and 10009 for a missing key', async () => {
		const {simulator, path} = await createNamespace();
		const response = await ask(simulator, `${path}/metadata/k`);
		expect([response.status, ...getErrorCodes(response)]).toEqual([404, 10009]);
	});

	test('has at most 1,024 bytes, not counting white space', async () => {
		const {simulator, path} = await createNamespace();
		const largest = `{ "é": "${'x'.repeat(1015)}" }`;
		expect((await put(simulator, `${path}/values/k`, createForm('v', largest))).status).toBe(200);
		const oversized = await put(
			simulator,
			`${path}/values/k`,
			createForm('v', `{"é":"${'x'.repeat(1016)}"}`),
		);
		expect([oversized.status, oversized.errors]).toEqual([
			413,
			[{code: 10047, message: "put: 'Metadata length of 1025 exceeds limit of 1024.'"}],
		]);
	});

	test('gives 400 and 10047 if it is not JSON, and 10012 without a value', async () => {
		const {simulator, path} = await createNamespace();
		const bad = await put(simulator, `${path}/values/k`, createForm('v', '{v:1}'));
		expect([bad.status, ...getErrorCodes(bad)]).toEqual([400, 10047]);
		const form = new FormData();
		form.set('metadata', '{}');
		const empty = await put(simulator, `${path}/values/k`, form);
		expect([empty.status, ...getErrorCodes(empty)]).toEqual([400, 10012]);
		const headers = {'content-type': 'multipart/form-data; boundary=x'};
		const broken = await put(simulator, `${path}/values/k`, 'no parts', {headers});
		expect([broken.status, ...getErrorCodes(broken)]).toEqual([400, 10012]);
		expect((await ask(simulator, `${path}/keys`)).result).toEqual([]);
	});

	test('does not reduce the maximum size of the value', async () => {
		const {simulator, path} = await createNamespace();
		const largest = new Blob([new Uint8Array(26_214_400)]);
		expect((await put(simulator, `${path}/values/k`, createForm(largest, '{}'))).status).toBe(200);
		const oversized = new Blob([new Uint8Array(26_214_401)]);
		const response = await put(simulator, `${path}/values/k`, createForm(oversized, '{}'));
		expect([response.status, response.errors]).toEqual([
			413,
			[{code: 10024, message: "put: 'Value length of 26214401 exceeds limit of 26214400.'"}],
		]);
	});
});

describe('expiry', () => {
	test('follows a TTL to the second', async () => {
		const {simulator, path, clock, getUnixSeconds} = await createNamespace();
		await put(simulator, `${path}/values/k?expiration_ttl=60`, 'v');
		const expiration = getUnixSeconds() + 60;
		expect((await getBytes(simulator, `${path}/values/k`)).response.headers.get('expiration')).toBe(
			`${expiration}`,
		);
		expect((await ask(simulator, `${path}/keys`)).result).toEqual([{name: 'k', expiration}]);
		clock.now += 59_999;
		expect((await simulator.fetch(request(`${path}/values/k`))).status).toBe(200);
		clock.now += 1;
		expect((await ask(simulator, `${path}/values/k`)).status).toBe(404);
		expect((await ask(simulator, `${path}/metadata/k`)).status).toBe(404);
		expect((await ask(simulator, `${path}/keys`)).result).toEqual([]);
	});

	test('follows a timestamp unless there is a TTL, and is removed by a write without either', async () => {
		const {simulator, path, getUnixSeconds} = await createNamespace();
		const readExpiration = async () =>
			(await getBytes(simulator, `${path}/values/k`)).response.headers.get('expiration');
		await put(simulator, `${path}/values/k?expiration=${getUnixSeconds() + 60}`, 'v');
		expect(await readExpiration()).toBe(`${getUnixSeconds() + 60}`);
		await put(simulator, `${path}/values/k?expiration=${getUnixSeconds() + 1000}&expiration_ttl=100`, 'v');
		expect(await readExpiration()).toBe(`${getUnixSeconds() + 100}`);
		await put(simulator, `${path}/values/k`, 'v');
		expect(await readExpiration()).toBeNull();
	});

	test.each([
		['expiration_ttl=59', 10034],
		['expiration_ttl=0', 10034],
		['expiration_ttl=-60', 10034],
		['expiration_ttl=60.5', 10034],
		['expiration_ttl=NaN', 10034],
		['expiration_ttl=', 10034],
		['expiration=1900000059', 10033],
		['expiration=1000', 10033],
		['expiration=soon', 10033],
		['expiration=1900000100&expiration_ttl=59', 10034],
	])('rejects ?%s with 400 and %i, and nothing is written', async (query, code) => {
		const {simulator, path} = await createNamespace();
		const response = await put(simulator, `${path}/values/k?${query}`, 'v');
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, code]);
		expect((await ask(simulator, `${path}/keys`)).result).toEqual([]);
	});
});

describe('key names in the address', () => {
	const name = fc
		.string({unit: 'binary', minLength: 1, maxLength: 40})
		.filter(key => key !== '.' && key !== '..' && key.isWellFormed());

	test('each reach their own value', async () => {
		const {simulator, path} = await createNamespace({rateLimit: false});
		await fc.assert(
			fc.asyncProperty(name, async key => {
				const address = `${path}/values/${encodeURIComponent(key)}`;
				expect((await put(simulator, address, `value of ${key}`)).status).toBe(200);
				const readResult = await getBytes(simulator, address);
				expect(new TextDecoder('utf-8', {ignoreBOM: true}).decode(readResult.bytes)).toBe(`value of ${key}`);
				const listResponse = await ask(simulator, `${path}/keys?prefix=${encodeURIComponent(key)}`);
				expect(listResponse.result).toContainEqual({name: key});
				await ask(simulator, address, {method: 'DELETE'});
				expect((await ask(simulator, address)).status).toBe(404);
			}),
			{numRuns: getRunCount(200)},
		);
	});

	test('can have 512 bytes, and more give 414 and 10030', async () => {
		const {simulator, path} = await createNamespace();
		const largest = encodeURIComponent(`${'é'.repeat(255)}ab`);
		expect((await put(simulator, `${path}/values/${largest}`, 'v')).status).toBe(200);
		const oversized = await put(simulator, `${path}/values/${largest}c`, 'v');
		expect([oversized.status, oversized.errors]).toEqual([
			414,
			[{code: 10030, message: "put: 'UTF-8 encoded length of 513 exceeds key length limit of 512.'"}],
		]);
		expect(getErrorCodes(await ask(simulator, `${path}/values/${largest}c`))).toEqual([10030]);
	});

	test.each(['', '%2e', '%ff', '%zz'])('give 400 and 10042 for the invalid name "%s"', async key => {
		const {simulator, path} = await createNamespace();
		const response = await put(simulator, `${path}/values/${key}`, 'v');
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, 10042]);
	});

	test('cannot contain an unencoded slash', async () => {
		const {simulator, path} = await createNamespace();
		expect(getErrorCodes(await put(simulator, `${path}/values/a/b`, 'v'))).toEqual([7003, 7000]);
	});
});

describe('one write per second and key', () => {
	test('is only enforced if enabled', async () => {
		const {simulator, path} = await createNamespace();
		for (const _ of [1, 2]) expect((await put(simulator, `${path}/values/k`, 'v')).status).toBe(200);
	});

	test('gives 429 and 10022 for a second write until the second is over', async () => {
		const {simulator, path, clock} = await createNamespace({oneWriteASecond: true});
		expect((await put(simulator, `${path}/values/k`, 'first')).status).toBe(200);
		expect((await put(simulator, `${path}/values/other`, 'v')).status).toBe(200);
		const secondWrite = await put(simulator, `${path}/values/k`, 'second');
		expect([
			secondWrite.status,
			...getErrorCodes(secondWrite),
			secondWrite.headers.get('retry-after'),
		]).toEqual([429, 10022, '1']);
		expect(getErrorCodes(await ask(simulator, `${path}/values/k`, {method: 'DELETE'}))).toEqual([10022]);
		const bulk = await ask(
			simulator,
			`${path}/bulk`,
			json('PUT', [
				{key: 'k', value: 'x'},
				{key: 'new', value: 'x'},
			]),
		);
		expect(bulk.result).toEqual({successful_key_count: 1, unsuccessful_keys: ['k']});
		clock.now += 1000;
		expect((await put(simulator, `${path}/values/k`, 'second')).status).toBe(200);
	});
});
