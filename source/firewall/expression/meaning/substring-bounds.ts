import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Operand} from '../grammar/tree.ts';

/** Warns of a `substring` whose end is not after its start, so that nothing remains. */
export function checkSubstringBounds(parser: Parser, call: Operand & {kind: 'call'}): void {
	const [, start, end] = call.arguments;
	if (call.name !== 'substring' || start?.kind !== 'integer' || end?.kind !== 'integer') return;
	// A negative bound counts from the end, so the two compare only if both are negative or neither is.
	if (start.value < end.value || start.value < 0n !== end.value < 0n) return;
	parser.warning(
		end,
		`The end (${abbreviate(parser.slice(end))}) is not after the start (${abbreviate(parser.slice(start))}): this is always empty.`,
		{
			code: 'L110',
			correction:
				start.value > end.value
					? {
							span: {start: start.start, end: end.end},
							text: `${parser.slice(end)}${parser.text.slice(start.end, end.start)}${parser.slice(start)}`,
						}
					: undefined,
		},
	);
}
