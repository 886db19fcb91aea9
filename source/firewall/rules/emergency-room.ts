import {Failure} from '../../failure.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {refusedWith} from '../../service/refusal.ts';
import {listing, ruleDeletion, rulesCommand} from '../continuation.ts';
import {checkQuota} from './checks.ts';
import {customRuleCommand} from './emergency-command.ts';
import type {EmergencyBefore, EmergencyDraft, EmergencySettled} from './emergency-draft.ts';
import {evaluationOrder} from './order.ts';
import {type FirewallZone, isInForce, type Rule} from './rule.ts';
import {rules} from './rules.ts';
import {formatRuleName} from './users.ts';

/** An emergency that was sent, and what existed before it. */
type RoomWork = {
	readonly client: Client;
	readonly zone: FirewallZone;
	readonly draft: EmergencyDraft;
	readonly before: EmergencyBefore | undefined;
};

/** Time limit for reading the rules, in milliseconds. */
const longestCount = 5_000;

/**
 * Adds the remaining next step if the zone has no room for another rule: sending the block again, or creating
 * its rule on the filter, would be refused.
 */
export async function withRoomAdvice(
	{client, zone, draft, before}: RoomWork,
	done: EmergencySettled,
): Promise<EmergencySettled> {
	if (done.state === 'created' || unrelatedToRoom.has(done.failure.code)) return done;
	const {failure} = done;
	// Resuming a rule needs no room.
	if (done.state === 'duplicate' && !done.lacksRule) return done;
	const signal = AbortSignal.timeout(longestCount);
	const there =
		(await Array.fromAsync(rules(client, zone.id, signal)).catch(() => undefined)) ?? before?.rules;
	if (!isFull(failure, zone, there)) return done;
	const [next] = describeWays(draft, zone, there ?? []);
	const {http = 500} = failure.details;
	const code = refusedWith(failure) && http < 500 ? 'plan_lacks' : failure.code;
	const isLeft = done.state === 'filter left';
	const left = isLeft
		? `${failure.details.left} A rule can use it with --filter-id, once there is room.`
		: failure.details.left;
	const advised = new Failure(code, failure.message, {...failure.details, left, next});
	return {...done, failure: advised, ...(isLeft && {isFull: true})};
}

/** Failures that do not depend on the number of rules. */
const unrelatedToRoom: ReadonlySet<Failure['code']> = new Set([
	'credential_refused',
	'interrupted',
	'not_found',
	'rate_limited',
	'unreachable',
]);

/**
 * True if the service reports no room for another rule, or gives no reason and the rule count explains it.
 */
function isFull(failure: Failure, zone: FirewallZone, there: readonly Rule[] | undefined): boolean {
	const words = (refusedWith(failure)?.errors ?? []).map(({message}) => message).filter(Boolean);
	if (words.some(saysFull)) return true;
	const {http = 500} = failure.details;
	const namesOtherReason = words.length > 0 && http < 500 && !codesOfRoom.has(failure.code);
	return !namesOtherReason && isCountedFull(zone, there);
}

/** Refusals that the rule count can explain, whatever their message. */
const codesOfRoom: ReadonlySet<Failure['code']> = new Set(['plan_lacks', 'already_exists']);

const saysFull = (text: string): boolean =>
	/\brules?\b/i.test(text) && /quota|limit|maximum|exceed|\ballows?\b|no room|too many/i.test(text);

const isCountedFull = ({plan}: FirewallZone, there: readonly Rule[] | undefined): boolean =>
	there !== undefined && checkQuota(there.length, plan).some(({severity}) => severity === 'error');

/**
 * Describes ways out of a full zone as ready-to-run commands, the simplest first: a custom rule instead of a
 * firewall rule, or deleting a rule.
 */
export function describeWays(
	draft: EmergencyDraft,
	zone: FirewallZone,
	there: readonly Rule[] | Ruleset,
): readonly string[] {
	const spare = findSpareRule(there);
	const isCustom = 'rules' in there;
	const deletion = isCustom
		? (id: string) => rulesCommand(zone, ['delete', id])
		: (id: string) => ruleDeletion(zone, id);
	return [
		...(isCustom
			? []
			: [`Use a custom rule, which does not count as a firewall rule: ${customRuleCommand(zone, draft)}`]),
		spare
			? `Delete ${spare.name}: ${deletion(spare.id)}`
			: isCustom
				? `Delete a custom rule: ${rulesCommand(zone, ['list'])}`
				: `Delete a rule: ${listing(zone, 'rule')}`,
	];
}

/**
 * Finds the cheapest rule to delete in a full zone, with the reason in its name: an inactive one, else one
 * that only logs, else the last one. Undefined without rules.
 */
export function findSpareRule(
	there: readonly Rule[] | Ruleset,
): {readonly id: string; readonly name: string} | undefined {
	return 'rules' in there
		? pickSpareRule(there.rules, ({enabled}) => enabled === false, 'custom rule')
		: pickSpareRule(evaluationOrder(there), rule => !isInForce(rule), 'rule');
}

function pickSpareRule<Listed extends Rule | RulesetRule>(
	rules: readonly Listed[],
	isIdle: (rule: Listed) => boolean,
	what: string,
): ReturnType<typeof findSpareRule> {
	const known = rules.filter(({id}) => id !== undefined);
	const idle = known.find(isIdle);
	const logging = known.find(({action}) => action === 'log');
	const rule = idle ?? logging ?? known.at(-1);
	if (rule?.id === undefined) return undefined;
	const why = idle ? 'which does nothing now' : logging ? 'which only logs' : 'which runs last';
	return {id: rule.id, name: `${what} ${formatRuleName(rule)}, ${why}`};
}
