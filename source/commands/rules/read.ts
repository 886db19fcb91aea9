import {Failure, isFailure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import {createRateLimitRefusal, readRateLimitRuleset} from '../../firewall/rules/rate-limit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {parseId} from '../firewall/options.ts';
import {
	customPhaseTexts,
	type OpenedPhase,
	openPhaseRules,
	rateLimitPhaseTexts,
} from '../firewall/phase-rules.ts';
import {formatEndedAdvice} from '../firewall/text.ts';
import {printVersions} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import type {RateLimitOptions} from './rules.ts';
import {
	formatCustomRule,
	formatCustomRuleTable,
	formatRateLimit,
	formatRateLimitTable,
	toCustomRuleJson,
} from './text.ts';

/** Returns the custom rule with the given id. Fails with `not_found`. */
export function getCustomRule({rules, zone}: OpenedPhase, id: string): RulesetRule & {readonly id: string} {
	const customRule = rules.find(rule => rule.id === id);
	if (customRule) return {...customRule, id};
	throw new Failure('not_found', `There is no custom rule ${id} in ${zone.label}.`, {
		next: `To list the rules: \`${formatRulesCommand(zone, ['list'])}\``,
	});
}

/** Reads the rate limits of a zone, to recognize their ids; empty if they cannot be read. */
async function tryReadRateLimits({client, zone}: OpenedPhase, signal: AbortSignal) {
	try {
		return (await readRateLimitRuleset(client, zone.id, signal))?.rules ?? [];
	} catch (error) {
		if (isFailure(error, 'interrupted')) throw error;
		return [];
	}
}

/**
 * Fails if one of the ids is a rate limit, which only whole files change. Reads the rate limits only if some ids
 * are not custom rules.
 */
export async function refuseRateLimits(
	{signal}: CommandContext,
	openedRules: OpenedPhase,
	ids: readonly string[],
): Promise<void> {
	const unmatchedIds = ids.filter(id => !openedRules.rules.some(rule => rule.id === id));
	if (unmatchedIds.length === 0) return;
	const rateLimits = await tryReadRateLimits(openedRules, signal);
	const rateLimitId = unmatchedIds.find(id => rateLimits.some(rule => rule.id === id));
	if (rateLimitId !== undefined) throw createRateLimitRefusal(openedRules.zone, rateLimitId);
}

/** `rules list`: prints the custom rules, or with `--rate-limits` the rate limits. */
export async function printCustomRules(context: CommandContext, options: RateLimitOptions): Promise<void> {
	const {output} = context;
	const {zone, rules} = await openPhaseRules(context, {writes: false}, getRulePhaseTexts(options));
	if (output.json) return output.writeJson(rules.map((rule, index) => toCustomRuleJson(rule, index + 1)));
	await output.writeText((options.rateLimits ? formatRateLimitTable : formatCustomRuleTable)(rules, output));
	if (options.rateLimits) return;
	const advice = formatEndedAdvice(
		rules,
		({expression}) => expression,
		ids => formatRulesCommand(zone, ['delete', ...ids]),
	);
	if (advice !== undefined) output.say(advice);
}

/** `rules get`: prints a custom rule or a rate limit. */
export async function printCustomRule(
	context: CommandContext,
	_options: object,
	idArgument: string,
): Promise<void> {
	const {output} = context;
	const id = parseId(idArgument, 'custom rule');
	const openedRules = await openPhaseRules(context, {writes: false});
	const hasRequestedId = (rule: RulesetRule) => rule.id === id;
	const isCustom = openedRules.rules.some(hasRequestedId);
	const rateLimits = isCustom ? [] : await tryReadRateLimits(openedRules, context.signal);
	const rulesOfKind = rateLimits.some(hasRequestedId) ? rateLimits : openedRules.rules;
	const rule = rulesOfKind.find(hasRequestedId) ?? getCustomRule(openedRules, id);
	const position = rulesOfKind.findIndex(hasRequestedId) + 1;
	if (output.json) return output.writeJson(context.markSimulated(toCustomRuleJson(rule, position)));
	await output.writeText((isCustom ? formatCustomRule : formatRateLimit)(rule, position, rulesOfKind.length));
}

/** `rules versions`: prints all stored versions, newest first, or the rules of one version. */
export async function printCustomRuleVersions(
	context: CommandContext,
	options: RateLimitOptions,
	versionArgument?: string,
): Promise<void> {
	const openedPhase = await openPhaseRules(context, {writes: false}, getRulePhaseTexts(options));
	const formatRules = options.rateLimits ? formatRateLimitTable : formatCustomRuleTable;
	const texts = {...openedPhase.texts, formatRules, toJson: toCustomRuleJson};
	await printVersions(context, openedPhase, texts, versionArgument);
}

/** Returns the phase that a command is about: custom rules, or with `--rate-limits` rate limits. */
export const getRulePhaseTexts = ({rateLimits}: RateLimitOptions) =>
	rateLimits ? rateLimitPhaseTexts : customPhaseTexts;
