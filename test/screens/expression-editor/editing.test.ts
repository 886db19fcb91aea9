import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type Key, pressed, typed} from '../../../source/keyboard/key.ts';
import {
	type ExpressionEditing,
	editingOf,
	expressionOf,
	formatted,
	isUnfinished,
	moveInCompletions,
	nearestProblem,
	offerOf,
	problemsOf,
	refusedBy,
	takeOffered,
	toNextProblem,
	tooMuch,
	typeInExpression,
} from '../../../source/screens/expression-editor/editing.ts';
import {expressionRows, rowStep} from '../../../source/screens/expression-editor/lines.ts';
import {cursorOf} from '../../../source/text/buffer/buffer.ts';
import {runs} from '../../support/full.ts';

const place = {plan: 'pro', columns: 40} as const;

/** Types this, names of keys in angle brackets, into an expression. */
function typing(keys: string, from: ExpressionEditing = editingOf('', place)): ExpressionEditing {
	let editing = from;
	for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu)) {
		const key = name === undefined ? typed(character ?? '') : pressed(name, '');
		editing =
			name === 'tab' ? takeOffered(editing, place) : (typeInExpression(editing, key, place) ?? editing);
	}
	return editing;
}

const pasting = (text: string, from: ExpressionEditing = editingOf('', place)): ExpressionEditing =>
	typeInExpression(from, {name: 'paste', text, sequence: text} satisfies Key, place) ?? from;

describe('tab', () => {
	test('takes the completion while a word is typed', () => {
		expect(expressionOf(typing('http.hos<tab>'))).toMatch(/^http\.host\b/);
	});

	test('takes the one that was moved to', () => {
		const second = typing('ip.src.').completion?.items[1]?.text;
		expect(second).toBeDefined();
		expect(expressionOf(typing('ip.src.<ctrl-n><tab>'))).toBe(second);
	});

	test('takes the correction where no word is typed', () => {
		const editing = editingOf('ip.src == 10.0.0.0/8', place);
		expect(offerOf(editing)?.kind).toBe('correction');
		expect(expressionOf(takeOffered(editing, place))).toBe('ip.src in {10.0.0.0/8}');
	});

	test('mends the problem nearest to the cursor, and leaves the others', () => {
		const editing = typing('<home>', editingOf('ssl == true and ip.src == 10.0.0.0/8', place));
		const mended = expressionOf(takeOffered(editing, place));
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
	])('puts a space behind %s', (_name, text, written, cursor) => {
		const editing = takeOffered(editingOf(text, place), place);
		expect([expressionOf(editing), cursorOf(editing.buffer)]).toEqual([written, cursor]);
	});

	test('puts no second space where one stands already, and goes behind it', () => {
		const editing = typing(`${'<left>'.repeat(4)}<backspace><tab>`, editingOf('http.host eq "a"', place));
		expect([expressionOf(editing), cursorOf(editing.buffer)]).toEqual(['http.host eq "a"', 13]);
	});

	test('takes a completion rather than out what goes on there', () => {
		expect(expressionOf(takeOffered(editingOf('ssl and ', place), place))).toMatch(/^ssl and \w/);
	});

	test('leaves a right expression as it is, and puts nothing into its middle', () => {
		const right = '(ip.src eq 192.0.2.1) or (ip.src eq 192.0.2.2)';
		let editing = pasting(right.replace(' or ', '\n\tor\n\t'));
		for (let press = 0; press < 4; press++) editing = takeOffered(editing, place);
		expect(problemsOf(editing)).toEqual([]);
		expect(expressionOf(editing).split(/\s+/)).toEqual(right.split(' '));
	});

	test('puts spaces around what was moved to in the middle of a text', () => {
		const before = typing(`${'<left>'.repeat(4)}<ctrl-n>`, editingOf('(ssl)(ssl)', place));
		const editing = typing('<left><ctrl-n><ctrl-n><tab>', before);
		expect(expressionOf(editing)).toBe('(ssl) or (ssl)');
	});

	test('what it took is undone in one step', () => {
		const mended = takeOffered(editingOf('ip.src == 10.0.0.0/8', place), place);
		expect(expressionOf(typing('<ctrl-_>', mended))).toBe('ip.src == 10.0.0.0/8');
	});
});

