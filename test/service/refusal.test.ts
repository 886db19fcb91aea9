import {expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {parseEnvelope} from '../../source/service/envelope.ts';
import {createRefusal, findNamedId, getRefusalBody} from '../../source/service/refusal.ts';

const answer = {status: 400, headers: new Headers(), method: 'POST', path: '/zones/z/filters'};

function refusedAs(json: object): Failure {
	const envelope = parseEnvelope({success: false, result: null, ...json});
	if (!envelope) throw new Error('no envelope');
	return createRefusal(answer, envelope);
}

test.each([10_102, 10_202])('the code means that it already exists', code => {
	expect(refusedAs({errors: [{code, message: 'duplicate'}]}).code).toBe('already_exists');
});

test("the existing object's ID is kept, through all later additions to the failure", () => {
	const failure = refusedAs({errors: [{code: 10_102, message: 'duplicate', meta: {id: 'f1'}}]});
	expect(findNamedId(getRefusalBody(failure.withDetails({left: 'x'}))?.errors ?? [])).toBe('f1');
});

test('the ID of a leftover is kept, with its message', () => {
	const failure = refusedAs({errors: [{message: 'quota'}], messages: [{message: 'left', meta: {id: 'f2'}}]});
	expect(findNamedId(getRefusalBody(failure)?.messages ?? [])).toBe('f2');
});

test('an ID deeper in the chain is found', () => {
	const error_chain = [{code: 10_102, message: 'duplicate', meta: {id: 'f3'}}];
	const failure = refusedAs({errors: [{code: 10_202, message: 'no', error_chain}]});
	expect(findNamedId(getRefusalBody(failure)?.errors ?? [])).toBe('f3');
});

test('a number or an empty text is not an ID', () => {
	const failure = refusedAs({
		errors: [
			{message: 'a', meta: {id: 7}},
			{message: 'b', meta: {id: ''}},
		],
	});
	expect(findNamedId(getRefusalBody(failure)?.errors ?? [])).toBeUndefined();
});

test('a failure without an answer has no refusal', () => {
	expect(getRefusalBody(new Failure('unreachable', 'no', {cause: new Error('x')}))).toBeUndefined();
});
