import {Failure} from '../../failure.ts';
import {
	type ExpressionContext,
	type ExpressionProblem,
	findLint,
	type Lint,
	listLints,
	planNames,
} from '../../firewall/expression/expressions.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import {findClosestName} from '../../text/closest-name.ts';
import {toDrawable} from '../../text/columns.ts';
import type {CommandContext} from '../shell/context.ts';

/** Prints one lint by its code; without a code, the codes and titles of all. */
export async function printLints({output}: CommandContext, code: string | undefined): Promise<void> {
	if (code === undefined) {
		if (output.json) await output.writeJson(listLints().map(toLintJson));
		else await output.writeText(formatTable(lintColumns, listLints()));
		return;
	}
	const lint = requireLint(code);
	if (output.json) await output.writeJson(toLintJson(lint));
	else await output.writeText(formatLint(lint));
}

/** Appends the code of each problem to its sentence: "… [L001]". */
export const appendCodes = (problems: readonly ExpressionProblem[]): readonly ExpressionProblem[] =>
	problems.map(problem =>
		problem.code === undefined ? problem : {...problem, sentence: `${problem.sentence} [${problem.code}]`},
	);

/** Finds a lint. Fails with `usage` if there is none with this code. */
function requireLint(code: string): Lint {
	const lint = findLint(code);
	if (lint) return lint;
	const closestCode = findClosestName(
		code,
		listLints().map(one => one.code),
	);
	throw new Failure('usage', `Unknown code "${code}".`, {
		next: `${closestCode === undefined ? '' : `Did you mean ${closestCode}? `}\`ledge firewall explain --code\` lists all codes.`,
	});
}

const toLintJson = ({code, level, title, explanation, example, page}: Lint) => ({
	code,
	level,
	title,
	explanation,
	example: {wrong: example.wrong, right: example.right, ...toContextJson(example.context)},
	page,
});

const toContextJson = ({plan, phase, letsThrough}: ExpressionContext = {}) => ({
	plan: plan ?? null,
	phase: phase ?? null,
	letsThrough: letsThrough ?? false,
});

const lintColumns: TextColumn<Lint>[] = [
	{title: 'CODE', cell: lint => lint.code},
	{title: 'LEVEL', cell: lint => lint.level},
	{title: 'TITLE', cell: lint => lint.title},
];

function formatLint({code, level, title, explanation, example, page}: Lint): string {
	const where = formatExampleContext(example.context);
	const formatExample = (heading: string, text: string): string =>
		`${heading}${where}:\n  ${toDrawable(text)}\n`;
	return [
		`${code} (${level}): ${title}\n`,
		`${explanation}\n`,
		formatExample('Wrong', example.wrong) + formatExample('Right', example.right),
		`See ${page}\n`,
	].join('\n');
}

/** Formats where an example is used: " (Pro plan, http_ratelimit)"; empty for a custom rule on any plan. */
function formatExampleContext({plan, phase, letsThrough}: ExpressionContext = {}): string {
	const parts = [
		...(plan ? [`${planNames[plan]} plan`] : []),
		...(phase ? [phase] : []),
		...(letsThrough ? ['in a rule that lets requests through'] : []),
	];
	return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
