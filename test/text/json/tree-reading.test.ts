import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isJson} from '../../../source/text/json/content.ts';
import {readJsonNodes} from '../../../source/text/json/tree-reading.ts';
import {getRunCount} from '../../support/full.ts';
import {jsonText} from './samples.ts';

/** Texts of random JSON tokens: some are JSON, most are almost. */
const nearlyJson = fc
	.array(
		fc.constantFrom(
			...'{}[],:" \n\t\\/-+.0192eEuabtfn\u0001\u00a0',
			'true',
			'false',
			'null',
			'"a"',
			'\\u00e9',
			'1.5',
			'"":',
		),
		{maxLength: 12},
	)
	.map(pieces => pieces.join(''));

describe('reading JSON', () => {
	it('accepts exactly the texts that JSON.parse accepts', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					nearlyJson,
					nearlyJson.map(inside => `[${inside}]`),
					nearlyJson.map(inside => `"${inside}"`),
				),
				text => {
					expect(readJsonNodes(text) !== undefined).toBe(isJson(text));
				},
			),
			{numRuns: getRunCount(3000)},
		);
	});

	it.each([
		'-',
		'01',
		'1.',
		'.5',
		'1e',
		'1e+',
		'-0',
		'-0.0E-10',
		'[1 2]',
		'"\\x"',
		'"\\u12g4"',
		'"\t"',
		'"a',
		'{"a"}',
		'nul',
		'truex',
		'[}',
		'{]',
		'{"a":1,}',
		'',
	])('agrees with JSON.parse on %j', text => {
		expect(readJsonNodes(text) !== undefined).toBe(isJson(text));
	});

	it('gives each value its path and source', () => {
		fc.assert(
			fc.property(jsonText, text => {
				const nodes = readJsonNodes(text);
				expect(nodes).toBeDefined();
				if (!nodes) return;
				for (let node = 0; node < nodes.size; node++) {
					const path = nodes.path(node);
					const value = path.reduce<unknown>((parent, step) => Object(parent)[step], JSON.parse(text));
					expect(JSON.parse(nodes.source(node))).toEqual(value);
					expect(nodes.find(path)).toBe(node);
				}
			}),
		);
	});

	it('keeps both of two properties with the same name, and finds the last', () => {
		const nodes = readJsonNodes('{"a":1,"\\u0061":2}');
		expect([nodes?.name(1), nodes?.name(2)]).toEqual(['a', 'a']);
		expect(nodes?.nameSource(2)).toBe('"\\u0061"');
		expect(nodes?.find(['a'])).toBe(2);
		expect(nodes?.find(['b'])).toBeUndefined();
		expect(nodes?.find(['a', 'b'])).toBeUndefined();
	});
});
