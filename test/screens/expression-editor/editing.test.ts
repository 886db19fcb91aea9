import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createKey, createTextKey, type Key} from '../../../source/keyboard/key.ts';
import {
	createExpressionEditing,
	type ExpressionEditing,
	findNearestProblem,
	findTabOffer,
	formatEditing,
	getOverflowMessage,
	getTypedExpression,
	isUnfinished,
	listProblems,
	moveCompletionCursor,
	takeTabOffer,
	toNextProblem,
	typeInExpression,
	withServiceRefusal,
} from '../../../source/screens/expression-editor/editing.ts';
import {moveByWrappedRows, wrapExpression} from '../../../source/screens/expression-editor/lines.ts';
import {getCursorOffset} from '../../../source/text/buffer/buffer.ts';
import {runs} from '../../support/full.ts';

const place = {plan: 'pro', columns: 40} as const;

/** Types this, names of keys in angle brackets, into an expression. */
function typing(
	keys: string,
	from: ExpressionEditing = createExpressionEditing('', place),
): ExpressionEditing {
	let editing = from;
	for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu)) {
		const key = name === undefined ? createTextKey(character ?? '') : createKey(name, '');
		editing =
			name === 'tab' ? takeTabOffer(editing, place) : (typeInExpression(editing, key, place) ?? editing);
	}
	return editing;
}

const pasting = (
	text: string,
	from: ExpressionEditing = createExpressionEditing('', place),
): ExpressionEditing =>
	typeInExpression(from, {name: 'paste', text, sequence: text} satisfies Key, place) ?? from;

describe('tab', () => {
	test('accepts the completion while a word is typed', () => {
		expect(getTypedExpression(typing('http.hos<tab>'))).toMatch(/^http\.host\b/);
	});

	test('accepts the selected completion', () => {
		const second = typing('ip.src.').completionMenu?.items[1]?.text;
		expect(second).toBeDefined();
		expect(getTypedExpression(typing('ip.src.<ctrl-n><tab>'))).toBe(second);
	});

	test('accepts the correction if no word is typed', () => {
		const editing = createExpressionEditing('ip.src == 10.0.0.0/8', place);
		expect(findTabOffer(editing)?.kind).toBe('correction');
		expect(getTypedExpression(takeTabOffer(editing, place))).toBe('ip.src in {10.0.0.0/8}');
	});

	test('fixes the problem nearest to the cursor, and leaves the others', () => {
		const editing = typing('<home>', createExpressionEditing('ssl == true and ip.src == 10.0.0.0/8', place));
		const mended = getTypedExpression(takeTabOffer(editing, place));
		expect(mended).toContain('10.0.0.0/8');
		expect(mended).not.toContain('== true');
	});

	test.each([
		['an operator', 'http.host cont', 'http.host contains ', 19],
		['an operator that is written to its end', 'http.host eq', 'http.host eq ', 13],
		['a logical word', 'ssl an', 'ssl and ', 8],
		['a logical word behind a parenthesis', '(ssl)', '(ssl) and ', 10],
		['not', 'no', 'not ', 4],
		['an operator in a parenthesis that is not closed yet', '(http.host ', '(http.host eq ', 14],
	])('adds a space after %s', (_name, text, written, cursor) => {
		const editing = takeTabOffer(createExpressionEditing(text, place), place);
		expect([getTypedExpression(editing), getCursorOffset(editing.buffer)]).toEqual([written, cursor]);
	});

	test('adds no second space, and moves past an existing one', () => {
		const editing = typing(
			`${'<left>'.repeat(4)}<backspace><tab>`,
			createExpressionEditing('http.host eq "a"', place),
		);
		expect([getTypedExpression(editing), getCursorOffset(editing.buffer)]).toEqual(['http.host eq "a"', 13]);
	});

	test('accepts a completion rather than removing an unfinished part', () => {
		expect(getTypedExpression(takeTabOffer(createExpressionEditing('ssl and ', place), place))).toMatch(
			/^ssl and \w/,
		);
	});

	test('leaves a correct expression alone, and inserts nothing in its middle', () => {
		const right = '(ip.src eq 192.0.2.1) or (ip.src eq 192.0.2.2)';
		let editing = pasting(right.replace(' or ', '\n\tor\n\t'));
		for (let press = 0; press < 4; press++) editing = takeTabOffer(editing, place);
		expect(listProblems(editing)).toEqual([]);
		expect(getTypedExpression(editing).split(/\s+/)).toEqual(right.split(' '));
	});

	test('adds spaces around a completion selected in the middle of a text', () => {
		const before = typing(`${'<left>'.repeat(4)}<ctrl-n>`, createExpressionEditing('(ssl)(ssl)', place));
		const editing = typing('<left><ctrl-n><ctrl-n><tab>', before);
		expect(getTypedExpression(editing)).toBe('(ssl) or (ssl)');
	});

	test('is undone in one step', () => {
		const mended = takeTabOffer(createExpressionEditing('ip.src == 10.0.0.0/8', place), place);
		expect(getTypedExpression(typing('<ctrl-_>', mended))).toBe('ip.src == 10.0.0.0/8');
	});
});

