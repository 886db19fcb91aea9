import {EventEmitter} from 'node:events';
import {beforeEach, describe, expect, test, vi} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {accountId, json, request} from '../../simulator/asking.ts';
import {errorOf} from '../../support/firewall.ts';
import {ledge, type RunOptions} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const listsPath = `/accounts/${accountId}/rules/lists`;

let service: ServedSimulator;
/** Milliseconds by which the service's clock is ahead. */
let lead = 0;

beforeEach(async () => {
	lead = 0;
	service = await serveSimulator({now: () => Date.now() + lead});
});

const run = (words: readonly string[], more: RunOptions = {}) =>
	ledge(['lists', ...words], {env: {...service.env, LEDGE_TIME_SCALE: '0.01'}, ...more});

const send = async <T>(path: string, init?: RequestInit): Promise<T> =>
	((await (await service.simulator.fetch(request(path, init))).json()) as {result: T}).result;

async function readItems(name: string): Promise<readonly JsonObject[]> {
	const lists = await send<JsonObject[]>(listsPath);
	const list = lists.find(one => one.name === name);
	return send(`${listsPath}/${list?.id}/items`);
}

const readAddresses = async (name: string) => (await readItems(name)).map(({ip}) => ip);

/** Changes the items of a list as someone else would, and waits for the end. */
async function changeAsOthers(name: string, method: 'POST' | 'DELETE', body: unknown): Promise<void> {
	const list = (await send<JsonObject[]>(listsPath)).find(one => one.name === name);
	await send(`${listsPath}/${list?.id}/items`, json(method, body));
	lead += 2_000;
}

/** Lets someone else act before the request with this number that `matches`, counted from 1. */
function actBefore(matches: (request: Request) => boolean, number: number, act: () => Promise<void>): void {
	const original = service.simulator.fetch.bind(service.simulator);
	let count = 0;
	let isActing = false;
	vi.spyOn(service.simulator, 'fetch').mockImplementation(async incoming => {
		if (!isActing && matches(incoming) && ++count === number) {
			isActing = true;
			await act();
			isActing = false;
		}
		return original(incoming);
	});
}

const isItemsRead = ({method, url}: Request) => method === 'GET' && /\/items\b/.test(url);

const writes = () => service.writes().map(({method, path, body}) => ({method, path, body}));

/** Makes a firewall rule use a list. */
const useList = (name: string) =>
	send('/zones/d0e032749968114a09730950255c7c0f/filters', json('POST', [{expression: `ip.src in $${name}`}]));

test('lists list prints every list with its items and the rules that use it', async () => {
	await useList('office');
	const {stdout} = await run(['list']);
	expect(stdout).toMatch(/^NAME +KIND +ITEMS +RULES +ID +DESCRIPTION\n/);
	expect(stdout).toMatch(/office +ip +3 +1 +[0-9a-f]{32} +Offices and VPN\n/);
	expect(stdout).toMatch(/proxies +ip +1,200 +0 /);
	const lists = JSON.parse((await run(['list', '--json'])).stdout);
	expect(lists).toEqual(await send(listsPath));
});

describe('lists show', () => {
	test('prints all items of a list in several pages', async () => {
		const {stdout, code} = await run(['show', 'proxies', '--format', 'text']);
		expect(code).toBe(0);
		expect(stdout.trim().split('\n')).toEqual(
			Array.from({length: 1200}, (_, index) => `2001:db8:f::${(index + 1).toString(16)}`),
		);
		expect(service.simulator.calls.list().filter(({path}) => path.includes('/items'))).toHaveLength(3);
	});

	test('takes a name, $name or id, and prints every kind', async () => {
		expect((await run(['show', 'office'])).stdout).toMatch(/^ITEM +CHANGED +COMMENT\n203\.0\.113\.0\/24 /);
		expect((await run(['show', '$office'])).stdout).toContain('Berlin');
		const [{id}] = (await send<{id: string}[]>(listsPath)) as [{id: string}];
		expect((await run(['show', id])).stdout).toContain('Berlin');
		expect((await run(['show', 'crawlers', '--format', 'text'])).stdout).toBe('AS64496\nAS64511\n');
		expect((await run(['show', 'internal_hosts', '--format', 'text'])).stdout).toBe(
			'*.internal.acme.example\n',
		);
		expect((await run(['show', 'moved', '--format', 'text'])).stdout).toBe(
			'acme.example/old → https://acme.example/new\n',
		);
	});

	test('names the closest list if there is none of that name', async () => {
		const ended = await run(['show', 'offices']);
		expect(ended).toMatchObject({code: 3, stdout: ''});
		expect(ended.stderr).toContain('Did you mean "office"?');
	});
});

