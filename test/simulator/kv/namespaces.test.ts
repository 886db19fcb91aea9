import {describe, expect, test} from 'vitest';
import type {Simulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, createClockedSimulator, getErrorCodes, json, makeNamespace, namespacesPath} from '../asking.ts';

const listTitles = async (simulator: Simulator, query = '') => {
	const {result} = await ask(simulator, `${namespacesPath}?${query}`);
	return (result as readonly JsonObject[]).map(({title}) => title);
};

const create = (simulator: Simulator, body: unknown) => ask(simulator, namespacesPath, json('POST', body));

describe('creating a namespace', () => {
	test('gives an ID of 32 hex digits and the title', async () => {
		const {simulator} = createClockedSimulator();
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
		const {simulator} = createClockedSimulator();
		const {result} = await create(simulator, {title: 'a', jurisdiction: 'eu'});
		expect(result).toMatchObject({jurisdiction: 'eu'});
		for (const jurisdiction of ['us', 'fedramp'])
			expect((await create(simulator, {title: jurisdiction, jurisdiction})).status).toBe(200);
	});

	test.each(['EU', 'mars', '', 5])('rejects the jurisdiction %j with 400 and 10010', async jurisdiction => {
		const {simulator} = createClockedSimulator();
		const response = await create(simulator, {title: 'a', jurisdiction});
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, 10010]);
		expect(await listTitles(simulator)).toEqual([]);
	});

	test('rejects a title that is taken with 400 and 10014', async () => {
		const {simulator} = createClockedSimulator();
		await makeNamespace(simulator, 'a');
		const response = await create(simulator, {title: 'a'});
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, 10014]);
		expect(response.errors[0]?.message).toBe(
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
		const {simulator} = createClockedSimulator();
		const response = await create(simulator, body);
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, code]);
		expect(await listTitles(simulator)).toEqual([]);
	});

	test('rejects a body that is not JSON with 400 and 10010', async () => {
		const {simulator} = createClockedSimulator();
		const response = await ask(simulator, namespacesPath, {method: 'POST', body: '{'});
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, 10010]);
	});

	test('accepts a title of 512 characters, not bytes', async () => {
		const {simulator} = createClockedSimulator();
		expect((await create(simulator, {title: '🗝'.repeat(512)})).status).toBe(200);
	});

	test('fails with 10018 after a thousand', async () => {
		const {simulator} = createClockedSimulator({rateLimit: false});
		for (let number = 0; number < 1000; number++) await makeNamespace(simulator, `n${number}`);
		const response = await create(simulator, {title: 'one more'});
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, 10018]);
	});
});

describe('listing namespaces', () => {
	async function createSevenNamespaces() {
		const {simulator} = createClockedSimulator();
		for (const title of ['g', 'b', 'a', 'f', 'c', 'e', 'd']) await makeNamespace(simulator, title);
		return simulator;
	}

	test('sorts by title in both directions', async () => {
		const simulator = await createSevenNamespaces();
		expect(await listTitles(simulator, 'order=title&direction=asc')).toEqual([...'abcdefg']);
		expect(await listTitles(simulator, 'order=title&direction=desc')).toEqual([...'gfedcba']);
	});

	test('sorts by ID by default', async () => {
		const {result} = await ask(await createSevenNamespaces(), namespacesPath);
		const ids = (result as readonly JsonObject[]).map(({id}) => String(id));
		expect(ids).toEqual([...ids].sort());
	});

	test('gives pages without total_pages, and an empty one past the end', async () => {
		const simulator = await createSevenNamespaces();
		const fetchPage = (number: number) =>
			ask(simulator, `${namespacesPath}?order=title&per_page=5&page=${number}`);
		expect((await fetchPage(1)).info).toEqual({page: 1, per_page: 5, count: 5, total_count: 7});
		expect((await fetchPage(2)).result).toMatchObject([{title: 'f'}, {title: 'g'}]);
		expect(await fetchPage(3)).toMatchObject({status: 200, result: [], info: {count: 0, total_count: 7}});
	});

	test('supports clients that read pages of 1,000 until one is empty', async () => {
		const simulator = await createSevenNamespaces();
		expect(await listTitles(simulator, 'per_page=1000&order=title&direction=asc')).toHaveLength(7);
		expect(await listTitles(simulator, 'per_page=1000&order=title&direction=asc&page=2')).toEqual([]);
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
		const {simulator} = createClockedSimulator();
		const response = await ask(simulator, `${namespacesPath}?${query}`);
		expect([response.status, ...getErrorCodes(response)]).toEqual([400, code]);
	});
});

describe('one namespace', () => {
	test('is renamed', async () => {
		const {simulator} = createClockedSimulator();
		const path = await makeNamespace(simulator, 'before');
		expect((await ask(simulator, path, json('PUT', {title: 'after'}))).result).toMatchObject({
			title: 'after',
		});
		expect((await ask(simulator, path, json('PUT', {title: 'after'}))).status).toBe(200);
		expect(await listTitles(simulator)).toEqual(['after']);
	});

	test('is not renamed to a title that is taken or invalid', async () => {
		const {simulator} = createClockedSimulator();
		await makeNamespace(simulator, 'taken');
		const path = await makeNamespace(simulator, 'mine');
		expect(getErrorCodes(await ask(simulator, path, json('PUT', {title: 'taken'})))).toEqual([10014]);
		expect(getErrorCodes(await ask(simulator, path, json('PUT', {title: ''})))).toEqual([10019]);
		expect(await listTitles(simulator, 'order=title')).toEqual(['mine', 'taken']);
	});

	test('is deleted with its keys', async () => {
		const {simulator} = createClockedSimulator();
		const path = await makeNamespace(simulator, 'a');
		await ask(simulator, `${path}/values/k`, {method: 'PUT', body: 'v'});
		expect(await ask(simulator, path, {method: 'DELETE'})).toMatchObject({status: 200, result: null});
		expect(getErrorCodes(await ask(simulator, `${path}/values/k`))).toEqual([10013]);
		const recreatedPath = await makeNamespace(simulator, 'a');
		expect((await ask(simulator, `${recreatedPath}/keys`)).result).toEqual([]);
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
	])('is reported as missing or malformed by %s …%s', async (method, subpath, operation) => {
		const {simulator} = createClockedSimulator();
		const body = method === 'GET' ? {} : {body: '{"title":"x"}'};
		const absent = await ask(simulator, `${namespacesPath}/${'0'.repeat(32)}${subpath}`, {method, ...body});
		expect([absent.status, absent.errors]).toEqual([
			404,
			[{code: 10013, message: `${operation}: 'namespace not found'`}],
		]);
		const malformed = await ask(simulator, `${namespacesPath}/nope${subpath}`, {method, ...body});
		expect([malformed.status, malformed.errors]).toEqual([
			400,
			[{code: 10011, message: `${operation}: 'malformed namespace ID'`}],
		]);
	});
});
