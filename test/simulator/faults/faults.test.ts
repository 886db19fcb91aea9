import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type Fault, formatFault} from '../../../source/simulator/faults/faults.ts';
import type {SimulatorError} from '../../../source/simulator/http/error.ts';
import {analyticsProblems, faultWords, parseFaults} from '../../../source/simulator/simulator.ts';
import {getRunCount} from '../../support/full.ts';

const findProblem = (text: string): string => {
	try {
		parseFaults(text);
	} catch (error) {
		expect(error).toMatchObject({name: 'SimulatorError', code: 'usage'});
		const {message, details} = error as SimulatorError;
		return `${message} ${details.why}`;
	}
	return 'none';
};

describe('the grammar of faults', () => {
	test.each<[string, readonly Fault[]]>([
		['', []],
		[' ; \n ', []],
		['latency=200', [{latency: 200}]],
		[
			'status=503 times=2 path=/values/ method=put',
			[{status: 503, times: 2, path: '/values/', method: 'PUT'}],
		],
		['status=429 retry-after=2 times=1', [{status: 429, retryAfter: '2', times: 1}]],
		['reset=100; drip=64   pause=5', [{reset: 100}, {drip: 64, pause: 5}]],
		['lost-answer\nhang after=3', [{lostAnswer: true}, {hang: true, after: 3}]],
		['late-status=502 method=PUT', [{lateStatus: 502, method: 'PUT'}]],
		['stale-stage times=3; stage=odd', [{staleStage: true, times: 3}, {stage: 'odd'}]],
		['refuse-keys=a,b%2Cc,%20', [{refuseKeys: ['a', 'b,c', ' ']}]],
		['html=403 ; null-errors;max-body=0', [{html: 403}, {nullErrors: true}, {maxBody: 0}]],
		['status=500 message=a%3Bb%20c%1b', [{status: 500, message: 'a;b c\u001b'}]],
		['redirect=https://elsewhere.example/?a=b', [{redirect: 'https://elsewhere.example/?a=b'}]],
	])('parses %j', (text, faults) => {
		expect(parseFaults(text)).toEqual(faults);
	});

	test.each([
		['statuz=500', 'There is no word "statuz".'],
		['toString', 'There is no word "toString".'],
		['status', '"status" takes a whole number from 200 to 599.'],
		['status=199', '"status" takes a whole number from 200 to 599.'],
		['status=600', '"status" takes'],
		['latency=-1', '"latency" takes'],
		['latency=1.5', '"latency" takes'],
		['latency=1e3', '"latency" takes'],
		['times=0 hang', '"times" takes a whole number from 1'],
		['drip=0', '"drip" takes'],
		['hang=yes', '"hang" takes no value.'],
		['refuse-keys=', '"refuse-keys" takes a text'],
		['refuse-keys=a,,b', '"refuse-keys" takes a text'],
		['path=%zz status=500', '"path" takes a text'],
		['status=500 status=501', '"status" stands twice.'],
		['times=2', 'It has no effect.'],
		['method=PUT path=/x after=1', 'It has no effect.'],
		['hang status=500', 'Only one of'],
		['html=403 empty-errors', 'Only one of'],
		['redirect=x status=500', 'Only one of'],
		['lost-answer reset=0', 'lost whole, or cut'],
		['late-status=502 status=500', 'needs an answer'],
		['late-status=502 lost-answer', 'needs an answer'],
		['pause=5', '"pause" needs "drip".'],
		['code=5', 'need "status".'],
		['message=no latency=1', 'need "status".'],
		['status=429 retry-after=%0a', 'printable ASCII'],
		['redirect=%c3%a9', 'printable ASCII'],
		['analytics', '"analytics" takes one of error, partial,'],
		['analytics=late', '"analytics" takes one of error, partial,'],
		['lacks-dimension=', '"lacks-dimension" takes a text'],
		['latency=1; nonsense', 'The fault "nonsense"'],
	])('%s is refused', (text, why) => {
		expect(findProblem(text)).toContain(why);
	});

	test('every word has a description and its own field', () => {
		const words = Object.values(faultWords);
		expect(new Set(words.map(({field}) => field)).size).toBe(words.length);
		for (const {means} of words) expect(means).not.toBe('');
	});

	const text = fc.string({unit: 'binary', minLength: 1, maxLength: 12}).filter(one => one.isWellFormed());
	const word = fc.string({unit: 'grapheme-ascii', minLength: 1, maxLength: 12});
	const count = fc.integer({min: 1, max: 1_000_000_000});
	const scopeFields = {path: text, times: count, after: count};
	const fault: fc.Arbitrary<Fault> = fc.oneof(
		fc.record(
			{
				status: fc.integer({min: 200, max: 599}),
				code: count,
				message: text,
				retryAfter: word,
				...scopeFields,
			},
			{requiredKeys: ['status']},
		),
		fc.record(
			{refuseKeys: fc.array(text, {minLength: 1}), oldBulk: fc.constant(true), ...scopeFields},
			{requiredKeys: ['refuseKeys']},
		),
		fc.record(
			{drip: count, pause: fc.integer({min: 0, max: 600_000}), reset: count, ...scopeFields},
			{requiredKeys: ['drip']},
		),
		fc.record(
			{redirect: word, latency: fc.integer({min: 0, max: 600_000}), ...scopeFields},
			{requiredKeys: ['redirect']},
		),
		fc.record(
			{emptyErrors: fc.constant(true), nullErrors: fc.constant(true), ...scopeFields},
			{requiredKeys: ['emptyErrors']},
		),
		fc.record(
			{
				analytics: fc.constantFrom(...analyticsProblems),
				lacksDataset: fc.array(text, {minLength: 1}),
				lacksDimension: fc.array(text, {minLength: 1}),
				sampleInterval: count,
				...scopeFields,
			},
			{requiredKeys: ['analytics']},
		),
	) as fc.Arbitrary<Fault>;

	test('formatted faults parse back to the same faults', () => {
		fc.assert(
			fc.property(fc.array(fault, {maxLength: 4}), faults => {
				expect(parseFaults(faults.map(formatFault).join(';'))).toEqual(faults);
			}),
		);
	});

	test('any text parses as faults or fails with a reason', () => {
		const pieces = fc.constantFrom(
			...Object.keys(faultWords),
			'=',
			' ',
			';',
			'%',
			'5',
			'200',
			',',
			'é',
			'\u0000',
		);
		fc.assert(
			fc.property(fc.array(pieces, {maxLength: 12}), parts => {
				const problemText = findProblem(parts.join(''));
				expect(problemText === 'none' || problemText.startsWith('The fault "')).toBe(true);
			}),
			{numRuns: getRunCount(1000)},
		);
	});
});
