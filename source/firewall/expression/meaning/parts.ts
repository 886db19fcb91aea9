import type {Parser} from '../grammar/parser.ts';
import type {Argument, Expression, Literal, Operand, RightSide} from '../grammar/tree.ts';
import {addPatternHints} from './patterns.ts';
import {addAnchorHint} from './plain-anchors.ts';
import {addRawFieldHint} from './raw-fields.ts';
import {checkRedundantValues} from './redundant-values.ts';
import {checkSubstringBounds} from './substring-bounds.ts';
import {addUnlikelyValueHints} from './unlikely-values.ts';
import {walkTree} from './walk.ts';

type Comparison = Expression & {kind: 'comparison'};
type Call = Operand & {kind: 'call'};

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
	if (left.kind === 'field') addRawFieldHint(parser, left, listTexts(right));
	if (right.kind === 'string') {
		if (operator === 'matches') addPatternHints(parser, comparison, right);
		else if (operator === 'eq' || operator === 'ne') addAnchorHint(parser, right, 'whole');
		else if (operator === 'contains') addAnchorHint(parser, right, 'part');
	} else if (right.kind === 'set')
		for (const item of right.items) if (item.kind === 'string') addAnchorHint(parser, item, 'item');
}

const listTexts = (right: RightSide | Literal): readonly string[] =>
	right.kind === 'string'
		? [right.value]
		: right.kind === 'set'
			? right.items.flatMap(item => (item.kind === 'string' ? item.value : []))
			: [];

/** Checks the text of `starts_with` and `ends_with`. */
function checkTextFunction(parser: Parser, {name, arguments: [subject, text]}: Call): void {
	if ((name !== 'starts_with' && name !== 'ends_with') || !subject || !isString(text)) return;
	addAnchorHint(parser, text, name === 'starts_with' ? 'beginning' : 'end');
	if (subject.kind === 'field') addRawFieldHint(parser, subject, [text.value]);
}

const isString = (argument: Argument | undefined): argument is Literal & {kind: 'string'} =>
	argument?.kind === 'string';
