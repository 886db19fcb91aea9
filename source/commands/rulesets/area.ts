import type {CommandZone} from '../../firewall/continuation.ts';
import type {RuleChange} from '../../rulesets/difference.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import type {Output} from '../../terminal/output.ts';

/** The entry point of a phase, as read, and its zone. */
export type OpenedRuleset = {
	readonly client: Client;
	readonly zone: ChosenZone;
	/** Undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
};

/** What distinguishes the commands of one phase from those of another. */
export type RulesetArea = {
	/** "custom rules", in sentences. */
	readonly rules: string;
	/** Formats a complete shell command of the area. */
	command(zone: CommandZone, words: readonly string[], options?: readonly string[]): string;
	/** Describes what was done to a rule, or with `planned` what will be done. Contains raw data. */
	sentence(change: RuleChange, when?: 'done' | 'planned'): string;
	/**
	 * Returns the options that a printed `restore` needs: the zone's name if it reduces protection compared
	 * to `now`.
	 */
	restoreOptions?(now: readonly RulesetRule[], then: readonly RulesetRule[]): readonly string[];
};

/** Formats the rules of one phase. */
export type RulesetText = {
	/** Formats the rules of one version, for standard output. */
	table(rules: readonly RulesetRule[], output: Output): string;
	/** Converts a rule to the JSON of `--json`. */
	value(rule: RulesetRule, place: number): object;
};
