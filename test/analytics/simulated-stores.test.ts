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
import {createScriptedClient, neverAbortedSignal, scriptedUrl} from '../service/scripted-transport.ts';

const start = Date.parse('2027-03-10T12:00:00Z');

/** Creates a client of its own simulated service, and records every query that it sends. */
function createSimulatedClient(faults = '') {
	let now = () => start;
	const simulator = createSimulator({now: () => now(), faults: parseFaults(faults)});
	const queries: string[] = [];
	const {client, clock} = createScriptedClient([
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

const formatLines = ({problems}: ReadResult<unknown>) =>
	problems.map(problem => formatMissingLine(getStoreSubject(problem), problem));

test('a scripted client uses the same base path as the simulated service', () => {
	expect(scriptedUrl).toContain('/client/v4');
});

test.each([
	{datasets: [], dimensions: []},
	{datasets: [], dimensions: ['datetimeHour', 'datetime']},
	{datasets: ['kvStorageAdaptiveGroups'], dimensions: ['actionType']},
])('every query is valid without the datasets $datasets and dimensions $dimensions', async missing => {
	const faults = [
		...missing.datasets.map(name => `lacks-dataset=${name}`),
		...(missing.dimensions.length > 0 ? [`lacks-dimension=${missing.dimensions.join(',')}`] : []),
	].join(' ');
	const {client, queries} = createSimulatedClient(faults);
	await readStoreSummaries(client, simulatedAccount.id, neverAbortedSignal);
	await readStoreSeries(client, simulatedAccount.id, undefined, {days: 31}, neverAbortedSignal);
	await readStoreSeries(client, simulatedAccount.id, 'any', {days: 1, storageDays: 31}, neverAbortedSignal);
	const schema = buildSchema(formatSchema(listAvailableDatasets(missing)));
	const metricQueries = queries.filter(query => !query.includes('__'));
	expect(metricQueries.length).toBeGreaterThanOrEqual(3);
	for (const query of metricQueries) expect(validate(schema, parse(query)), query).toEqual([]);
});

test('the schema is queried once, even for two concurrent reads', async () => {
	const {client, queries} = createSimulatedClient();
	await Promise.all([
		readStoreSummaries(client, simulatedAccount.id, neverAbortedSignal),
		readStoreSeries(client, simulatedAccount.id, undefined, {days: 7}, neverAbortedSignal),
	]);
	expect(queries.filter(query => query.includes('__'))).toHaveLength(5);
	expect(queries.filter(query => query.includes('settings'))).toHaveLength(2);
	expect(queries).toHaveLength(5 + 2 + 2);
});

test('aborting one read does not affect a concurrent one', async () => {
	const {client} = createSimulatedClient();
	const abortController = new AbortController();
	const first = readStoreSummaries(client, simulatedAccount.id, abortController.signal);
	const second = readStoreSummaries(client, simulatedAccount.id, neverAbortedSignal);
	abortController.abort();
	await expect(first).rejects.toThrow();
	expect((await second).problems).toEqual([]);
});

test('hourly sums match the summaries, which differ between namespaces', async () => {
	const {client} = createSimulatedClient();
	const namespaces = await Array.fromAsync(listKvNamespaces(client, simulatedAccount.id, neverAbortedSignal));
	const {value: summaries} = await readStoreSummaries(client, simulatedAccount.id, neverAbortedSignal, {
		days: 7,
	});
	const namespaceSummaries = namespaces.map(({id}) => summaries?.get(id));
	expect(namespaceSummaries.every(one => one?.keys !== undefined && one.operations !== undefined)).toBe(true);
	expect(
		new Set(namespaceSummaries.map(one => getOperationCount(one?.operations, 'read'))).size,
	).toBeGreaterThan(3);
	const {value: totalSeries} = await readStoreSeries(
		client,
		simulatedAccount.id,
		undefined,
		{days: 7},
		neverAbortedSignal,
	);
	const lastKeyCount = totalSeries?.storage?.keys.filter(keys => keys !== undefined).at(-1);
	const totalKeyCount = namespaceSummaries.reduce((sum, one) => sum + (one?.keys ?? 0), 0);
	expect(lastKeyCount).toBe(totalKeyCount);
	const reads = totalSeries?.operations?.kinds.get('read') ?? [];
	expect(reads).toHaveLength(7 * 24);
	const seriesReads = reads.reduce((one, other) => one + other, 0);
	const summaryReads = namespaceSummaries.reduce(
		(one, summary) => one + (getOperationCount(summary?.operations, 'read') ?? 0),
		0,
	);
	// The summaries cover the last 168 hours to the second, the series 167 whole hours and the current one.
	expect(seriesReads / summaryReads).toBeGreaterThan(0.98);
	expect(seriesReads / summaryReads).toBeLessThan(1.02);
});

describe('faults of the service', () => {
	test.each([
		['analytics=not-authorized', /^Store metrics require the permission Account Analytics: Read\./],
		['analytics=budget-depleted', /^Store metrics were requested too often\. Try again in 5 minutes\.$/],
		['analytics=too-busy', /too many queries are in progress/],
		['status=404', /^Store metrics are not available from this service\.$/],
	])('%s: nothing is read, and the reason is given', async (faults, expectedLine) => {
		const {client} = createSimulatedClient(`${faults} path=graphql`);
		for (const read of [
			await readStoreSummaries(client, simulatedAccount.id, neverAbortedSignal),
			await readStoreSeries(client, simulatedAccount.id, undefined, {days: 7}, neverAbortedSignal),
		]) {
			expect(read.value).toBeUndefined();
			expect(formatLines(read)[0]).toMatch(expectedLine);
		}
	});

	test('a partial failure in a 200 response leaves the other parts intact', async () => {
		const {client} = createSimulatedClient('analytics=partial path=graphql');
		const {value, problems} = await readStoreSummaries(client, simulatedAccount.id, neverAbortedSignal);
		expect(value).toBeDefined();
		expect(problems.length).toBeGreaterThan(0);
	});

	test('missing hours fall back to days, and missing action types are merged into one', async () => {
		const {client} = createSimulatedClient('lacks-dimension=datetimeHour,actionType path=graphql');
		const read = await readStoreSeries(client, simulatedAccount.id, undefined, {days: 7}, neverAbortedSignal);
		expect(read.value?.operations?.step).toBe(86_400_000);
		expect([...(read.value?.operations?.kinds.keys() ?? [])]).toEqual(['all']);
		expect(formatLines(read)).toEqual(['Namespace operations lack actionType on this service.']);
	});

	test('counts are marked as estimates if the service samples', async () => {
		const {client} = createSimulatedClient('sample-interval=10 path=graphql');
		const {value} = await readStoreSeries(
			client,
			simulatedAccount.id,
			undefined,
			{days: 1},
			neverAbortedSignal,
		);
		expect(value?.operations?.isEstimate).toBe(true);
	});
});
