import {comparesFreeText} from '../checks/free-text.ts';
import type {Parser} from './parser.ts';
import type {Correction, Span} from './problem.ts';
import type {Lexeme} from './token.ts';
import type {LeftSide, Literal} from './tree.ts';

/** Reports `*` in a text, where it has no special meaning. */
export function reportStarInText(parser: Parser, side: LeftSide, literal: Literal & {kind: 'string'}): void {
	const canBePattern = !literal.value.includes('\\') && !literal.value.includes('**');
	const literalText = parser.slice(literal);
	const pattern =
		side.operator === 'contains'
			? literalText.replace(/"([\s\S]*)"/, '"*$1*"').replaceAll(/\*+/g, '*')
			: literalText;
	const correction = !canBePattern
		? undefined
		: side.operator === 'ne'
			? {
					span: {start: side.left.start, end: literal.end},
					text: `not ${parser.slice(side.left)} wildcard ${pattern}`,
				}
			: {span: {start: side.operatorSpan.start, end: literal.end}, text: `wildcard ${pattern}`};
	reportStar(
		parser,
		side,
		literal,
		'* is a literal character here. Use wildcard to match any text.',
		correction,
	);
}

/** Reports a `*` that is probably meant as any text; only a hint if the compared value may contain one. */
function reportStar(
	parser: Parser,
	{left, operator}: LeftSide,
	span: Span,
	sentence: string,
	correction: Correction | undefined,
): void {
	if (comparesFreeText(left, operator)) parser.hint(span, sentence, {code: 'L119', correction});
	else parser.warning(span, sentence, {code: 'L006', correction});
}

/** Reports `*` in a set, where it has no special meaning: such values need their own comparison. */
export function reportStarsInSet(
	parser: Parser,
	side: LeftSide,
	items: readonly Literal[],
	close: Lexeme,
): void {
	const hasStar = (item: Literal) => item.kind === 'string' && item.value.includes('*');
	const isPattern = (item: Literal) => item.kind === 'string' && !/\\|\*\*/.test(item.value);
	const starredItems = items.filter(hasStar);
	if (starredItems.length === 0) return;
	const leftText = parser.slice(side.left);
	const conditions = items.map(
		item => `${leftText} ${hasStar(item) ? 'wildcard' : 'eq'} ${parser.slice(item)}`,
	);
	const text = conditions.length > 1 ? `(${conditions.join(' or ')})` : conditions.join('');
	const span = {start: side.left.start, end: close.end};
	const correction = starredItems.every(isPattern) ? {span, text} : undefined;
	for (const item of starredItems)
		reportStar(
			parser,
			side,
			item,
			'* is a literal character in a set. Use wildcard to match any text.',
			correction,
		);
}
