import type {Parser} from '../grammar/parser.ts';
import type {Literal, Operand} from '../grammar/tree.ts';
import {rewriteLiteral} from './texts.ts';
import type {TextComparison} from './values.ts';

type StringLiteral = Literal & {kind: 'string'};

/** Adds a hint to a text of another part of a URL than the field, which contains such a text only by chance. */
export function addUrlPartHint(
	parser: Parser,
	field: Operand & {kind: 'field'},
	literal: StringLiteral,
	comparison: TextComparison,
): void {
	switch (field.name) {
		case 'http.request.uri.path':
		case 'raw.http.request.uri.path':
			if (comparison === 'part' || comparison === 'end') addUrlInPathHint(parser, literal);
			return;
		case 'http.request.uri.query':
		case 'raw.http.request.uri.query':
			if (literal.value.startsWith('?'))
				parser.hint(literal, "The query string doesn't include the leading ?: this looks for a second one.", {
					code: 'L070',
					correction: buildReplacement(parser, literal, literal.value.slice(1)),
				});
			return;
		default:
	}
}

function addUrlInPathHint(parser: Parser, literal: StringLiteral): void {
	const [url, path] = /^[a-z]+:\/\/[^/?#]*(\/[^?#]*)?$/i.exec(literal.value) ?? [];
	if (url === undefined) return;
	parser.hint(
		literal,
		'A path has no scheme or host of its own: this looks for another URL in it. To compare the whole URL, use http.request.full_uri.',
		{
			code: 'L125',
			correction: path === '/' ? undefined : buildReplacement(parser, literal, path ?? ''),
		},
	);
}

/** Replaces a text by another one, unless that is empty. */
const buildReplacement = (parser: Parser, literal: StringLiteral, text: string) =>
	text === ''
		? undefined
		: {span: {start: literal.start, end: literal.end}, text: rewriteLiteral(parser, literal, text)};
