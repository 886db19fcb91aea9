import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Expression} from '../grammar/tree.ts';
import {ungroup} from '../meaning/walk.ts';

type Logical = Expression & {kind: 'logical'};

/** The number of alternatives from which a set is easier to read. */
const minAlternatives = 3;

/** Adds a hint to `x eq "a" or x eq "b" or x eq "c"`, which a set replaces. */
export function addAlternativesHint(parser: Parser, {operator, operands}: Logical): void {
	if (operator !== 'or') return;
	const indexesBySubject = new Map<string, number[]>();
	for (const [index, operand] of operands.entries()) {
		const comparison = findEquality(operand);
		if (!comparison) continue;
		const subject = parser.slice(comparison.left);
		const indexes = indexesBySubject.get(subject);
		if (indexes) indexes.push(index);
		else indexesBySubject.set(subject, [index]);
	}
	for (const [subject, indexes] of indexesBySubject) {
		const parts = indexes.flatMap(index => operands[index] ?? []);
		const [firstPart, lastPart] = [parts[0], parts.at(-1)];
		if (parts.length < minAlternatives || !firstPart || !lastPart) continue;
		const values = parts.map(part => {
			const comparison = findEquality(part);
			return comparison ? parser.slice(comparison.right) : '';
		});
		const isContiguous = (indexes.at(-1) ?? 0) - (indexes[0] ?? 0) === indexes.length - 1;
		const set = `${subject} in {${values.join(' ')}}`;
		const needsParentheses = firstPart.kind === 'group' && parts.length < operands.length;
		const span = {start: firstPart.start, end: lastPart.end};
		parser.hint(span, `${abbreviate(subject)} in {…} says the same as these ${parts.length} comparisons.`, {
			code: 'L124',
			correction: isContiguous ? {span, text: needsParentheses ? `(${set})` : set} : undefined,
		});
	}
}

function findEquality(operand: Expression): (Expression & {kind: 'comparison'}) | undefined {
	const inner = ungroup(operand);
	if (inner.kind !== 'comparison' || inner.operator !== 'eq') return undefined;
	const {kind} = inner.right;
	return kind === 'string' || kind === 'integer' || kind === 'address' ? inner : undefined;
}
