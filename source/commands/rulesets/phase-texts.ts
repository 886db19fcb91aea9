import type {CommandZone} from '../../firewall/commands.ts';
import type {RuleChange} from '../../rulesets/difference.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import type {Output} from '../../terminal/output.ts';

/** A zone and its entry point ruleset of one phase, as read. */
export type OpenedRuleset = {
	readonly client: Client;
	readonly zone: ChosenZone;
	/** Undefined if the zone has no entry point for this phase. */
	readonly ruleset: Ruleset | undefined;
};

/** The texts and commands of one phase, for code that serves several phases. */
export type PhaseTexts = {
	/** "custom rules", in sentences. */
	readonly rulesNoun: string;
	/** Formats a complete shell command of the area. */
	formatCommand(zone: CommandZone, words: readonly string[], options?: readonly string[]): string;
	/**
	 * Describes what was done to a rule, or with `planned` what will be done. Not escaped for the terminal.
	 */
	describeChange(change: RuleChange, when?: 'done' | 'planned'): string;
	/**
	 * Returns the further options of a printed command that changes `currentRules` to `targetRules`:
	 * `--confirm ZONE` if these protect less, else none.
	 */
	buildChangeOptions?(
		zone: OpenedRuleset['zone'],
		currentRules: readonly RulesetRule[],
		targetRules: readonly RulesetRule[],
	): readonly string[];
};

/** Formatters for the rules of one phase. */
export type RulesetFormatters = {
	/** Formats the rules of one version, for standard output. */
	formatRules(rules: readonly RulesetRule[], output: Output): string;
	/** Converts a rule to the JSON of `--json`. */
	toJson(rule: RulesetRule, position: number): object;
};
