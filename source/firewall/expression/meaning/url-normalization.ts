import type {Parser} from '../grammar/parser.ts';
import type {Literal, Operand} from '../grammar/tree.ts';
import type {TextComparison} from './values.ts';

type Field = Operand & {kind: 'field'};
type StringLiteral = Literal & {kind: 'string'};

/** Adds a hint to a text that a path never contains if the zone normalizes URLs. */
export function addNormalizationHint(
	parser: Parser,
	field: Field,
	literal: StringLiteral,
	comparison: TextComparison,
): void {
	if (field.name !== 'http.request.uri.path' && field.name !== 'http.request.uri') return;
	const text = comparison === 'pattern' ? unescapeStars(literal.value) : literal.value;
	if (/^https?:\/\//.test(text) || !isNormalizedAway(text, comparison)) return;
	parser.hint(
		literal,
		'If the zone normalizes URLs, the path never contains this: use raw.http.request.uri.path for the path as sent.',
		{code: 'L065'},
	);
}

/** Returns the text that a wildcard pattern stands for, without the escapes of stars and backslashes. */
const unescapeStars = (text: string): string => text.replaceAll(/\\([*\\])/g, (_, character) => character);

/**
 * True if a path never contains the text after normalization: it removes dot segments and double slashes,
 * decodes what needs no encoding, and encodes the rest in capitals. More may follow a part of a path: `/.`
 * may go on as `/.env`.
 */
const isNormalizedAway = (text: string, comparison: TextComparison): boolean =>
	/\/\.\.?\/|\/\.\.$|\/\/|\\|%(?:2[def]|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])|%(?=.?[a-f])/.test(
		text,
	) ||
	((comparison === 'whole' || comparison === 'end') && text.endsWith('/.'));
