import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {getErrorCodes, request} from '../asking.ts';
import {createFirewall, createZoneCalls, getListedObjects, toRefusal, unknownId} from './firewall.ts';

describe('creating filters', () => {
	test('creates several in array order, with IDs of 32 hex digits', async () => {
		const {filters: callFilters} = createFirewall();
		const response = await callFilters('POST', '', [
			{expression: 'ssl', description: 'TLS', ref: 'tls'},
			{expression: 'not ssl', paused: true},
		]);
		expect(response.status).toBe(200);
		const id = expect.stringMatching(/^[0-9a-f]{32}$/);
		expect(response.result).toEqual([
			{id, expression: 'ssl', paused: false, description: 'TLS', ref: 'tls'},
			{id, expression: 'not ssl', paused: true},
		]);
		expect(getListedObjects(await callFilters('GET'))).toEqual(response.result);
	});

	test('leaves out an empty description or ref', async () => {
		const {filters: callFilters} = createFirewall();
		const [createdFilter = {}] = getListedObjects(
			await callFilters('POST', '', [{expression: 'ssl', description: '', ref: ''}]),
		);
		expect(Object.keys(createdFilter).sort()).toEqual(['expression', 'id', 'paused']);
	});

	test.each([
		['no array', {expression: 'ssl'}, 'The body must be an array of filters.'],
		['an empty array', [], 'The body must be an array of filters.'],
		['no object in it', ['ssl'], 'The item at index 0 is not an object.'],
		['no expression', [{description: 'x'}], 'filter at index 0: expression is required'],
		['an expression that is not a string', [{expression: 1}], 'filter at index 0: expression must be a text'],
		[
			'paused as a text',
			[{expression: 'ssl', paused: 'yes'}],
			'filter at index 0: paused must be true or false',
		],
		[
			'a description of 501 characters',
			[{expression: 'ssl', description: '🦊'.repeat(501)}],
			'filter at index 0: description has 501 characters, 500 are allowed',
		],
		[
			'a ref of 51 characters',
			[{expression: 'ssl', ref: 'r'.repeat(51)}],
			'filter at index 0: ref has 51 characters, 50 are allowed',
		],
	])('rejects %s with 400', async (_, body, message) => {
		const {filters: callFilters, readExpressions} = createFirewall();
		expect(toRefusal(await callFilters('POST', '', body))).toEqual({status: 400, success: false, message});
		expect(await readExpressions()).toEqual([]);
	});

	test('allows 500 characters of description and 50 of ref', async () => {
		const {filters: callFilters} = createFirewall();
		const body = [{expression: 'ssl', description: '🦊'.repeat(500), ref: 'r'.repeat(50)}];
		expect((await callFilters('POST', '', body)).status).toBe(200);
	});

	test('creates nothing if one expression of the array does not parse', async () => {
		const {filters: callFilters, readExpressions} = createFirewall();
		const response = await callFilters('POST', '', [{expression: 'ssl'}, {expression: 'ip.src==34'}]);
		expect(response.status).toBe(400);
		expect(response.errors).toEqual([
			{message: expect.stringMatching(/^Filter parsing error:\n`ip\.src==34`\n/)},
		]);
		expect(await readExpressions()).toEqual([]);
	});

	test('rejects a body that is not JSON with 400', async () => {
		const {simulator} = createFirewall();
		const path = '/zones/6e23b63489e7241c0d871b10a397cebb/filters';
		const response = await simulator.fetch(request(path, {method: 'POST', body: '[{'}));
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({
			success: false,
			errors: [{message: 'The body is not JSON.'}],
		});
	});
});

describe('the expression of a filter', () => {
	test.each([
		'free',
		'pro',
	] as const)('gives 403 naming the plan for a regular expression on %s', async plan => {
		const {filters: callFilters, readExpressions} = createFirewall(plan);
		const response = await callFilters('POST', '', [{expression: 'http.host matches "a"'}]);
		expect(response.status).toBe(403);
		expect(response.errors[0]?.message).toMatch(/matches.*it needs the Business plan or a higher one\.$/s);
		expect(await readExpressions()).toEqual([]);
	});

	test('may be a regular expression on business', async () => {
		const {filters: callFilters} = createFirewall('business');
		expect((await callFilters('POST', '', [{expression: 'http.host matches "a"'}])).status).toBe(200);
	});

	test('gives 400, 10102 and the filter ID if the zone already has it', async () => {
		const {filters: callFilters, makeFilter, readExpressions} = createFirewall();
		const id = await makeFilter('ssl');
		const response = await callFilters('POST', '', [{expression: 'not ssl'}, {expression: 'ssl'}]);
		expect(response.status).toBe(400);
		expect(response.errors).toEqual([
			{code: 10102, message: 'config duplicates an already existing config', meta: {id}},
		]);
		expect(await readExpressions()).toEqual(['ssl']);
	});

	test('gives 400 and 10102 without an ID if it is twice in one array', async () => {
		const {filters: callFilters, readExpressions} = createFirewall();
		const response = await callFilters('POST', '', [{expression: 'ssl'}, {expression: 'ssl'}]);
		expect([response.status, getErrorCodes(response)]).toEqual([400, [10102]]);
		expect(response.errors[0]).not.toHaveProperty('meta');
		expect(await readExpressions()).toEqual([]);
	});

	test('is no duplicate of one in another zone', async () => {
		const {simulator, makeFilter} = createFirewall('pro');
		await makeFilter('ssl');
		const other = createZoneCalls(simulator, 'business');
		expect((await other.filters('POST', '', [{expression: 'ssl'}])).status).toBe(200);
	});
});

