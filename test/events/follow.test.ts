import {describe, expect, test} from 'vitest';
import type {SecurityEvent} from '../../source/analytics/events.ts';
import type {AnalyticsProblem} from '../../source/analytics/problem.ts';
import {followEvents, followPauseMs, maxEventDelayMs} from '../../source/events/follow.ts';
import {Failure} from '../../source/failure.ts';
import {randomFrom, seedOf} from '../support/seed.ts';
import {type Answered, inZone, queriedClient, timeIn, zone} from './scripted.ts';

type Happened = {
	readonly at: number;
	/** When the service has it. */
	readonly appears: number;
	readonly row: Readonly<Record<string, string>>;
};

/** An event of a second; a ray of its own unless it has another one. */
const happened = (at: number, delay: number, ray: string, more: object = {}): Happened => ({
	at,
	appears: at + delay,
	row: {
		datetime: new Date(at).toISOString().replace('.000Z', 'Z'),
		action: 'block',
		source: 'firewallCustom',
		ruleId: 'r1',
		rayName: ray,
		clientRequestPath: '/',
		clientIP: '192.0.2.1',
		...more,
	},
});

const begin = 1_800_000_000_000;

/** Follows what happens until so many looks are over. */
async function followed(
	events: readonly Happened[],
	{
		since = begin,
		most: limit = 1000,
		looks = 10,
		fault = () => undefined,
		settings = {},
	}: {
		since?: number;
		most?: number;
		looks?: number;
		fault?: (query: number) => Answered | undefined;
		settings?: object;
	} = {},
) {
	const stop = new AbortController();
	let numbered = 0;
	const {client, clock, queries} = queriedClient({
		settings: {...settings},
		answer({query, now}) {
			const wrong = fault(numbered++);
			if (wrong) return wrong;
			const {from, to, limit} = timeIn(query);
			const found = events
				.filter(({at, appears}) => appears <= now && at >= from && at <= to + 999)
				.toSorted((one, other) => other.at - one.at)
				.slice(0, limit);
			return inZone({events: found.map(({row}) => row)});
		},
	});
	clock.advance(begin - clock.now());
	const shown: SecurityEvent[][] = [];
	const problems: AnalyticsProblem[] = [];
	const leftOut: [number, number][] = [];
	let pauses = 0;
	const wait = clock.wait.bind(clock);
	const watched = {
		...client,
		clock: {
			...clock,
			async wait(milliseconds: number, signal: AbortSignal) {
				if (milliseconds === followPauseMs && ++pauses >= looks) stop.abort();
				await wait(milliseconds, signal);
			},
		},
	};
	const ended = await followEvents(
		watched,
		zone,
		{since, limit},
		{
			onEvents: async fresh => void shown.push([...fresh]),
			onProblem: problem => void problems.push(problem),
			onOmittedEvents: (from, to) => void leftOut.push([from, to]),
		},
		stop.signal,
	).catch((error: unknown) => error);
	return {shown, problems, leftOut, queries, ended, rays: shown.flat().map(({ray}) => ray)};
}

describe('following the events of a zone', () => {
	test('prints each event once and in order, including late ones', async () => {
		const events = [
			happened(begin + 5000, 0, 'a'),
			happened(begin + 6000, 8 * 60_000, 'late'),
			happened(begin + 14_000, 1000, 'b'),
			happened(begin + 15_000, 0, 'c'),
			happened(begin + 16_000, 0, 'd'),
		];
		const {rays} = await followed(events, {looks: 45});
		expect(rays).toEqual(['a', 'b', 'c', 'd', 'late']);
	});

	test('prints the latest earlier events first, and nothing older afterwards', async () => {
		const events = Array.from({length: 9}, (_, index) =>
			happened(begin - (9 - index) * 10_000, 0, String(index)),
		);
		const {rays} = await followed(events, {since: begin - 3_600_000, most: 4});
		expect(rays).toEqual(['5', '6', '7', '8']);
	});

	test('prints an event for each rule that matched a request, and equal events as often as they occur', async () => {
		const twice = happened(begin + 1000, 0, 'same');
		const {rays} = await followed([twice, twice, happened(begin + 1000, 0, 'same', {ruleId: 'r2'})]);
		expect(rays).toEqual(['same', 'same', 'same']);
	});

	test('requests all pages of a query, within its budget', async () => {
		const events = Array.from({length: 180}, (_, index) =>
			happened(begin + 1000 + Math.floor(index / 20) * 1000, 20_000, String(index)),
		);
		const {rays, queries, leftOut} = await followed(events, {looks: 20, settings: {maxPageSize: 30}});
		expect(new Set(rays).size).toBe(180);
		expect(rays).toHaveLength(180);
		expect(leftOut).toEqual([]);
		expect(queries.length).toBeLessThan(250);
	});

	test('reports what it leaves out', async () => {
		const events = Array.from({length: 60}, (_, index) => happened(begin + 1000, 0, String(index)));
		const {rays, leftOut} = await followed(events, {looks: 3, settings: {maxPageSize: 30}});
		expect(new Set(rays).size).toBe(30);
		expect(leftOut[0]).toEqual([begin + 1000, begin + 1999]);
	});

	test.each<[string, Answered, string]>([
		[
			'budget',
			Response.json({data: null, errors: [{message: 'budget depleted'}]}, {status: 429}),
			'no budget',
		],
		['errors in a 200', {data: null, errors: [{message: 'internal'}]}, 'failed'],
		['a page of something in front', new Response('<html>', {status: 502}), 'failed'],
	])('continues without a gap after a failed query: %s', async (_, wrong, kind) => {
		const events = Array.from({length: 100}, (_unused, index) =>
			happened(begin + index * 10_000, 500, String(index)),
		);
		const {rays, problems} = await followed(events, {
			looks: 120,
			fault: query => (query >= 3 && query < 8 ? wrong : undefined),
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
	])('fails if it cannot start: %s', async (_, wrong, code) => {
		const {ended, rays} = await followed([], {fault: () => wrong});
		expect(rays).toEqual([]);
		expect(ended).toBeInstanceOf(Failure);
		expect(ended).toMatchObject({code});
	});

	test('fails if the permission is revoked meanwhile', async () => {
		const {ended} = await followed([], {
			fault: query =>
				query < 2
					? undefined
					: Response.json({data: null, errors: [{message: 'not authorized'}]}, {status: 403}),
		});
		expect(ended).toMatchObject({code: 'credential_refused'});
	});

	test('ends on its abort signal', async () => {
		const {ended} = await followed([]);
		expect(ended).not.toBeInstanceOf(TypeError);
		expect(String(ended)).toMatch(/abort|interrupt/i);
	});
});

describe('with any events and any failures', () => {
	const random = randomFrom(seedOf());
	const wrongs: readonly (() => Answered)[] = [
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
			happened(
				begin + Math.floor((random() * span) / 1000) * 1000,
				Math.floor(random() ** 3 * (maxEventDelayMs - 60_000)),
				random() < 0.1 ? 'shared' : String(index),
				{ruleId: `rule ${index}`},
			),
		);
		const faulty = new Set(Array.from({length: 40}, () => 1 + Math.floor(random() * 200)));
		const {shown} = await followed(events, {
			looks: 240,
			settings: {maxPageSize: 40 + Math.floor(random() * 100)},
			fault: query => (faulty.has(query) ? wrongs[Math.floor(random() * wrongs.length)]?.() : undefined),
		});
		const rules = shown.flat().map(({ruleId}) => ruleId);
		expect(rules.toSorted()).toEqual(events.map(({row}) => row.ruleId).toSorted());
	});
});
