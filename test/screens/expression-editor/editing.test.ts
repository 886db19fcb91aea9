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
import {getRunCount} from '../../support/full.ts';

const context = {plan: 'pro', columns: 40} as const;

/** Types keys into an expression; names of keys are in angle brackets. */
function typeKeys(
	keys: string,
	initial: ExpressionEditing = createExpressionEditing('', context),
): ExpressionEditing {
	let editing = initial;
	for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu)) {
		const key = name === undefined ? createTextKey(character ?? '') : createKey(name, '');
		editing =
			name === 'tab' ? takeTabOffer(editing, context) : (typeInExpression(editing, key, context) ?? editing);
	}
	return editing;
}

const pasteText = (
	text: string,
	initial: ExpressionEditing = createExpressionEditing('', context),
): ExpressionEditing =>
	typeInExpression(initial, {name: 'paste', text, sequence: text} satisfies Key, context) ?? initial;

describe('tab', () => {
	test('inserts a space after a complete field, then offers operators', () => {
		const editing = typeKeys('http.request.me<tab><tab>');
		expect(getTypedExpression(editing)).toBe('http.request.method ');
		expect(editing.completionMenu?.items[0]?.kind).toBe('operator');
		expect(getTypedExpression(typeKeys('ssl<tab>'))).toBe('ssl ');
	});

	test('leaves no menu of completions after a correction inside a correct text', () => {
		const editing = typeKeys('ip.geoip.asnum eq 64500 and ssl<tab>');
		expect(getTypedExpression(editing)).toBe('ip.src.asnum eq 64500 and ssl');
		expect(findTabOffer(editing)).toBeUndefined();
		expect(editing.completionMenu).toBeUndefined();
	});

	test('accepts the completion while a word is typed', () => {
		expect(getTypedExpression(typeKeys('http.hos<tab>'))).toMatch(/^http\.host\b/);
	});

	test('accepts the selected completion', () => {
		const second = typeKeys('ip.src.').completionMenu?.items[1]?.text;
		expect(second).toBeDefined();
		expect(getTypedExpression(typeKeys('ip.src.<ctrl-n><tab>'))).toBe(second);
	});

	test('accepts the correction if no word is typed', () => {
		const editing = createExpressionEditing('ip.src == 10.0.0.0/8', context);
		expect(findTabOffer(editing)?.kind).toBe('correction');
		expect(getTypedExpression(takeTabOffer(editing, context))).toBe('ip.src in {10.0.0.0/8}');
	});

	test('fixes the problem nearest to the cursor, and leaves the others', () => {
		const editing = typeKeys(
			'<home>',
			createExpressionEditing('ssl == true and ip.src == 10.0.0.0/8', context),
		);
		const corrected = getTypedExpression(takeTabOffer(editing, context));
		expect(corrected).toContain('10.0.0.0/8');
		expect(corrected).not.toContain('== true');
	});

	test.each([
		['an operator', 'http.host cont', 'http.host contains ', 19],
		['an operator that is written to its end', 'http.host eq', 'http.host eq ', 13],
		['a logical word', 'ssl an', 'ssl and ', 8],
		['a logical word behind a parenthesis', '(ssl)', '(ssl) and ', 10],
		['not', 'no', 'not ', 4],
		['an operator in a parenthesis that is not closed yet', '(http.host ', '(http.host eq ', 14],
	])('adds a space after %s', (_name, text, expectedText, cursor) => {
		const editing = takeTabOffer(createExpressionEditing(text, context), context);
		expect([getTypedExpression(editing), getCursorOffset(editing.buffer)]).toEqual([expectedText, cursor]);
	});

	test('adds no second space, and moves past an existing one', () => {
		const editing = typeKeys(
			`${'<left>'.repeat(4)}<backspace><tab>`,
			createExpressionEditing('http.host eq "a"', context),
		);
		expect([getTypedExpression(editing), getCursorOffset(editing.buffer)]).toEqual(['http.host eq "a"', 13]);
	});

	test('accepts a completion rather than removing an unfinished part', () => {
		expect(getTypedExpression(takeTabOffer(createExpressionEditing('ssl and ', context), context))).toMatch(
			/^ssl and \w/,
		);
	});

	test('leaves a correct expression alone, and inserts nothing in its middle', () => {
		const validText = '(ip.src eq 192.0.2.1) or (ip.src eq 192.0.2.2)';
		let editing = pasteText(validText.replace(' or ', '\n\tor\n\t'));
		for (let pressCount = 0; pressCount < 4; pressCount++) editing = takeTabOffer(editing, context);
		expect(listProblems(editing)).toEqual([]);
		expect(getTypedExpression(editing).split(/\s+/)).toEqual(validText.split(' '));
	});

	test('adds spaces around a completion selected in the middle of a text', () => {
		const before = typeKeys(`${'<left>'.repeat(4)}<ctrl-n>`, createExpressionEditing('(ssl)(ssl)', context));
		const editing = typeKeys('<left><ctrl-n><ctrl-n><tab>', before);
		expect(getTypedExpression(editing)).toBe('(ssl) or (ssl)');
	});

	test('is undone in one step', () => {
		const corrected = takeTabOffer(createExpressionEditing('ip.src == 10.0.0.0/8', context), context);
		expect(getTypedExpression(typeKeys('<ctrl-_>', corrected))).toBe('ip.src == 10.0.0.0/8');
	});
});

