import {expect, test} from 'vitest';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId, ask, createClockedSimulator, json} from '../asking.ts';

const listsPath = `/accounts/${accountId}/rules/lists`;

/** A simulator with one empty list, and functions that call its items and operations. */
async function createListWorld(kind = 'ip') {
	const {simulator, clock} = createClockedSimulator();
	const call = (path: string, method = 'GET', body?: unknown) =>
		ask(simulator, `${listsPath}${path}`, method === 'GET' ? {} : json(method, body));
	const {result} = await call('', 'POST', {name: 'mine', kind});
	const {id} = result as {id: string};
	const readStatus = async (operation: string) =>
		((await call(`/bulk_operations/${operation}`)).result as JsonObject).status;
	/** Starts an operation, and asks until it ends. */
	const change = async (method: 'POST' | 'DELETE', body: unknown) => {
		const started = await call(`/${id}/items`, method, body);
		const operation = (started.result as {operation_id: string}).operation_id;
		const seen: unknown[] = [];
		do seen.push(await readStatus(operation));
		while (!['completed', 'failed'].includes(String(seen.at(-1))));
		return seen;
	};
	const listItems = async () => (await call(`/${id}/items`)).result as JsonObject[];
	return {id, call, change, listItems, readStatus, clock, simulator};
}

test('a list is created once, with a valid name and kind', async () => {
	const {call, id} = await createListWorld();
	expect((await call(`/${id}`)).result).toMatchObject({
		name: 'mine',
		kind: 'ip',
		num_items: 0,
		num_referencing_filters: 0,
	});
	expect((await call('')).result).toEqual([(await call(`/${id}`)).result]);
	for (const body of [
		{name: 'mine', kind: 'ip'},
		{name: 'with space', kind: 'ip'},
		{name: 'Upper', kind: 'ip'},
		{name: 'x'.repeat(51), kind: 'ip'},
		{name: 'other', kind: 'colour'},
		{kind: 'ip'},
	])
		expect(await call('', 'POST', body)).toMatchObject({status: 400, success: false});
	expect((await call('', 'POST', {name: 'x'.repeat(50), kind: 'asn'})).status).toBe(200);
});

test('an account has at most ten lists', async () => {
	const {call} = await createListWorld();
	for (let index = 2; index <= 10; index++)
		expect((await call('', 'POST', {name: `list_${index}`, kind: 'ip'})).status).toBe(200);
	expect((await call('', 'POST', {name: 'list_11', kind: 'ip'})).status).toBe(400);
});

test('a change takes effect when its operation completes', async () => {
	const {change, call, id, listItems, readStatus} = await createListWorld();
	const {result} = await call(`/${id}/items`, 'POST', [{ip: '192.0.2.1', comment: 'one'}]);
	const operation = (result as {operation_id: string}).operation_id;
	expect(await readStatus(operation)).toBe('pending');
	expect(await listItems()).toEqual([]);
	expect(await readStatus(operation)).toBe('running');
	expect(await readStatus(operation)).toBe('completed');
	expect(await listItems()).toMatchObject([{ip: '192.0.2.1', comment: 'one'}]);
	expect(await change('POST', [{ip: '2001:DB8::1/128'}])).toEqual(['pending', 'running', 'completed']);
	const items = await listItems();
	expect(items.map(({ip}) => ip)).toEqual(['192.0.2.1', '2001:db8::1']);
	expect(await change('DELETE', {items: [{id: items[0]?.id}, {id: 'unknown'}]})).toContain('completed');
	expect((await listItems()).map(({ip}) => ip)).toEqual(['2001:db8::1']);
	expect((await call(`/${id}`)).result).toMatchObject({num_items: 1});
});

test('an operation completes by itself after two seconds', async () => {
	const {call, id, listItems, clock} = await createListWorld();
	await call(`/${id}/items`, 'POST', [{ip: '192.0.2.1'}]);
	clock.now += 1_999;
	expect(await listItems()).toEqual([]);
	clock.now += 1;
	expect(await listItems()).toMatchObject([{ip: '192.0.2.1'}]);
});

test('a second operation is refused with 429 until the first has ended', async () => {
	const {call, id, clock} = await createListWorld();
	await call(`/${id}/items`, 'POST', [{ip: '192.0.2.1'}]);
	const refused = await call(`/${id}/items`, 'POST', [{ip: '192.0.2.2'}]);
	expect(refused.status).toBe(429);
	expect(refused.headers.get('retry-after')).toBe('1');
	expect((await call(`/${id}/items`, 'DELETE', {items: [{id: 'x'}]})).status).toBe(429);
	clock.now += 2_000;
	expect((await call(`/${id}/items`, 'POST', [{ip: '192.0.2.2'}])).status).toBe(200);
});

