import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {layOut} from '../../source/text/json-tree-layout.ts';
import {jsonValue} from './json-samples.ts';

describe('laying JSON out', () => {
	it('gives the lines of JSON.stringify with two spaces', () => {
		fc.assert(
			fc.property(jsonValue, fc.constantFrom(undefined, '\t'), (value, space) => {
				expect(layOut(JSON.stringify(value, null, space))?.join('\n')).toBe(JSON.stringify(value, null, 2));
			}),
		);
	});

	it('keeps numbers, escapes, order and repeated names as they are written', () => {
		expect(layOut('{"b":1.00,"a":12345678901234567890,"b":"\\u0061\\/"}')).toEqual([
			'{',
			'  "b": 1.00,',
			'  "a": 12345678901234567890,',
			'  "b": "\\u0061\\/"',
			'}',
		]);
	});

	it('refuses what is no JSON', () => {
		expect(layOut('{')).toBeUndefined();
	});

	it('does not grow without bound with the nesting', () => {
		const lines = layOut('['.repeat(10_000) + ']'.repeat(10_000)) ?? [];
		expect(lines).toHaveLength(19_999);
		expect(Math.max(...lines.map(line => line.length))).toBeLessThan(200);
	});
});