describe('problems', () => {
	test('a valid expression has none', () => {
		expect(problemsOf(editingOf('http.host eq "example.test"', place))).toEqual([]);
	});

	test.each([
		['a comparison', 'http.request.uri.path '],
		['the end of a parenthesis', '(http.host eq "a" '],
		['the end of a text', 'http.host eq "a'],
		['a condition', 'ssl and '],
		['a value', 'http.host eq '],
	])('that only %s is missing so far is no error while it is typed', (_name, text) => {
		const editing = editingOf(text, place);
		const [problem] = problemsOf(editing);
		expect(problem && isUnfinished(editing, problem)).toBe(true);
		const before = typing('<home>', editing);
		expect(problem && isUnfinished(before, problem)).toBe(false);
	});

	test.each(['http.hos ', 'ip.src == 10.0.0.0/8 ', 'ssl foo '])('%j is wrong at once', text => {
		const editing = editingOf(text, place);
		const [problem] = problemsOf(editing);
		expect(problem && isUnfinished(editing, problem)).toBe(false);
	});

	test('the next one is gone to, and after the last the first again', () => {
		const text = 'htp.host eq "a" and htp.host eq "b"';
		const first = toNextProblem(typing('<end>', editingOf(text, place)));
		expect(cursorOf(first.buffer)).toBe(0);
		expect(cursorOf(toNextProblem(first).buffer)).toBe(text.indexOf('htp', 1));
	});

	test('what the service said stands under its characters until the text changes', () => {
		const editing = editingOf('http.host eq "a"', place);
		const refused = refusedBy(editing, {span: {start: 10, end: 12}, sentence: 'not here'});
		expect(nearestProblem(refused)).toMatchObject({span: {start: 10, end: 12}, severity: 'error'});
		expect(problemsOf(typing('<end> ', refused))).toEqual([]);
	});
});

describe('text', () => {
	test('ends of lines behind a paste are no part of it', () => {
		expect(expressionOf(pasting('ssl\n\n'))).toBe('ssl');
	});

	test('a paste of several lines stays as it is', () => {
		expect(expressionOf(pasting('ssl\nand ssl'))).toBe('ssl\nand ssl');
	});

	test('what nobody means is refused whole', () => {
		const key: Key = {name: 'paste', text: 'x'.repeat(20_000), sequence: ''};
		expect(tooMuch(editingOf('ssl', place), key)).toMatch(/20000 characters/);
		expect(expressionOf(typeInExpression(editingOf('ssl', place), key, place) ?? editingOf(''))).toBe('ssl');
	});

	test('format writes it in one line, and is undone in one step', () => {
		const done = formatted(editingOf('ssl   &&\nssl', place), place);
		expect(done && expressionOf(done)).toBe('ssl and ssl');
		expect(done && expressionOf(typing('<ctrl-_>', done))).toBe('ssl   &&\nssl');
	});

	test('what does not parse is not formatted', () => {
		expect(formatted(editingOf('ssl and and', place), place)).toBeUndefined();
	});

	test('enter is no part of it, alt-enter is', () => {
		expect(typeInExpression(editingOf('ssl', place), pressed('enter', '\r'), place)).toBeUndefined();
		expect(expressionOf(typing('ssl<alt-enter>'))).toBe('ssl\n');
	});
});

