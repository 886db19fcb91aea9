import type {Parser} from '../grammar/parser.ts';
import type {Argument, Expression, Literal, Operand, RightSide} from '../grammar/tree.ts';
import {addPatternHints} from './patterns.ts';
import {addAnchorHint} from './plain-anchors.ts';
import {addRawFieldHint} from './raw-fields.ts';
import {checkRedundantValues} from './redundant-values.ts';
import {checkSubstringBounds} from './substring-bounds.ts';
import {addUnlikelyValueHints} from './unlikely-values.ts';
import {addNormalizationHint} from './url-normalization.ts';
import {addUrlPartHint} from './url-parts.ts';
import {getTextComparison, type TextComparison} from './values.ts';
import {walkTree} from './walk.ts';

type Comparison = Expression & {kind: 'comparison'};
type Call = Operand & {kind: 'call'};
type StringLiteral = Literal & {kind: 'string'};

/** Checks each comparison and each call of an expression by itself. */
export function checkParts(parser: Parser, tree: Expression): void {
	walkTree(tree, {
		condition(condition) {
			if (condition.kind === 'comparison') checkComparisonAlone(parser, condition);
		},
		call(call) {
			checkSubstringBounds(parser, call);
			checkTextFunction(parser, call);
		},
	});
}

function checkComparisonAlone(parser: Parser, comparison: Comparison): void {
	const {left, operator, right} = comparison;
	if (right.kind === 'set') checkRedundantValues(parser, right.items);
	addUnlikelyValueHints(parser, comparison);
	if (left.kind === 'field') addUrlHints(parser, left, listStrings(right), getTextComparison(operator));
	if (right.kind === 'string') {
		if (operator === 'matches') addPatternHints(parser, comparison, right);
		else if (operator === 'eq' || operator === 'ne') addAnchorHint(parser, right, 'whole');
		else if (operator === 'contains') addAnchorHint(parser, right, 'part');
	} else if (right.kind === 'set')
		for (const item of right.items) if (item.kind === 'string') addAnchorHint(parser, item, 'item');
}

const listStrings = (right: RightSide): readonly StringLiteral[] =>
	(right.kind === 'set' ? right.items : [right]).filter(item => item.kind === 'string');

function addUrlHints(
	parser: Parser,
	field: Operand & {kind: 'field'},
	literals: readonly StringLiteral[],
	comparison: TextComparison | undefined,
): void {
	addRawFieldHint(
		parser,
		field,
		literals.map(({value}) => value),
	);
	if (comparison)
		for (const literal of literals) {
			addNormalizationHint(parser, field, literal, comparison);
			addUrlPartHint(parser, field, literal, comparison);
		}
}

/** Checks the text of `starts_with` and `ends_with`. */
function checkTextFunction(parser: Parser, {name, arguments: [subject, text]}: Call): void {
	if ((name !== 'starts_with' && name !== 'ends_with') || !subject || !isString(text)) return;
	const comparison = name === 'starts_with' ? 'beginning' : 'end';
	addAnchorHint(parser, text, comparison);
	if (subject.kind === 'field') addUrlHints(parser, subject, [text], comparison);
}

const isString = (argument: Argument | undefined): argument is StringLiteral => argument?.kind === 'string';
