import {describe, expect, test} from 'vitest';
import type {Simulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {isFull} from '../../support/full.ts';
import {ask, createClockedSimulator, getErrorCodes, json, makeNamespace, request} from '../asking.ts';

async function createNamespace() {
	const clocked = createClockedSimulator({rateLimit: false});
	return {...clocked, path: await makeNamespace(clocked.simulator)};
}

const putMany = (simulator: Simulator, path: string, entries: unknown) =>
	ask(simulator, `${path}/bulk`, json('PUT', entries));

const bulkGet = async (simulator: Simulator, path: string, body: unknown) => {
	const {status, result} = await ask(simulator, `${path}/bulk/get`, json('POST', body));
	return {status, values: (result as {values: JsonObject}).values};
};

const listKeys = async (simulator: Simulator, path: string) =>
	((await ask(simulator, `${path}/keys`)).result as readonly JsonObject[]).map(({name}) => name);

describe('bulk put', () => {
	test('writes values, metadata, expiry and base64', async () => {
		const {simulator, path, getUnixSeconds} = await createNamespace();
		const response = await putMany(simulator, path, [
			{key: 'text', value: 'é'},
			{key: 'bytes', value: 'AP8=', base64: true},
			{key: 'ttl', value: '', expiration_ttl: 60, expiration: getUnixSeconds() + 9999},
			{key: 'moment', value: 'v', expiration: getUnixSeconds() + 60, metadata: {a: [1]}, unknown: true},
		]);
		expect(response).toMatchObject({status: 200, result: {successful_key_count: 4, unsuccessful_keys: []}});
		expect((await ask(simulator, `${path}/keys`)).result).toEqual([
			{name: 'bytes'},
			{name: 'moment', expiration: getUnixSeconds() + 60, metadata: {a: [1]}},
			{name: 'text'},
			{name: 'ttl', expiration: getUnixSeconds() + 60},
		]);
		const bytes = await (await simulator.fetch(request(`${path}/values/bytes`))).arrayBuffer();
		expect(new Uint8Array(bytes)).toEqual(Uint8Array.of(0, 255));
	});

	test('keeps the later of two entries with the same key', async () => {
		const {simulator, path} = await createNamespace();
		await putMany(simulator, path, [
			{key: 'k', value: '1'},
			{key: 'k', value: '2'},
		]);
		expect((await bulkGet(simulator, path, {keys: ['k']})).values).toEqual({k: '2'});
	});

	test('succeeds with nothing to write', async () => {
		const {simulator, path} = await createNamespace();
		expect((await putMany(simulator, path, [])).result).toEqual({
			successful_key_count: 0,
			unsuccessful_keys: [],
		});
	});

	test('accepts at most 10,000 entries', async () => {
		const {simulator, path} = await createNamespace();
		const entries = Array.from({length: 10_001}, (_, number) => ({key: `k${number}`, value: 'v'}));
		const oversized = await putMany(simulator, path, entries);
		expect([oversized.status, ...getErrorCodes(oversized)]).toEqual([400, 10029]);
		expect(await listKeys(simulator, path)).toEqual([]);
		expect((await putMany(simulator, path, entries.slice(1))).result).toMatchObject({
			successful_key_count: 10_000,
		});
	});

	test.runIf(isFull)('accepts at most 100,000,000 bytes', async () => {
		const {simulator, path} = await createNamespace();
		const entries = Array.from({length: 5}, (_, number) => ({
			key: `k${number}`,
			value: 'x'.repeat(20_000_000 - 50),
		}));
		const body = JSON.stringify(entries);
		const largest = `${body}${' '.repeat(100_000_000 - body.length)}`;
		expect((await ask(simulator, `${path}/bulk`, {method: 'PUT', body: largest})).status).toBe(200);
		const oversized = await ask(simulator, `${path}/bulk`, {method: 'PUT', body: `${largest} `});
		expect([oversized.status, ...getErrorCodes(oversized)]).toEqual([413, 10024]);
	});

	test('accepts a value of 26,214,400 bytes after decoding', async () => {
		const {simulator, path} = await createNamespace();
		const encoded = Buffer.alloc(26_214_400).toString('base64');
		expect((await putMany(simulator, path, [{key: 'k', value: encoded, base64: true}])).status).toBe(200);
		const oversized = Buffer.alloc(26_214_401).toString('base64');
		const response = await putMany(simulator, path, [{key: 'k', value: oversized, base64: true}]);
		expect([response.status, ...getErrorCodes(response)]).toEqual([413, 10024]);
	});

	test.each([
		['no object', 'k', 400, 10029],
		['no key', {value: 'v'}, 400, 10029],
		['an empty key', {key: '', value: 'v'}, 400, 10042],
		['key ..', {key: '..', value: 'v'}, 400, 10042],
		['half a surrogate pair', {key: '\ud800', value: 'v'}, 400, 10042],
		['a key of 513 bytes', {key: `${'é'.repeat(256)}x`, value: 'v'}, 400, 10030],
		['no value', {key: 'k'}, 400, 10012],
		['a number as value', {key: 'k', value: 5}, 400, 10012],
		['invalid base64', {key: 'k', value: 'AP8', base64: true}, 400, 10012],
		['base64 "yes"', {key: 'k', value: 'AP8=', base64: 'yes'}, 400, 10029],
		['a ttl of 59', {key: 'k', value: 'v', expiration_ttl: 59}, 400, 10034],
		['a ttl as text', {key: 'k', value: 'v', expiration_ttl: '60'}, 400, 10034],
		['an expiration in the past', {key: 'k', value: 'v', expiration: 1000}, 400, 10033],
		['metadata of 1,025 bytes', {key: 'k', value: 'v', metadata: {v: 'x'.repeat(1017)}}, 413, 10047],
	])('rejects all entries because of %s: %s', async (_, bad, status, code) => {
		const {simulator, path} = await createNamespace();
		const response = await putMany(simulator, path, [{key: 'good', value: 'v'}, bad]);
		expect([response.status, ...getErrorCodes(response)]).toEqual([status, code]);
		expect(response.errors[0]?.message).toMatch(/^bulk put: item 1: '/);
		expect(await listKeys(simulator, path)).toEqual([]);
	});

	test.each([
		['an object', '{"key":"k","value":"v"}'],
		['text that is not JSON', '[{'],
		['bytes that are not UTF-8', Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)],
	])('rejects %s instead of an array with 400 and 10029', async (_, body) => {
		const {simulator, path} = await createNamespace();
		const response = await ask(simulator, `${path}/bulk`, {method: 'PUT', body});
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, 10029]);
	});
});

