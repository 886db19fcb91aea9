import fc from 'fast-check';
import {expect, test} from 'vitest';
import {describeJsonProblem} from '../../../source/text/json/problem.ts';

test.each([
	['{', 'line 1, column 2: expected a name in double quotes or }, but the text ends'],
	['{\n  v: 1\n}', 'line 2, column 3: expected a name in double quotes or }'],
	['{"v" 1}', 'line 1, column 6: expected a colon'],
	['{"v": }', 'line 1, column 7: expected a value'],
	['{"v": 1 "w": 2}', 'line 1, column 9: expected a comma or }'],
	['{"v": 1,}', 'line 1, column 8: remove the trailing comma'],
	['[1 2]', 'line 1, column 4: expected a comma or ]'],
	['[', 'line 1, column 2: expected a value or ], but the text ends'],
	['[x]', 'line 1, column 2: expected a value or ]'],
	['[1,]', 'line 1, column 3: remove the trailing comma'],
	['[{"a": [1\n,\n]}]', 'line 2, column 1: remove the trailing comma'],
	['[1,}', 'line 1, column 4: expected a value'],
	['[1,', 'line 1, column 4: expected a value, but the text ends'],
	['["é", "😀", x]', 'line 1, column 12: expected a value'],
	['{"v": tru}', 'line 1, column 7: expected true'],
	['[01]', 'line 1, column 2: expected a number in the notation of JSON'],
	['{"v": "a', 'line 1, column 9: expected a closing quote, but the text ends'],
	['{"v": "a\\x"}', 'line 1, column 9: expected an escape such as \\n, \\" or \\u00e9'],
	['{"v": "a\\u12"}', 'line 1, column 9: expected an escape such as \\n, \\" or \\u00e9'],
	[
		'{"v": "a\n"}',
		'line 1, column 9: expected a closing quote, or an escape such as \\n instead of a control character',
	],
	['{} x', 'line 1, column 4: expected the end of the text'],
	['', 'line 1, column 1: expected a value, but the text ends'],
	['  {"a": 1\n\n', 'line 3, column 1: expected a comma or }, but the text ends'],
])('%j is not JSON: %s', (text, problem) => {
	expect(describeJsonProblem(text)).toBe(problem);
});

test('exactly the texts that JSON.parse rejects have a problem, within the text', () => {
	const parses = (text: string) => {
		try {
			JSON.parse(text);
			return true;
		} catch {
			return false;
		}
	};
	const pieces = fc.constantFrom(
		'{',
		'}',
		'[',
		']',
		',',
		':',
		'"a"',
		'1',
		'-',
		'true',
		'nul',
		' ',
		'\n',
		'"',
		'\\',
	);
	fc.assert(
		fc.property(fc.array(pieces, {maxLength: 12}), parts => {
			const text = parts.join('');
			const problem = describeJsonProblem(text);
			expect(problem === undefined).toBe(parses(text));
			if (problem === undefined) return;
			const [, line = '', column = ''] = /^line (\d+), column (\d+): expected /.exec(problem) ?? [];
			const textLine = text.split('\n')[Number(line) - 1];
			expect(Number(column)).toBeLessThanOrEqual((textLine?.length ?? -1) + 1);
		}),
	);
});
