import {describe, expect, test} from 'vitest';
import {
	type AnalyticsProblem,
	createMissingFailure,
	formatMissingLine,
} from '../../source/analytics/problem.ts';
import {
	getOperationCount,
	getStoreSubject,
	readStoreSummaries,
} from '../../source/analytics/store-metrics.ts';
import {readStoreSeries} from '../../source/analytics/store-series.ts';
import {failureCodes} from '../../source/failure.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {
	type AnalyticsScript,
	createDataResponse,
	generousLimits,
	scriptedAnalytics,
	storeSchema,
} from './scripted-analytics.ts';

const createStorageRow = (namespaceId: string, date: string, keyCount: number, byteCount: number) => ({
	max: {keyCount, byteCount},
	dimensions: {date, namespaceId},
});
const createOperationsRow = (
	namespaceId: string,
	actionType: string,
	requests: number,
	sampleInterval = 1,
) => ({
	sum: {requests},
	avg: {sampleInterval},
	dimensions: {namespaceId, actionType},
});

const bothDatasets = {
	storage: [createStorageRow('a', '1970-01-01', 12, 3400), createStorageRow('b', '1970-01-01', 1, 10)],
	operations: [
		createOperationsRow('a', 'read', 500, 10),
		createOperationsRow('a', 'write', 20),
		createOperationsRow('b', 'list', 3),
	],
};

const formatLines = (problems: readonly AnalyticsProblem[]) =>
	problems.map(problem => formatMissingLine(getStoreSubject(problem), problem));

test('one query returns keys, bytes and operations for all namespaces', async () => {
	const {client, queries} = scriptedAnalytics({data: () => createDataResponse(bothDatasets)});
	const {value, problems} = await readStoreSummaries(client, 'acc', neverAbortedSignal);
	expect(problems).toEqual([]);
	expect(queries).toHaveLength(1);
	expect(value?.get('a')).toEqual({
		keys: 12,
		bytes: 3400,
		operations: {read: 500, write: 20},
		isEstimate: true,
	});
	expect(value?.get('b')).toMatchObject({keys: 1, operations: {list: 3}, isEstimate: false});
	expect(value?.get('unused')).toEqual({
		keys: undefined,
		bytes: undefined,
		operations: {},
		isEstimate: false,
	});
	expect(getOperationCount(value?.get('unused').operations, 'read')).toBe(0);
});

test('keys and bytes are those of the latest day', async () => {
	const {client} = scriptedAnalytics({
		data: () =>
			createDataResponse({
				storage: [createStorageRow('a', '1970-01-01', 5, 50), createStorageRow('a', '1969-12-31', 9, 90)],
				operations: [],
			}),
	});
	const {value} = await readStoreSummaries(client, 'acc', neverAbortedSignal);
	expect(value?.get('a')).toMatchObject({keys: 5, bytes: 50});
});

type Case = AnalyticsScript & {
	/** The lines about the missing data. */
	readonly expectedLines: readonly (string | RegExp)[];
	readonly keys: number | undefined;
	readonly reads: number | undefined;
	/** Exit code of a command that needs the metrics; given if none could be read. */
	readonly exit?: number;
};

const respondWithError = (message: string, status = 200): AnalyticsScript => ({
	data: () => Response.json({data: null, errors: [{message, path: null, extensions: {}}]}, {status}),
});