describe('problems of an expression', () => {
	test('do not exist in a valid one', () => {
		expect(listProblems(createExpressionEditing('http.host eq "example.test"', context))).toEqual([]);
	});

	test.each([
		['a comparison', 'http.request.uri.path '],
		['the end of a parenthesis', '(http.host eq "a" '],
		['the end of a text', 'http.host eq "a'],
		['a condition', 'ssl and '],
		['a value', 'http.host eq '],
	])('with only %s still missing are no errors while typing', (_name, text) => {
		const editing = createExpressionEditing(text, context);
		const [problem] = listProblems(editing);
		expect(problem && isUnfinished(editing, problem)).toBe(true);
		const atStart = typeKeys('<home>', editing);
		expect(problem && isUnfinished(atStart, problem)).toBe(false);
	});

	test.each(['http.hos ', 'ip.src == 10.0.0.0/8 ', 'ssl foo '])('in %j are shown at once', text => {
		const editing = createExpressionEditing(text, context);
		const [problem] = listProblems(editing);
		expect(problem && isUnfinished(editing, problem)).toBe(false);
	});

	test('are visited in turn, from the last to the first again', () => {
		const text = 'htp.host eq "a" and htp.host eq "b"';
		const first = toNextProblem(typeKeys('<end>', createExpressionEditing(text, context)));
		expect(getCursorOffset(first.buffer)).toBe(0);
		expect(getCursorOffset(toNextProblem(first).buffer)).toBe(text.indexOf('htp', 1));
	});

	test('reported by the service are shown under its characters until the text changes', () => {
		const editing = createExpressionEditing('http.host eq "a"', context);
		const refused = withServiceRefusal(editing, {span: {start: 10, end: 12}, sentence: 'not here'});
		expect(findNearestProblem(refused)).toMatchObject({span: {start: 10, end: 12}, severity: 'error'});
		expect(listProblems(typeKeys('<end> ', refused))).toEqual([]);
	});
});

describe('text in the expression', () => {
	test('drops line breaks at the end of a paste', () => {
		expect(getTypedExpression(pasteText('ssl\n\n'))).toBe('ssl');
		expect(getTypedExpression(pasteText('\n\n'))).toBe('');
		expect(getTypedExpression(pasteText('\n'))).toBe('');
	});

	test('keeps a pasted text of several lines', () => {
		expect(getTypedExpression(pasteText('ssl\nand ssl'))).toBe('ssl\nand ssl');
	});

	test('of implausible length is refused as a whole', () => {
		const key: Key = {name: 'paste', text: 'x'.repeat(20_000), sequence: ''};
		expect(getOverflowMessage(createExpressionEditing('ssl', context), key)).toBe(
			'Not inserted: 20000 characters; the editor holds 16384, an expression 4096.',
		);
		expect(
			getTypedExpression(
				typeInExpression(createExpressionEditing('ssl', context), key, context) ??
					createExpressionEditing(''),
			),
		).toBe('ssl');
	});

	test('is formatted on one line, and that is undone in one step', () => {
		const formatted = formatEditing(createExpressionEditing('ssl   &&\nssl', context), context);
		expect(formatted && getTypedExpression(formatted)).toBe('ssl and ssl');
		expect(formatted && getTypedExpression(typeKeys('<ctrl-_>', formatted))).toBe('ssl   &&\nssl');
	});

	test('that does not parse is not formatted', () => {
		expect(formatEditing(createExpressionEditing('ssl and and', context), context)).toBeUndefined();
	});

	test('gets a line break from alt-enter, not from enter', () => {
		expect(
			typeInExpression(createExpressionEditing('ssl', context), createKey('enter', '\r'), context),
		).toBeUndefined();
		expect(getTypedExpression(typeKeys('ssl<alt-enter>'))).toBe('ssl\n');
	});
});

