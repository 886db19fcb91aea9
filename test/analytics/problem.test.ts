import {describe, expect, test} from 'vitest';
import {getAnalytics} from '../../source/analytics/analytics.ts';
import {
	classifyQueryError,
	createMissingFailure,
	formatMissingLine,
	type ProblemKind,
	securityEventsSubject,
	storeMetricsSubject,
} from '../../source/analytics/problem.ts';
import {createScriptedClient, neverAbortedSignal} from '../service/scripted-transport.ts';

const messages: readonly (readonly [string, number, ProblemKind])[] = [
	['cannot request data older than 86400s', 200, 'too old'],
	['requested data is too old', 400, 'too old'],
	['query time range is too large. Time range can not be wider than 1d', 200, 'too long'],
	['time range exceeds the maximum duration', 400, 'too long'],
	['limit must be positive number and not greater than 10000', 200, 'too much'],
	['limit is too large', 400, 'too much'],
	['number of fields exceeds the maximum of 30', 200, 'too many fields'],
	['too many fields', 400, 'too many fields'],
	['not authorized for that account', 403, 'not allowed'],
	['does not have permission to view this zone', 200, 'not allowed'],
	['rate limiter budget depleted, try again after 5 minutes', 429, 'no budget'],
	['too many queries in progress: please retry', 503, 'busy'],
	['unknown field "clientRequestPath"', 200, 'unknown field'],
	['Cannot query field "rayName" on type "ZoneFirewallEventsAdaptive".', 400, 'unknown field'],
	['zone "x" does not have access to the path', 200, 'not in plan'],
	['something else', 200, 'failed'],
	['', 403, 'not allowed'],
	['', 503, 'busy'],
];

describe('classifying query errors', () => {
	test.each(messages)('%s (%i): %s', (message, status, kind) => {
		expect(classifyQueryError({message, path: []}, status).kind).toBe(kind);
	});
});

describe('the line about missing data', () => {
	test('names the permission', () => {
		const problem = classifyQueryError({message: 'not authorized', path: []}, 200);
		expect(formatMissingLine(storeMetricsSubject, problem)).toBe(
			'Store metrics require the permission Account Analytics: Read. Add it to the token, or use a different credential.',
		);
		expect(createMissingFailure(securityEventsSubject, problem)).toMatchObject({code: 'credential_refused'});
	});

	test('names the fields that the service lacks', () => {
		const problem = {kind: 'unknown field', message: '', path: ['rayName']} as const;
		expect(formatMissingLine(securityEventsSubject, problem)).toBe(
			'Security events lack rayName on this service.',
		);
	});
});

const page = () =>
	new Response('<html>nothing here</html>', {status: 404, headers: {'content-type': 'text/html'}});
const refusal = (status: number, code: number) =>
	json({success: false, result: null, errors: [{code, message: 'no'}], messages: []}, status);
const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), {status});

describe('analytics queries', () => {
	const responses: readonly (readonly [string, () => Response, ProblemKind])[] = [
		['a service without the endpoint', () => refusal(404, 7000), 'not here'],
		['an HTML page', page, 'not here'],
		['an error envelope', () => refusal(403, 9109), 'not allowed'],
		[
			'a redirect',
			() => new Response(null, {status: 301, headers: {location: 'https://elsewhere'}}),
			'failed',
		],
		['a text that is not JSON', () => new Response('{"data":'), 'failed'],
		['a response without data', () => json({}), 'failed'],
		['errors in a 200', () => json({data: null, errors: [{message: 'boom', path: null}]}), 'failed'],
		['errors in a 403', () => json({errors: [{message: 'no'}]}, 403), 'not allowed'],
		['429', () => refusal(429, 971), 'no budget'],
	];

	test.each(responses)('report %s as a problem without throwing', async (_name, createResponse, kind) => {
		const {client} = createScriptedClient([createResponse]);
		const {value, problems} = await getAnalytics(client).runQuery(
			'query { viewer { __typename } }',
			neverAbortedSignal,
		);
		expect(value).toBeUndefined();
		expect(problems.map(problem => problem.kind)).toEqual([kind]);
	});

	test('keep the data that arrives alongside errors', async () => {
		const body = {data: {viewer: {zones: null}}, errors: [{message: 'boom', path: ['viewer', 'zones', 0]}]};
		const {client} = createScriptedClient([json(body)]);
		const {value, problems} = await getAnalytics(client).runQuery(
			'query { viewer { __typename } }',
			neverAbortedSignal,
		);
		expect(value).toEqual({viewer: {zones: null}});
		expect(problems).toEqual([{kind: 'failed', message: 'boom', path: ['viewer', 'zones', '0']}]);
	});

	test('are not sent for five minutes after the budget is used up', async () => {
		const ok = () => json({data: {viewer: {}}});
		const {client, sent, clock} = createScriptedClient([
			() => json({errors: [{message: 'budget depleted'}]}, 429),
			ok,
		]);
		const {runQuery} = getAnalytics(client);
		await runQuery('query { viewer { __typename } }', neverAbortedSignal);
		clock.advance(299_000);
		expect((await runQuery('query { viewer { __typename } }', neverAbortedSignal)).problems[0]?.kind).toBe(
			'no budget',
		);
		expect(sent).toHaveLength(1);
		clock.advance(2000);
		expect((await runQuery('query { viewer { __typename } }', neverAbortedSignal)).problems).toEqual([]);
		expect(sent).toHaveLength(2);
	});

	test('are skipped after an outage in the same read, and sent again a second later', async () => {
		const ok = () => json({data: {viewer: {}}});
		const {client, sent, clock} = createScriptedClient([
			...Array.from({length: 5}, () => refusal(502, 0)),
			ok,
		]);
		const {runQuery} = getAnalytics(client);
		const [problem] = (await runQuery('query { viewer { __typename } }', neverAbortedSignal)).problems;
		expect(problem?.kind).toBe('failed');
		expect((await runQuery('query { viewer { zones { zoneTag } } }', neverAbortedSignal)).problems).toEqual([
			problem,
		]);
		expect(sent).toHaveLength(5);
		clock.advance(1001);
		expect((await runQuery('query { viewer { __typename } }', neverAbortedSignal)).problems).toEqual([]);
		expect(sent).toHaveLength(6);
	});

	test('never exceed 300 in any five minutes', async () => {
		const times: number[] = [];
		const {client, clock} = createScriptedClient([
			() => {
				times.push(clock.elapsed());
				return json({data: {viewer: {}}});
			},
		]);
		const {runQuery} = getAnalytics(client);
		for (let queryIndex = 0; queryIndex < 1500; queryIndex++)
			await runQuery('query { viewer { __typename } }', neverAbortedSignal);
		const requestCounts = times.map(
			begin => times.filter(time => time >= begin && time < begin + 300_000).length,
		);
		expect(Math.max(...requestCounts)).toBeLessThanOrEqual(300);
	});
});