describe('the list of filters', () => {
	async function createThreeFilters() {
		const calls = createFirewall();
		const {filters: callFilters} = calls;
		const response = await callFilters('POST', '', [
			{expression: 'ip.src eq 192.0.2.1', description: 'Office in Köln', ref: 'office'},
			{expression: 'http.host eq "A.example"', paused: true},
			{expression: 'http.host eq "b.example"', description: 'office b', ref: 'office-b'},
		]);
		return {...calls, ids: getListedObjects(response).map(({id}) => String(id))};
	}

	test.each([
		['paused=true', [1]],
		['paused=false', [0, 2]],
		['expression=HOST', [1, 2]],
		['description=OFFICE', [0, 2]],
		['description=k%C3%B6ln', [0]],
		['ref=office', [0]],
		['ref=OFFICE', []],
		['expression=host&paused=false', [2]],
	])('is narrowed by ?%s', async (query, expected) => {
		const {filters: callFilters, ids} = await createThreeFilters();
		const matchingIndexes = getListedObjects(await callFilters('GET', `?${query}`)).map(({id}) =>
			ids.indexOf(String(id)),
		);
		expect(matchingIndexes).toEqual(expected);
	});

	test('is narrowed by ?id', async () => {
		const {filters: callFilters, ids} = await createThreeFilters();
		expect(getListedObjects(await callFilters('GET', `?id=${ids[1]}`)).map(({id}) => id)).toEqual([ids[1]]);
	});

	test('rejects ?paused=maybe with 400', async () => {
		const {filters: callFilters} = createFirewall();
		expect((await callFilters('GET', '?paused=maybe')).status).toBe(400);
	});

	test('comes in pages of 25 by default, with an empty page past the end', async () => {
		const {filters: callFilters} = createFirewall();
		const many = Array.from({length: 27}, (_, number) => ({expression: `http.host eq "${number}.example"`}));
		await callFilters('POST', '', many);
		const first = await callFilters('GET');
		expect(first.info).toEqual({page: 1, per_page: 25, count: 25, total_count: 27, total_pages: 2});
		expect(getListedObjects(await callFilters('GET', '?page=2'))).toHaveLength(2);
		expect(getListedObjects(await callFilters('GET', '?page=3'))).toEqual([]);
		expect(getListedObjects(await callFilters('GET', '?per_page=100'))).toHaveLength(27);
		expect(getListedObjects(await callFilters('GET', '?per_page=5&page=6'))).toHaveLength(2);
	});

	test.each(['per_page=4', 'per_page=101', 'page=0', 'page=x'])('rejects ?%s with 400', async query => {
		const {filters: callFilters} = createFirewall();
		expect((await callFilters('GET', `?${query}`)).status).toBe(400);
	});
});

describe('one filter', () => {
	test('is read by its ID', async () => {
		const {filters: callFilters, makeFilter} = createFirewall();
		const id = await makeFilter('ssl');
		expect((await callFilters('GET', `/${id}`)).result).toEqual({id, expression: 'ssl', paused: false});
	});

	test.each(['GET', 'DELETE'])('gives 404 for %s if it does not exist', async method => {
		const {filters: callFilters} = createFirewall();
		expect(toRefusal(await callFilters(method, `/${unknownId}`))).toEqual({
			status: 404,
			success: false,
			message: `filter not found: ${unknownId}`,
		});
	});

	test('gives 404 and 7003 for a malformed ID', async () => {
		const {filters: callFilters} = createFirewall();
		const response = await callFilters('GET', '/nonsense');
		expect([response.status, getErrorCodes(response)]).toEqual([404, [7003, 7000]]);
	});

	test('is replaced completely by PUT, which drops omitted fields', async () => {
		const {filters: callFilters, makeFilter} = createFirewall();
		const id = await makeFilter('ssl', {description: 'old', ref: 'r', paused: true});
		const response = await callFilters('PUT', `/${id}`, {id, expression: 'not ssl'});
		expect(response.result).toEqual({id, expression: 'not ssl', paused: false});
		expect((await callFilters('GET', `/${id}`)).result).toEqual(response.result);
	});

	test('is not its own duplicate if PUT keeps its expression', async () => {
		const {filters: callFilters, makeFilter} = createFirewall();
		const id = await makeFilter('ssl');
		expect((await callFilters('PUT', `/${id}`, {id, expression: 'ssl', paused: true})).status).toBe(200);
	});

	test('gives 400 and 10102 for PUT with the expression of another filter', async () => {
		const {filters: callFilters, makeFilter} = createFirewall();
		const [one, other] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		const response = await callFilters('PUT', `/${one}`, {id: one, expression: 'not ssl'});
		expect([response.status, response.errors[0]]).toMatchObject([400, {code: 10102, meta: {id: other}}]);
	});

	test.each([
		['without an id', {expression: 'ssl'}, 'filter: id is required'],
		['with another id', {id: unknownId, expression: 'ssl'}, 'filter: id is another one than in the path'],
	])('gives 400 for PUT %s', async (_, body, message) => {
		const {filters: callFilters, makeFilter} = createFirewall();
		const response = await callFilters('PUT', `/${await makeFilter('ssl')}`, body);
		expect(toRefusal(response)).toEqual({status: 400, success: false, message});
	});

	test('gives 400 for PUT with an invalid expression and stays unchanged', async () => {
		const {filters: callFilters, makeFilter, readExpressions} = createFirewall();
		const id = await makeFilter('ssl');
		expect((await callFilters('PUT', `/${id}`, {id, expression: 'ip.src==34'})).status).toBe(400);
		expect(await readExpressions()).toEqual(['ssl']);
	});
});