describe('lists create', () => {
	test('creates a list, and refuses a second one of the name', async () => {
		const {code, stdout} = await run(['create', 'attackers', '--description', 'by hand', '--json']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({name: 'attackers', kind: 'ip', description: 'by hand'});
		const again = await run(['create', 'attackers', '--json']);
		expect(again.code).toBe(1);
		expect(errorOf(again)).toMatchObject({code: 'already_exists', left: 'Nothing was sent.'});
		expect(writes()).toHaveLength(1);
	});

	test.each([
		'Upper',
		'with-dash',
		'x'.repeat(51),
	])('refuses the name %s before anything is sent', async name => {
		expect(errorOf(await run(['create', name, '--json']))).toMatchObject({code: 'limit'});
		expect(writes()).toEqual([]);
	});
});

describe('lists add', () => {
	test('sends new addresses in one request, and follows the operation', async () => {
		const {code, stderr} = await run(['add', 'blocklist', '192.0.2.9', '2001:DB8::1/128', '192.0.2.7']);
		expect(code).toBe(0);
		expect(stderr).toBe(
			'192.0.2.7 is already in "blocklist".\nAdded 192.0.2.9, 2001:db8::1 to the list "blocklist", in Acme (simulated).\n',
		);
		expect(writes()).toMatchObject([{method: 'POST', body: [{ip: '192.0.2.9'}, {ip: '2001:db8::1'}]}]);
		expect(await readAddresses('blocklist')).toEqual(expect.arrayContaining(['192.0.2.9', '2001:db8::1']));
	});

	test('changes comments only if one is given', async () => {
		const {stdout} = await run(['add', 'blocklist', '192.0.2.7', '192.0.2.9', '--comment', 'new', '--json']);
		expect(JSON.parse(stdout)).toMatchObject({
			list: {name: 'blocklist'},
			added: ['192.0.2.9'],
			commented: ['192.0.2.7'],
			unchanged: [],
		});
		expect(await readItems('blocklist')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ip: '192.0.2.7', comment: 'new'}),
				expect.objectContaining({ip: '192.0.2.9', comment: 'new'}),
			]),
		);
		const again = await run(['add', 'blocklist', '192.0.2.7', '192.0.2.9']);
		expect(again.stderr).toContain('No difference, so nothing was sent.');
		expect(writes()).toHaveLength(1);
	});

	test('reads addresses from standard input, with comments', async () => {
		const input = '192.0.2.20 # scanner\n192.0.2.21,192.0.2.22\n';
		expect((await run(['add', 'blocklist', '--file', '-'], {input})).code).toBe(0);
		expect(writes()).toMatchObject([{body: [{ip: '192.0.2.20'}, {ip: '192.0.2.21'}, {ip: '192.0.2.22'}]}]);
	});

	test.each([
		['10.0.0.0/7', 'input_malformed'],
		['acme.example', 'input_malformed'],
		[undefined, 'usage'],
	])('refuses %s before anything is sent', async (address, code) => {
		const words = ['add', 'blocklist', ...(address === undefined ? [] : [address]), '--json'];
		const ended = await run(words);
		expect(ended.code).toBe(2);
		expect(errorOf(ended)).toMatchObject({code});
		expect(service.simulator.calls.list()).toEqual([]);
	});

	test('refuses a list of another kind', async () => {
		expect(errorOf(await run(['add', 'crawlers', '192.0.2.9', '--json']))).toMatchObject({code: 'usage'});
		expect(writes()).toEqual([]);
	});
});

describe('lists remove', () => {
	test('asks, and counts a missing address as removed', async () => {
		const refused = await run(['remove', 'blocklist', '192.0.2.7', '192.0.2.99']);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain('Remove 192.0.2.7 from the list "blocklist", in Acme (simulated)?');
		expect(writes()).toEqual([]);
		const [item] = await readItems('blocklist');
		const done = await run(['remove', 'blocklist', '192.0.2.7', '192.0.2.99', '--yes', '--json']);
		expect(JSON.parse(done.stdout)).toMatchObject({removed: ['192.0.2.7'], missing: ['192.0.2.99']});
		expect(writes()).toMatchObject([{method: 'DELETE', body: {items: [{id: item?.id}]}}]);
		expect(await readAddresses('blocklist')).not.toContain('192.0.2.7');
	});
});

