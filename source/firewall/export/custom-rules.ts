import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {formatQuantity} from '../../text/figures.ts';
import {toCustomRules} from '../rules/custom-rule.ts';
import type {Rule} from '../rules/rule.ts';

/** The ruleset of the existing custom rules of a zone; `none` if it has no such ruleset. */
export type ExistingRules = Ruleset | 'none' | 'unknown';

type ExportedCustomRules = {
	/** The body of a PUT to the entry point of `http_request_firewall_custom`. */
	readonly body: {readonly rules: readonly RulesetRule[]};
	/** What could not be converted, or needs review before use. */
	readonly notes: readonly string[];
};

/**
 * Builds the result of `firewall export --format custom-rules`: firewall rules converted to custom rules, in
 * order of evaluation. A PUT replaces all existing custom rules, so the notes mention these.
 */
export function buildCustomRulesExport(
	rules: readonly Rule[],
	existingRules: ExistingRules,
): ExportedCustomRules {
	const convertedRules = toCustomRules(rules);
	return {
		body: {rules: convertedRules.rules},
		notes: [...convertedRules.notes, ...listReplacementNotes(existingRules)],
	};
}

function listReplacementNotes(existingRules: ExistingRules): string[] {
	switch (existingRules) {
		case 'none':
			return [];
		case 'unknown':
			return [
				"The zone's current custom rules could not be read: check them first, because these rules would replace them.",
			];
		default:
			if (existingRules.rules.length === 0) return [];
			return [
				`The zone currently has ${formatQuantity(existingRules.rules.length, 'custom rule')} (ruleset ${existingRules.id}, version ${existingRules.version}): these rules would replace all of them.`,
			];
	}
}
