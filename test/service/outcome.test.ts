import {describe, expect, test} from 'vitest';
import {Failure, type FailureOutcome} from '../../source/failure.ts';
import type {Call} from '../../source/service/call.ts';
import {getOutcome, isConclusiveFailure, isOutcomeUnknown} from '../../source/service/outcome.ts';
import {
	buildErrorResponse,
	createScriptedClient,
	neverAbortedSignal,
	type ScriptedReply,
} from './scripted-transport.ts';

const readCall: Call = {method: 'GET', path: '/thing', repeat: 'never', writes: false};
const writeCall: Call = {method: 'PUT', path: '/thing', repeat: 'never', writes: true};

const getFailure = async (script: ScriptedReply, call: Call): Promise<Failure> => {
	const failure = await createScriptedClient([script])
		.client.call(call, neverAbortedSignal)
		.catch(error => error);
	expect(failure).toBeInstanceOf(Failure);
	return failure;
};

const buildHtmlResponse = (status: number) =>
	new Response('<html><title>no</title>', {status, headers: {'content-type': 'text/html'}});
const buildJsonResponse = (status: number, body: unknown) => Response.json(body, {status});
const buildErrors = (code?: number) => [{...(code && {code}), message: 'no'}];

type FailureCase = readonly [
	name: string,
	answer: ScriptedReply,
	outcome: FailureOutcome,
	isUnknown: boolean,
	isFact: boolean,
];

const failureCases: readonly FailureCase[] = [
	['400 with a documented code', buildErrorResponse(400, buildErrors(10_033)), 'refused', false, true],
	['400 with an unknown code', buildErrorResponse(400, buildErrors(999_999)), 'refused', false, false],
	['400 with a message alone', buildErrorResponse(400, buildErrors()), 'refused', false, false],
	['200 that is not a success', buildErrorResponse(200, buildErrors(10_033)), 'refused', true, true],
	['403 without errors', buildErrorResponse(403, []), 'refused without a reason', false, false],
	['404 without errors', buildErrorResponse(404, []), 'refused without a reason', false, false],
	['401', buildErrorResponse(401, buildErrors(10_000)), 'not allowed', false, false],
	['403 of 9109', buildErrorResponse(403, buildErrors(9109)), 'not allowed', false, false],
	['403 of 10037', buildErrorResponse(403, buildErrors(10_037)), 'not allowed', false, false],
	['404 of the thing', buildErrorResponse(404, buildErrors(10_003)), 'absent', false, true],
	['404 of the address', buildErrorResponse(404, buildErrors(7003)), 'unrouted', false, false],
	['404 of a page', buildHtmlResponse(404), 'blocked', true, false],
	['410', buildErrorResponse(410, buildErrors()), 'retired', false, true],
	['410 of a page', buildHtmlResponse(410), 'blocked', true, false],
	['429', buildErrorResponse(429, buildErrors(971)), 'throttled', false, false],
	['429 flat', buildJsonResponse(429, {code: 971, message: 'wait'}), 'throttled', false, false],
	['429 of text', new Response('slow down', {status: 429}), 'throttled', false, false],
	['429 of a page', buildHtmlResponse(429), 'throttled', false, false],
	['429 of nothing', new Response(null, {status: 429}), 'throttled', false, false],
	['429 that says success', buildJsonResponse(429, {success: true, result: {}}), 'throttled', false, false],
	['403 of a page', buildHtmlResponse(403), 'blocked', true, false],
	['403 of text', new Response('Forbidden', {status: 403}), 'blocked', true, false],
	['403 of other JSON', buildJsonResponse(403, {message: 'Forbidden'}), 'blocked', true, false],
	['407 of a page', buildHtmlResponse(407), 'blocked', true, false],
	['400 of text', new Response('Bad Request', {status: 400}), 'malformed', true, false],
	['200 of a page', buildHtmlResponse(200), 'malformed', true, false],
	['200 of nothing', new Response(null, {status: 200}), 'malformed', true, false],
	['200 of half a JSON', new Response('{"success":tr', {status: 200}), 'malformed', true, false],
	['200 of another JSON', buildJsonResponse(200, {ok: true}), 'malformed', true, false],
	['200 of null', buildJsonResponse(200, null), 'malformed', true, false],
	['400 that says success', buildJsonResponse(400, {success: true, result: {}}), 'malformed', true, false],
	['302', new Response(null, {status: 302, headers: {location: '/x'}}), 'redirected', true, false],
	['500', buildErrorResponse(500, buildErrors(10_001)), 'failed', true, false],
	['503 with the code of an absent key', buildErrorResponse(503, buildErrors(10_009)), 'failed', true, false],
	['502 of a page', buildHtmlResponse(502), 'failed', true, false],
	['500 that says success', buildJsonResponse(500, {success: true, result: {}}), 'failed', true, false],
	['a reset', new Failure('connection_lost', 'no'), 'no answer', true, false],
	['a time-out', new Failure('timed_out', 'no'), 'no answer', true, false],
	['a refused connection', new Failure('unreachable', 'no'), 'not sent', false, false],
	['no connection in time', new Failure('timed_out', 'no', {outcome: 'not sent'}), 'not sent', false, false],
];

describe.each(failureCases)('%s', (_name, answer, outcome, isUnknown, isConclusive) => {
	test(`is ${outcome}`, async () => {
		const failure = await getFailure(answer, readCall);
		expect(getOutcome(failure)).toBe(outcome);
		expect(isConclusiveFailure(failure)).toBe(isConclusive);
		expect(failure.details.outcomeUnknown ?? false).toBe(false);
	});

	test(`leaves a write ${isUnknown ? 'unknown' : 'not made'}`, async () => {
		const failure = await getFailure(answer, writeCall);
		expect(getOutcome(failure)).toBe(outcome);
		expect(isOutcomeUnknown(failure)).toBe(isUnknown);
		expect(failure.details.outcomeUnknown ?? false).toBe(isUnknown);
	});
});

test('a failure without a request has no outcome', () => {
	expect(getOutcome(new Failure('usage', 'no'))).toBeUndefined();
	expect(isConclusiveFailure(new Error('no'))).toBe(false);
});
