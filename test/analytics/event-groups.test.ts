import {describe, expect, test} from 'vitest';
import {readEventGroups} from '../../source/analytics/event-groups.ts';
import {readSecurityEvents} from '../../source/analytics/events.ts';
import {createScriptedClient, neverAbortedSignal, type SentRequest} from '../service/scripted-transport.ts';

const until = Date.UTC(2026, 10, 23, 12);
const filter = {since: until - 3_600_000, until};
const json = (value: unknown) => new Response(JSON.stringify(value));
const getQuery = ({body}: SentRequest): string => (JSON.parse(String(body)) as {query: string}).query;

type ServiceOptions = {
	readonly dimensions?: readonly string[];
	readonly fields?: readonly string[];
	readonly settings?: object | null;
	readonly rows: (query: string) => object;
};

/** A service with the schema, settings and rows that a test wants. */
function createService({
	dimensions = ['action', 'ruleId'],
	fields = ['datetime', 'action', 'source'],
	settings = {},
	rows,
}: ServiceOptions) {
	const types: Record<string, object> = {
		Viewer: {zones: 'Zone', accounts: 'Account'},
		Zone: {firewallEventsAdaptive: 'Event', firewallEventsAdaptiveGroups: 'Group'},
		Account: {},
		Event: Object.fromEntries(fields.map(name => [name, 'String'])),
		Group: {count: 'Int', dimensions: 'Dimensions'},
		Dimensions: Object.fromEntries(dimensions.map(name => [name, 'String'])),
	};
	const describeType = (name: string) => ({
		fields: Object.entries(types[name] ?? {}).map(([field, type]) => ({
			name: field,
			type: {name: null, ofType: {name: type}},
		})),
	});
	return createScriptedClient([
		request => {
			const query = getQuery(request);
			if (query.includes('__schema'))
				return json({data: {__schema: {queryType: {fields: [{name: 'viewer', type: {name: 'Viewer'}}]}}}});
			if (query.includes('__type'))
				return json({
					data: Object.fromEntries(
						[...query.matchAll(/(t\d+): __type\(name: "(\w+)"\)/g)].map(([, alias, name]) => [
							alias,
							describeType(name ?? ''),
						]),
					),
				});
			if (query.includes('settings'))
				return json({
					data: {
						viewer: {
							zones: [
								{
									settings: settings && {
										firewallEventsAdaptive: settings,
										firewallEventsAdaptiveGroups: settings,
									},
								},
							],
						},
					},
				});
			return json({data: {viewer: {zones: [rows(query)]}}});
		},
	]);
}

const group = (count: number, dimensions: object) => ({count, dimensions});

