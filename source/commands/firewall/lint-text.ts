import {type LintFinding, lintLevels} from '../../firewall/lint/findings.ts';
import {formatLintedRule, type LintInput} from '../../firewall/lint/rule-group.ts';
import {formatExpressionProblem} from '../../terminal/expression-problems.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatQuantity} from '../../text/figures.ts';
import {toExpressionProblemJson} from './expression.ts';

type LintReport = LintInput & {readonly findings: readonly LintFinding[]};

/** Formats the findings, each with its place, and a summary. Made safe for a terminal. */
export function formatLintReport(report: LintReport): string {
	const {findings, leftOut} = report;
	return [
		...findings.map(finding => `${formatFinding(finding).join('\n')}\n`),
		...(leftOut.length > 0
			? [`${leftOut.map(({name, why}) => `Not checked: ${toDrawable(`${name}: ${why}.`)}`).join('\n')}\n`]
			: []),
		`${formatSummary(report)}\n`,
	].join('\n');
}

function formatFinding({level, code, sentence, group, rule, position, inExpression}: LintFinding): string[] {
	const {source} = group;
	const place = position ? `${source.name}:${position.line}:${position.column}` : source.name;
	const [, ...marked] = inExpression ? formatExpressionProblem(inExpression.text, inExpression.problem) : [];
	return [
		toDrawable(`${place}: ${level}: ${sentence} [${code}]`),
		`  ${toDrawable(formatLintedRule(group, rule))}`,
		...marked,
	];
}

function formatSummary(report: LintReport): string {
	const ruleCount = formatQuantity(countRules(report), 'rule');
	const counts = countFindings(report);
	const parts = lintLevels
		.filter(level => counts[level] > 0)
		.map(level => formatQuantity(counts[level], level));
	return parts.length === 0 ? `No problems in ${ruleCount}.` : `${parts.join(', ')} in ${ruleCount}.`;
}

const countRules = ({groups}: LintReport): number => groups.reduce((sum, {rules}) => sum + rules.length, 0);

const countFindings = ({findings}: LintReport) => {
	const count = (level: LintFinding['level']) => findings.filter(one => one.level === level).length;
	return {error: count('error'), warning: count('warning'), hint: count('hint')};
};

/**
 * Converts a report to the JSON of `--json`. `line` and `column` are those of the file, from 1; `inExpression`
 * has the position within the expression.
 */
export function toLintReportJson(report: LintReport) {
	const {error, warning, hint} = countFindings(report);
	return {
		errors: error,
		warnings: warning,
		hints: hint,
		rules: countRules(report),
		findings: report.findings.map(toFindingJson),
		notChecked: report.leftOut,
	};
}

const toFindingJson = ({level, code, sentence, group, rule, position, inExpression}: LintFinding) => ({
	level,
	code,
	sentence,
	file: group.source.kind === 'file' ? group.source.name : null,
	zone: group.source.kind === 'zone' ? group.source.name : null,
	line: position?.line ?? null,
	column: position?.column ?? null,
	kind: group.noun,
	phase: group.phase,
	rule: {
		position: rule.position,
		id: rule.rule.id ?? null,
		ref: rule.rule.ref ?? null,
		description: rule.rule.description ?? null,
		action: rule.action,
		address: rule.address ?? null,
	},
	inExpression: inExpression
		? {expression: inExpression.text, ...toExpressionProblemJson(inExpression.problem)}
		: null,
});
