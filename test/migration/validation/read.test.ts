import {expect, test} from 'vitest';
import {
	computeReadingInterval,
	readStoppedRequests,
	readVersionEvents,
} from '../../../source/migration/validation/read.ts';
import {createClient} from '../../../source/service/client.ts';
import {createFixedCredentials} from '../../../source/service/request-credentials.ts';
import {createSimulator, migrationZones} from '../../../source/simulator/simulator.ts';
import {
	createScriptedClient,
	createScriptedClock,
	neverAbortedSignal,
} from '../../service/scripted-transport.ts';

const minute = 60_000;
const hour = 60 * minute;
const noon = Date.UTC(2027, 2, 10, 12);
const zone = migrationZones.check;

/** A client of a simulated service with samples, its clock, and the number of queries so far. */
function connectSample(faults = '') {
	const clock = createScriptedClock(noon);
	const simulator = createSimulator({now: clock.now});
	if (faults !== '') simulator.faults.add(faults);
	const client = createClient({
		baseUrl: 'https://service.test/client/v4',
		credentials: createFixedCredentials({authorization: 'Bearer simulated'}),
		credentialVariables: [],
		userAgent: 'ledge/test',
		clock,
		transport: async () => async request => {
			const {method, url, headers, body} = request;
			const answer = await simulator.fetch(
				new Request(url, {method, headers, ...(body !== undefined && {body: String(body)})}),
			);
			return {
				status: answer.status,
				headers: answer.headers,
				bytes: new Uint8Array(await answer.arrayBuffer()),
			};
		},
	});
	const countQueries = () => simulator.calls.list().filter(({path}) => path === '/graphql').length;
	return {client, clock, queries: countQueries};
}

const createThreeHourSpan = (now: number) => ({
	validationStart: now - 3 * hour,
	since: now - 3 * hour,
	until: now,
});

test('a reading takes few queries, and the time before validation is queried once', async () => {
	const {client, clock, queries: countQueries} = connectSample();
	const firstReading = await readVersionEvents(
		client,
		zone,
		createThreeHourSpan(clock.now()),
		'read it',
		neverAbortedSignal,
	);
	expect(firstReading.problems).toEqual([]);
	expect(firstReading.value?.earlierEvents?.until).toBe(noon - 3 * hour);
	const queriesBefore = countQueries();
	const secondReading = await readVersionEvents(
		client,
		zone,
		createThreeHourSpan(clock.now()),
		firstReading.value?.earlierEvents ?? 'none',
		neverAbortedSignal,
	);
	expect(secondReading.value?.earlierEvents).toBe(firstReading.value?.earlierEvents);
	expect(countQueries() - queriesBefore).toBe(2);
});

const json = (value: unknown) => new Response(JSON.stringify(value));

/** A client of a service whose queries may cover at most this many days. */
const createClientWithLimit = (days: number) =>
	createScriptedClient([
		({body}) => {
			const {query} = JSON.parse(String(body)) as {query: string};
			if (query.includes('__schema')) return json({data: null, errors: [{message: 'not authorized'}]});
			const settings = {enabled: true, maxDuration: days * 86_400, notOlderThan: 31 * 86_400};
			const rows = Object.fromEntries([...query.matchAll(/(g\d+):/g)].map(([, name = '']) => [name, []]));
			const zoneData = query.includes('settings')
				? {settings: {firewallEventsAdaptiveGroups: settings, firewallEventsAdaptive: settings}}
				: {...rows, events: []};
			return json({data: {viewer: {zones: [zoneData]}}});
		},
	]);

test.each([
	[0.1, 30],
	[3, 30],
	[30, 30],
	[3, 1],
	[30, 1],
])('a screen uses at most a quarter of 300 queries in 5 minutes: %d days of validation, %d days per query', async (days, maxQueryDays) => {
	const {client, sent, clock} = createClientWithLimit(maxQueryDays);
	const until = clock.now() + 100 * 24 * hour;
	clock.advance(100 * 24 * hour);
	const span = {
		validationStart: until - days * 24 * hour,
		since: until - Math.min(days, 1) * 12 * hour,
		until,
	};
	await readVersionEvents(client, zone, span, 'none', neverAbortedSignal);
	const queriesBefore = sent.length;
	await readVersionEvents(client, zone, span, 'none', neverAbortedSignal);
	const queries = sent.length - queriesBefore;
	const interval = await computeReadingInterval(
		client,
		zone,
		{since: span.validationStart, until},
		neverAbortedSignal,
	);
	expect(interval).toBeGreaterThanOrEqual(minute);
	expect(queries).toBeGreaterThan(1);
	expect((queries * 5 * minute) / interval).toBeLessThanOrEqual(75);
});

test('the number of requests stopped by the new rules can also be read alone', async () => {
	const {client} = connectSample('sample-interval=10');
	const {value} = await readStoppedRequests(
		client,
		zone,
		{since: noon - hour, until: noon},
		neverAbortedSignal,
	);
	expect(value).toMatchObject({sampleInterval: 10});
	expect(value?.stopped).toBeGreaterThan(0);
});
