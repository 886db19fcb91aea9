import type {Parser} from '../grammar/parser.ts';
import type {Expression, Operand} from '../grammar/tree.ts';
import {addSeparateArraysHint} from './separate-arrays.ts';

/** Adds hints to conditions that are fine alone, but unlikely together. */
export function addCombinationHints(parser: Parser, expression: Expression): void {
	switch (expression.kind) {
		case 'logical':
			if (expression.operator === 'or') addBotHint(parser, expression.operands);
			if (expression.operator === 'and') {
				addEventHint(parser, expression.operands);
				addSeparateArraysHint(parser, expression.operands);
			}
			for (const operand of expression.operands) addCombinationHints(parser, operand);
			return;
		case 'not':
			addCombinationHints(parser, expression.operand);
			return;
		case 'group':
			addCombinationHints(parser, expression.inner);
			return;
		default:
	}
}

/** Adds a hint to a bot category joined by `or` with `cf.client.bot`: only verified bots have one. */
function addBotHint(parser: Parser, operands: readonly Expression[]): void {
	const hasBotCondition = operands.some(
		operand => operand.kind === 'bare' && getFieldName(operand.operand) === 'cf.client.bot',
	);
	const category = operands.find(
		operand => operand.kind === 'comparison' && getFieldName(operand.left) === 'cf.verified_bot_category',
	);
	if (hasBotCondition && category)
		parser.hint(category, 'Only verified bots have a category: cf.client.bot already matches all of them.', {
			code: 'L077',
		});
}

/** Adds a hint to several conditions on the events of an address: each may match a different event. */
function addEventHint(parser: Parser, operands: readonly Expression[]): void {
	const eventConditions = operands.filter(
		operand =>
			operand.kind === 'bare' &&
			operand.operand.kind === 'call' &&
			operand.operand.name === 'any' &&
			isEventCondition(operand.operand),
	);
	const [, secondCondition] = eventConditions;
	if (secondCondition)
		parser.hint(
			secondCondition,
			'The values of all events of an address are combined: each any(…) may match a different event.',
			{code: 'L078'},
		);
}

function isEventCondition({arguments: [first]}: Operand & {kind: 'call'}): boolean {
	if (first?.kind !== 'expression' || first.expression.kind !== 'comparison') return false;
	return getFieldName(first.expression.left)?.startsWith('cf.intel.') ?? false;
}

const getFieldName = (operand: Operand): string | undefined =>
	operand.kind === 'field' ? operand.name : undefined;
