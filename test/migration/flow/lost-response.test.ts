import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {mayHaveArrived} from '../../../source/migration/flow/lost-response.ts';
import {putConfiguration} from '../../../source/migration/flow/put-configuration.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {buildEnvelope, buildErrorResponse, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, entryPointPath, zone} from '../support/answers.ts';
import {editedProposal} from '../support/fake-zone.ts';

/** Sends a PUT that gets this response, and classifies the outcome. */
async function putAndClassify(
	respond: () => Response | Promise<Response>,
): Promise<'taken' | 'refused' | 'in doubt'> {
	const {client, sent, clock} = createZoneClient({[`PUT ${entryPointPath}`]: respond});
	const put = {configuration: editedProposal, oldestReadingAt: clock.now()};
	try {
		await putConfiguration(client, zone.id, 'pending', put, neverAbortedSignal);
		return 'taken';
	} catch (error) {
		return mayHaveArrived(error) ? 'in doubt' : 'refused';
	} finally {
		expect(sent).toHaveLength(1);
	}
}

const codedErrors = [{code: 7003, message: 'no'}];
const body = {id: 'e', version: '2', rules: []};
const rejectWith = (failure: Failure) => () => Promise.reject(failure);

describe('a PUT', () => {
	test.each([
		['200 with a ruleset', () => buildEnvelope(body)],
		['200 with a success and no result', () => buildEnvelope(null)],
	] as const)('was accepted: %s', async (_what, respond) => {
		expect(await putAndClassify(respond)).toBe('taken');
	});

	test.each([
		400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 418, 421, 422, 423, 425, 429,
	])('was rejected: status %i', async status => {
		expect(await putAndClassify(() => buildErrorResponse(status, codedErrors))).toBe('refused');
	});

	test('was rejected: no connection', async () => {
		expect(await putAndClassify(rejectWith(new Failure('unreachable', 'No connection.')))).toBe('refused');
	});

	test.each([
		500, 501, 502, 503, 504, 520, 524, 529,
	])('is in doubt: status %i, whatever its error code', async status => {
		for (const errors of [[], codedErrors, [{code: 10000, message: 'no'}]])
			expect(await putAndClassify(() => buildErrorResponse(status, errors))).toBe('in doubt');
	});

	test.each([301, 302, 303, 304, 307, 308])('is in doubt: redirect %i', async status => {
		expect(await putAndClassify(() => new Response(null, {status, headers: {location: '/'}}))).toBe(
			'in doubt',
		);
	});

	test.each([
		['200 with "success": false', () => buildErrorResponse(200, codedErrors)],
		['200 with an empty body', () => new Response('')],
		['204', () => new Response(null, {status: 204})],
		['200 cut off', () => new Response('{"success": true, "result": {"id"')],
		['an edge that blocked it', () => new Response('<html>', {status: 403, headers: {'cf-mitigated': 'x'}})],
		['200 of a proxy', () => new Response('<html>Signed in</html>')],
		['400 of a proxy', () => new Response('<html>Bad request</html>', {status: 400})],
		['400 with "success": true', () => buildEnvelope(body, {success: true}, 400)],
		['500 with "success": true', () => buildEnvelope(body, {success: true}, 500)],
		['a connection that broke', rejectWith(new Failure('connection_lost', 'It broke.'))],
		['no response in time', rejectWith(new Failure('timed_out', 'No answer.'))],
		['an unknown error', () => Promise.reject(new TypeError('what?'))],
	] as const)('is in doubt: %s', async (_what, respond) => {
		expect(await putAndClassify(respond)).toBe('in doubt');
	});

	test('held back by ledge has not arrived', async () => {
		const {client, sent, clock} = createZoneClient({});
		const put = {configuration: editedProposal, oldestReadingAt: clock.now() - 60_000};
		const failure = await failureOf(putConfiguration(client, zone.id, 'pending', put, neverAbortedSignal));
		expect(mayHaveArrived(failure)).toBe(false);
		expect(sent).toHaveLength(0);
	});
});
