import {buildSchema, parse, validate} from 'graphql';
import {describe, expect, test} from 'vitest';
import {formatMissingLine, type ReadResult} from '../../source/analytics/problem.ts';
import {
	getOperationCount,
	getStoreSubject,
	readStoreSummaries,
} from '../../source/analytics/store-metrics.ts';
import {readStoreSeries} from '../../source/analytics/store-series.ts';
import {listKvNamespaces} from '../../source/kv/namespaces.ts';
import {
	createSimulator,
	formatSchema,
	listAvailableDatasets,
	parseFaults,
	simulatedAccount,
} from '../../source/simulator/simulator.ts';
import {never, scriptedClient, scriptedUrl} from '../service/scripted-transport.ts';

const start = Date.parse('2027-03-10T12:00:00Z');

/** A client of a simulated service of its own, and every query that it sends. */
function simulated(faults = '') {
	let now = () => start;
	const simulator = createSimulator({now: () => now(), faults: parseFaults(faults)});
	const queries: string[] = [];
	const {client, clock} = scriptedClient([
		({method, url, body}) => {
			if (url.endsWith('/graphql')) queries.push((JSON.parse(String(body)) as {query: string}).query);
			return simulator.fetch(
				new Request(url, {
					method,
					headers: {authorization: 'Bearer simulated', 'content-type': 'application/json'},
					...(body !== undefined && {body: body as string}),
				}),
			);
		},
	]);
	clock.advance(start - clock.now());
	now = clock.now;
	return {client, queries};
}

const lines = ({problems}: ReadResult<unknown>) =>
	problems.map(problem => formatMissingLine(getStoreSubject(problem), problem));

test('a scripted client uses the same base path as the simulated service', () => {
	expect(scriptedUrl).toContain('/client/v4');
});

test.each([
	{datasets: [], dimensions: []},
	{datasets: [], dimensions: ['datetimeHour', 'datetime']},
	{datasets: ['kvStorageAdaptiveGroups'], dimensions: ['actionType']},
])('every query is valid if the schema lacks $datasets $dimensions', async lacks => {
	const words = [
		...lacks.datasets.map(name => `lacks-dataset=${name}`),
		...(lacks.dimensions.length > 0 ? [`lacks-dimension=${lacks.dimensions.join(',')}`] : []),
	].join(' ');
	const {client, queries} = simulated(words);
	await readStoreSummaries(client, simulatedAccount.id, never);
	await readStoreSeries(client, simulatedAccount.id, undefined, {days: 31}, never);
	await readStoreSeries(client, simulatedAccount.id, 'any', {days: 1, storageDays: 31}, never);
	const schema = buildSchema(formatSchema(listAvailableDatasets(lacks)));
	const numbers = queries.filter(query => !query.includes('__'));
	expect(numbers.length).toBeGreaterThanOrEqual(3);
	for (const query of numbers) expect(validate(schema, parse(query)), query).toEqual([]);
});

test('the schema is queried once, even for two concurrent reads', async () => {
	const {client, queries} = simulated();
	await Promise.all([
		readStoreSummaries(client, simulatedAccount.id, never),
		readStoreSeries(client, simulatedAccount.id, undefined, {days: 7}, never),
	]);
	expect(queries.filter(query => query.includes('__'))).toHaveLength(5);
	expect(queries.filter(query => query.includes('settings'))).toHaveLength(2);
	expect(queries).toHaveLength(5 + 2 + 2);
});

test('aborting one read does not affect a concurrent one', async () => {
	const {client} = simulated();
	const stopped = new AbortController();
	const first = readStoreSummaries(client, simulatedAccount.id, stopped.signal);
	const second = readStoreSummaries(client, simulatedAccount.id, never);
	stopped.abort();
	await expect(first).rejects.toThrow();
	expect((await second).problems).toEqual([]);
});

test('hourly sums match the list, and each namespace has its own', async () => {
	const {client} = simulated();
	const listed = await Array.fromAsync(listKvNamespaces(client, simulatedAccount.id, never));
	const {value: summaries} = await readStoreSummaries(client, simulatedAccount.id, never, {days: 7});
	const measured = listed.map(({id}) => summaries?.get(id));
	expect(measured.every(one => one?.keys !== undefined && one.operations !== undefined)).toBe(true);
	expect(new Set(measured.map(one => getOperationCount(one?.operations, 'read'))).size).toBeGreaterThan(3);
	const {value: all} = await readStoreSeries(client, simulatedAccount.id, undefined, {days: 7}, never);
	const last = all?.storage?.keys.filter(keys => keys !== undefined).at(-1);
	const total = measured.reduce((sum, one) => sum + (one?.keys ?? 0), 0);
	expect(last).toBe(total);
	const reads = all?.operations?.kinds.get('read') ?? [];
	expect(reads).toHaveLength(7 * 24);
	const sum = reads.reduce((one, other) => one + other, 0);
	const listedReads = measured.reduce((one, of) => one + (getOperationCount(of?.operations, 'read') ?? 0), 0);
	// The list is of the last 168 hours to the second, the series of 168 whole hours and the one under way.
	expect(sum / listedReads).toBeGreaterThan(0.98);
	expect(sum / listedReads).toBeLessThan(1.02);
});

describe('faults of the service', () => {
	test.each([
		['analytics=not-authorized', /^Store metrics require the permission Account Analytics: Read\./],
		['analytics=budget-depleted', /^Store metrics were requested too often\. Try again in 5 minutes\.$/],
		['analytics=too-busy', /too many queries are in progress/],
		['status=404', /^Store metrics are not available from this service\.$/],
	])('%s: nothing is read, and the reason is given', async (faults, says) => {
		const {client} = simulated(`${faults} path=graphql`);
		for (const read of [
			await readStoreSummaries(client, simulatedAccount.id, never),
			await readStoreSeries(client, simulatedAccount.id, undefined, {days: 7}, never),
		]) {
			expect(read.value).toBeUndefined();
			expect(lines(read)[0]).toMatch(says);
		}
	});

	test('a partial failure in a 200 answer leaves the other parts intact', async () => {
		const {client} = simulated('analytics=partial path=graphql');
		const {value, problems} = await readStoreSummaries(client, simulatedAccount.id, never);
		expect(value).toBeDefined();
		expect(problems.length).toBeGreaterThan(0);
	});

	test('missing hours fall back to days, and missing action types are merged into one', async () => {
		const {client} = simulated('lacks-dimension=datetimeHour,actionType path=graphql');
		const read = await readStoreSeries(client, simulatedAccount.id, undefined, {days: 7}, never);
		expect(read.value?.operations?.step).toBe(86_400_000);
		expect([...(read.value?.operations?.kinds.keys() ?? [])]).toEqual(['all']);
		expect(lines(read)).toEqual(['Namespace operations lack actionType on this service.']);
	});

	test('counts are marked as estimates if the service samples', async () => {
		const {client} = simulated('sample-interval=10 path=graphql');
		const {value} = await readStoreSeries(client, simulatedAccount.id, undefined, {days: 1}, never);
		expect(value?.operations?.isEstimate).toBe(true);
	});
});
