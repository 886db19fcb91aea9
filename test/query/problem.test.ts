import {expect, test} from 'vitest';
import {findQueryProblem} from '../../source/query/problem.ts';

test.each([
	'a',
	'a.b[0].c',
	'users[?age > `30`].name',
	"users[?name == 'Ada'] | [0]",
	'length(@)',
	'{x: a, y: b.c}',
	'"field with spaces"',
	'let $x = a in b[?c == $x]',
	'sort_by(@, &age)[-1]',
])('%s is valid', query => {
	expect(findQueryProblem(query)).toBeUndefined();
});

test.each([
	['', 1, 'the query is empty'],
	['foo bar', 5, 'unexpected bar'],
	['a[', 3, 'the query ends too early'],
	['a.b. ', 5, 'the query ends too early'],
	['a..b', 3, 'unexpected .'],
	['a[?b == 1]', 9, 'unexpected 1'],
	['a ~ b', 3, 'unexpected character ~'],
	['naïve', 3, 'unexpected character ï'],
	['[?a = b]', 5, 'compare with ==, not ='],
	['[?a == "x]', 8, 'no valid text follows "; it may not be closed'],
	["[?a == 'x]", 8, "the text is not closed with '"],
	['[?a == `{`]', 8, 'no valid text follows `; it may not be closed'],
	['[0].size(@)', 5, 'no function is named size'],
	['a'.repeat(3000), 2001, 'a query has at most 2000 characters'],
])('%s: column %d', (query, column, what) => {
	expect(findQueryProblem(query)).toEqual({column, what});
});
