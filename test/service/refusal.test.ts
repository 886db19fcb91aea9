import {describe, expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {parseEnvelope} from '../../source/service/envelope.ts';
import {isOutcomeUnknown} from '../../source/service/outcome.ts';
import {createRefusal, findNamedId, getRefusalBody} from '../../source/service/refusal.ts';

const response = {status: 400, headers: new Headers(), method: 'POST', path: '/zones/z/filters'};

function buildFailure(json: object): Failure {
	const envelope = parseEnvelope({success: false, result: null, ...json});
	if (!envelope) throw new Error('no envelope');
	return createRefusal(response, envelope);
}

test.each([10_102, 10_202])('the code %i means that the object already exists', code => {
	expect(buildFailure({errors: [{code, message: 'duplicate'}]}).code).toBe('already_exists');
});

describe('the code of an API in retirement', () => {
	const createFailure = (status: number, path: string, code: number) => {
		const envelope = parseEnvelope({success: false, result: null, errors: [{code, message: 'maintenance'}]});
		if (!envelope) throw new Error('no envelope');
		return createRefusal({...response, status, path}, envelope);
	};

	test.each([
		400, 403, 409, 500, 503,
	])('means with status %i that the change was refused for good', status => {
		for (const path of ['/zones/z/filters', '/zones/z/filters/f', '/zones/z/firewall/rules?id=r']) {
			const failure = createFailure(status, path, 10_020);
			expect(failure.code).toBe('gone');
			expect(isOutcomeUnknown(failure)).toBe(false);
		}
		expect(createFailure(status, '/zones/z/rate_limits', 10_037).code).toBe('gone');
	});

	test('means something else on other paths', () => {
		expect(createFailure(403, '/zones/z/rulesets', 10_020).code).toBe('refused_by_service');
		expect(createFailure(403, '/zones/z/firewall/access_rules/rules', 10_020).code).toBe(
			'refused_by_service',
		);
		expect(createFailure(403, '/accounts/a/storage/kv/namespaces', 10_037).code).toBe('credential_refused');
		expect(createFailure(403, '/zones/z/firewall/rules', 10_037).code).toBe('credential_refused');
	});

	test('does not make a timeout certain', () => {
		const failure = createFailure(504, '/zones/z/firewall/rules', 10_001);
		expect(failure.code).toBe('service_failed');
		expect(isOutcomeUnknown(failure)).toBe(true);
	});
});

test("the existing object's ID is kept, through all later additions to the failure", () => {
	const failure = buildFailure({errors: [{code: 10_102, message: 'duplicate', meta: {id: 'f1'}}]});
	expect(findNamedId(getRefusalBody(failure.withDetails({left: 'x'}))?.errors ?? [])).toBe('f1');
});

test('the ID of a leftover is kept, with its message', () => {
	const failure = buildFailure({
		errors: [{message: 'quota'}],
		messages: [{message: 'left', meta: {id: 'f2'}}],
	});
	expect(findNamedId(getRefusalBody(failure)?.messages ?? [])).toBe('f2');
});

test('an ID deeper in the chain is found', () => {
	const error_chain = [{code: 10_102, message: 'duplicate', meta: {id: 'f3'}}];
	const failure = buildFailure({errors: [{code: 10_202, message: 'no', error_chain}]});
	expect(findNamedId(getRefusalBody(failure)?.errors ?? [])).toBe('f3');
});

test('a number or an empty text is not an ID', () => {
	const failure = buildFailure({
		errors: [
			{message: 'a', meta: {id: 7}},
			{message: 'b', meta: {id: ''}},
		],
	});
	expect(findNamedId(getRefusalBody(failure)?.errors ?? [])).toBeUndefined();
});

test('a failure without a response has no refusal', () => {
	expect(getRefusalBody(new Failure('unreachable', 'no', {cause: new Error('x')}))).toBeUndefined();
});
