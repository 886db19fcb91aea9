import type {DraftFinding, DraftZone} from '../../firewall/rules/checks.ts';
import {checkCustomRule, checkRateLimit} from '../../firewall/rules/custom-checks.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {findCustomRuleZoneNameReasons} from '../../firewall/rules/name-reasons.ts';
import {formatRate, parseRateLimit} from '../../firewall/rules/rate-limit.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {findRateLimitReductions} from '../../rule-files/reductions.ts';
import {customPhase, type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';

/** A type of rules that a zone keeps in one ordered list. */
export type RuleType = {
	readonly phase: typeof customPhase | typeof rateLimitPhase;
	readonly listScreen: 'customRules' | 'rateLimits';
	readonly noun: 'custom rule' | 'rate limit';
	/** The noun at the start of a sentence. */
	readonly sentenceNoun: 'Custom rule' | 'Rate limit';
	/** The noun where the type is clear. */
	readonly shortNoun: 'rule' | 'rate limit';
	/** Subject of a sentence on what an active rule does. */
	readonly affectedRequests: string;
	/** What to do in an empty list. */
	describeEmptyAdvice(): string;
	/** True if the plan of the zone is known to limit their number. */
	readonly hasPlanLimit: boolean;
	/** Options of `ledge rules` commands that are about these rules. */
	readonly commandOptions: readonly string[];
	/**
	 * Checks a rule without calling the service. `existingCount`: the number of rules that a new one adds to, to
	 * check the limit of the plan.
	 */
	check(
		rule: RulesetRule,
		zone: DraftZone,
		options?: {readonly existingCount?: number | undefined},
	): readonly DraftFinding[];
	/** Formats what a rule does to requests, with its limit. Unescaped. */
	formatAction(rule: RulesetRule): string;
	/** True if these reasons say what a change means for requests. */
	readonly reasonsStateEffect: boolean;
	/** Finds why a change must be confirmed with the zone's name, as sentences; empty if it need not. */
	findZoneNameReasons(
		zone: {readonly name: string},
		before: readonly RulesetRule[],
		after: readonly RulesetRule[],
	): readonly string[];
};

export const customRuleType: RuleType = {
	phase: customPhase,
	listScreen: 'customRules',
	noun: 'custom rule',
	sentenceNoun: 'Custom rule',
	shortNoun: 'rule',
	affectedRequests: 'Matching requests',
	describeEmptyAdvice: () =>
		`${nameKey('custom.new', 'a')} creates one, ${nameKey('custom.merge', 'm')} creates them from the firewall rules, ${nameKey('custom.rate-limits', 'L')} shows the rate limits`,
	hasPlanLimit: true,
	commandOptions: [],
	check: checkCustomRule,
	formatAction: formatCustomRuleAction,
	reasonsStateEffect: false,
	findZoneNameReasons: findCustomRuleZoneNameReasons,
};

export const rateLimitType: RuleType = {
	phase: rateLimitPhase,
	listScreen: 'rateLimits',
	noun: 'rate limit',
	sentenceNoun: 'Rate limit',
	shortNoun: 'rate limit',
	affectedRequests: 'Requests over the limit',
	describeEmptyAdvice: () => `press ${nameKey('limits.new', 'a')} to create one`,
	hasPlanLimit: false,
	commandOptions: ['--rate-limits'],
	check: checkRateLimit,
	formatAction: rule =>
		`${formatCustomRuleAction(rule)} over ${formatRate(parseRateLimit(rule)) ?? 'an unknown limit'}`,
	reasonsStateEffect: true,
	findZoneNameReasons: (_zone, before, after) => findRateLimitReductions(before, after),
};