describe.each([
	['add', ['add', 'office', '192.0.2.9'], 'let them through unchecked'],
	['remove', ['remove', 'office', '198.51.100.40'], 'no longer block these addresses'],
])('lists %s on a list that rules use', (_verb, words, sentence) => {
	beforeEach(async () => {
		await useList('office');
	});

	test('says what it does, and needs the name of the list', async () => {
		const refused = await run([...words, '--yes']);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain('1 rule of the zones in this account uses $office.');
		expect(refused.stderr).toContain(sentence);
		expect(refused.stderr).toContain("pass the list's name: --confirm office (--yes is not enough)");
		expect((await run([...words, '--confirm', 'blocklist'])).code).toBe(2);
		const itemWrites = () => service.writes().filter(({path}) => path.includes('/rules/lists'));
		expect(itemWrites()).toEqual([]);
		expect((await run([...words, '--confirm', 'office'])).code).toBe(0);
		expect(itemWrites()).toHaveLength(1);
	});
});

const changes: readonly (readonly [string, readonly string[]])[] = [
	['add', ['add', 'blocklist', '192.0.2.9', '--comment', 'x']],
	['remove', ['remove', 'blocklist', '192.0.2.7', '--yes']],
	['create', ['create', 'attackers']],
];

describe.each(changes)('lists %s', (verb, words) => {
	const isDone = async () =>
		verb === 'create'
			? (await send<JsonObject[]>(listsPath)).some(({name}) => name === 'attackers')
			: (await readAddresses('blocklist')).includes('192.0.2.9') ||
				!(await readAddresses('blocklist')).includes('192.0.2.7');
	const write = `path=/rules/lists method=${verb === 'remove' ? 'DELETE' : 'POST'}`;

	test('sends what --dry-run prints, and --dry-run sends nothing', async () => {
		const planned = await run([...words, '--dry-run', '--json']);
		expect(planned.code, planned.stderr).toBe(0);
		expect(writes()).toEqual([]);
		const plan = JSON.parse(planned.stdout) as {method: string; url: string; body: {content: string}}[];
		expect((await run(words)).code).toBe(0);
		expect(writes()).toEqual(
			plan.map(({method, url, body}) => ({
				method,
				path: url.slice(service.url.length),
				body: JSON.parse(body.content),
			})),
		);
	});

	test('is refused by --read-only', async () => {
		expect(errorOf(await run([...words, '--read-only', '--json']))).toMatchObject({code: 'read_only'});
		expect(service.simulator.calls.list()).toEqual([]);
	});

	test.each([
		[400, 'refused_by_service', 1],
		[401, 'credential_refused', 4],
		[403, 'credential_refused', 4],
		[404, 'not_found', 3],
		[409, 'refused_by_service', 1],
		[413, 'refused_by_service', 1],
	])('reports a refusal with %i once, with nothing changed', async (status, code, exit) => {
		const error = status === 403 ? 'code=10000' : 'code=9999';
		await service.setFaults(`${write} status=${status} ${error} message=no`);
		const ended = await run([...words, '--json']);
		expect(ended.code).toBe(exit);
		expect(errorOf(ended)).toMatchObject({code, http: status, left: 'Nothing was changed.'});
		expect(writes()).toHaveLength(1);
		await service.setFaults('');
		expect(await isDone()).toBe(false);
	});

	test.each([
		[500, ''],
		[502, ''],
		[504, ''],
		[524, ''],
	])('after %i it reads the state, and never repeats the write', async status => {
		await service.setFaults(`${write} status=${status}`);
		const ended = await run([...words, '--json']);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended)).toMatchObject({
			code: 'service_failed',
			left: expect.stringContaining('Current state'),
		});
		expect(writes()).toHaveLength(1);
	});

	test('finds a write whose answer was lost, and sends it once', async () => {
		await service.setFaults(`${write} lost-answer times=1`);
		actBefore(
			({method, url}) => method === 'GET' && url.includes('/rules/lists'),
			verb === 'create' ? 2 : 4,
			async () => {
				lead += 2_000;
			},
		);
		const ended = await run(words);
		expect(ended.stderr).toContain('The response was lost; checking the current state.');
		expect(ended.code, ended.stderr).toBe(0);
		expect(writes()).toHaveLength(1);
		expect(await isDone()).toBe(true);
	});
});