describe('bulk delete', () => {
	test.each([
		['POST', '/bulk/delete'],
		['DELETE', '/bulk'],
	])('%s …%s deletes existing keys and ignores missing ones', async (method, subpath) => {
		const {simulator, path} = await createNamespace();
		await putMany(simulator, path, [
			{key: 'a', value: ''},
			{key: 'b', value: ''},
			{key: 'c', value: ''},
		]);
		const response = await ask(simulator, `${path}${subpath}`, json(method, ['a', 'c', 'never there']));
		expect(response).toMatchObject({status: 200, result: {successful_key_count: 3, unsuccessful_keys: []}});
		expect(await listKeys(simulator, path)).toEqual(['b']);
	});

	test('accepts at most 10,000 names, all of them valid', async () => {
		const {simulator, path} = await createNamespace();
		const remove = (names: unknown) => ask(simulator, `${path}/bulk/delete`, json('POST', names));
		const names = Array.from({length: 10_001}, (_, number) => `k${number}`);
		expect(getErrorCodes(await remove(names))).toEqual([10029]);
		expect((await remove(names.slice(1))).result).toMatchObject({successful_key_count: 10_000});
		expect(getErrorCodes(await remove([5]))).toEqual([10029]);
		expect(getErrorCodes(await remove([{name: 'k'}]))).toEqual([10029]);
		expect(getErrorCodes(await remove(['.']))).toEqual([10042]);
	});
});

