import type {Parser} from '../grammar/parser.ts';
import type {Literal, Operand} from '../grammar/tree.ts';
import {rewriteLiteral} from './texts.ts';
import type {TextComparison} from './values.ts';

/** Adds a hint to the beginning of a URL that is searched in a path. A path contains one only as a part. */
export function addUrlInPathHint(
	parser: Parser,
	field: Operand & {kind: 'field'},
	literal: Literal & {kind: 'string'},
	comparison: TextComparison,
): void {
	if (!/^(?:raw\.)?http\.request\.uri\.path$/.test(field.name)) return;
	const [url, path] = /^[a-z]+:\/\/[^/?#]*(\/[^?#]*)?$/i.exec(literal.value) ?? [];
	if (url === undefined || (comparison !== 'part' && comparison !== 'end')) return;
	parser.hint(
		literal,
		'A path has no scheme or host of its own: this looks for another URL in it. To compare the whole URL, use http.request.full_uri.',
		{
			code: 'L125',
			correction:
				path === undefined || path === '/'
					? undefined
					: {span: {start: literal.start, end: literal.end}, text: rewriteLiteral(parser, literal, path)},
		},
	);
}
