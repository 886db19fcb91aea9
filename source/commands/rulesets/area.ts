import type {CommandZone} from '../../firewall/continuation.ts';
import type {RuleChange} from '../../rulesets/difference.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import type {Output} from '../../terminal/output.ts';

/** The entry point of a phase as it was read, in the zone that it is of. */
export type OpenedRuleset = {
	readonly client: Client;
	readonly zone: ChosenZone;
	/** `undefined` where the zone has none. */
	readonly ruleset: Ruleset | undefined;
};

/** In what the commands of one phase differ from those of another. */
export type RulesetArea = {
	/** "custom rules", in sentences. */
	readonly rules: string;
	/** A shell command of the area, whole. */
	command(zone: CommandZone, words: readonly string[], options?: readonly string[]): string;
	/** What was done to a rule, or with `planned` what will be, as a sentence. Holds raw text of data. */
	sentence(change: RuleChange, when?: 'done' | 'planned'): string;
	/** Options that `restore` needs to run as it is printed: the zone's name where it leaves less protection than `now`. */
	restoreOptions?(now: readonly RulesetRule[], then: readonly RulesetRule[]): readonly string[];
};

/** How the rules of one phase are printed. */
export type RulesetText = {
	/** The rules of one version, for standard output. */
	table(rules: readonly RulesetRule[], output: Output): string;
	/** A rule as `--json` prints it. */
	value(rule: RulesetRule, place: number): object;
};
