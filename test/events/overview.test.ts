import {describe, expect, test} from 'vitest';
import type {EventFilter} from '../../source/analytics/event-query.ts';
import {formatMissingLine, securityEventsSubject} from '../../source/analytics/problem.ts';
import {findFinestBucket, readEventOverview} from '../../source/events/overview.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {
	buildZoneData,
	createQueryClient,
	createScriptedSchema,
	type ScriptedResponse,
	scriptedZoneId,
} from './scripted.ts';

const hour = 3_600_000;
const until = Date.UTC(2026, 10, 23, 12, 30);
const filter: EventFilter = {since: until - hour, until};

const group = (count: number, dimensions: object, sampleInterval = 1) => ({
	count,
	avg: {sampleInterval},
	dimensions,
});

const minute = (text: string) => `2026-11-23T${text}:00Z`;

/** g0 to g6: by action, by source, totals, rules, paths, addresses, countries. */
const allGroups = {
	g0: [
		group(5, {datetimeMinute: minute('12:00'), action: 'block'}),
		group(2, {datetimeMinute: minute('12:00'), action: 'log'}),
		group(7, {datetimeMinute: minute('12:30'), action: 'block'}, 10),
	],
	g1: [group(14, {datetimeMinute: minute('12:00'), source: 'waf'})],
	g2: [group(12, {action: 'block'}), group(2, {action: 'log'})],
	g3: [
		group(9, {ruleId: 'r1', source: 'firewallManaged', rulesetId: 's', description: 'SQLi'}),
		group(4, {ruleId: 'r1', source: 'firewallManaged', rulesetId: 's', description: 'SQLi, renamed'}),
		group(1, {ruleId: 'r1', source: 'firewallCustom', rulesetId: 't', description: ''}),
	],
	g4: [group(3, {clientRequestPath: '/a'}), group(9, {clientRequestPath: '/b'})],
	g5: [group(14, {clientIP: '192.0.2.1', clientCountryName: 'DE'})],
	g6: [group(14, {clientCountryName: 'DE'})],
};

const allDimensions = [
	'action',
	'source',
	'ruleId',
	'rulesetId',
	'description',
	'clientIP',
	'clientCountryName',
	'clientRequestPath',
	'datetimeMinute',
	'datetimeHour',
];

async function readOverview(
	answer: (query: string) => ScriptedResponse,
	options: Partial<Parameters<typeof createQueryClient>[0]> = {},
	requestedFilter = filter,
) {
	const scripted = createQueryClient({
		schema: createScriptedSchema([], allDimensions),
		answer: ({query}) => answer(query),
		...options,
	});
	scripted.clock.advance(until - scripted.clock.now());
	return {
		...(await readEventOverview(scripted.client, scriptedZoneId, requestedFilter, neverAbortedSignal)),
		queries: scripted.queries,
	};
}

describe('the overview of events in a zone', () => {
	test('is read with one query: the series, the total and the most frequent values', async () => {
		const {value, problems, queries} = await readOverview(() => buildZoneData(allGroups));
		expect(problems).toEqual([]);
		expect(queries).toHaveLength(1);
		expect(value?.total).toBe(14);
		expect(value?.isSampled).toBe(true);
		expect(value?.plots.action).toMatchObject({firstStart: until - hour, step: 60_000});
		expect(value?.plots.action?.series.map(({seriesName}) => seriesName)).toEqual(['block', 'log']);
		const [block] = value?.plots.action?.series ?? [];
		expect(block?.values).toHaveLength(61);
		expect(block?.values[30]).toBe(5);
		expect(block?.values[60]).toBe(7);
		expect(value?.topValues.paths?.map(({value: path}) => path)).toEqual(['/b', '/a']);
		expect(value?.topValues.addresses?.[0]).toMatchObject({value: '192.0.2.1', country: 'DE', count: 14});
	});

	test('lists a rule once per source, even if its descriptions differ', async () => {
		const {value} = await readOverview(() => buildZoneData(allGroups));
		expect(value?.topValues.rules).toMatchObject([
			{value: 'r1', count: 13, rule: {source: 'firewallManaged', rulesetId: 's', description: 'SQLi'}},
			{value: 'r1', count: 1, rule: {source: 'firewallCustom'}},
		]);
	});

	test('has at most five series, with everything rarer in the last one', async () => {
		const actions = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
		const {value} = await readOverview(() =>
			buildZoneData({
				...allGroups,
				g0: actions.map((action, index) => group(10 - index, {datetimeMinute: minute('12:00'), action})),
			}),
		);
		expect(value?.plots.action?.series.map(({seriesName, values}) => [seriesName, values[30]])).toEqual([
			['a', 10],
			['b', 9],
			['c', 8],
			['d', 7],
			[undefined, 6 + 5 + 4],
		]);
	});

	test('omits dimensions that a service lacks, and reports them', async () => {
		const {value, problems, queries} = await readOverview(
			query =>
				buildZoneData(
					query.includes('clientIP')
						? {}
						: {g0: [], g1: [], g2: [group(2, {action: 'block'})], g3: [], g4: []},
				),
			{schema: createScriptedSchema([], ['action', 'source', 'ruleId', 'clientRequestPath', 'date'])},
		);
		expect(queries[0]).not.toMatch(/clientIP|clientCountryName|description|datetimeMinute/);
		expect(value?.plots.action?.step).toBe(86_400_000);
		expect(value?.topValues.addresses).toBeUndefined();
		expect(value?.topValues.rules).toEqual([]);
		expect(problems.map(problem => formatMissingLine(securityEventsSubject, problem))).toEqual([
			'Security events lack clientIP, clientCountryName on this service.',
		]);
	});

	test('uses the parts that a partial response contains', async () => {
		const {value, problems} = await readOverview(() => ({
			...buildZoneData({...allGroups, g4: null}),
			errors: [{message: 'limit too large', path: ['viewer', 'zones', '0', 'g4']}],
		}));
		expect(value?.topValues.paths).toBeUndefined();
		expect(value?.total).toBe(14);
		expect(problems).toMatchObject([{kind: 'too much'}]);
	});

	test('is requested in periods that the plan allows, and starts where the plan does', async () => {
		const day = 24 * hour;
		const {value, queries} = await readOverview(
			() => buildZoneData(allGroups),
			{settings: {enabled: true, notOlderThan: 86_400 * 3, maxDuration: 86_400, maxPageSize: 100}},
			{since: until - 7 * day, until},
		);
		expect(queries).toHaveLength(3);
		expect(queries.every(query => !/limit: (?!100\b)/.test(query))).toBe(true);
		expect(value?.since).toBe(until - 3 * day + 60_000);
		expect(value?.total).toBe(3 * 14);
	});

	test('starts with the earliest part that could be read', async () => {
		const day = 24 * hour;
		let queryCount = 0;
		const {value, problems} = await readOverview(
			() =>
				queryCount++ < 2
					? buildZoneData(allGroups)
					: {data: null, errors: [{message: 'too many queries in progress'}]},
			{settings: {maxDuration: 86_400}},
			{since: until - 7 * day, until},
		);
		expect(problems).toMatchObject([{kind: 'busy'}]);
		expect(value?.total).toBe(2 * 14);
		expect(value && until - value.since).toBeLessThan(2 * day);
	});
});

