import {Failure} from '../../failure.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {getRefusalBody} from '../../service/refusal.ts';
import {formatDeleteRuleCommand, formatFirewallListCommand, formatRulesCommand} from '../commands.ts';
import {checkQuota} from './checks.ts';
import {formatCustomRuleCommand} from './emergency-command.ts';
import type {EmergencyBefore, EmergencyDraft, EmergencyRecheckOutcome} from './emergency-draft.ts';
import {sortForEvaluation} from './order.ts';
import {type FirewallZone, isRuleActive, type Rule} from './rule.ts';
import {listFirewallRules} from './rules.ts';
import {formatRuleName} from './users.ts';

/** An emergency that was sent, with the state before it. */
type SentEmergency = {
	readonly client: Client;
	readonly zone: FirewallZone;
	readonly draft: EmergencyDraft;
	readonly before: EmergencyBefore | undefined;
};

/** Time limit for reading the rules, in milliseconds. */
const countTimeoutMs = 5_000;

/**
 * Replaces the next step by another one if the zone has no room for another rule: sending the block again, or
 * creating its rule on the filter, would be refused.
 */
export async function withRoomAdvice(
	{client, zone, draft, before}: SentEmergency,
	outcome: EmergencyRecheckOutcome,
): Promise<EmergencyRecheckOutcome> {
	if (outcome.state === 'created' || roomIndependentCodes.has(outcome.failure.code)) return outcome;
	const {failure} = outcome;
	// Resuming a rule needs no room.
	if (outcome.state === 'duplicate' && !outcome.lacksRule) return outcome;
	const signal = AbortSignal.timeout(countTimeoutMs);
	const existingRules =
		(await Array.fromAsync(listFirewallRules(client, zone.id, signal)).catch(() => undefined)) ??
		before?.rules;
	if (!isFull(failure, zone, existingRules)) return outcome;
	const [next] = describeQuotaRemedies(draft, zone, existingRules ?? []);
	const {http = 500} = failure.details;
	const code = getRefusalBody(failure) && http < 500 ? 'plan_lacks' : failure.code;
	const isFilterLeft = outcome.state === 'filter left';
	const left = isFilterLeft
		? `${failure.details.left} A rule can use it with --filter-id once there is room.`
		: failure.details.left;
	const advisedFailure = new Failure(code, failure.message, {...failure.details, left, next});
	return {...outcome, failure: advisedFailure, ...(isFilterLeft && {isFull: true})};
}

/** Failures that do not depend on the number of rules. */
const roomIndependentCodes: ReadonlySet<Failure['code']> = new Set([
	'credential_refused',
	'interrupted',
	'not_found',
	'rate_limited',
	'unreachable',
]);

/**
 * True if the service reports no room for another rule, or gives no reason and the rule count explains it.
 */
function isFull(failure: Failure, zone: FirewallZone, existingRules: readonly Rule[] | undefined): boolean {
	const messages = (getRefusalBody(failure)?.errors ?? []).map(({message}) => message).filter(Boolean);
	if (messages.some(isFullMessage)) return true;
	const {http = 500} = failure.details;
	const namesOtherReason = messages.length > 0 && http < 500 && !roomCodes.has(failure.code);
	return !namesOtherReason && isCountedFull(zone, existingRules);
}

/** Refusals that the rule count can explain, whatever their message. */
const roomCodes: ReadonlySet<Failure['code']> = new Set(['plan_lacks', 'already_exists']);

const isFullMessage = (text: string): boolean =>
	/\brules?\b/i.test(text) && /quota|limit|maximum|exceed|\ballows?\b|no room|too many/i.test(text);

const isCountedFull = ({plan}: FirewallZone, existingRules: readonly Rule[] | undefined): boolean =>
	existingRules !== undefined &&
	checkQuota(existingRules.length, plan).some(({severity}) => severity === 'error');

/**
 * Describes ways out of a full zone as ready-to-run commands, the simplest first: a custom rule instead of a
 * firewall rule, or deleting a rule.
 */
export function describeQuotaRemedies(
	draft: EmergencyDraft,
	zone: FirewallZone,
	existingRules: readonly Rule[] | Ruleset,
): readonly string[] {
	const spareRule = findSpareRule(existingRules);
	const isCustom = 'rules' in existingRules;
	const formatDeletion = isCustom
		? (id: string) => formatRulesCommand(zone, ['delete', id])
		: (id: string) => formatDeleteRuleCommand(zone, id);
	return [
		...(isCustom
			? []
			: [
					`Use a custom rule, which doesn't count toward the firewall rule limit: ${formatCustomRuleCommand(zone, draft)}`,
				]),
		spareRule
			? `Delete ${spareRule.name}: ${formatDeletion(spareRule.id)}`
			: isCustom
				? `Delete a custom rule: ${formatRulesCommand(zone, ['list'])}`
				: `Delete a rule: ${formatFirewallListCommand(zone, 'rule')}`,
	];
}

/**
 * Finds the cheapest rule to delete in a full zone, with the reason in its name: an inactive one, else one
 * that only logs, else the last one. Undefined without rules.
 */
export function findSpareRule(
	existingRules: readonly Rule[] | Ruleset,
): {readonly id: string; readonly name: string} | undefined {
	return 'rules' in existingRules
		? pickSpareRule(existingRules.rules, ({enabled}) => enabled === false, 'custom rule')
		: pickSpareRule(sortForEvaluation(existingRules), rule => !isRuleActive(rule), 'rule');
}

function pickSpareRule<Listed extends Rule | RulesetRule>(
	rules: readonly Listed[],
	isIdle: (rule: Listed) => boolean,
	ruleNoun: string,
): ReturnType<typeof findSpareRule> {
	const rulesWithId = rules.filter(({id}) => id !== undefined);
	const idleRule = rulesWithId.find(isIdle);
	const logRule = rulesWithId.find(({action}) => action === 'log');
	const rule = idleRule ?? logRule ?? rulesWithId.at(-1);
	if (rule?.id === undefined) return undefined;
	const reason = idleRule ? 'which currently does nothing' : logRule ? 'which only logs' : 'which runs last';
	return {id: rule.id, name: `${ruleNoun} ${formatRuleName(rule)}, ${reason}`};
}
