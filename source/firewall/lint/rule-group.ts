import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {Phase} from '../expression/expressions.ts';

/** A position in a file, from 1; columns count UTF-16 units. */
export type LintPosition = {readonly line: number; readonly column: number};

/** A rule to check. Firewall rules are in the form of custom rules. */
export type LintedRule = {
	/** From 1, in order of evaluation. */
	readonly position: number;
	readonly rule: RulesetRule;
	/** The action by the name that the source uses: firewall rules have `allow` and `bypass`. */
	readonly action: string;
	/** Why its expression is unknown, so that it cannot be checked. */
	readonly unknownReason?: string | undefined;
	/** Where it is in a file without lines: an address in Terraform, with its index. */
	readonly address?: string | undefined;
	/** Index in the list of the service, if the service may run the rules in that order instead. */
	readonly listIndex?: number | 'unknown' | undefined;
	/** Position in the file: of a character of an expression, or of the rule. */
	locate?(place?: {readonly field: ExpressionField; readonly offset: number}): LintPosition;
};

/** Where a rule has an expression. */
export type ExpressionField = 'expression' | 'counting_expression';

/** Rules of one source that are evaluated in order, or filters, which have none. */
export type RuleGroup = {
	readonly source: {readonly kind: 'file' | 'zone'; readonly name: string};
	readonly noun: 'custom rule' | 'rate limit' | 'managed rule' | 'firewall rule' | 'filter' | 'rule';
	/** The phase for which expressions are checked. Firewall rules and filters are checked as custom rules. */
	readonly phase: Phase;
	/** True for the rules of an account, which choose zones by `cf.zone.…`. */
	readonly isOfAccount?: boolean | undefined;
	readonly rules: readonly LintedRule[];
};

/** Rules to check, and what could not be read of them. */
export type LintInput = {
	readonly groups: readonly RuleGroup[];
	/** What was left out, and why. */
	readonly leftOut: readonly {readonly name: string; readonly why: string}[];
};

/** Formats a rule for a sentence: `custom rule 2 "Scrapers"`, by its description, else its reference or id. */
export function formatLintedRule({noun}: RuleGroup, {position, rule, address}: LintedRule): string {
	const {description, ref, id} = rule;
	const name = description ? ` "${description}"` : ref || id ? ` ${ref || id}` : '';
	return `${noun} ${address ?? position}${name}`;
}
