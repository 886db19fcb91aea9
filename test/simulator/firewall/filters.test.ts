import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {codes, request} from '../asking.ts';
import {callsOf, firewall, listed, refusal, unknownId} from './firewall.ts';

describe('creating filters', () => {
	test('creates several in array order, with IDs of 32 hex digits', async () => {
		const {filters} = firewall();
		const seen = await filters('POST', '', [
			{expression: 'ssl', description: 'TLS', ref: 'tls'},
			{expression: 'not ssl', paused: true},
		]);
		expect(seen.status).toBe(200);
		const id = expect.stringMatching(/^[0-9a-f]{32}$/);
		expect(seen.result).toEqual([
			{id, expression: 'ssl', paused: false, description: 'TLS', ref: 'tls'},
			{id, expression: 'not ssl', paused: true},
		]);
		expect(listed(await filters('GET'))).toEqual(seen.result);
	});

	test('leaves out an empty description or ref', async () => {
		const {filters} = firewall();
		const [made = {}] = listed(await filters('POST', '', [{expression: 'ssl', description: '', ref: ''}]));
		expect(Object.keys(made).sort()).toEqual(['expression', 'id', 'paused']);
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
		const {filters, expressions} = firewall();
		expect(refusal(await filters('POST', '', body))).toEqual({status: 400, success: false, message});
		expect(await expressions()).toEqual([]);
	});

	test('allows 500 characters of description and 50 of ref', async () => {
		const {filters} = firewall();
		const body = [{expression: 'ssl', description: '🦊'.repeat(500), ref: 'r'.repeat(50)}];
		expect((await filters('POST', '', body)).status).toBe(200);
	});

	test('creates nothing if one expression of the array does not parse', async () => {
		const {filters, expressions} = firewall();
		const seen = await filters('POST', '', [{expression: 'ssl'}, {expression: 'ip.src==34'}]);
		expect(seen.status).toBe(400);
		expect(seen.errors).toEqual([
			{message: expect.stringMatching(/^Filter parsing error:\n`ip\.src==34`\n/)},
		]);
		expect(await expressions()).toEqual([]);
	});

	test('rejects a body that is not JSON with 400', async () => {
		const {simulator} = firewall();
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
		const {filters, expressions} = firewall(plan);
		const seen = await filters('POST', '', [{expression: 'http.host matches "a"'}]);
		expect(seen.status).toBe(403);
		expect(seen.errors[0]?.message).toMatch(/matches.*it needs the Business plan or a higher one\.$/s);
		expect(await expressions()).toEqual([]);
	});

	test('may be a regular expression on business', async () => {
		const {filters} = firewall('business');
		expect((await filters('POST', '', [{expression: 'http.host matches "a"'}])).status).toBe(200);
	});

	test('gives 400, 10102 and the filter ID if the zone already has it', async () => {
		const {filters, makeFilter, expressions} = firewall();
		const id = await makeFilter('ssl');
		const seen = await filters('POST', '', [{expression: 'not ssl'}, {expression: 'ssl'}]);
		expect(seen.status).toBe(400);
		expect(seen.errors).toEqual([
			{code: 10102, message: 'config duplicates an already existing config', meta: {id}},
		]);
		expect(await expressions()).toEqual(['ssl']);
	});

	test('gives 400 and 10102 without an ID if it is twice in one array', async () => {
		const {filters, expressions} = firewall();
		const seen = await filters('POST', '', [{expression: 'ssl'}, {expression: 'ssl'}]);
		expect([seen.status, codes(seen)]).toEqual([400, [10102]]);
		expect(seen.errors[0]).not.toHaveProperty('meta');
		expect(await expressions()).toEqual([]);
	});

	test('is no duplicate of one in another zone', async () => {
		const {simulator, makeFilter} = firewall('pro');
		await makeFilter('ssl');
		const other = callsOf(simulator, 'business');
		expect((await other.filters('POST', '', [{expression: 'ssl'}])).status).toBe(200);
	});
});

