import {Failure} from '../../failure.ts';
import {
	type Analysis,
	type ExpressionContext,
	type ExpressionProblem,
	formatPhases,
	type Lint,
	planNames,
} from '../../firewall/expression/expressions.ts';
import {findAnyLint, listAllLints} from '../../firewall/lint/rule-lints.ts';
import {type LinkedText, linkMatches, linkPages} from '../../terminal/links.ts';
import {formatLinkedTable, type LinkedColumn} from '../../terminal/table.ts';
import {findClosestName} from '../../text/closest-name.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import type {CommandContext} from '../shell/context.ts';
import {createChoiceOption} from '../shell/declare.ts';

/** Prints one lint by its code; without a code, the codes and titles of all. */
export async function printLints({output}: CommandContext, code: string | undefined): Promise<void> {
	if (code === undefined) {
		if (output.json) await output.writeJson(listAllLints().map(toLintJson));
		else await output.writeText(formatLinkedTable(lintColumns, listAllLints()));
		return;
	}
	const lint = requireLint(code);
	if (output.json) await output.writeJson(toLintJson(lint));
	else await output.writeText(linkPages(formatLint(lint)));
}

const deniableLevels = ['warning', 'hint'] as const;

/** `--deny`: the lowest level that makes the exit code 1. */
export const createDenyOption = () =>
	createChoiceOption(
		'--deny <level>',
		'also exit with 1 for warnings, or for warnings and hints',
		deniableLevels,
	);

/** True if an expression has errors, or anything of the level given with `--deny` or above. */
export const isDenied = (
	{errors, warnings, hints}: Pick<Analysis, 'errors' | 'warnings' | 'hints'>,
	deny: (typeof deniableLevels)[number] | undefined,
): boolean =>
	errors.length > 0 || (deny !== undefined && warnings.length > 0) || (deny === 'hint' && hints.length > 0);

/** Appends the code of each problem to its sentence: "… [L001]". */
export const appendCodes = (problems: readonly ExpressionProblem[]): readonly ExpressionProblem[] =>
	problems.map(problem =>
		problem.code === undefined ? problem : {...problem, sentence: `${problem.sentence} [${problem.code}]`},
	);

/** Finds a lint. Fails with `usage` if there is none with this code. */
function requireLint(code: string): Lint {
	const lint = findAnyLint(code);
	if (lint) return lint;
	const closestCode = findClosestName(
		code,
		listAllLints().map(one => one.code),
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

const toContextJson = ({plan, phase, letsThrough, allowUnknown}: ExpressionContext = {}) => ({
	plan: plan ?? null,
	phase: phase ?? null,
	letsThrough: letsThrough ?? false,
	allowUnknown: allowUnknown ?? false,
});

/** Makes each code at the end of a line, as in "… [L001]", open its page of the documentation. */
export const linkCodes = (text: string): LinkedText =>
	linkMatches(text, /(?<= \[)[A-Z]\d{3}(?=\]$)/gm, code => findAnyLint(code)?.page);

const lintColumns: LinkedColumn<Lint>[] = [
	{title: 'CODE', cell: lint => lint.code, getLink: lint => lint.page},
	{title: 'LEVEL', cell: lint => lint.level},
	{title: 'TITLE', cell: lint => lint.title},
];

function formatLint({code, level, title, explanation, example, page}: Lint): string {
	const where = formatExampleContext(example.context);
	return [
		`${code} (${level}): ${title}\n`,
		`${explanation}\n`,
		`Wrong${where && ` (${where})`}:\n${formatExample(example.wrong)}\nRight:\n${formatExample(example.right)}\n`,
		`See ${page}\n`,
	].join('\n');
}

/** Maximum columns of an example; those of expressions that are too long are cut. */
const maxExampleColumns = 160;

/** Formats an example, indented by two spaces: an expression in one line, rules in several. Made safe for a terminal. */
export const formatExample = (text: string): string =>
	text
		.split('\n')
		.map(line => `  ${cutEnd(toDrawable(line), maxExampleColumns)}`)
		.join('\n');

/** Formats where an example is used: "Pro plan, rate limiting rules"; empty for a custom rule on any plan. */
export function formatExampleContext({
	plan,
	phase,
	letsThrough,
	allowUnknown,
	lists,
}: ExpressionContext = {}): string {
	const parts = [
		...(plan ? [`${planNames[plan]} plan`] : []),
		...(phase ? [formatPhases([phase])] : []),
		...(letsThrough ? ['in a rule that lets requests through'] : []),
		...(allowUnknown ? ['with --allow-unknown'] : []),
		...(lists ?? []).map(({name, kind}) => `the account has the list $${name} of kind ${kind}`),
	];
	return parts.join(', ');
}
