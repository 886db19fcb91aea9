import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Expression} from '../grammar/tree.ts';

type Comparison = Expression & {kind: 'comparison'};

/** Warns of comparing an element of the claims, which is itself a JSON text. */
export function warnTokenComparison(parser: Parser, {left, right}: Comparison): void {
	if (right.kind === 'string' && /^\s*[[{]/.test(right.value)) return;
	parser.warning(
		right,
		`The claims of a token are a single JSON string: this is never true. Use lookup_json_string(${abbreviate(parser.slice(left))}, "claim") to extract one.`,
		{code: 'L047'},
	);
}