describe('the list of filters', () => {
	async function three() {
		const calls = firewall();
		const {filters} = calls;
		const made = await filters('POST', '', [
			{expression: 'ip.src eq 192.0.2.1', description: 'Office in Köln', ref: 'office'},
			{expression: 'http.host eq "A.example"', paused: true},
			{expression: 'http.host eq "b.example"', description: 'office b', ref: 'office-b'},
		]);
		return {...calls, ids: listed(made).map(({id}) => String(id))};
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
		const {filters, ids} = await three();
		const found = listed(await filters('GET', `?${query}`)).map(({id}) => ids.indexOf(String(id)));
		expect(found).toEqual(expected);
	});

	test('is narrowed by ?id', async () => {
		const {filters, ids} = await three();
		expect(listed(await filters('GET', `?id=${ids[1]}`)).map(({id}) => id)).toEqual([ids[1]]);
	});

	test('rejects ?paused=maybe with 400', async () => {
		const {filters} = firewall();
		expect((await filters('GET', '?paused=maybe')).status).toBe(400);
	});

	test('comes in pages of 25 by default, with an empty page past the end', async () => {
		const {filters} = firewall();
		const many = Array.from({length: 27}, (_, number) => ({expression: `http.host eq "${number}.example"`}));
		await filters('POST', '', many);
		const first = await filters('GET');
		expect(first.info).toEqual({page: 1, per_page: 25, count: 25, total_count: 27, total_pages: 2});
		expect(listed(await filters('GET', '?page=2'))).toHaveLength(2);
		expect(listed(await filters('GET', '?page=3'))).toEqual([]);
		expect(listed(await filters('GET', '?per_page=100'))).toHaveLength(27);
		expect(listed(await filters('GET', '?per_page=5&page=6'))).toHaveLength(2);
	});

	test.each(['per_page=4', 'per_page=101', 'page=0', 'page=x'])('rejects ?%s with 400', async query => {
		const {filters} = firewall();
		expect((await filters('GET', `?${query}`)).status).toBe(400);
	});
});

describe('one filter', () => {
	test('is read by its ID', async () => {
		const {filters, makeFilter} = firewall();
		const id = await makeFilter('ssl');
		expect((await filters('GET', `/${id}`)).result).toEqual({id, expression: 'ssl', paused: false});
	});

	test.each(['GET', 'DELETE'])('gives 404 for %s if it does not exist', async method => {
		const {filters} = firewall();
		expect(refusal(await filters(method, `/${unknownId}`))).toEqual({
			status: 404,
			success: false,
			message: `filter not found: ${unknownId}`,
		});
	});

	test('gives 404 and 7003 for a malformed ID', async () => {
		const {filters} = firewall();
		const seen = await filters('GET', '/nonsense');
		expect([seen.status, codes(seen)]).toEqual([404, [7003, 7000]]);
	});

	test('is replaced completely by PUT, which drops omitted fields', async () => {
		const {filters, makeFilter} = firewall();
		const id = await makeFilter('ssl', {description: 'old', ref: 'r', paused: true});
		const seen = await filters('PUT', `/${id}`, {id, expression: 'not ssl'});
		expect(seen.result).toEqual({id, expression: 'not ssl', paused: false});
		expect((await filters('GET', `/${id}`)).result).toEqual(seen.result);
	});

	test('is not its own duplicate if PUT keeps its expression', async () => {
		const {filters, makeFilter} = firewall();
		const id = await makeFilter('ssl');
		expect((await filters('PUT', `/${id}`, {id, expression: 'ssl', paused: true})).status).toBe(200);
	});

	test('gives 400 and 10102 for PUT with the expression of another filter', async () => {
		const {filters, makeFilter} = firewall();
		const [one, other] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		const seen = await filters('PUT', `/${one}`, {id: one, expression: 'not ssl'});
		expect([seen.status, seen.errors[0]]).toMatchObject([400, {code: 10102, meta: {id: other}}]);
	});

	test.each([
		['without an id', {expression: 'ssl'}, 'filter: id is required'],
		['with another id', {id: unknownId, expression: 'ssl'}, 'filter: id is another one than in the path'],
	])('gives 400 for PUT %s', async (_, body, message) => {
		const {filters, makeFilter} = firewall();
		const seen = await filters('PUT', `/${await makeFilter('ssl')}`, body);
		expect(refusal(seen)).toEqual({status: 400, success: false, message});
	});

	test('gives 400 for PUT with an invalid expression and stays unchanged', async () => {
		const {filters, makeFilter, expressions} = firewall();
		const id = await makeFilter('ssl');
		expect((await filters('PUT', `/${id}`, {id, expression: 'ip.src==34'})).status).toBe(400);
		expect(await expressions()).toEqual(['ssl']);
	});
});