const cases: Readonly<Record<string, Case>> = {
	'no permission': {
		...respondWithError('not authorized for that account'),
		expectedLines: [/^Store metrics require the permission Account Analytics: Read\./],
		keys: undefined,
		reads: undefined,
		exit: 4,
	},
	'no permission, as a 403 of the service': {
		data: () =>
			Response.json(
				{
					success: false,
					errors: [{code: 10_000, message: 'Authentication error'}],
					messages: [],
					result: null,
				},
				{status: 403},
			),
		expectedLines: [/require the permission Account Analytics: Read/],
		keys: undefined,
		reads: undefined,
		exit: 4,
	},
	'another service: 404': {
		schema: 'closed',
		data: () => new Response('not found', {status: 404}),
		expectedLines: ['Store metrics are not available from this service.'],
		keys: undefined,
		reads: undefined,
		exit: 3,
	},
	'another service: an HTML page': {
		schema: 'closed',
		data: () => new Response('<html>hello</html>', {headers: {'content-type': 'text/html'}}),
		expectedLines: ['Store metrics could not be loaded. Try again in a moment.'],
		keys: undefined,
		reads: undefined,
		exit: 1,
	},
	'a 429 response': {
		...respondWithError('limit reached: rate limiter budget depleted, please try again after 5 minutes', 429),
		expectedLines: ['Store metrics were requested too often. Try again in 5 minutes.'],
		keys: undefined,
		reads: undefined,
		exit: 1,
	},
	'no storage on this plan': {
		limits: {kvStorageAdaptiveGroups: {...generousLimits, enabled: false}},
		data: () => createDataResponse({operations: bothDatasets.operations}),
		expectedLines: ['Namespace keys and sizes are not included in this plan.'],
		keys: undefined,
		reads: 500,
	},
	'a part with an error in a 200': {
		data: () =>
			createDataResponse({...bothDatasets, operations: null}, [
				{message: 'cannot request data older than 3600s', path: ['viewer', 'accounts', 0, 'operations']},
			]),
		expectedLines: [/^Namespace operations are not kept that long\./],
		keys: 12,
		reads: undefined,
	},
	'no dataset of operations': {
		schema: {storage: storeSchema.storage},
		data: () => createDataResponse({storage: bothDatasets.storage}),
		expectedLines: ['Namespace operations are not available from this service.'],
		keys: 12,
		reads: undefined,
	},
	'no kinds of operations': {
		schema: {...storeSchema, operations: {...storeSchema.operations, dimensions: ['date', 'namespaceId']}},
		data: query =>
			query.includes('actionType') || query.includes('datetime')
				? createDataResponse(null, [{message: 'unknown field "actionType"', path: null}])
				: createDataResponse({
						...bothDatasets,
						operations: [{sum: {requests: 7}, avg: {sampleInterval: 1}, dimensions: {namespaceId: 'a'}}],
					}),
		expectedLines: ['Namespace operations lack actionType on this service.'],
		keys: 12,
		reads: undefined,
	},
	'a schema that cannot be read, and a field that does not exist': {
		schema: 'closed',
		data: query =>
			query.includes('actionType')
				? createDataResponse(null, [{message: 'Cannot query field "actionType" on type "X"', path: null}])
				: createDataResponse({storage: bothDatasets.storage}),
		expectedLines: [/^Store metrics lack a field on this service\./],
		keys: 12,
		reads: undefined,
	},
	'as many rows as a response can have': {
		limits: {kvOperationsAdaptiveGroups: {...generousLimits, maxPageSize: 3}},
		data: () => createDataResponse(bothDatasets),
		expectedLines: [/^Namespace operations have more rows than one query can return\./],
		keys: 12,
		reads: 500,
	},
};

describe('missing data is reported and the rest is returned', () => {
	test.each(Object.entries(cases))('%s', async (_name, {expectedLines, keys, reads, exit, ...answers}) => {
		const {client} = scriptedAnalytics(answers);
		const {value, problems} = await readStoreSummaries(client, 'acc', neverAbortedSignal);
		const missingLines = formatLines(problems);
		expect(missingLines).toHaveLength(expectedLines.length);
		for (const [lineIndex, expectedLine] of expectedLines.entries())
			if (typeof expectedLine === 'string') expect(missingLines[lineIndex]).toBe(expectedLine);
			else expect(missingLines[lineIndex]).toMatch(expectedLine);
		expect(value?.get('a').keys).toBe(keys);
		expect(getOperationCount(value?.get('a').operations, 'read')).toBe(reads);
		expect(value === undefined).toBe(exit !== undefined);
		const [problem] = problems;
		if (exit !== undefined && problem)
			expect(failureCodes[createMissingFailure(getStoreSubject(problem), problem).code].exit).toBe(exit);
	});
});

test('a plan with shorter query ranges is queried in parts, and the counts are added up', async () => {
	const {client, queries} = scriptedAnalytics({
		limits: {kvOperationsAdaptiveGroups: {...generousLimits, maxDuration: 86_400}},
		data: query =>
			createDataResponse({
				...(query.includes('storage:') && {storage: []}),
				operations: bothDatasets.operations,
			}),
	});
	const {value} = await readStoreSummaries(client, 'acc', neverAbortedSignal, {days: 3});
	expect(queries.length).toBeGreaterThanOrEqual(3);
	expect(value?.get('a').operations?.read).toBe(500 * queries.length);
	const queryRanges = queries.map(query =>
		/datetime_geq: "(.*?)", datetime_leq: "(.*?)"/.exec(query)?.slice(1),
	);
	for (const [previousIndex, [, until = ''] = []] of queryRanges
		.slice(1)
		.map((time, index) => [index, time] as const)) {
		const [previousSince = ''] = queryRanges[previousIndex] ?? [];
		expect(Date.parse(previousSince) - Date.parse(until)).toBe(1000);
	}
});