describe('the line about missing events', () => {
	const buildErrorBody = (message: string) => ({
		data: null,
		errors: [{message, extensions: {timestamp: 'x'}}],
	});

	test.each<[string, ScriptedResponse, string]>([
		[
			'no permission',
			Response.json(buildErrorBody('not authorized for that zone'), {status: 403}),
			'Security events require the permission Zone Analytics: Read. Add it to the token, or use a different credential.',
		],
		[
			'no permission, in a 200',
			buildErrorBody('zone does not have access: not authorized'),
			'Security events require the permission Zone Analytics: Read. Add it to the token, or use a different credential.',
		],
		[
			'another service',
			new Response('<html>', {status: 404}),
			'Security events are not available from this service.',
		],
		[
			'another service with JSON',
			Response.json(
				{success: false, errors: [{code: 7000, message: 'No route'}], result: null},
				{status: 404},
			),
			'Security events are not available from this service.',
		],
		[
			'too old',
			buildErrorBody('cannot request data older than 86400s'),
			'Security events are not kept that long. Choose a more recent time range.',
		],
		[
			'too long',
			Response.json(buildErrorBody('query time range is too large'), {status: 400}),
			"Security events can't be loaded for a time range this long. Choose a shorter time range.",
		],
		[
			'budget',
			Response.json(buildErrorBody('budget depleted, try again after 5 minutes'), {status: 429}),
			'Security events were requested too often. Try again in 5 minutes.',
		],
		[
			'an unknown dimension',
			buildErrorBody('unknown field "ruleId"'),
			'Security events lack a field on this service.',
		],
		[
			'anything else',
			buildErrorBody('internal server error'),
			'Security events could not be loaded. Try again in a moment.',
		],
	])('gives the reason: %s', async (_, response, line) => {
		const {value, problems} = await readOverview(() => response);
		expect(value).toBeUndefined();
		expect(problems.map(problem => formatMissingLine(securityEventsSubject, problem))).toEqual([line]);
	});

	test('names the plan if it is known to lack events', async () => {
		const {value, problems, queries} = await readOverview(() => buildZoneData(allGroups), {
			settings: {enabled: false},
		});
		expect(value).toBeUndefined();
		expect(problems).toMatchObject([{kind: 'not in plan'}]);
		expect(queries).toEqual([]);
	});
});

describe('the bucket of a time range', () => {
	test.each([
		[hour, 'datetimeMinute'],
		[6 * hour, 'datetimeFiveMinutes'],
		[24 * hour, 'datetimeHour'],
		[7 * 24 * hour, 'datetimeHour'],
		[31 * 24 * hour, 'date'],
	])('for %i ms is %s', (span, name) => {
		expect(findFinestBucket({since: until - span, until}, () => true)).toBe(name);
	});

	test('is one that the service has', () => {
		expect(findFinestBucket(filter, name => name === 'datetimeHour')).toBe('datetimeHour');
		expect(findFinestBucket({since: until - 400 * 24 * hour, until}, name => name === 'datetimeHour')).toBe(
			'datetimeHour',
		);
		expect(findFinestBucket(filter, () => false)).toBeUndefined();
	});
});