describe('PUT of several filters', () => {
	test('replaces all', async () => {
		const {filters, makeFilter, expressions} = firewall();
		const [one, other] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		const seen = await filters('PUT', '', [
			{id: other, expression: 'http.host eq "o"'},
			{id: one, expression: 'http.host eq "n"'},
		]);
		expect(listed(seen).map(({id}) => id)).toEqual([other, one]);
		expect(await expressions()).toEqual(['http.host eq "n"', 'http.host eq "o"']);
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
		const {filters, makeFilter, expressions} = firewall();
		const id = await makeFilter('ssl');
		expect((await filters('PUT', '', body(id))).status).toBe(status);
		expect(await expressions()).toEqual(['ssl']);
	});
});

describe('deleting filters', () => {
	test('answers a deletion by path with an array', async () => {
		const {filters, makeFilter, expressions} = firewall();
		const id = await makeFilter('ssl');
		expect((await filters('DELETE', `/${id}`)).result).toEqual([{id}]);
		expect(await expressions()).toEqual([]);
	});

	test('deletes several by ?id and skips missing ones', async () => {
		const {filters, makeFilter, expressions} = firewall();
		const [one, two] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		await makeFilter('http.host eq "stays"');
		const seen = await filters('DELETE', `?id=${one}&id=${unknownId}&id=${two}`);
		expect([seen.status, seen.result]).toEqual([200, [{id: one}, {id: two}]]);
		expect(await expressions()).toEqual(['http.host eq "stays"']);
	});

	test('deletes none without ?id', async () => {
		const {filters, makeFilter, expressions} = firewall();
		await makeFilter('ssl');
		const seen = await filters('DELETE');
		expect([seen.status, seen.result]).toEqual([200, []]);
		expect(await expressions()).toEqual(['ssl']);
	});

	test('rejects a filter in use with 400 naming the rules, and deletes none of the others', async () => {
		const {filters, makeFilter, makeRule, expressions} = firewall();
		const [free, used] = [await makeFilter('ssl'), await makeFilter('not ssl')];
		const users = [await makeRule(used), await makeRule(used, {action: 'challenge'})];
		const message = `filter ${used} is used by the firewall rules ${users.join(', ')}`;
		for (const path of [`/${used}`, `?id=${free}&id=${used}`])
			expect(refusal(await filters('DELETE', path))).toEqual({status: 400, success: false, message});
		expect(await expressions()).toEqual(['ssl', 'not ssl']);
	});

	test('deletes a filter whose rule is gone', async () => {
		const {filters, rules, makeFilter, makeRule} = firewall();
		const filter = await makeFilter('ssl');
		await rules('DELETE', `/${await makeRule(filter)}`);
		expect((await filters('DELETE', `/${filter}`)).status).toBe(200);
	});
});

test('responses about filters have null if there are no messages', async () => {
	const {simulator, makeFilter} = firewall();
	const raw = async (path: string) =>
		(await (
			await simulator.fetch(request(`/zones/6e23b63489e7241c0d871b10a397cebb/filters${path}`))
		).json()) as JsonObject;
	await makeFilter('ssl');
	expect(await raw('')).toMatchObject({success: true, errors: [], messages: null});
	expect(await raw(`/${unknownId}`)).toMatchObject({success: false, result: null, messages: null});
});
