import {expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {parseEnvelope} from '../../source/service/envelope.ts';
import {createRefusal, findNamedId, getServiceRefusal} from '../../source/service/refusal.ts';

const answer = {status: 400, headers: new Headers(), method: 'POST', path: '/zones/z/filters'};

function refusedAs(json: object): Failure {
	const envelope = parseEnvelope({success: false, result: null, ...json});
	if (!envelope) throw new Error('no envelope');
	return createRefusal(answer, envelope);
}

test.each([10_102, 10_202])('code %i is that something is there already', code => {
	expect(refusedAs({errors: [{code, message: 'duplicate'}]}).code).toBe('already_exists');
});

test('the id of what is there already is kept, through all that is said about the failure later', () => {
	const failure = refusedAs({errors: [{code: 10_102, message: 'duplicate', meta: {id: 'f1'}}]});
	expect(findNamedId(getServiceRefusal(failure.withDetails({left: 'x'}))?.errors ?? [])).toBe('f1');
});

test('the id of what was left is kept, with its message', () => {
	const failure = refusedAs({errors: [{message: 'quota'}], messages: [{message: 'left', meta: {id: 'f2'}}]});
	expect(findNamedId(getServiceRefusal(failure)?.messages ?? [])).toBe('f2');
});

test('an id deeper in the chain is found', () => {
	const error_chain = [{code: 10_102, message: 'duplicate', meta: {id: 'f3'}}];
	const failure = refusedAs({errors: [{code: 10_202, message: 'no', error_chain}]});
	expect(findNamedId(getServiceRefusal(failure)?.errors ?? [])).toBe('f3');
});

test('no id is none: not a number, not an empty one', () => {
	const failure = refusedAs({
		errors: [
			{message: 'a', meta: {id: 7}},
			{message: 'b', meta: {id: ''}},
		],
	});
	expect(findNamedId(getServiceRefusal(failure)?.errors ?? [])).toBeUndefined();
});

test('a failure without an answer has nothing that was refused', () => {
	expect(getServiceRefusal(new Failure('unreachable', 'no', {cause: new Error('x')}))).toBeUndefined();
});
