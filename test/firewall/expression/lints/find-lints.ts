import {analyse, type ExpressionContext} from '../../../../source/firewall/expression/expressions.ts';

/** A problem with its code, and the expression after its correction. */
export type FoundLint = {
	readonly code: string | undefined;
	readonly sentence: string;
	readonly becomes: string | undefined;
};

/** Finds the warnings and hints of an expression, which must be valid. */
export function findLints(text: string, context?: ExpressionContext): readonly FoundLint[] {
	const {errors, warnings, hints} = analyse(text, context);
	if (errors.length > 0) throw new Error(`${text}: ${errors[0]?.sentence}`);
	return [...warnings, ...hints].map(({code, sentence, correction}) => ({
		code,
		sentence,
		becomes:
			correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end),
	}));
}