test('an item that exists gets the new comment, and keeps its id', async () => {
	const {change, listItems} = await createListWorld();
	await change('POST', [{ip: '192.0.2.1', comment: 'one'}]);
	const [before] = await listItems();
	await change('POST', [{ip: '192.0.2.1/32', comment: 'two'}]);
	expect(await listItems()).toEqual([{...before, comment: 'two', modified_on: expect.any(String)}]);
});

test('an operation fails if the items do not fit, and changes nothing', async () => {
	const {call, change, id, listItems} = await createListWorld();
	const items = Array.from({length: 10_001}, (_, index) => ({ip: `2001:db8::${index.toString(16)}`}));
	const {result} = await call(`/${id}/items`, 'POST', items);
	const path = `/bulk_operations/${(result as {operation_id: string}).operation_id}`;
	await call(path);
	await call(path);
	expect((await call(path)).result).toMatchObject({
		status: 'failed',
		error: expect.stringContaining('10000'),
	});
	expect(await listItems()).toEqual([]);
	expect(await change('POST', items.slice(1))).toContain('completed');
});

test('items come in pages that a cursor continues', async () => {
	const {call, change, id} = await createListWorld();
	await change(
		'POST',
		Array.from({length: 7}, (_, index) => ({ip: `192.0.2.${index}`})),
	);
	const seen: string[] = [];
	let cursor = '';
	do {
		const {result, info} = await call(`/${id}/items?per_page=3${cursor && `&cursor=${cursor}`}`);
		seen.push((result as JsonObject[]).map(({ip}) => String(ip).slice(8)).join(''));
		cursor = String((info.cursors as JsonObject).after ?? '');
	} while (cursor);
	expect(seen).toEqual(['012', '345', '6']);
	expect((await call(`/${id}/items?search=192.0.2.4`)).result).toMatchObject([{ip: '192.0.2.4'}]);
	for (const query of ['per_page=501', 'per_page=0', 'cursor=x'])
		expect((await call(`/${id}/items?${query}`)).status).toBe(400);
});

test.each<[string, unknown]>([
	['ip', {ip: '10.0.0.0/7'}],
	['ip', {ip: 'e000::/3'}],
	['ip', {ip: '192.0.2.1/24'}],
	['ip', {asn: 64496}],
	['ip', {ip: '192.0.2.1', comment: 1}],
	['asn', {asn: 0}],
	['asn', {asn: '64496'}],
	['hostname', {hostname: {url_hostname: 'https://acme.example'}}],
	['redirect', {redirect: {source_url: 'acme.example'}}],
	['ip', 'text'],
])('a list of the kind %s refuses %j', async (kind, item) => {
	const {call, id} = await createListWorld(kind);
	expect(await call(`/${id}/items`, 'POST', [item])).toMatchObject({status: 400, errors: [{code: 10026}]});
	expect((await call(`/${id}/items`, 'POST', [])).status).toBe(400);
	expect((await call(`/${id}/items`, 'DELETE', {})).status).toBe(400);
});

test.each<[string, JsonObject]>([
	['asn', {asn: 64496}],
	['hostname', {hostname: {url_hostname: '*.acme.example'}}],
	['redirect', {redirect: {source_url: 'acme.example/a', target_url: 'https://acme.example/b'}}],
])('a list of the kind %s takes %j', async (kind, item) => {
	const {change, listItems} = await createListWorld(kind);
	await change('POST', [item]);
	expect(await listItems()).toMatchObject([item]);
});

test('a missing list or operation is answered with 404, a token without the permission with 403', async () => {
	const {call} = await createListWorld();
	const missing = 'f'.repeat(32);
	for (const path of [`/${missing}`, `/${missing}/items`, `/bulk_operations/${missing}`])
		expect((await call(path)).status).toBe(404);
	const limited = createSimulator({tokens: [{value: 'reader', grants: ['lists:read']}]});
	const init = {headers: {authorization: 'Bearer reader'}};
	expect((await ask(limited, listsPath, init)).status).toBe(200);
	expect((await ask(limited, listsPath, {...json('POST', {}), ...init})).status).toBe(403);
});

test('a new world has lists of every kind, and counts the rules that use them', async () => {
	const simulator = createSimulator();
	const read = async () => (await ask(simulator, listsPath)).result as JsonObject[];
	expect(new Set((await read()).map(({kind}) => kind))).toEqual(
		new Set(['ip', 'asn', 'hostname', 'redirect']),
	);
	expect(await read()).toContainEqual(
		expect.objectContaining({name: 'proxies', num_items: 1200, num_referencing_filters: 0}),
	);
	const zone = 'd0e032749968114a09730950255c7c0f';
	await ask(simulator, `/zones/${zone}/filters`, json('POST', [{expression: 'ip.src in $office'}]));
	expect(await read()).toContainEqual(expect.objectContaining({name: 'office', num_referencing_filters: 1}));
});
