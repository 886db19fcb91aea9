import {beforeAll, describe, expect, test} from 'vitest';
import {ledge, type RunOptions} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

let service: ServedSimulator;

beforeAll(async () => {
	service = await serveSimulator();
});

const metrics = (words: readonly string[], {env = {}, ...options}: RunOptions = {}, givenService = service) =>
	ledge(['kv', 'metrics', ...words], {...options, env: {...givenService.env, ...env}});

const serveWithFault = (faults: string) => serveSimulator({faults: `${faults} path=graphql`});

test('without a namespace, a table of all is printed, or a documented JSON shape', async () => {
	const text = await metrics([]);
	expect(text.code).toBe(0);
	expect(text.stdout).toMatch(/^TITLE +ID +KEYS +SIZE +READS 24 h +WRITES 24 h +DELETES 24 h +LISTS 24 h\n/);
	expect(text.stdout).toMatch(/^catalogue +\w{32} +100,000 +[\d.]+ MB +[\d,]+/m);
	const {stdout} = await metrics(['--json', '--days', '2']);
	const {namespaces, ...rest} = JSON.parse(stdout);
	expect(rest).toEqual({
		days: 2,
		since: expect.stringMatching(/Z$/),
		until: expect.stringMatching(/Z$/),
		missing: [],
	});
	expect(namespaces[0]).toEqual({
		id: expect.stringMatching(/^\w{32}$/),
		title: 'CONFIG',
		keys: expect.any(Number),
		bytes: expect.any(Number),
		operations: {
			read: expect.any(Number),
			write: expect.any(Number),
			delete: expect.any(Number),
			list: expect.any(Number),
		},
		estimated: false,
	});
});

test('with a namespace, a series is printed as figures or as JSON', async () => {
	const text = await metrics(['--namespace', 'SESSIONS', '--days', '1']);
	expect(text.code).toBe(0);
	expect(text.stdout).toMatch(/^SESSIONS, 24 hours\n\nOperations: /);
	expect(text.stdout).toMatch(/^time UTC +read +write +delete +list$/m);
	expect(text.stdout.match(/^\d{4}-\d\d-\d\d \d\d:00 /gm)).toHaveLength(48);
	const {stdout} = await metrics(['--namespace', 'SESSIONS', '--days', '31', '--json']);
	const found = JSON.parse(stdout);
	expect(found).toMatchObject({namespace: {name: 'SESSIONS'}, days: 31, missing: []});
	expect(found.operations).toMatchObject({stepSeconds: 86_400, estimated: false});
	expect(found.operations.buckets).toHaveLength(31);
	expect(found.operations.buckets[0]).toEqual({
		at: expect.stringMatching(/T00:00:00\.000Z$/),
		read: expect.any(Number),
		write: expect.any(Number),
		delete: expect.any(Number),
		list: expect.any(Number),
	});
	expect(found.latencyMs.kinds.read.p50).toBeLessThan(found.latencyMs.kinds.read['p99.9']);
	expect(found.storage.at(-1)).toEqual({
		at: expect.any(String),
		keys: expect.any(Number),
		bytes: expect.any(Number),
	});
});

test('plots fit the terminal width, use ASCII under LC_ALL=C, and become tables if too narrow', async () => {
	for (const columns of [60, 80, 200]) {
		const {stdout} = await metrics(['--all'], {tty: {columns}});
		expect(stdout).toMatch(/└[─┬]/);
		expect(stdout.split('\n').every(line => line.length <= columns)).toBe(true);
	}
	const ascii = await metrics(['--all'], {tty: true, env: {LC_ALL: 'C'}});
	expect(ascii.stdout).toMatch(/\+-+\+/);
	expect(ascii.stdout).toMatch(/^[\n -~]*$/);
	const narrow = await metrics(['--all'], {tty: {columns: 40}});
	expect(narrow.stdout).toMatch(/^time UTC/m);
});

describe('missing metrics', () => {
	test.each([
		['analytics=not-authorized', 4, 'Store metrics require the permission Account Analytics: Read.'],
		['status=404', 3, 'Store metrics are not available from this service.'],
		['analytics=budget-depleted', 1, 'Store metrics were requested too often.'],
		['analytics=error', 1, 'Store metrics could not be loaded.'],
	])('caused by %s exit with %i', async (fault, code, expectedText) => {
		await using faultyService = await serveWithFault(fault);
		for (const words of [[], ['--all'], ['--all', '--json']]) {
			const ended = await metrics(words, {}, faultyService);
			expect(ended.code).toBe(code);
			expect(ended.stderr).toContain(expectedText);
			expect(ended.stdout).toBe('');
		}
	});

	test('are reported if partial, and the rest is printed', async () => {
		await using faultyService = await serveWithFault('lacks-dataset=kvStorageAdaptiveGroups');
		const expectedText = 'Namespace keys and sizes are not available from this service.';
		const table = await metrics([], {}, faultyService);
		expect(table.code).toBe(0);
		expect(table.stdout).toMatch(/^catalogue +\w{32} +- +- +[\d,]+/m);
		expect(table.stderr).toContain(`warning: ${expectedText}`);
		const {stdout, code} = await metrics(['--all', '--json'], {}, faultyService);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			storage: null,
			missing: [{what: expectedText, why: null, next: null}],
		});
	});

	test('are marked if estimated', async () => {
		await using faultyService = await serveWithFault('sample-interval=10');
		const {stdout} = await metrics([], {}, faultyService);
		expect(stdout).toMatch(/~[\d,]+/);
		expect((await metrics(['--all'], {}, faultyService)).stdout).toMatch(/^Operations: about /m);
	});
});

test.each([
	[['--days', '32'], /kept for 31 days; you requested 32\.\n +next: +Request 1 to 31 days\./],
	[['--days', '0'], /--days/],
	[['--all', '--namespace', 'SESSIONS'], /--all and a namespace can't be combined/],
	[['--local'], /Local data has no metrics/],
])('%j is refused before anything is sent', async (words, expectedText) => {
	const ended = await metrics(words);
	expect(ended.code).toBe(2);
	expect(ended.stderr).toMatch(expectedText);
});

test('latencies follow the order of operations, and are left out without operations', async () => {
	const used = await metrics(['--namespace', 'SESSIONS']);
	expect(used.stdout).toMatch(/^Latency: p50\/p99 in ms +read \d+\/\d+ +write .* +delete .* +list /m);
	const unused = await metrics(['--namespace', 'odd names']);
	expect(unused.stdout).toContain('Operations: 0');
	expect(unused.stdout).not.toContain('Latency');
});
