import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId, ask, createClockedSimulator} from '../asking.ts';

const fetchList = async (path: string) => {
	const {simulator} = createClockedSimulator();
	const response = await ask(simulator, path);
	return {...response, result: response.result as readonly JsonObject[]};
};

describe('accounts', () => {
	test('there is exactly one', async () => {
		const {result, info} = await fetchList('/accounts');
		expect(result).toMatchObject([{id: accountId, name: 'Acme (simulated)'}]);
		expect(info).toEqual({page: 1, per_page: 20, count: 1, total_count: 1, total_pages: 1});
	});

	test.each([
		['name=acme', 1],
		['name=other', 0],
		['page=2', 0],
	])('?%s gives %i accounts', async (query, count) => {
		expect((await fetchList(`/accounts?${query}`)).result).toHaveLength(count);
	});

	test('one account, its membership and the user are served', async () => {
		const {simulator} = createClockedSimulator();
		expect((await ask(simulator, `/accounts/${accountId}`)).result).toMatchObject({id: accountId});
		expect((await ask(simulator, '/memberships?page=1')).result).toMatchObject([
			{status: 'accepted', account: {id: accountId}},
		]);
		expect((await ask(simulator, '/user')).result).toMatchObject({email: 'operator@acme.example'});
	});
});

describe('zones', () => {
	test('cover every plan', async () => {
		const {result} = await fetchList('/zones');
		const plans = result.map(({plan}) => (plan as JsonObject).legacy_id);
		expect(new Set(plans)).toEqual(new Set(['free', 'pro', 'business', 'enterprise']));
		for (const {id, account} of result) {
			expect(id).toMatch(/^[0-9a-f]{32}$/);
			expect(account).toMatchObject({id: accountId});
		}
	});

	test('are found by name, in any case', async () => {
		const {result} = await fetchList('/zones?name=ACME-Shop.example');
		expect(result).toMatchObject([{name: 'acme-shop.example', status: 'active'}]);
		expect((await fetchList('/zones?name=shop')).result).toEqual([]);
	});

	test('can share a name', async () => {
		const {result} = await fetchList('/zones?name=acme-moved.example');
		expect(result.map(({status}) => status).sort()).toEqual(['active', 'moved']);
	});

	test('are narrowed by filters, or widened with match=any', async () => {
		expect((await fetchList('/zones?name=acme-moved.example&status=moved')).result).toHaveLength(1);
		expect((await fetchList('/zones?name=acme.example&status=moved&match=any')).result).toHaveLength(2);
		expect((await fetchList('/zones?account.id=0123456789abcdef0123456789abcdef')).result).toEqual([]);
		expect((await fetchList(`/zones?account.id=${accountId}`)).result.length).toBeGreaterThan(4);
	});

	test('are sorted by name in both directions', async () => {
		const ascendingNames = (await fetchList('/zones?order=name')).result.map(({name}) => String(name));
		expect(ascendingNames).toEqual([...ascendingNames].sort());
		const descendingNames = (await fetchList('/zones?order=name&direction=desc')).result.map(({name}) =>
			String(name),
		);
		expect(descendingNames).toEqual([...descendingNames].sort().reverse());
	});

	test('come in pages, with an empty page past the end', async () => {
		const all = (await fetchList('/zones')).result;
		const first = await fetchList('/zones?per_page=10');
		const second = await fetchList('/zones?per_page=10&page=2');
		expect([...first.result, ...second.result]).toEqual(all);
		expect(second.info).toEqual({page: 2, per_page: 10, count: 3, total_count: 13, total_pages: 2});
		expect((await fetchList('/zones?per_page=10&page=3')).result).toEqual([]);
	});

	test.each([
		'per_page=4',
		'per_page=51',
		'page=0',
		'page=x',
		'order=size',
		'direction=up',
		'match=some',
	])('?%s is rejected', async query => {
		const {simulator} = createClockedSimulator();
		expect(await ask(simulator, `/zones?${query}`)).toMatchObject({status: 400, success: false});
	});

	test('can be read one by one by ID', async () => {
		const {simulator} = createClockedSimulator();
		const id = 'd0e032749968114a09730950255c7c0f';
		expect((await ask(simulator, `/zones/${id}`)).result).toMatchObject({id, name: 'acme.example'});
	});
});