describe('bulk get', () => {
	async function createFilledNamespace() {
		const namespace = await createNamespace();
		await putMany(namespace.simulator, namespace.path, [
			{key: 'json', value: '{"a":[1]}', metadata: {m: 1}, expiration_ttl: 100},
			{key: 'text', value: 'é'},
			{key: 'binary', value: '/w==', base64: true},
			{key: '__proto__', value: '1'},
		]);
		return namespace;
	}

	test('gives text, with null for missing keys and U+FFFD for binary values', async () => {
		const {simulator, path} = await createFilledNamespace();
		expect((await bulkGet(simulator, path, {keys: ['json', 'text', 'none', 'binary']})).values).toEqual({
			json: '{"a":[1]}',
			text: 'é',
			none: null,
			binary: '\ufffd',
		});
	});

	test('accepts a key named __proto__', async () => {
		const {simulator, path} = await createFilledNamespace();
		const {values: foundValues} = await bulkGet(simulator, path, {keys: ['__proto__'], type: 'json'});
		expect(Object.entries(foundValues)).toEqual([['__proto__', 1]]);
	});

	test('can include metadata and expiration', async () => {
		const {simulator, path, getUnixSeconds} = await createFilledNamespace();
		const body = {keys: ['json', 'text', 'none'], type: 'text', withMetadata: true};
		expect((await bulkGet(simulator, path, body)).values).toEqual({
			json: {value: '{"a":[1]}', metadata: {m: 1}, expiration: getUnixSeconds() + 100},
			text: {value: 'é', metadata: null},
			none: null,
		});
	});

	test('gives all values as JSON or none', async () => {
		const {simulator, path} = await createFilledNamespace();
		expect((await bulkGet(simulator, path, {keys: ['json', 'none'], type: 'json'})).values).toEqual({
			json: {a: [1]},
			none: null,
		});
		const response = await ask(
			simulator,
			`${path}/bulk/get`,
			json('POST', {keys: ['json', 'text'], type: 'json'}),
		);
		expect([response.status, response.errors]).toEqual([
			400,
			[
				{
					code: 10012,
					message: "bulk get keys: 'At least one of the requested keys corresponds to a non-json value'",
				},
			],
		]);
	});

	test('accepts at most 100 keys', async () => {
		const {simulator, path} = await createFilledNamespace();
		const names = Array.from({length: 101}, (_, number) => `k${number}`);
		const oversized = await ask(simulator, `${path}/bulk/get`, json('POST', {keys: names}));
		expect([oversized.status, ...getErrorCodes(oversized)]).toEqual([400, 10029]);
		expect((await bulkGet(simulator, path, {keys: names.slice(1)})).status).toBe(200);
		expect((await bulkGet(simulator, path, {keys: []})).values).toEqual({});
	});

	test('gives at most 26,214,400 bytes of values', async () => {
		const {simulator, path} = await createNamespace();
		for (const [key, bytes] of [
			['a', 26_214_400],
			['b', 1],
		] as const)
			await ask(simulator, `${path}/values/${key}`, {method: 'PUT', body: new Uint8Array(bytes).fill(120)});
		expect((await bulkGet(simulator, path, {keys: ['a']})).status).toBe(200);
		const oversized = await ask(simulator, `${path}/bulk/get`, json('POST', {keys: ['a', 'b']}));
		expect([oversized.status, ...getErrorCodes(oversized)]).toEqual([413, 10024]);
	});

	test.each([
		[['k']],
		[{keys: 'k'}],
		[{keys: ['k'], type: 'bytes'}],
		[{keys: ['k'], withMetadata: 1}],
		[{keys: [5]}],
	])('rejects %j with 400 and 10029', async body => {
		const {simulator, path} = await createNamespace();
		const response = await ask(simulator, `${path}/bulk/get`, json('POST', body));
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, 10029]);
	});
});
