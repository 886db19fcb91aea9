import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {layOutJson} from '../../../source/text/json/tree-layout.ts';
import {Numbering} from '../../../source/text/numbering.ts';
import {runSteps} from '../../../source/text/steps.ts';
import {jsonValue} from './samples.ts';

function linesOf(text: string): string[] | undefined {
	const lines = runSteps(layOutJson(text, new Numbering()));
	return lines?.numbers.map(number => lines.texts[number] ?? '');
}

describe('laying out JSON', () => {
	it('gives the lines of JSON.stringify with two spaces', () => {
		fc.assert(
			fc.property(jsonValue, fc.constantFrom(undefined, '\t'), (value, space) => {
				expect(linesOf(JSON.stringify(value, null, space))?.join('\n')).toBe(JSON.stringify(value, null, 2));
			}),
		);
	});

	it('keeps numbers, escapes, order and repeated names as written', () => {
		expect(linesOf('{"b":1.00,"a":12345678901234567890,"b":"\\u0061\\/"}')).toEqual([
			'{',
			'  "b": 1.00,',
			'  "a": 12345678901234567890,',
			'  "b": "\\u0061\\/"',
			'}',
		]);
	});

	it('refuses what is not JSON', () => {
		expect(linesOf('{')).toBeUndefined();
	});

	it('limits the indentation of deep nesting', () => {
		const lines = linesOf('['.repeat(10_000) + ']'.repeat(10_000)) ?? [];
		expect(lines).toHaveLength(19_999);
		expect(Math.max(...lines.map(line => line.length))).toBeLessThan(200);
	});
});
