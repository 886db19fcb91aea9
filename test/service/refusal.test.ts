import {expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {parseEnvelope} from '../../source/service/envelope.ts';
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