describe('problems of an expression', () => {
	test('do not exist in a valid one', () => {
		expect(listProblems(createExpressionEditing('http.host eq "example.test"', place))).toEqual([]);
	});

	test.each([
		['a comparison', 'http.request.uri.path '],
		['the end of a parenthesis', '(http.host eq "a" '],
		['the end of a text', 'http.host eq "a'],
		['a condition', 'ssl and '],
		['a value', 'http.host eq '],
	])('with only %s still missing are no errors while typing', (_name, text) => {
		const editing = createExpressionEditing(text, place);
		const [problem] = listProblems(editing);
		expect(problem && isUnfinished(editing, problem)).toBe(true);
		const before = typing('<home>', editing);
		expect(problem && isUnfinished(before, problem)).toBe(false);
	});

	test.each(['http.hos ', 'ip.src == 10.0.0.0/8 ', 'ssl foo '])('in %j are shown at once', text => {
		const editing = createExpressionEditing(text, place);
		const [problem] = listProblems(editing);
		expect(problem && isUnfinished(editing, problem)).toBe(false);
	});

	test('are visited in turn, from the last to the first again', () => {
		const text = 'htp.host eq "a" and htp.host eq "b"';
		const first = toNextProblem(typing('<end>', createExpressionEditing(text, place)));
		expect(getCursorOffset(first.buffer)).toBe(0);
		expect(getCursorOffset(toNextProblem(first).buffer)).toBe(text.indexOf('htp', 1));
	});

	test('reported by the service are shown under its characters until the text changes', () => {
		const editing = createExpressionEditing('http.host eq "a"', place);
		const refused = withServiceRefusal(editing, {span: {start: 10, end: 12}, sentence: 'not here'});
		expect(findNearestProblem(refused)).toMatchObject({span: {start: 10, end: 12}, severity: 'error'});
		expect(listProblems(typing('<end> ', refused))).toEqual([]);
	});
});

describe('text in the expression', () => {
	test('drops line breaks at the end of a paste', () => {
		expect(getTypedExpression(pasting('ssl\n\n'))).toBe('ssl');
	});

	test('keeps a pasted text of several lines', () => {
		expect(getTypedExpression(pasting('ssl\nand ssl'))).toBe('ssl\nand ssl');
	});

	test('of implausible length is refused as a whole', () => {
		const key: Key = {name: 'paste', text: 'x'.repeat(20_000), sequence: ''};
		expect(getOverflowMessage(createExpressionEditing('ssl', place), key)).toMatch(/20000 characters/);
		expect(
			getTypedExpression(
				typeInExpression(createExpressionEditing('ssl', place), key, place) ?? createExpressionEditing(''),
			),
		).toBe('ssl');
	});

	test('is formatted on one line, and that is undone in one step', () => {
		const done = formatEditing(createExpressionEditing('ssl   &&\nssl', place), place);
		expect(done && getTypedExpression(done)).toBe('ssl and ssl');
		expect(done && getTypedExpression(typing('<ctrl-_>', done))).toBe('ssl   &&\nssl');
	});

	test('that does not parse is not formatted', () => {
		expect(formatEditing(createExpressionEditing('ssl and and', place), place)).toBeUndefined();
	});

	test('gets a line break from alt-enter, not from enter', () => {
		expect(
			typeInExpression(createExpressionEditing('ssl', place), createKey('enter', '\r'), place),
		).toBeUndefined();
		expect(getTypedExpression(typing('ssl<alt-enter>'))).toBe('ssl\n');
	});
});

