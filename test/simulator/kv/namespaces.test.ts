import {describe, expect, test} from 'vitest';
import type {Simulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, codes, json, makeNamespace, namespacesPath, withClock} from '../asking.ts';

const titles = async (simulator: Simulator, query = '') => {
	const {result} = await ask(simulator, `${namespacesPath}?${query}`);
	return (result as readonly JsonObject[]).map(({title}) => title);
};

const create = (simulator: Simulator, body: unknown) => ask(simulator, namespacesPath, json('POST', body));

describe('creating a namespace', () => {
	test('gives an ID of 32 hex digits and the title', async () => {
		const {simulator} = withClock();
		const {status, result} = await create(simulator, {title: 'worker-A b_preview'});
		expect(status).toBe(200);
		expect(result).toEqual({
			id: expect.stringMatching(/^[0-9a-f]{32}$/),
			title: 'worker-A b_preview',
			supports_url_encoding: true,
		});
		expect((await ask(simulator, `${namespacesPath}/${(result as JsonObject).id}`)).result).toEqual(result);
	});

	test('keeps the jurisdiction', async () => {
		const {simulator} = withClock();
		const {result} = await create(simulator, {title: 'a', jurisdiction: 'eu'});
		expect(result).toMatchObject({jurisdiction: 'eu'});
	});

	test('rejects a title that is taken with 400 and 10014', async () => {
		const {simulator} = withClock();
		await makeNamespace(simulator, 'a');
		const seen = await create(simulator, {title: 'a'});
		expect([seen.status, ...codes(seen)]).toEqual([400, 10014]);
		expect(seen.errors[0]?.message).toBe(
			"create namespace: 'A namespace with this account ID and title already exists'",
		);
		expect((await create(simulator, {title: 'A'})).status).toBe(200);
	});

	test.each([
		['no title', {}, 10019],
		['an empty title', {title: ''}, 10019],
		['a number', {title: 5}, 10010],
		['513 characters', {title: 'x'.repeat(513)}, 10010],
		['an array', [], 10010],
	])('rejects %s with 400', async (_, body, code) => {
		const {simulator} = withClock();
		const seen = await create(simulator, body);
		expect([seen.status, ...codes(seen)]).toEqual([400, code]);
		expect(await titles(simulator)).toEqual([]);
	});

	test('rejects a body that is not JSON with 400 and 10010', async () => {
		const {simulator} = withClock();
		const seen = await ask(simulator, namespacesPath, {method: 'POST', body: '{'});
		expect([seen.status, ...codes(seen)]).toEqual([400, 10010]);
	});

	test('accepts a title of 512 characters, not bytes', async () => {
		const {simulator} = withClock();
		expect((await create(simulator, {title: '🗝'.repeat(512)})).status).toBe(200);
	});

	test('fails with 10018 after a thousand', async () => {
		const {simulator} = withClock({rateLimit: false});
		for (let number = 0; number < 1000; number++) await makeNamespace(simulator, `n${number}`);
		const seen = await create(simulator, {title: 'one more'});
		expect([seen.status, ...codes(seen)]).toEqual([400, 10018]);
	});
});

