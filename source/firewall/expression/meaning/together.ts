import type {Reading} from '../grammar/reading.ts';
import type {Expression, Operand} from '../grammar/tree.ts';

/** Adds hints to conditions that are fine alone, but unlikely together. */
export function unlikelyTogether(reading: Reading, expression: Expression): void {
	switch (expression.kind) {
		case 'logical':
			if (expression.operator === 'or') botsTwice(reading, expression.operands);
			if (expression.operator === 'and') eventsMixed(reading, expression.operands);
			for (const operand of expression.operands) unlikelyTogether(reading, operand);
			return;
		case 'not':
			unlikelyTogether(reading, expression.operand);
			return;
		case 'group':
			unlikelyTogether(reading, expression.inner);
			return;
		default:
	}
}

/** Only verified bots have a category. */
function botsTwice(reading: Reading, operands: readonly Expression[]): void {
	const isBot = operands.some(one => one.kind === 'bare' && nameOf(one.operand) === 'cf.client.bot');
	const category = operands.find(
		one => one.kind === 'comparison' && nameOf(one.left) === 'cf.verified_bot_category',
	);
	if (isBot && category)
		reading.hint(category, 'Only verified bots have a category: cf.client.bot matches all of these already.');
}

/** Several conditions on the events of an address may each match a different event. */
function eventsMixed(reading: Reading, operands: readonly Expression[]): void {
	const looks = operands.filter(
		one =>
			one.kind === 'bare' &&
			one.operand.kind === 'call' &&
			one.operand.name === 'any' &&
			isIntel(one.operand),
	);
	const [, second] = looks;
	if (second)
		reading.hint(
			second,
			'The values of all events of an address are together: each any(…) may hold for another event.',
		);
}

function isIntel({arguments: [first]}: Operand & {kind: 'call'}): boolean {
	if (first?.kind !== 'expression' || first.expression.kind !== 'comparison') return false;
	return nameOf(first.expression.left)?.startsWith('cf.intel.') ?? false;
}

const nameOf = (operand: Operand): string | undefined =>
	operand.kind === 'field' ? operand.name : undefined;