describe('groups of events', () => {
	test('are read in one query, the most frequent first', async () => {
		const {client, sent} = createService({
			rows: () => ({
				g0: [group(1, {action: 'log'}), group(5, {action: 'block'})],
				g1: [group(6, {ruleId: 'a'})],
			}),
		});
		const {value, problems} = await readEventGroups(
			client,
			'zone',
			filter,
			{actions: {by: ['action']}, rules: {by: ['ruleId']}},
			neverAbortedSignal,
		);
		expect(problems).toEqual([]);
		expect(value?.groups.actions?.map(({count}) => count)).toEqual([5, 1]);
		expect(value?.groups.rules).toEqual([{count: 6, dimensions: {ruleId: 'a'}, sampleInterval: undefined}]);
		expect(
			sent.filter(request => getQuery(request).includes('firewallEventsAdaptiveGroups(filter')),
		).toHaveLength(1);
	});

	test('are added up when the range is longer than one query allows', async () => {
		const {client} = createService({
			settings: {enabled: true, maxDuration: 600},
			rows: () => ({g0: [group(2, {action: 'block'})]}),
		});
		const {value} = await readEventGroups(
			client,
			'zone',
			{...filter, since: filter.since + 1000},
			{actions: {by: ['action']}},
			neverAbortedSignal,
		);
		expect(value?.groups.actions).toEqual([
			{count: 12, dimensions: {action: 'block'}, sampleInterval: undefined},
		]);
	});

	test('are left out and reported when the service lacks their dimension', async () => {
		const {client} = createService({rows: () => ({g0: [group(1, {action: 'log'})]})});
		const {value, problems} = await readEventGroups(
			client,
			'zone',
			filter,
			{actions: {by: ['action']}, paths: {by: ['clientRequestPath']}},
			neverAbortedSignal,
		);
		expect(value?.groups.actions).toHaveLength(1);
		expect(value?.groups.paths).toBeUndefined();
		expect(problems).toEqual([{kind: 'unknown field', message: '', path: ['clientRequestPath']}]);
	});

	test('are not queried if the plan does not include them', async () => {
		const {client} = createService({
			settings: {enabled: false},
			rows: () => {
				throw new Error('asked for');
			},
		});
		const {problems} = await readEventGroups(
			client,
			'zone',
			filter,
			{actions: {by: ['action']}},
			neverAbortedSignal,
		);
		expect(problems.map(({kind}) => kind)).toEqual(['not in plan']);
	});

	test('use the documented field names if the schema cannot be read', async () => {
		const {client} = createScriptedClient([
			request =>
				getQuery(request).includes('firewallEventsAdaptiveGroups(filter')
					? json({data: {viewer: {zones: [{g0: [group(3, {action: 'log'})]}]}}})
					: json({data: null, errors: [{message: 'introspection is disabled'}]}),
		]);
		const {value} = await readEventGroups(
			client,
			'zone',
			filter,
			{actions: {by: ['action']}},
			neverAbortedSignal,
		);
		expect(value?.groups.actions?.[0]?.count).toBe(3);
	});
});

test.each([
	['a count that is not a number', {count: 'many', dimensions: {action: 'log'}}],
	['no dimensions', {count: 3, dimensions: null}],
])('a group with %s is reported, not counted as zero', async (_name, row) => {
	const {client} = createService({rows: () => ({g0: [group(1, {action: 'log'}), row]})});
	const {value, problems} = await readEventGroups(
		client,
		'zone',
		filter,
		{actions: {by: ['action']}},
		neverAbortedSignal,
	);
	expect(value).toBeUndefined();
	expect(problems).toMatchObject([{kind: 'failed', failure: {code: 'answer_malformed'}}]);
});

test('a single event without a valid time is not dated 1970', async () => {
	const {client} = createService({
		rows: () => ({events: [{datetime: 'yesterday', action: 'block', source: 'waf'}]}),
	});
	const {value, problems} = await readSecurityEvents(client, 'zone', filter, 10, neverAbortedSignal);
	expect(value).toBeUndefined();
	expect(problems.at(-1)).toMatchObject({kind: 'failed', failure: {code: 'answer_malformed'}});
});

describe('single events', () => {
	const row = (datetime: string) => ({datetime, action: 'block', source: 'waf'});

	test('contain the available fields and report the missing ones', async () => {
		const {client} = createService({rows: () => ({events: [row('2026-11-23T11:59:00Z')]})});
		const {value, problems} = await readSecurityEvents(client, 'zone', filter, 10, neverAbortedSignal);
		expect(value).toMatchObject({hasMore: false, since: filter.since});
		expect(value?.events).toMatchObject([
			{at: until - 60_000, action: 'block', source: 'waf', ruleId: undefined},
		]);
		expect(problems[0]?.path).toContain('rayName');
	});

	test('stop at the limit and report how far back they go', async () => {
		const {client} = createService({
			rows: () => ({events: [row('2026-11-23T11:59:00Z'), row('2026-11-23T11:58:00Z')]}),
		});
		const {value} = await readSecurityEvents(client, 'zone', filter, 2, neverAbortedSignal);
		expect(value).toMatchObject({hasMore: true, since: until - 120_000});
	});

	test('are not read if the filter needs a field that the service lacks', async () => {
		const {client} = createService({rows: () => ({events: []})});
		const {value, problems} = await readSecurityEvents(
			client,
			'zone',
			{...filter, rays: ['1']},
			2,
			neverAbortedSignal,
		);
		expect(value).toBeUndefined();
		expect(problems).toEqual([{kind: 'unknown field', message: '', path: ['rayName']}]);
	});
});