describe('listing namespaces', () => {
	async function withSeven() {
		const {simulator} = withClock();
		for (const title of ['g', 'b', 'a', 'f', 'c', 'e', 'd']) await makeNamespace(simulator, title);
		return simulator;
	}

	test('sorts by title in both directions', async () => {
		const simulator = await withSeven();
		expect(await titles(simulator, 'order=title&direction=asc')).toEqual([...'abcdefg']);
		expect(await titles(simulator, 'order=title&direction=desc')).toEqual([...'gfedcba']);
	});

	test('sorts by ID by default', async () => {
		const {result} = await ask(await withSeven(), namespacesPath);
		const ids = (result as readonly JsonObject[]).map(({id}) => String(id));
		expect(ids).toEqual([...ids].sort());
	});

	test('gives pages without a total number, and an empty one past the end', async () => {
		const simulator = await withSeven();
		const page = (number: number) =>
			ask(simulator, `${namespacesPath}?order=title&per_page=5&page=${number}`);
		expect((await page(1)).info).toEqual({page: 1, per_page: 5, count: 5, total_count: 7});
		expect((await page(2)).result).toMatchObject([{title: 'f'}, {title: 'g'}]);
		expect(await page(3)).toMatchObject({status: 200, result: [], info: {count: 0, total_count: 7}});
	});

	test('supports the other client: 1,000 per page until one is empty', async () => {
		const simulator = await withSeven();
		expect(await titles(simulator, 'per_page=1000&order=title&direction=asc')).toHaveLength(7);
		expect(await titles(simulator, 'per_page=1000&order=title&direction=asc&page=2')).toEqual([]);
	});

	test.each([
		['page=0', 10007],
		['page=x', 10007],
		['per_page=4', 10008],
		['per_page=1001', 10008],
		['per_page=', 10008],
		['order=size', 10043],
		['direction=up', 10044],
	])('rejects ?%s with 400 and %i', async (query, code) => {
		const {simulator} = withClock();
		const seen = await ask(simulator, `${namespacesPath}?${query}`);
		expect([seen.status, ...codes(seen)]).toEqual([400, code]);
	});
});

describe('one namespace', () => {
	test('is renamed', async () => {
		const {simulator} = withClock();
		const path = await makeNamespace(simulator, 'before');
		expect((await ask(simulator, path, json('PUT', {title: 'after'}))).result).toMatchObject({
			title: 'after',
		});
		expect((await ask(simulator, path, json('PUT', {title: 'after'}))).status).toBe(200);
		expect(await titles(simulator)).toEqual(['after']);
	});

	test('is not renamed to a title that is taken or invalid', async () => {
		const {simulator} = withClock();
		await makeNamespace(simulator, 'taken');
		const path = await makeNamespace(simulator, 'mine');
		expect(codes(await ask(simulator, path, json('PUT', {title: 'taken'})))).toEqual([10014]);
		expect(codes(await ask(simulator, path, json('PUT', {title: ''})))).toEqual([10019]);
		expect(await titles(simulator, 'order=title')).toEqual(['mine', 'taken']);
	});

	test('is deleted with its keys', async () => {
		const {simulator} = withClock();
		const path = await makeNamespace(simulator, 'a');
		await ask(simulator, `${path}/values/k`, {method: 'PUT', body: 'v'});
		expect(await ask(simulator, path, {method: 'DELETE'})).toMatchObject({status: 200, result: null});
		expect(codes(await ask(simulator, `${path}/values/k`))).toEqual([10013]);
		const again = await makeNamespace(simulator, 'a');
		expect((await ask(simulator, `${again}/keys`)).result).toEqual([]);
	});

	test.each([
		['GET', '', 'get namespace'],
		['PUT', '', 'update namespace'],
		['DELETE', '', 'remove namespace'],
		['GET', '/keys', 'list keys'],
		['GET', '/values/k', 'get'],
		['PUT', '/values/k', 'put'],
		['DELETE', '/values/k', 'remove key'],
		['GET', '/metadata/k', 'get metadata'],
		['PUT', '/bulk', 'bulk put'],
		['DELETE', '/bulk', 'bulk remove'],
		['POST', '/bulk/delete', 'bulk remove'],
		['POST', '/bulk/get', 'bulk get keys'],
	])('is named as missing or malformed by %s …%s', async (method, below, operation) => {
		const {simulator} = withClock();
		const body = method === 'GET' ? {} : {body: '{"title":"x"}'};
		const absent = await ask(simulator, `${namespacesPath}/${'0'.repeat(32)}${below}`, {method, ...body});
		expect([absent.status, absent.errors]).toEqual([
			404,
			[{code: 10013, message: `${operation}: 'namespace not found'`}],
		]);
		const malformed = await ask(simulator, `${namespacesPath}/nope${below}`, {method, ...body});
		expect([malformed.status, malformed.errors]).toEqual([
			400,
			[{code: 10011, message: `${operation}: 'malformed namespace ID'`}],
		]);
	});
});
