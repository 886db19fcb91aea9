import {isRegexLike} from '../checks/wildcard.ts';
import type {Parser} from '../grammar/parser.ts';
import type {Literal} from '../grammar/tree.ts';

type StringLiteral = Literal & {kind: 'string'};

/** The part of a value that a plain text is compared with. */
type ComparedPart = 'whole' | 'item' | 'beginning' | 'end' | 'part';

/**
 * Adds a hint to a text with an anchor of regular expressions at its start or end, which is an ordinary
 * character here. `^` in `eq` and `contains` gets a warning elsewhere.
 */
export function addAnchorHint(parser: Parser, literal: StringLiteral, part: ComparedPart): void {
	const {value} = literal;
	if (value.includes('*') || ((part === 'whole' || part === 'part') && isRegexLike(value))) return;
	const hasStartAnchor = /^\^[\w/(]/.test(value) && (part === 'item' || part === 'beginning');
	const hasEndAnchor = /[\w/)]\$$/.test(value) && part !== 'beginning';
	if (!hasStartAnchor && !hasEndAnchor) return;
	parser.hint(
		literal,
		`This compares plain text: ${hasStartAnchor ? '^' : '$'} is an ordinary character here. Regular expressions need the matches operator.`,
		{code: 'L103'},
	);
}
