import {describe, expect, test} from 'vitest';
import {Failure, type FailureOutcome} from '../../source/failure.ts';
import type {Call} from '../../source/service/call.ts';
import {getOutcome, isConclusiveFailure, isOutcomeUnknown} from '../../source/service/outcome.ts';
import {never, refused, type Scripted, scriptedClient} from './scripted-transport.ts';

const reading: Call = {method: 'GET', path: '/thing', repeat: 'never', writes: false};
const writing: Call = {method: 'PUT', path: '/thing', repeat: 'never', writes: true};

const failed = async (script: Scripted, call: Call): Promise<Failure> => {
	const failure = await scriptedClient([script])
		.client.call(call, never)
		.catch(error => error);
	expect(failure).toBeInstanceOf(Failure);
	return failure;
};

const html = (status: number) =>
	new Response('<html><title>no</title>', {status, headers: {'content-type': 'text/html'}});
const json = (status: number, body: unknown) => Response.json(body, {status});
const error = (code?: number) => [{...(code && {code}), message: 'no'}];

type Kind = readonly [
	name: string,
	answer: Scripted,
	outcome: FailureOutcome,
	isUnknown: boolean,
	isFact: boolean,
];

const kinds: readonly Kind[] = [
	['400 with a documented code', refused(400, error(10_033)), 'refused', false, true],
	['400 with an unknown code', refused(400, error(999_999)), 'refused', false, false],
	['400 with a message alone', refused(400, error()), 'refused', false, false],
	['200 that is not a success', refused(200, error(10_033)), 'refused', true, true],
	['403 without errors', refused(403, []), 'refused without a reason', false, false],
	['404 without errors', refused(404, []), 'refused without a reason', false, false],
	['401', refused(401, error(10_000)), 'not allowed', false, false],
	['403 of 9109', refused(403, error(9109)), 'not allowed', false, false],
	['403 of 10037', refused(403, error(10_037)), 'not allowed', false, false],
	['404 of the thing', refused(404, error(10_003)), 'absent', false, true],
	['404 of the address', refused(404, error(7003)), 'unrouted', false, false],
	['404 of a page', html(404), 'blocked', true, false],
	['410', refused(410, error()), 'retired', false, true],
	['410 of a page', html(410), 'blocked', true, false],
	['429', refused(429, error(971)), 'throttled', false, false],
	['429 flat', json(429, {code: 971, message: 'wait'}), 'throttled', false, false],
	['429 of text', new Response('slow down', {status: 429}), 'throttled', false, false],
	['429 of a page', html(429), 'throttled', false, false],
	['429 of nothing', new Response(null, {status: 429}), 'throttled', false, false],
	['429 that says success', json(429, {success: true, result: {}}), 'throttled', false, false],
	['403 of a page', html(403), 'blocked', true, false],
	['403 of text', new Response('Forbidden', {status: 403}), 'blocked', true, false],
	['403 of other JSON', json(403, {message: 'Forbidden'}), 'blocked', true, false],
	['407 of a page', html(407), 'blocked', true, false],
	['400 of text', new Response('Bad Request', {status: 400}), 'malformed', true, false],
	['200 of a page', html(200), 'malformed', true, false],
	['200 of nothing', new Response(null, {status: 200}), 'malformed', true, false],
	['200 of half a JSON', new Response('{"success":tr', {status: 200}), 'malformed', true, false],
	['200 of another JSON', json(200, {ok: true}), 'malformed', true, false],
	['200 of null', json(200, null), 'malformed', true, false],
	['400 that says success', json(400, {success: true, result: {}}), 'malformed', true, false],
	['302', new Response(null, {status: 302, headers: {location: '/x'}}), 'redirected', true, false],
	['500', refused(500, error(10_001)), 'failed', true, false],
	['503 with the code of an absent key', refused(503, error(10_009)), 'failed', true, false],
	['502 of a page', html(502), 'failed', true, false],
	['500 that says success', json(500, {success: true, result: {}}), 'failed', true, false],
	['a reset', new Failure('connection_lost', 'no'), 'no answer', true, false],
	['a time-out', new Failure('timed_out', 'no'), 'no answer', true, false],
	['a refused connection', new Failure('unreachable', 'no'), 'not sent', false, false],
	['no connection in time', new Failure('timed_out', 'no', {outcome: 'not sent'}), 'not sent', false, false],
];

describe.each(kinds)('%s', (_name, answer, outcome, unknown, fact) => {
	test(`is ${outcome}`, async () => {
		const failure = await failed(answer, reading);
		expect(getOutcome(failure)).toBe(outcome);
		expect(isConclusiveFailure(failure)).toBe(fact);
		expect(failure.details.outcomeUnknown ?? false).toBe(false);
	});

	test(`leaves a write ${unknown ? 'unknown' : 'not made'}`, async () => {
		const failure = await failed(answer, writing);
		expect(getOutcome(failure)).toBe(outcome);
		expect(isOutcomeUnknown(failure)).toBe(unknown);
		expect(failure.details.outcomeUnknown ?? false).toBe(unknown);
	});
});

test('a failure without a request has no outcome', () => {
	expect(getOutcome(new Failure('usage', 'no'))).toBeUndefined();
	expect(isConclusiveFailure(new Error('no'))).toBe(false);
});
