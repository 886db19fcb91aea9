import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {type Analysis, expressionLength, type Problem} from '../../firewall/expression/expressions.ts';
import {problemLines} from '../../terminal/expression-problems.ts';
import type {CommandContext} from '../shell/context.ts';
import {readValue} from '../shell/input.ts';

/** Nobody means an expression of more bytes than this: it is the wrong file. */
const mostBytes = 1_000_000;

/** An expression as it was given: in the command line, or for `-` on standard input, whose last line end is none of it. */
export async function expressionText(context: CommandContext, word: string): Promise<string> {
	if (word !== '-') return word;
	const bytes = await readValue('-', context);
	if (bytes.length > mostBytes) {
		throw new Failure('limit', 'This is too long for an expression.', {
			why: `An expression has at most ${expressionLength} characters; this has ${bytes.length} bytes.`,
		});
	}
	if (!isUtf8(bytes)) throw new Failure('input_malformed', 'The expression is not UTF-8 text.');
	return bytes.toString('utf8').replace(/\r?\n$/, '');
}

/** Options with the expression that they mean: `--expression -` is what standard input holds. */
export async function withExpression<Options extends {readonly expression?: string}>(
	context: CommandContext,
	options: Options,
): Promise<Options> {
	const {expression} = options;
	return expression === undefined
		? options
		: {...options, expression: await expressionText(context, expression)};
}

/** How many problems of an expression are drawn; the rest is counted. */
const mostDrawn = 10;

/** Problems of an expression one below the other, each with its carets. */
export function drawnProblems(text: string, problems: readonly Problem[]): string {
	const drawn = problems.slice(0, mostDrawn).map(problem => problemLines(text, problem).join('\n'));
	const left = problems.length - drawn.length;
	return [...drawn, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

/** A problem as `--json` prints it: lines and columns from 1 in code points, `start` and `end` in UTF-16 units from 0. */
export const problemValue = ({line, column, span, sentence, engine, correction}: Problem) => ({
	line,
	column,
	...span,
	sentence,
	engine: engine ?? null,
	correction: correction ? {...correction.span, text: correction.text} : null,
});

/** What is wrong with an expression, as the failure that a person reads: every error, each with its carets. */
export function expressionFailure({text, errors}: Analysis): Failure {
	const count = errors.length === 1 ? 'a mistake' : `${errors.length} mistakes`;
	return new Failure('expression_invalid', `The expression has ${count}; nothing was sent.`, {
		why: drawnProblems(text, errors),
		next: 'Correct it; `ledge firewall explain` shows how an expression is understood.',
	});
}

/** Warns of what is odd about an expression, though the service would take it. */
export function warnOfExpression({output}: CommandContext, {text, warnings}: Analysis): void {
	for (const problem of warnings) {
		const [where = '', ...drawing] = problemLines(text, problem);
		const written =
			problem.correction && !output.stderrIsTerminal ? ` (write ${problem.correction.text})` : '';
		output.warn(`${where}${written}`);
		if (output.stderrIsTerminal) for (const line of drawing) output.say(line);
	}
}