describe('typing at existing characters', () => {
	const behind = (text: string, cursor: number, key: string) => {
		const from = typing('<left>'.repeat(text.length - cursor), createExpressionEditing(text, place));
		const editing = typing(key, from);
		return [getTypedExpression(editing), getCursorOffset(editing.buffer)];
	};

	test.each([
		['the parenthesis of a function', 'lower(http.host)', 15, ')'],
		['the quote of a text', 'http.host eq ""', 14, '"'],
		['the quote of a raw text', 'http.host matches r"a"', 21, '"'],
		['the brace of a set', 'ip.src in {}', 11, '}'],
		['the bracket of an index', 'http.request.headers[""]', 23, ']'],
	])('moves past %s', (_name, text, cursor, key) => {
		expect(behind(text, cursor, key)).toEqual([text, cursor + 1]);
	});

	test.each([
		['a parenthesis that is missing', '(lower(http.host)', 16, ')', '(lower(http.host))'],
		['a parenthesis in a text', 'http.host eq ")"', 14, ')', 'http.host eq "))"'],
		['a quote before a text', 'http.host eq "a"', 13, '"', 'http.host eq ""a"'],
		['a quote behind a backslash', 'http.host eq "\\"', 15, '"', 'http.host eq "\\""'],
	])('inserts %s', (_name, text, cursor, key, written) => {
		expect(behind(text, cursor, key)).toEqual([written, cursor + 1]);
	});

	test('offers what may follow after them', () => {
		const text = 'starts_with(http.host, "a")';
		expect(
			typing('<left>)', createExpressionEditing(text, place)).completionMenu?.items.length,
		).toBeGreaterThan(0);
	});

	test('inserts a paste unchanged', () => {
		expect(getTypedExpression(pasting(')', typing('<left>', createExpressionEditing('(ssl)', place))))).toBe(
			'(ssl))',
		);
	});
});

describe('completions', () => {
	test('are selected with up and down, without leaving the list', () => {
		const editing = typing('ip.src.');
		const last = (editing.completionMenu?.items.length ?? 0) - 1;
		expect(last).toBeGreaterThan(0);
		expect(typing('<down>', editing).completionMenu?.cursor).toBe(1);
		expect(moveCompletionCursor(editing, 1000).completionMenu?.cursor).toBe(last);
		expect(moveCompletionCursor(editing, -1000).completionMenu?.cursor).toBe(0);
	});

	test('disappear when the cursor moves away, and up and down then move by displayed lines', () => {
		const text = 'http.host eq "a" or http.host eq "b" or http.host eq "c"';
		const moved = typing('<left>', createExpressionEditing(text, place));
		expect(moved.completionMenu).toBeUndefined();
		const up = typing('<up>', moved);
		expect(getTypedExpression(up)).toBe(text);
		expect(getCursorOffset(up.buffer)).toBeLessThan(wrapExpression(text, 40)[1]?.start ?? 0);
	});
});

test('rows contain every character once, and none exceeds the width', () => {
	fc.assert(
		fc.property(
			fc.string({unit: 'grapheme', maxLength: 300}),
			fc.integer({min: 10, max: 60}),
			(text, columns) => {
				const rows = wrapExpression(text, columns);
				const drawn = rows.map(({start, end}) => text.slice(start, end)).join('');
				expect(drawn).toBe(text.replaceAll('\r\n', '').replaceAll('\n', ''));
			},
		),
	);
});

test('up and down return to the start, with lines of one width', () => {
	const text = 'abcdefghi '.repeat(8).trimEnd();
	const from = 25;
	expect(moveByWrappedRows(text, moveByWrappedRows(text, from, 1, 21), -1, 21)).toBe(from);
});

test('any typed text is analysed as it stands, and never throws', () => {
	const keys = [
		'tab',
		'up',
		'down',
		'left',
		'right',
		'backspace',
		'delete',
		'home',
		'end',
		'ctrl-w',
		'ctrl-_',
		'ctrl-n',
		'alt-enter',
	];
	const press = fc.oneof(
		fc.constantFrom(...keys).map(name => createKey(name, '')),
		fc
			.constantFrom(
				'http.host',
				' ',
				'"',
				'eq',
				'(',
				')',
				'and ',
				'10.0.0.0/8',
				'\t',
				'{',
				'\u202e',
				'👩‍👩‍👧',
			)
			.map(text => createTextKey(text)),
		fc.string({unit: 'grapheme', minLength: 1, maxLength: 5}).map(text => createTextKey(text)),
	);
	fc.assert(
		fc.property(fc.array(press, {maxLength: 30}), presses => {
			let editing = createExpressionEditing('', place);
			for (const key of presses)
				editing =
					key.name === 'tab'
						? takeTabOffer(editing, place)
						: (typeInExpression(editing, key, place) ?? editing);
			expect(editing.buffer.lines.join('\n').replaceAll('\r', '')).toBe(
				editing.analysis.text.replaceAll('\r', ''),
			);
		}),
		{numRuns: runs(300)},
	);
});
