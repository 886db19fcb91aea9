import {Failure} from '../../failure.ts';
import {customRuleCommand, listing, ruleDeletion} from '../continuation.ts';
import {matchesAddress} from '../expression/reach.ts';
import {checkDraft, type Finding} from './checks.ts';
import type {EmergencyDraft} from './emergency.ts';
import {type FirewallZone, isInForce, type Rule} from './rule.ts';

/**
 * All that can be known of an emergency before it is sent, for commands and screens alike. A zone that is full is an
 * error: the service would make the filter and refuse the rule. `rules` is `undefined` where they could not be counted:
 * it goes out all the same, and that is a warning.
 */
export const emergencyFindings = (
	draft: EmergencyDraft,
	zone: FirewallZone,
	rules: readonly Rule[] | undefined,
): readonly Finding[] =>
	rules
		? checkDraft(draft, zone, {rules}).map(finding =>
				finding.about === 'quota' && finding.severity === 'error'
					? withWaysOut(finding, draft, zone, rules)
					: finding,
			)
		: [...checkDraft(draft, zone), uncounted];

/** The address from which a person works on this machine: `SSH_CONNECTION` begins with it. */
export const ownAddress = ({SSH_CONNECTION: connection}: NodeJS.ProcessEnv): string | undefined =>
	connection?.split(' ')[0];

/** A warning where a block would shut out the person who makes it. */
export function ownAddressWarning(
	{action, filter}: Pick<EmergencyDraft, 'action' | 'filter'>,
	own: string | undefined,
): string | undefined {
	if (!own || action === 'log' || !matchesAddress(filter.expression, own)) return undefined;
	return `You work from ${own} (SSH_CONNECTION), which this rule meets, too: requests from there are stopped or challenged.`;
}

const uncountedSentence =
	'The rules of the zone could not be counted, so it is not known whether it has room for one more.';

const uncounted: Finding = {
	severity: 'warning',
	about: 'quota',
	sentence: uncountedSentence,
	failure: new Failure('plan_lacks', uncountedSentence),
};

/** What can be done all the same: a rule that does nothing makes room, and a custom rule needs none. */
function withWaysOut(
	finding: Finding,
	draft: EmergencyDraft,
	zone: FirewallZone,
	rules: readonly Rule[],
): Finding {
	const idle = rules.find(rule => !isInForce(rule));
	const next = [
		`As a custom rule, which needs no room among the firewall rules: ${customRuleCommand(zone, draft)}`,
		idle
			? `Or delete a rule that does nothing now: ${ruleDeletion(zone, idle.id)}`
			: `Or delete a rule, or let one of them match this, too: ${listing(zone, 'rule')}`,
	].join('\n');
	return {...finding, failure: finding.failure.with({left: 'Nothing was sent.', next})};
}