test('asking for more days than the service keeps is refused, naming the limit', async () => {
	const {client, sent} = scriptedAnalytics({data: () => createDataResponse(bothDatasets)});
	await expect(readStoreSeries(client, 'acc', 'a', {days: 32}, neverAbortedSignal)).rejects.toThrow(
		/31 days; you requested 32/,
	);
	expect(sent).toEqual([]);
});

test('a series has a value for each hour: zero for missing operations, none for missing latency', async () => {
	const {client, clock, queries} = scriptedAnalytics({
		data: () =>
			createDataResponse({
				operations: [
					{
						sum: {requests: 9},
						avg: {sampleInterval: 1},
						dimensions: {datetimeHour: '1970-02-11T05:00:00Z', actionType: 'read'},
					},
					{
						sum: {requests: 2},
						avg: {sampleInterval: 1},
						dimensions: {datetimeHour: '1970-02-11T03:00:00Z', actionType: 'write'},
					},
				],
				latency: [
					{
						quantiles: {latencyMsP50: 4, latencyMsP99: 30},
						dimensions: {datetimeHour: '1970-02-11T05:00:00Z'},
					},
				],
				latencyByKind: [{quantiles: {latencyMsP50: 4}, dimensions: {actionType: 'read'}}],
				storage: [createStorageRow('a', '1970-02-11', 10, 100), createStorageRow('a', '1970-02-10', 8, 80)],
			}),
	});
	clock.advance(41 * 86_400_000 + 5 * 3_600_000);
	const {value, problems} = await readStoreSeries(
		client,
		'acc',
		'a',
		{days: 1, storageDays: 31},
		neverAbortedSignal,
	);
	expect(problems).toEqual([]);
	expect(queries).toHaveLength(1);
	const {operations: operationsSeries, latency, latencyByKind, storage: storageSeries} = value ?? {};
	expect(operationsSeries?.step).toBe(3_600_000);
	const reads = operationsSeries?.kinds.get('read') ?? [];
	expect(reads).toHaveLength(24);
	expect(reads.at(-1)).toBe(9);
	expect(operationsSeries?.kinds.get('write')?.slice(-3)).toEqual([2, 0, 0]);
	expect([...(operationsSeries?.kinds.keys() ?? [])]).toEqual(['read', 'write', 'delete', 'list']);
	expect(latency?.quantiles.get('p50')?.slice(-2)).toEqual([undefined, 4]);
	expect([...(latency?.quantiles.keys() ?? [])]).toEqual(['p50', 'p99']);
	expect(latencyByKind?.get('read')).toEqual({p50: 4});
	expect(storageSeries?.keys.slice(-2)).toEqual([8, 10]);
	expect(new Date(storageSeries?.firstStart ?? 0).toISOString()).toBe('1970-02-10T00:00:00.000Z');
});

test('totals across namespaces leave out an incomplete last day', async () => {
	const {client, clock} = scriptedAnalytics({
		data: () =>
			createDataResponse({
				operations: [],
				latency: [],
				latencyByKind: [],
				storage: [
					createStorageRow('a', '1970-02-11', 11, 110),
					createStorageRow('a', '1970-02-10', 10, 100),
					createStorageRow('b', '1970-02-10', 5, 50),
				],
			}),
	});
	clock.advance(41 * 86_400_000);
	const {value} = await readStoreSeries(client, 'acc', undefined, {days: 31}, neverAbortedSignal);
	expect(value?.storage?.keys).toEqual([15, undefined]);
	expect(value?.operations?.kinds.get('read')).toEqual(new Array(31).fill(0));
});

test('if rows are cut off, the series starts after the time of the oldest row', async () => {
	const row = (hour: string) => ({
		sum: {requests: 1},
		avg: {sampleInterval: 1},
		dimensions: {date: hour, actionType: 'read'},
	});
	const {client, clock} = scriptedAnalytics({
		limits: {kvOperationsAdaptiveGroups: {...generousLimits, maxPageSize: 3}},
		data: () =>
			createDataResponse({
				operations: [row('1970-02-11'), row('1970-02-10'), row('1970-02-09')],
				latency: [],
				latencyByKind: [],
				storage: [],
			}),
	});
	clock.advance(41 * 86_400_000);
	const {value, problems} = await readStoreSeries(client, 'acc', 'a', {days: 31}, neverAbortedSignal);
	expect(value?.operations?.kinds.get('read')).toEqual([1, 1]);
	expect(formatLines(problems)).toEqual([expect.stringMatching(/^Namespace operations have more rows/)]);
});