describe('what is typed though it stands there already', () => {
	const behind = (text: string, cursor: number, key: string) => {
		const from = typing('<left>'.repeat(text.length - cursor), editingOf(text, place));
		const editing = typing(key, from);
		return [expressionOf(editing), cursorOf(editing.buffer)];
	};

	test.each([
		['the parenthesis of a function', 'lower(http.host)', 15, ')'],
		['the quote of a text', 'http.host eq ""', 14, '"'],
		['the quote of a raw text', 'http.host matches r"a"', 21, '"'],
		['the brace of a set', 'ip.src in {}', 11, '}'],
		['the bracket of an index', 'http.request.headers[""]', 23, ']'],
	])('%s is stepped over', (_name, text, cursor, key) => {
		expect(behind(text, cursor, key)).toEqual([text, cursor + 1]);
	});

	test.each([
		['a parenthesis that is missing', '(lower(http.host)', 16, ')', '(lower(http.host))'],
		['a parenthesis in a text', 'http.host eq ")"', 14, ')', 'http.host eq "))"'],
		['a quote before a text', 'http.host eq "a"', 13, '"', 'http.host eq ""a"'],
		['a quote behind a backslash', 'http.host eq "\\"', 15, '"', 'http.host eq "\\""'],
	])('%s is written', (_name, text, cursor, key, written) => {
		expect(behind(text, cursor, key)).toEqual([written, cursor + 1]);
	});

	test('what may follow is offered behind it', () => {
		const text = 'starts_with(http.host, "a")';
		expect(typing('<left>)', editingOf(text, place)).completion?.items.length).toBeGreaterThan(0);
	});

	test('a paste is written as it is', () => {
		expect(expressionOf(pasting(')', typing('<left>', editingOf('(ssl)', place))))).toBe('(ssl))');
	});
});

describe('completions', () => {
	test('up and down move in them, within their ends', () => {
		const editing = typing('ip.src.');
		const last = (editing.completion?.items.length ?? 0) - 1;
		expect(last).toBeGreaterThan(0);
		expect(typing('<down>', editing).completion?.cursor).toBe(1);
		expect(moveInCompletions(editing, 1000).completion?.cursor).toBe(last);
		expect(moveInCompletions(editing, -1000).completion?.cursor).toBe(0);
	});

	test('are gone once the cursor is elsewhere, and up and down move by the lines that are drawn', () => {
		const text = 'http.host eq "a" or http.host eq "b" or http.host eq "c"';
		const moved = typing('<left>', editingOf(text, place));
		expect(moved.completion).toBeUndefined();
		const up = typing('<up>', moved);
		expect(expressionOf(up)).toBe(text);
		expect(cursorOf(up.buffer)).toBeLessThan(expressionRows(text, 40)[1]?.start ?? 0);
	});
});

test('rows hold every character once, and none is wider than there is room', () => {
	fc.assert(
		fc.property(
			fc.string({unit: 'grapheme', maxLength: 300}),
			fc.integer({min: 10, max: 60}),
			(text, columns) => {
				const rows = expressionRows(text, columns);
				const drawn = rows.map(({start, end}) => text.slice(start, end)).join('');
				expect(drawn).toBe(text.replaceAll('\r\n', '').replaceAll('\n', ''));
			},
		),
	);
});

test('up and down come back to where they began, in lines of one width', () => {
	const text = 'abcdefghi '.repeat(8).trimEnd();
	const from = 25;
	expect(rowStep(text, rowStep(text, from, 1, 21), -1, 21)).toBe(from);
});

test('whatever is typed, nothing throws and the analysis is of the text that stands there', () => {
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
		fc.constantFrom(...keys).map(name => pressed(name, '')),
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
			.map(text => typed(text)),
		fc.string({unit: 'grapheme', minLength: 1, maxLength: 5}).map(text => typed(text)),
	);
	fc.assert(
		fc.property(fc.array(press, {maxLength: 30}), presses => {
			let editing = editingOf('', place);
			for (const key of presses)
				editing =
					key.name === 'tab'
						? takeOffered(editing, place)
						: (typeInExpression(editing, key, place) ?? editing);
			expect(editing.buffer.lines.join('\n').replaceAll('\r', '')).toBe(
				editing.analysis.text.replaceAll('\r', ''),
			);
		}),
		{numRuns: runs(300)},
	);
});
