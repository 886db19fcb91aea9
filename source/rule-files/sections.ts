import {customPhase, managedPhase, type RulesetPhase, rateLimitPhase} from '../rulesets/ruleset.ts';

/** A list of rules in a file, and the phase that it describes. */
type RuleSection = {
	/** Its key in the file. */
	readonly key: SectionKey;
	readonly phase: RulesetPhase;
	/** What its rules are called in sentences. */
	readonly noun: string;
};

export type SectionKey = 'custom_rules' | 'rate_limits' | 'managed_rules';

/** All sections, in the order of files, which is also the order of application. */
export const ruleSections: readonly RuleSection[] = [
	{key: 'custom_rules', phase: customPhase, noun: 'custom rules'},
	{key: 'rate_limits', phase: rateLimitPhase, noun: 'rate limits'},
	{key: 'managed_rules', phase: managedPhase, noun: 'managed rules'},
];

/** Formats of a file, by its ending. */
export const rulesFileFormats = ['yaml', 'json'] as const;
export type RulesFileFormat = (typeof rulesFileFormats)[number];

/** Returns the format that the ending of a path names. */
export function findRulesFileFormat(path: string): RulesFileFormat | undefined {
	if (/\.ya?ml$/i.test(path)) return 'yaml';
	return /\.json$/i.test(path) ? 'json' : undefined;
}