describe('PUT of several filters', () => {
	test('replaces all', async () => {
		const {filters: callFilters, makeFilter, readExpressions} = createFirewall();
		const [one, other] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		const response = await callFilters('PUT', '', [
			{id: other, expression: 'http.host eq "o"'},
			{id: one, expression: 'http.host eq "n"'},
		]);
		expect(getListedObjects(response).map(({id}) => id)).toEqual([other, one]);
		expect(await readExpressions()).toEqual(['http.host eq "n"', 'http.host eq "o"']);
	});

	test.each([
		[
			'an id that does not exist',
			404,
			(id: string) => [
				{id, expression: 'not ssl'},
				{id: unknownId, expression: 'ssl'},
			],
		],
		[
			'one id twice',
			400,
			(id: string) => [
				{id, expression: 'not ssl'},
				{id, expression: 'ssl'},
			],
		],
		['one without an id', 400, (id: string) => [{id, expression: 'not ssl'}, {expression: 'ssl'}]],
	])('with %s changes nothing', async (_, status, body) => {
		const {filters: callFilters, makeFilter, readExpressions} = createFirewall();
		const id = await makeFilter('ssl');
		expect((await callFilters('PUT', '', body(id))).status).toBe(status);
		expect(await readExpressions()).toEqual(['ssl']);
	});
});

describe('deleting filters', () => {
	test('answers a deletion by path with an array', async () => {
		const {filters: callFilters, makeFilter, readExpressions} = createFirewall();
		const id = await makeFilter('ssl');
		expect((await callFilters('DELETE', `/${id}`)).result).toEqual([{id}]);
		expect(await readExpressions()).toEqual([]);
	});

	test('deletes several by ?id and skips missing ones', async () => {
		const {filters: callFilters, makeFilter, readExpressions} = createFirewall();
		const [one, two] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		await makeFilter('http.host eq "stays"');
		const response = await callFilters('DELETE', `?id=${one}&id=${unknownId}&id=${two}`);
		expect([response.status, response.result]).toEqual([200, [{id: one}, {id: two}]]);
		expect(await readExpressions()).toEqual(['http.host eq "stays"']);
	});

	test('deletes none without ?id', async () => {
		const {filters: callFilters, makeFilter, readExpressions} = createFirewall();
		await makeFilter('ssl');
		const response = await callFilters('DELETE');
		expect([response.status, response.result]).toEqual([200, []]);
		expect(await readExpressions()).toEqual(['ssl']);
	});

	test('rejects a filter in use with 400 naming the rules, and deletes none of the others', async () => {
		const {filters: callFilters, makeFilter, makeRule, readExpressions} = createFirewall();
		const [unusedId, usedId] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		const ruleIds = [await makeRule(usedId), await makeRule(usedId, {action: 'challenge'})];
		const message = `filter ${usedId} is used by the firewall rules ${ruleIds.join(', ')}`;
		for (const path of [`/${usedId}`, `?id=${unusedId}&id=${usedId}`])
			expect(toRefusal(await callFilters('DELETE', path))).toEqual({status: 400, success: false, message});
		expect(await readExpressions()).toEqual(['ssl', 'not ssl']);
	});

	test('deletes a filter whose rule is gone', async () => {
		const {filters: callFilters, rules: callRules, makeFilter, makeRule} = createFirewall();
		const filter = await makeFilter('ssl');
		await callRules('DELETE', `/${await makeRule(filter)}`);
		expect((await callFilters('DELETE', `/${filter}`)).status).toBe(200);
	});
});

test('responses about filters have null if there are no messages', async () => {
	const {simulator, makeFilter} = createFirewall();
	const fetchRaw = async (path: string) =>
		(await (
			await simulator.fetch(request(`/zones/6e23b63489e7241c0d871b10a397cebb/filters${path}`))
		).json()) as JsonObject;
	await makeFilter('ssl');
	expect(await fetchRaw('')).toMatchObject({success: true, errors: [], messages: null});
	expect(await fetchRaw(`/${unknownId}`)).toMatchObject({success: false, result: null, messages: null});
});
