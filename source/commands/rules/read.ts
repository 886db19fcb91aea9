import {Failure, isFailure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/continuation.ts';
import {createRateLimitRefusal, readRateLimitRuleset} from '../../firewall/rules/rate-limit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {customRulesetArea, type OpenedCustomRules, openCustomRules} from '../firewall/custom-rules.ts';
import {parseId} from '../firewall/options.ts';
import {openZone} from '../firewall/zone.ts';
import {printVersions} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	formatCustomRule,
	formatCustomRuleTable,
	formatRateLimit,
	formatRateLimitTable,
	toCustomRuleJson,
} from './text.ts';

/** Returns the rule with an id. Fails with `not_found`. */
export function getCustomRule(
	{rules, zone}: OpenedCustomRules,
	id: string,
): RulesetRule & {readonly id: string} {
	const found = rules.find(rule => rule.id === id);
	if (found) return {...found, id};
	throw new Failure('not_found', `There is no custom rule ${id} in ${zone.label}.`, {
		next: `See \`${formatRulesCommand(zone, ['list'])}\` for what there is.`,
	});
}

/** Reads the rate limits of a zone, to recognize their ids; empty if they cannot be read. */
async function tryReadRateLimits({client, zone}: OpenedCustomRules, signal: AbortSignal) {
	try {
		return (await readRateLimitRuleset(client, zone.id, signal))?.rules ?? [];
	} catch (error) {
		if (isFailure(error, 'interrupted')) throw error;
		return [];
	}
}

/**
 * Fails if one of the ids is a rate limit: ledge never writes these. Reads them only for ids that are no
 * custom rule.
 */
export async function refuseRateLimits(
	{signal}: CommandContext,
	opened: OpenedCustomRules,
	ids: readonly string[],
): Promise<void> {
	const unknown = ids.filter(id => !opened.rules.some(rule => rule.id === id));
	if (unknown.length === 0) return;
	const limits = await tryReadRateLimits(opened, signal);
	const limit = unknown.find(id => limits.some(rule => rule.id === id));
	if (limit !== undefined) throw createRateLimitRefusal(opened.zone, limit);
}

type ListOptions = {rateLimits?: boolean};

/** `rules list`: the custom rules, or with `--rate-limits` the rate limits. */
export async function printCustomRules(context: CommandContext, options: ListOptions): Promise<void> {
	const {output} = context;
	const rules = options.rateLimits ? await loadRateLimits(context) : await loadCustomRules(context);
	if (output.json) return output.value(rules.map((rule, index) => toCustomRuleJson(rule, index + 1)));
	await output.text((options.rateLimits ? formatRateLimitTable : formatCustomRuleTable)(rules, output));
}

const loadCustomRules = async (context: CommandContext) =>
	(await openCustomRules(context, {writes: false})).rules;

async function loadRateLimits(context: CommandContext): Promise<readonly RulesetRule[]> {
	const {client, zone} = await openZone(context, {writes: false});
	return (await readRateLimitRuleset(client, zone.id, context.signal))?.rules ?? [];
}

/** `rules get`: a custom rule, or a rate limit. */
export async function printCustomRule(
	context: CommandContext,
	_options: object,
	word: string,
): Promise<void> {
	const {output} = context;
	const id = parseId(word, 'custom rule');
	const opened = await openCustomRules(context, {writes: false});
	const hasRequestedId = (rule: RulesetRule) => rule.id === id;
	const isCustom = opened.rules.some(hasRequestedId);
	const limits = isCustom ? [] : await tryReadRateLimits(opened, context.signal);
	const siblings = limits.some(hasRequestedId) ? limits : opened.rules;
	const rule = siblings.find(hasRequestedId) ?? getCustomRule(opened, id);
	const place = siblings.findIndex(hasRequestedId) + 1;
	if (output.json) return output.value(context.markSimulated(toCustomRuleJson(rule, place)));
	await output.text((isCustom ? formatCustomRule : formatRateLimit)(rule, place, siblings.length));
}

/** `rules versions`: all stored versions, newest first, or the rules of one. */
export async function printCustomRuleVersions(
	context: CommandContext,
	_options: object,
	word?: string,
): Promise<void> {
	const opened = await openCustomRules(context, {writes: false});
	const text = {table: formatCustomRuleTable, value: toCustomRuleJson};
	await printVersions(context, opened, {...customRulesetArea, ...text}, word);
}
