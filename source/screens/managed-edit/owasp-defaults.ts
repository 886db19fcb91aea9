import {
	getParanoiaCategory,
	managedRulesets,
	type ParanoiaLevel,
	paranoiaLevels,
	thresholdRuleId,
} from '../../migration/configuration/mapping.ts';
import type {ManagedEditor} from './editor.ts';

/** The OWASP settings without an override. Undefined if the rules could not be read. */
type OwaspDefaults = {readonly level: ParanoiaLevel | undefined; readonly threshold: number | undefined};

/** Reads the settings of the OWASP ruleset itself: the highest level with rules that are on, and the score. */
export function readOwaspDefaults(catalogue: ManagedEditor['catalogue']): OwaspDefaults {
	const rules = catalogue?.find(({id}) => id === managedRulesets.owasp.id)?.rules ?? [];
	const hasActiveRules = (level: ParanoiaLevel): boolean =>
		rules.some(({enabled, categories}) => enabled && categories.includes(getParanoiaCategory(level)));
	return {
		level: paranoiaLevels.findLast(hasActiveRules),
		threshold: rules.find(({id}) => id === thresholdRuleId)?.score_threshold,
	};
}
