import type {Parser} from '../grammar/parser.ts';
import type {Expression} from '../grammar/tree.ts';
import {ungroup, walkTree} from '../meaning/walk.ts';
import {addAlternativesHint} from './alternatives.ts';
import {addNotationHint} from './mixed-notation.ts';
import {addNegationHint} from './negation.ts';
import {addParenthesesHint} from './parentheses.ts';

/** Adds hints to an expression that can be written more clearly. Their corrections keep its meaning. */
export function addStyleHints(parser: Parser, tree: Expression): void {
	/** Parts of a hint on something around them. */
	const covered = new Set<Expression>();
	addNotationHint(parser);
	walkTree(tree, {
		condition(condition, isArgument) {
			if (condition.kind === 'logical') {
				if (!covered.has(condition)) addParenthesesHint(parser, condition);
				for (const operand of condition.operands) if (operand.kind === 'logical') covered.add(operand);
				addAlternativesHint(parser, condition);
			} else if (condition.kind === 'not' && !covered.has(condition)) {
				addNegationHint(parser, condition, isArgument);
				const inner = ungroup(condition.operand);
				if (inner.kind === 'not') covered.add(inner);
			}
		},
	});
}
