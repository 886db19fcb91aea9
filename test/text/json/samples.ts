import fc from 'fast-check';
import type {JsonValue} from '../../../source/text/json.ts';

/** Few values, and few names below, so that independent versions often change the same paths. */
const scalar = fc.oneof(
	fc.constantFrom<JsonValue>(null, true, false, '', 'a', 'b\n"', '名\u{1f600}'),
	fc.integer({min: -3, max: 3}),
	fc.double({noNaN: true, noDefaultInfinity: true}).map(number => (Object.is(number, -0) ? 0 : number)),
);

export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{value: JsonValue}>(tie => ({
	value: fc.oneof(
		{maxDepth: 4, withCrossShrink: true},
		scalar,
		fc.array(tie('value'), {maxLength: 4}),
		fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '', '__proto__', 'né"'), tie('value'), {maxKeys: 5}),
	),
})).value;

/** JSON texts in all the layouts that `JSON.stringify` knows. */
export const jsonText = fc
	.tuple(jsonValue, fc.constantFrom(undefined, 1, 2, '\t'))
	.map(([value, space]) => JSON.stringify(value, null, space));

export const jsonObject: fc.Arbitrary<{[name: string]: JsonValue}> = fc.dictionary(
	fc.constantFrom('a', 'b', 'c', 'd', 'e'),
	jsonValue,
	{maxKeys: 5},
);
