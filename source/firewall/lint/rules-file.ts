import type {RulesFile} from '../../rule-files/parse.ts';
import {ruleSections, type SectionKey} from '../../rule-files/sections.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {LintedRule, RuleGroup} from './rule-group.ts';

const nouns = {
	custom_rules: 'custom rule',
	rate_limits: 'rate limit',
	managed_rules: 'managed rule',
} as const satisfies Readonly<Record<SectionKey, RuleGroup['noun']>>;

/** Groups the rules of a rules file by section. */
export const groupRulesFile = (file: RulesFile): readonly RuleGroup[] =>
	ruleSections.flatMap(({key, phase}) => {
		const rules = file.data[key];
		return rules
			? [
					{
						source: {kind: 'file', name: file.name},
						noun: nouns[key],
						phase,
						rules: rules.map((rule, index) => toLintedRule(file, key, rule, index)),
					},
				]
			: [];
	});

const toLintedRule = (
	file: RulesFile,
	section: SectionKey,
	rule: RulesetRule,
	index: number,
): LintedRule => ({
	position: index + 1,
	rule,
	action: rule.action,
	locate: place =>
		place
			? file.locateInText(
					section,
					index,
					place.field === 'expression' ? ['expression'] : ['ratelimit', place.field],
					place.offset,
				)
			: file.locate(section, index),
});
