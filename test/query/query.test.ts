import fc from 'fast-check';
import {expect, test} from 'vitest';
import {completeField} from '../../source/query/completion.ts';
import {findQueryProblem} from '../../source/query/problem.ts';
import {
	askDocument,
	checkQuery,
	formatQueryResult,
	isQueryMatch,
	parseQueryDocument,
	type QueryDocument,
} from '../../source/query/query.ts';
import type {JsonValue} from '../../source/text/json.ts';

function parse(text: string): QueryDocument {
	const document = parseQueryDocument(text);
	if (!document) throw new Error('This is not JSON.');
	return document;
}

const users = parse(
	JSON.stringify({
		users: [
			{name: 'Ada', age: 36, address: {town: 'London'}},
			{name: 'Bob', age: 28, 'first seen': 1},
		],
		total: 2,
	}),
);
const ask = (query: string, document = users) => askDocument(document, query, 5_000, result => result);

test.each<[string, JsonValue]>([
	['users[0].name', 'Ada'],
	['users[?age > `30`].name', ['Ada']],
	["users[?name == 'Bob'] | [0].age", 28],
	['length(users)', 2],
	['missing', null],
	['users[*].address.town', ['London']],
])('%s', (query, result) => {
	expect(ask(query)).toEqual(result);
});

test('only fields of the document exist', () => {
	for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
		expect(ask(`users[0].${name}`)).toBeNull();
	expect(ask('__proto__', parse('{"__proto__": 1}'))).toBe(1);
});

test('an invalid query fails and points at its column', () => {
	expect(() => checkQuery('foo bar')).toThrow('The query is invalid. Column 5: unexpected bar.');
	expect(() => ask('users[0] | sum(@)')).toThrow(
		"can't be evaluated on this value. Column 12: Invalid type: sum()",
	);
});

test('a query that takes too long is stopped', () => {
	const many = parse(JSON.stringify(Array.from({length: 2_000}, (_, index) => index)));
	expect(() => askDocument(many, '[*].[$[*].[$[*].[length($)]]]', 50, isQueryMatch)).toThrow(
		'The query did not finish.',
	);
});

test.each([
	[`${Array.from({length: 60}, () => '[@,@,@]').join('|')}`, 'The query did not finish.'],
	["pad_left('a', `1000000000`)", 'its result is too large.'],
	[`${'!'.repeat(1_900)}@`, 'It is nested too deeply, or'],
])('a result that cannot be printed is refused: %.20s', (query, message) => {
	expect(() => askDocument(users, query, 100, formatQueryResult)).toThrow(message);
});

test('numbers that queries round are named', () => {
	expect(parse('{"id": 9223372036854775807}').inexactNumber).toBe('9223372036854775807');
	expect(users.inexactNumber).toBeUndefined();
	expect(parseQueryDocument('hello')).toBeUndefined();
});

test.each<[JsonValue, boolean]>([
	[null, false],
	[false, false],
	['', false],
	[[], false],
	[{}, false],
	[0, true],
	['a', true],
	[[null], true],
])('%j is a match: %s', (result, isMatch) => {
	expect(isQueryMatch(result)).toBe(isMatch);
});

test.each([
	['', ['users', 'total']],
	['us', ['users']],
	['users[0].', ['name', 'age', 'address']],
	['users[*].a', ['age', 'address']],
	['users[*].address.', ['town']],
	['users[?a', ['age', 'address']],
	['users[?address.t', ['town']],
	['users[?age > `1` && n', ['name']],
	['users[1]."f', ['"first seen"']],
	['users | [0].na', ['name']],
	['length(us', ['users']],
	['{x: tot', ['total']],
	['users.', []],
	['nothing.', []],
	['users[', []],
])('after %j tab offers %j', (query, fields) => {
	expect(completeField(users, query).fields).toEqual(fields);
});

test('nothing is offered after a text longer than a query can be', () => {
	expect(completeField(users, `${' '.repeat(1_900)}users[0].`).fields).toEqual(['name', 'age', 'address']);
	expect(completeField(users, `${' '.repeat(2_000)}users[0].`).fields).toEqual([]);
});

const anyQuery = fc
	.array(
		fc.constantFrom(
			'users',
			'.',
			'[',
			']',
			'*',
			'?',
			'@',
			'|',
			'"',
			"'",
			'`',
			'1',
			'length(',
			')',
			'{',
			':',
			'&',
			' ',
			'=',
			'é',
		),
		{maxLength: 12},
	)
	.map(parts => parts.join(''));

test('whatever is typed, problems have a column in the query, and the rest can be asked', () => {
	fc.assert(
		fc.property(anyQuery, query => {
			completeField(users, query);
			const problem = findQueryProblem(query);
			if (problem) {
				expect(problem.column).toBeGreaterThanOrEqual(1);
				expect(problem.column).toBeLessThanOrEqual(query.length + 1);
				return;
			}
			try {
				ask(query);
			} catch (error) {
				expect(error).toMatchObject({code: 'usage'});
			}
		}),
	);
});
