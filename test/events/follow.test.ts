import {describe, expect, test} from 'vitest';
import type {SecurityEvent} from '../../source/analytics/events.ts';
import {
	type AnalyticsProblem,
	describeMissing,
	securityEventsSubject,
} from '../../source/analytics/problem.ts';
import {followEvents, followPauseMs, maxEventDelayMs} from '../../source/events/follow.ts';
import {Failure} from '../../source/failure.ts';
import {createSeededRandom, getTestSeed} from '../support/seed.ts';
import {
	buildZoneData,
	createQueryClient,
	parseEventQueryRange,
	type ScriptedResponse,
	scriptedZoneId,
} from './scripted.ts';

type DelayedEvent = {
	readonly at: number;
	/** Time from which queries return it. */
	readonly appearsAt: number;
	readonly row: Readonly<Record<string, string>>;
};

/** Creates an event at a full second, which queries return after `delay` milliseconds. */
const createDelayedEvent = (
	at: number,
	delay: number,
	ray: string,
	moreFields: object = {},
): DelayedEvent => ({
	at,
	appearsAt: at + delay,
	row: {
		datetime: new Date(at).toISOString().replace('.000Z', 'Z'),
		action: 'block',
		source: 'firewallCustom',
		ruleId: 'r1',
		rayName: ray,
		clientRequestPath: '/',
		clientIP: '192.0.2.1',
		...moreFields,
	},
});

const startTime = 1_800_000_000_000;

/** Follows the events for `roundCount` rounds of queries, and collects what is reported. */
async function followForRounds(
	events: readonly DelayedEvent[],
	{
		since = startTime,
		maxEvents: limit = 1000,
		roundCount = 10,
		fault = () => undefined,
		settings = {},
	}: {
		since?: number;
		maxEvents?: number;
		roundCount?: number;
		fault?: (query: number) => ScriptedResponse | undefined;
		settings?: object;
	} = {},
) {
	const stopController = new AbortController();
	let queryIndex = 0;
	const {client, clock, queries} = createQueryClient({
		settings: {...settings},
		answer({query, now}) {
			const faultyResponse = fault(queryIndex++);
			if (faultyResponse) return faultyResponse;
			const {from, to, limit} = parseEventQueryRange(query);
			const found = events
				.filter(({at, appearsAt}) => appearsAt <= now && at >= from && at <= to + 999)
				.toSorted((one, other) => other.at - one.at)
				.slice(0, limit);
			return buildZoneData({events: found.map(({row}) => row)});
		},
	});
	clock.advance(startTime - clock.now());
	const printedBatches: SecurityEvent[][] = [];
	const problems: AnalyticsProblem[] = [];
	const omittedRanges: [number, number][] = [];
	let pauses = 0;
	const wait = clock.wait.bind(clock);
	const countingClient = {
		...client,
		clock: {
			...clock,
			async wait(milliseconds: number, signal: AbortSignal) {
				if (milliseconds === followPauseMs && ++pauses >= roundCount) stopController.abort();
				await wait(milliseconds, signal);
			},
		},
	};
	const endError = await followEvents(
		countingClient,
		scriptedZoneId,
		{since, limit},
		{
			onEvents: async fresh => void printedBatches.push([...fresh]),
			onProblem: problem => void problems.push(problem),
			onOmittedEvents: (from, to) => void omittedRanges.push([from, to]),
		},
		stopController.signal,
	).catch((error: unknown) => error);
	return {
		shown: printedBatches,
		problems,
		leftOut: omittedRanges,
		queries,
		ended: endError,
		rays: printedBatches.flat().map(({ray}) => ray),
	};
}

