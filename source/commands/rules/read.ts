import {Failure, isFailure} from '../../failure.ts';
import {rulesCommand} from '../../firewall/continuation.ts';
import {rateLimitRefused, rateLimits} from '../../firewall/rules/rate-limit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {customRules, type OpenedRules, openRules} from '../firewall/custom-rules.ts';
import {idOf} from '../firewall/options.ts';
import {openZone} from '../firewall/zone.ts';
import {printVersions} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import {customRuleTable, customRuleText, rateLimitTable, rateLimitText, ruleValue} from './text.ts';

/** Returns the rule with an id. Fails with `not_found`. */
export function ruleThere({rules, zone}: OpenedRules, id: string): RulesetRule & {readonly id: string} {
	const found = rules.find(rule => rule.id === id);
	if (found) return {...found, id};
	throw new Failure('not_found', `There is no custom rule ${id} in ${zone.label}.`, {
		next: `See \`${rulesCommand(zone, ['list'])}\` for what there is.`,
	});
}

/** Reads the rate limits of a zone, to recognize their ids; empty if they cannot be read. */
async function rateLimitsBeside({client, zone}: OpenedRules, signal: AbortSignal) {
	try {
		return (await rateLimits(client, zone.id, signal))?.rules ?? [];
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
	opened: OpenedRules,
	ids: readonly string[],
): Promise<void> {
	const unknown = ids.filter(id => !opened.rules.some(rule => rule.id === id));
	if (unknown.length === 0) return;
	const limits = await rateLimitsBeside(opened, signal);
	const limit = unknown.find(id => limits.some(rule => rule.id === id));
	if (limit !== undefined) throw rateLimitRefused(opened.zone, limit);
}

type ListOptions = {rateLimits?: boolean};

/** `rules list`: the custom rules, or with `--rate-limits` the rate limits. */
export async function listRules(context: CommandContext, options: ListOptions): Promise<void> {
	const {output} = context;
	const rules = options.rateLimits ? await listedLimits(context) : await listedRules(context);
	if (output.json) return output.value(rules.map((rule, index) => ruleValue(rule, index + 1)));
	await output.text((options.rateLimits ? rateLimitTable : customRuleTable)(rules, output));
}

const listedRules = async (context: CommandContext) => (await openRules(context, {writes: false})).rules;

async function listedLimits(context: CommandContext): Promise<readonly RulesetRule[]> {
	const {client, zone} = await openZone(context, {writes: false});
	return (await rateLimits(client, zone.id, context.signal))?.rules ?? [];
}

/** `rules get`: a custom rule, or a rate limit. */
export async function getRule(context: CommandContext, _options: object, word: string): Promise<void> {
	const {output} = context;
	const id = idOf(word, 'custom rule');
	const opened = await openRules(context, {writes: false});
	const isIt = (rule: RulesetRule) => rule.id === id;
	const isCustom = opened.rules.some(isIt);
	const limits = isCustom ? [] : await rateLimitsBeside(opened, context.signal);
	const among = limits.some(isIt) ? limits : opened.rules;
	const rule = among.find(isIt) ?? ruleThere(opened, id);
	const place = among.findIndex(isIt) + 1;
	if (output.json) return output.value(context.marked(ruleValue(rule, place)));
	await output.text((isCustom ? customRuleText : rateLimitText)(rule, place, among.length));
}

/** `rules versions`: all stored versions, newest first, or the rules of one. */
export async function listVersions(context: CommandContext, _options: object, word?: string): Promise<void> {
	const opened = await openRules(context, {writes: false});
	const text = {table: customRuleTable, value: ruleValue};
	await printVersions(context, opened, {...customRules, ...text}, word);
}
