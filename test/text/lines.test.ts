import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {getNumberedLine, haveSameLines, splitLines} from '../../source/text/lines.ts';
import {Numbering} from '../../source/text/numbering.ts';
import {runSteps} from '../../source/text/steps.ts';

const text = fc.array(fc.constantFrom('a', 'b', '', '\r', '{')).map(lines => lines.join('\n'));

describe('a numbering', () => {
	it('gives equal texts the same number, and returns the text of a number', () => {
		fc.assert(
			fc.property(fc.array(fc.string({maxLength: 2})), texts => {
				const numbering = new Numbering();
				const numbers = texts.map(one => numbering.assignNumber(one));
				expect(numbers.map(number => numbering.texts[number])).toEqual(texts);
				expect(new Set(numbering.texts)).toEqual(new Set(texts));
				expect(numbering.texts).toHaveLength(new Set(numbers).size);
			}),
		);
	});

	it('recognizes each of hundreds of thousands of texts', () => {
		const numbering = new Numbering();
		const numbers = Array.from({length: 300_000}, (_, at) => numbering.assignNumber(`line ${at}`));
		expect(numbers.every((number, at) => number === at)).toBe(true);
		expect([0, 262_143, 262_144, 299_999].map(at => numbering.assignNumber(`line ${at}`))).toEqual([
			...[0, 262_143, 262_144, 299_999],
		]);
		expect(numbering.texts).toHaveLength(300_000);
	});
});

describe('the lines of a text', () => {
	it('are the parts between its line feeds', () => {
		fc.assert(
			fc.property(text, one => {
				const lines = runSteps(splitLines(one, new Numbering()));
				const texts = lines.numbers.map((_, at) => getNumberedLine(lines, at + 1));
				expect(texts).toEqual(one.split('\n').map((line, at) => ({number: at + 1, text: line})));
			}),
		);
	});

	it('are the same if the texts are', () => {
		fc.assert(
			fc.property(text, text, (one, other) => {
				const texts = new Numbering();
				const first = runSteps(splitLines(one, texts));
				expect(runSteps(haveSameLines(first, runSteps(splitLines(one, texts))))).toBe(true);
				expect(runSteps(haveSameLines(first, runSteps(splitLines(other, texts))))).toBe(one === other);
			}),
		);
	});
});
