import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	analyse,
	formatEngineMessage,
	readEngineMessage,
} from '../../../source/firewall/expression/expressions.ts';

function firstError(text: string) {
	const [error] = analyse(text).errors;
	if (!error) throw new RangeError('no error');
	return error;
}

describe('the message of the engine', () => {
	it('quotes the expression in backquotes, with carets under the error', () => {
		const text = 'ssl and htp.host eq "a"';
		expect(formatEngineMessage(text, firstError(text))).toBe(
			'Filter parsing error:\n`ssl and htp.host eq "a"`\n         ^^^^^^^^ unknown identifier\n',
		);
	});

	it('counts bytes', () => {
		const text = 'http.host eq "ä" and htp.host eq "a"';
		expect(formatEngineMessage(text, firstError(text))).toBe(
			`Filter parsing error:\n\`${text}\`\n${' '.repeat(23)}^^^^^^^^ unknown identifier\n`,
		);
	});

	it('gives line and column if there are several lines', () => {
		const text = 'ssl and\nhtp.host eq "a"';
		expect(formatEngineMessage(text, firstError(text))).toBe(
			'Filter parsing error (2:1):\nhtp.host eq "a"\n^^^^^^^^ unknown identifier\n',
		);
	});
});

describe('reading a message of the engine', () => {
	it('finds the error in the documented form', () => {
		const text = 'http.host eq "ä" and htp.host eq "a"';
		const message = formatEngineMessage(text, firstError(text));
		expect(readEngineMessage(message, text)).toEqual({
			span: {start: 21, end: 29},
			sentence: 'unknown identifier',
		});
	});

	it('finds the error by line and column', () => {
		const text = 'ssl and\n htp.host eq "a"';
		const message = 'Filter parsing error (2:2):\n htp.host eq "a"\n ^^^^^^^^ unknown identifier\n';
		expect(readEngineMessage(message, text)).toEqual({
			span: {start: 9, end: 17},
			sentence: 'unknown identifier',
		});
	});

	it('recognises no other text', () => {
		expect(readEngineMessage('Internal error', 'ssl')).toBeUndefined();
		expect(readEngineMessage('Filter parsing error:', 'ssl')).toBeUndefined();
		expect(readEngineMessage('Filter parsing error (9:1):\nx\n^ y', 'ssl')).toBeUndefined();
		expect(readEngineMessage('', '')).toBeUndefined();
	});

	it('never throws, and gives a span inside the text', () => {
		const piece = fc.constantFrom(
			'Filter parsing error',
			' (1:2)',
			'(2:99999999)',
			':',
			'\n',
			'`',
			' ',
			'^',
			'ä',
			'😀',
		);
		const message = fc.array(fc.oneof(piece, fc.string())).map(pieces => pieces.join(''));
		fc.assert(
			fc.property(message, fc.string({unit: 'binary'}), (engineMessage, text) => {
				const read = readEngineMessage(engineMessage, text);
				if (!read) return;
				expect(read.span.start).toBeGreaterThanOrEqual(0);
				expect(read.span.end).toBeGreaterThanOrEqual(read.span.start);
				expect(read.span.end).toBeLessThanOrEqual(text.length);
			}),
		);
	});

	it('finds the start of any error in its message', () => {
		fc.assert(
			fc.property(fc.string({unit: 'grapheme', minLength: 1, maxLength: 60}), text => {
				for (const error of analyse(text).errors) {
					const read = readEngineMessage(formatEngineMessage(text, error), text);
					expect(read?.span.start).toBe(error.span.start);
				}
			}),
		);
	});
});
