import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {
	type Analysis,
	type ExpressionProblem,
	maxExpressionLength,
} from '../../firewall/expression/expressions.ts';
import {formatExpressionProblem} from '../../terminal/expression-problems.ts';
import type {CommandContext} from '../shell/context.ts';
import {readInputValue} from '../shell/input.ts';

/** Maximum size of an expression on standard input, in bytes: anything larger is the wrong file. */
const maxBytes = 1_000_000;

/**
 * Returns the argument itself as the expression; for `-`, reads standard input and removes its final line
 * end.
 */
export async function readExpression(context: CommandContext, expressionArgument: string): Promise<string> {
	if (expressionArgument !== '-') return expressionArgument;
	const bytes = await readInputValue('-', context);
	if (bytes.length > maxBytes) {
		throw new Failure('limit', 'Standard input is too long for an expression.', {
			why: `An expression can have at most ${maxExpressionLength} characters; this has ${bytes.length} bytes.`,
		});
	}
	if (!isUtf8(bytes)) throw new Failure('input_malformed', 'The expression is not UTF-8 text.');
	return bytes.toString('utf8').replace(/\r?\n$/, '');
}

/** Returns the options; if they have `--expression -`, the expression is read from standard input. */
export async function resolveStdinExpression<Options extends {readonly expression?: string}>(
	context: CommandContext,
	options: Options,
): Promise<Options> {
	const {expression} = options;
	return expression === undefined
		? options
		: {...options, expression: await readExpression(context, expression)};
}

/** Maximum number of problems shown; the others are only counted. */
const maxShownProblems = 10;

/** Formats the problems of an expression, one below the other, each with its carets. */
export function formatProblems(text: string, problems: readonly ExpressionProblem[]): string {
	const shownLines = problems
		.slice(0, maxShownProblems)
		.map(problem => formatExpressionProblem(text, problem).join('\n'));
	const hiddenCount = problems.length - shownLines.length;
	return [...shownLines, ...(hiddenCount > 0 ? [`and ${hiddenCount} more`] : [])].join('\n');
}

/**
 * Converts a problem to the JSON of `--json`: lines and columns count code points from 1, `start` and `end`
 * are UTF-16 offsets from 0.
 */
export const toExpressionProblemJson = ({
	line,
	column,
	span,
	sentence,
	code,
	engineMessage,
	correction,
}: ExpressionProblem) => ({
	line,
	column,
	...span,
	sentence,
	code: code ?? null,
	engine: engineMessage ?? null,
	correction: correction ? {...correction.span, text: correction.text} : null,
});

/** What to do about errors that rest on ledge's tables. */
export const allowUnknownAdvice =
	'Correct it, or add --allow-unknown to send it: the service may be newer than the tables of ledge.';

/**
 * Builds the failure for an invalid expression, with every error and its carets. `isAllowable`:
 * `--allow-unknown` would send it.
 */
export function buildExpressionFailure({text, errors}: Analysis, isAllowable: boolean): Failure {
	const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
	return new Failure('expression_invalid', `The expression has ${count}; nothing was sent.`, {
		why: formatProblems(text, errors),
		next: isAllowable
			? allowUnknownAdvice
			: 'Correct it; `ledge firewall explain` shows how ledge reads an expression.',
	});
}

/** Warns of what the service would accept but is probably a mistake. */
export function warnAboutExpression({output}: CommandContext, {text, warnings}: Analysis): void {
	for (const problem of warnings) {
		const [firstLine = '', ...caretLines] = formatExpressionProblem(text, problem);
		const correctionNote =
			problem.correction && !output.stderrIsTerminal ? ` (write ${problem.correction.text})` : '';
		output.warn(`${firstLine}${correctionNote}`);
		if (output.stderrIsTerminal) for (const line of caretLines) output.say(line);
	}
}