describe.each(changes.slice(0, 2))('the operation of lists %s', (verb, words) => {
	const read = 'method=GET path=bulk_operations';

	test('that ends unseen is settled by reading the items', async () => {
		await service.setFaults(`${read} status=403 code=10000 message=no`);
		actBefore(
			({url}) => url.includes('bulk_operations'),
			1,
			async () => {
				lead += 2_000;
			},
		);
		const ended = await run(words);
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stderr).toContain('A later check confirmed the change.');
		expect(writes()).toHaveLength(1);
	});

	test.each([
		['html=403'],
		['status=403'],
	])('that is not seen to end has an unknown outcome: %s', async fault => {
		await service.setFaults(`${read} ${fault}`);
		const ended = await run([...words, '--json']);
		expect(ended.code).not.toBe(0);
		expect(errorOf(ended)).toMatchObject({
			left: expect.stringContaining('The outcome of the call is unknown, and it may still take effect.'),
			next: expect.stringContaining('ledge lists show blocklist'),
		});
		expect(writes()).toHaveLength(1);
	});

	test('that is interrupted has an unknown outcome', async () => {
		const events = new EventEmitter();
		actBefore(
			({url}) => url.includes('bulk_operations'),
			1,
			async () => void events.emit('SIGINT'),
		);
		const ended = await run([...words, '--json'], {events});
		expect(ended.code).toBe(130);
		expect(errorOf(ended).left).toContain(verb === 'add' ? 'not in the list' : 'still in the list');
		expect(writes()).toHaveLength(1);
	});

	test('waits while another one is running', async () => {
		const [list] = (await send<{id: string; name: string}[]>(listsPath)).filter(
			({name}) => name === 'office',
		);
		await send(`${listsPath}/${list?.id}/items`, json('POST', [{ip: '192.0.2.200'}]));
		const seen: number[] = [];
		actBefore(
			({method}) => method !== 'GET',
			2,
			async () => {
				seen.push(1);
				lead += 2_000;
			},
		);
		const ended = await run(words);
		expect(ended.code, ended.stderr).toBe(0);
		expect(seen).toEqual([1]);
		expect(writes().map(({method}) => method)).toContain(verb === 'add' ? 'POST' : 'DELETE');
	});
});

test('an operation that the service could not do is a refusal with its reason', async () => {
	const addresses = Array.from({length: 9_000}, (_, index) => `2001:db8:1::${index.toString(16)}`);
	const ended = await run(['add', 'blocklist', '--file', '-', '--json'], {input: addresses.join('\n')});
	expect(errorOf(ended)).toMatchObject({
		code: 'refused_by_service',
		what: expect.stringContaining('The service could not change the list: too many items'),
	});
	expect(writes()).toHaveLength(1);
});

describe('two people at once', () => {
	test('nothing is sent if someone else removed the address first', async () => {
		const [item] = await readItems('blocklist');
		actBefore(isItemsRead, 2, () => changeAsOthers('blocklist', 'DELETE', {items: [{id: item?.id}]}));
		const ended = await run(['remove', 'blocklist', '192.0.2.7', '--yes', '--json']);
		expect(errorOf(ended)).toMatchObject({code: 'changed_meanwhile', left: 'Nothing was sent.'});
		expect(writes()).toHaveLength(1);
	});

	test('nothing is sent if someone else commented the address first', async () => {
		const others = () => changeAsOthers('blocklist', 'POST', [{ip: '192.0.2.7', comment: 'keep'}]);
		actBefore(isItemsRead, 2, others);
		const ended = await run(['add', 'blocklist', '192.0.2.7', '--comment', 'mine', '--json']);
		expect(errorOf(ended)).toMatchObject({code: 'changed_meanwhile'});
		expect(await readItems('blocklist')).toContainEqual(
			expect.objectContaining({ip: '192.0.2.7', comment: 'keep'}),
		);
	});

	test('a change of other addresses does not matter', async () => {
		actBefore(isItemsRead, 2, () => changeAsOthers('blocklist', 'POST', [{ip: '192.0.2.55'}]));
		expect((await run(['add', 'blocklist', '192.0.2.9'])).code).toBe(0);
		expect(await readAddresses('blocklist')).toEqual(expect.arrayContaining(['192.0.2.55', '192.0.2.9']));
	});

	test('warns of an address that someone else added again', async () => {
		actBefore(isItemsRead, 3, () => changeAsOthers('blocklist', 'POST', [{ip: '192.0.2.7'}]));
		const ended = await run(['remove', 'blocklist', '192.0.2.7', '--yes']);
		expect(ended.code).toBe(0);
		expect(ended.stderr).toContain(
			'The service accepted the change, but someone else may have changed the list: 192.0.2.7 is still in it.',
		);
	});
});