describe('following the events of a zone', () => {
	test('prints each event once and in order, including late ones', async () => {
		const events = [
			createDelayedEvent(startTime + 5000, 0, 'a'),
			createDelayedEvent(startTime + 6000, 8 * 60_000, 'late'),
			createDelayedEvent(startTime + 14_000, 1000, 'b'),
			createDelayedEvent(startTime + 15_000, 0, 'c'),
			createDelayedEvent(startTime + 16_000, 0, 'd'),
		];
		const {rays} = await followForRounds(events, {roundCount: 45});
		expect(rays).toEqual(['a', 'b', 'c', 'd', 'late']);
	});

	test('prints the latest earlier events first, and nothing older afterwards', async () => {
		const events = Array.from({length: 9}, (_, index) =>
			createDelayedEvent(startTime - (9 - index) * 10_000, 0, String(index)),
		);
		const {rays} = await followForRounds(events, {since: startTime - 3_600_000, maxEvents: 4});
		expect(rays).toEqual(['5', '6', '7', '8']);
	});

	test('prints an event for each rule that matched a request, and equal events as often as they occur', async () => {
		const repeatedEvent = createDelayedEvent(startTime + 1000, 0, 'same');
		const {rays} = await followForRounds([
			repeatedEvent,
			repeatedEvent,
			createDelayedEvent(startTime + 1000, 0, 'same', {ruleId: 'r2'}),
		]);
		expect(rays).toEqual(['same', 'same', 'same']);
	});

	test('requests all pages of a query, within its budget', async () => {
		const events = Array.from({length: 180}, (_, index) =>
			createDelayedEvent(startTime + 1000 + Math.floor(index / 20) * 1000, 20_000, String(index)),
		);
		const {
			rays,
			queries,
			leftOut: omittedRanges,
		} = await followForRounds(events, {roundCount: 20, settings: {maxPageSize: 30}});
		expect(new Set(rays).size).toBe(180);
		expect(rays).toHaveLength(180);
		expect(omittedRanges).toEqual([]);
		expect(queries.length).toBeLessThan(250);
	});

	test('reports the range in which it leaves out events', async () => {
		const events = Array.from({length: 60}, (_, index) =>
			createDelayedEvent(startTime + 1000, 0, String(index)),
		);
		const {rays, leftOut: omittedRanges} = await followForRounds(events, {
			roundCount: 3,
			settings: {maxPageSize: 30},
		});
		expect(new Set(rays).size).toBe(30);
		expect(omittedRanges[0]).toEqual([startTime + 1000, startTime + 1999]);
	});

	test.each<[string, ScriptedResponse, string]>([
		[
			'budget',
			Response.json({data: null, errors: [{message: 'budget depleted'}]}, {status: 429}),
			'no budget',
		],
		['errors in a 200', {data: null, errors: [{message: 'internal'}]}, 'failed'],
		['an HTML page of a gateway', new Response('<html>', {status: 502}), 'failed'],
	])('continues without a gap after a failed query: %s', async (_, faultyResponse, kind) => {
		const events = Array.from({length: 100}, (_unused, index) =>
			createDelayedEvent(startTime + index * 10_000, 500, String(index)),
		);
		const {rays, problems} = await followForRounds(events, {
			roundCount: 120,
			fault: query => (query >= 3 && query < 8 ? faultyResponse : undefined),
		});
		expect(rays).toEqual(events.map((_unused, index) => String(index)));
		expect(problems.map(problem => problem.kind)).toContain(kind);
	});

	test.each([
		[
			'no permission',
			Response.json({data: null, errors: [{message: 'not authorized'}]}, {status: 403}),
			'credential_refused',
		],
		['another service', new Response('<html>not here</html>', {status: 404}), 'not_found'],
	])('fails if it cannot start: %s', async (_, faultyResponse, code) => {
		const {ended: endError, rays} = await followForRounds([], {fault: () => faultyResponse});
		expect(rays).toEqual([]);
		expect(endError).toBeInstanceOf(Failure);
		expect(endError).toMatchObject({code});
	});

	test('names the fields that the plan leaves out', async () => {
		const events = [createDelayedEvent(startTime + 1000, 0, 'a')];
		const {problems, rays} = await followForRounds(events, {settings: {maxNumberOfFields: 13}});
		expect(rays).toEqual(['a']);
		expect(problems).toMatchObject([{kind: 'too many fields', path: ['clientAsn', 'description']}]);
		expect(problems.map(problem => describeMissing(securityEventsSubject, problem).what)).toEqual([
			'Security events have fewer fields on this plan, without clientAsn, description.',
		]);
	});

	test('fails if the permission is revoked meanwhile', async () => {
		const {ended: endError} = await followForRounds([], {
			fault: query =>
				query < 2
					? undefined
					: Response.json({data: null, errors: [{message: 'not authorized'}]}, {status: 403}),
		});
		expect(endError).toMatchObject({code: 'credential_refused'});
	});

	test('ends on its abort signal', async () => {
		const {ended: endError} = await followForRounds([]);
		expect(endError).not.toBeInstanceOf(TypeError);
		expect(String(endError)).toMatch(/abort|interrupt/i);
	});
});

describe('with any events and any failures', () => {
	const random = createSeededRandom(getTestSeed());
	const faultyResponses: readonly (() => ScriptedResponse)[] = [
		() => new Error('the connection broke'),
		() => new Response('<html>', {status: 502}),
		() => Response.json({data: null, errors: [{message: 'too many queries in progress'}]}, {status: 503}),
		() => ({data: null, errors: [{message: 'internal error'}]}),
		() => ({data: {viewer: {zones: [{events: null}]}}, errors: [{message: 'partly', path: ['viewer']}]}),
	];

	test.each(Array.from({length: 30}, (_, index) => index))('every event is printed exactly once: %i', {
		timeout: 20_000,
	}, async () => {
		const span = 30 * 60_000;
		const events = Array.from({length: 150}, (_, index) =>
			createDelayedEvent(
				startTime + Math.floor((random() * span) / 1000) * 1000,
				Math.floor(random() ** 3 * (maxEventDelayMs - 60_000)),
				random() < 0.1 ? 'shared' : String(index),
				{ruleId: `rule ${index}`},
			),
		);
		const faultyQueries = new Set(Array.from({length: 40}, () => 1 + Math.floor(random() * 200)));
		const {shown: printedBatches} = await followForRounds(events, {
			roundCount: 240,
			settings: {maxPageSize: 40 + Math.floor(random() * 100)},
			fault: query =>
				faultyQueries.has(query)
					? faultyResponses[Math.floor(random() * faultyResponses.length)]?.()
					: undefined,
		});
		const rules = printedBatches.flat().map(({ruleId}) => ruleId);
		expect(rules.toSorted()).toEqual(events.map(({row}) => row.ruleId).toSorted());
	});
});