describe('typing at existing characters', () => {
	const typeAt = (text: string, cursor: number, key: string) => {
		const atCursor = typeKeys('<left>'.repeat(text.length - cursor), createExpressionEditing(text, context));
		const editing = typeKeys(key, atCursor);
		return [getTypedExpression(editing), getCursorOffset(editing.buffer)];
	};

	test.each([
		['the parenthesis of a function', 'lower(http.host)', 15, ')'],
		['the quote of a text', 'http.host eq ""', 14, '"'],
		['the quote of a raw text', 'http.host matches r"a"', 21, '"'],
		['the brace of a set', 'ip.src in {}', 11, '}'],
		['the bracket of an index', 'http.request.headers[""]', 23, ']'],
	])('moves past %s', (_name, text, cursor, key) => {
		expect(typeAt(text, cursor, key)).toEqual([text, cursor + 1]);
	});

	test.each([
		['a parenthesis that is missing', '(lower(http.host)', 16, ')', '(lower(http.host))'],
		['a parenthesis in a text', 'http.host eq ")"', 14, ')', 'http.host eq "))"'],
		['a quote before a text', 'http.host eq "a"', 13, '"', 'http.host eq ""a"'],
		['a quote behind a backslash', 'http.host eq "\\"', 15, '"', 'http.host eq "\\""'],
	])('inserts %s', (_name, text, cursor, key, expectedText) => {
		expect(typeAt(text, cursor, key)).toEqual([expectedText, cursor + 1]);
	});

	test('offers what may follow after them', () => {
		const text = 'starts_with(http.host, "a")';
		expect(
			typeKeys('<left>)', createExpressionEditing(text, context)).completionMenu?.items.length,
		).toBeGreaterThan(0);
	});

	test('inserts a paste unchanged', () => {
		expect(
			getTypedExpression(pasteText(')', typeKeys('<left>', createExpressionEditing('(ssl)', context)))),
		).toBe('(ssl))');
	});
});

describe('completions', () => {
	test('are selected with up and down, without leaving the list', () => {
		const editing = typeKeys('ip.src.');
		const last = (editing.completionMenu?.items.length ?? 0) - 1;
		expect(last).toBeGreaterThan(0);
		expect(typeKeys('<down>', editing).completionMenu?.cursor).toBe(1);
		expect(moveCompletionCursor(editing, 1000).completionMenu?.cursor).toBe(last);
		expect(moveCompletionCursor(editing, -1000).completionMenu?.cursor).toBe(0);
	});

	test('disappear when the cursor moves away, and up and down then move by displayed lines', () => {
		const text = 'http.host eq "a" or http.host eq "b" or http.host eq "c"';
		const moved = typeKeys('<left>', createExpressionEditing(text, context));
		expect(moved.completionMenu).toBeUndefined();
		const up = typeKeys('<up>', moved);
		expect(getTypedExpression(up)).toBe(text);
		expect(getCursorOffset(up.buffer)).toBeLessThan(wrapExpression(text, 40)[1]?.start ?? 0);
	});
});

test('rows contain every character but line breaks once', () => {
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

test('down and up return to the same offset if all lines are equally long', () => {
	const text = 'abcdefghi '.repeat(8).trimEnd();
	const offset = 25;
	expect(moveByWrappedRows(text, moveByWrappedRows(text, offset, 1, 21), -1, 21)).toBe(offset);
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
			let editing = createExpressionEditing('', context);
			for (const key of presses)
				editing =
					key.name === 'tab'
						? takeTabOffer(editing, context)
						: (typeInExpression(editing, key, context) ?? editing);
			expect(editing.buffer.lines.join('\n').replaceAll('\r', '')).toBe(
				editing.analysis.text.replaceAll('\r', ''),
			);
		}),
		{numRuns: getRunCount(300)},
	);
});
