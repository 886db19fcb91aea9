import type {Lint} from '../expression/expressions.ts';
import type {LintFinding} from './findings.ts';
import {formatLintedRule} from './rule-group.ts';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';
const levels = {error: 'error', warning: 'warning', hint: 'note'} as const;

type SarifOptions = {
	/** The version of ledge. */
	readonly version: string;
	findLint(code: string): Lint | undefined;
	/** Converts a path to a URI. */
	toUri(file: string): string;
};

/** Builds a SARIF log (version 2.1.0) of findings, for tools that show them at their lines. */
export function buildSarifLog(findings: readonly LintFinding[], {version, findLint, toUri}: SarifOptions) {
	const codes = [...new Set(findings.map(({code}) => code))].sort();
	return {
		$schema: schema,
		version: '2.1.0',
		runs: [
			{
				tool: {
					driver: {
						name: 'ledge',
						...(version !== '' && {version}),
						rules: codes.map(code => buildRule(code, findLint(code))),
					},
				},
				columnKind: 'utf16CodeUnits',
				results: findings.map(finding => buildResult(finding, codes, toUri)),
			},
		],
	};
}

function buildRule(code: string, lint: Lint | undefined) {
	if (!lint) return {id: code};
	const {level, title, explanation, page} = lint;
	return {
		id: code,
		shortDescription: {text: `${title}.`},
		fullDescription: {text: explanation},
		defaultConfiguration: {level: levels[level]},
		helpUri: page,
	};
}

function buildResult(finding: LintFinding, codes: readonly string[], toUri: SarifOptions['toUri']) {
	const {level, code, sentence, group, rule, position, inExpression} = finding;
	const correction = inExpression?.problem.correction?.text;
	const {source} = group;
	const name = formatLintedRule(group, rule);
	return {
		ruleId: code,
		ruleIndex: codes.indexOf(code),
		level: levels[level],
		message: {
			text: `${sentence}${correction === undefined ? '' : ` Suggested: ${correction || 'remove it'}`} (${name})`,
		},
		locations: [
			{
				...(source.kind === 'file' && {
					physicalLocation: {
						artifactLocation: {uri: toUri(source.name)},
						...(position && {region: {startLine: position.line, startColumn: position.column}}),
					},
				}),
				logicalLocations: [
					{
						name,
						fullyQualifiedName: `${source.name}/${group.phase}/${rule.address ?? rule.rule.id ?? rule.position}`,
						kind: 'object',
					},
				],
			},
		],
	};
}
