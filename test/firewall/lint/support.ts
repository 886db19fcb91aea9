import {type LintFinding, lintRules} from '../../../source/firewall/lint/findings.ts';
import {groupRulesFile} from '../../../source/firewall/lint/rules-file.ts';
import {parseRulesFile} from '../../../source/rule-files/parse.ts';

/** 2026-11-28 12:00 UTC. */
export const now = 1_795_867_200;

/** Checks the text of a rules file. */
export function lintFile(
	text: string,
	options: {readonly plan?: 'free' | 'pro'} = {},
): readonly LintFinding[] {
	const format = text.startsWith('{') ? 'json' : 'yaml';
	const file = parseRulesFile(text, {name: `rules.${format}`, format});
	return groupRulesFile(file).flatMap(group => lintRules(group, {now, ...options}));
}

/** The codes of the findings about rules rather than expressions, with the positions of the rules. */
export const getRuleCodes = (findings: readonly LintFinding[]): readonly string[] =>
	findings.flatMap(({code, rule}) => (code.startsWith('L2') ? [`${code} ${rule.position}`] : []));

/** Writes custom rules in a rules file, one per line as `action expression`. */
export const writeRules = (...lines: readonly string[]): string =>
	JSON.stringify({
		custom_rules: lines.map(line => {
			const [, action, expression] = /^(\S+) ([\s\S]*)$/.exec(line) ?? [];
			return action === 'skip'
				? {action, expression, action_parameters: {ruleset: 'current'}}
				: {action, expression};
		}),
	});
