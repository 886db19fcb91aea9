import {Failure} from '../../failure.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {matchesAddress} from '../expression/expressions.ts';
import {checkDraft, checkQuota, type DraftFinding} from './checks.ts';
import type {CustomRulePlan} from './emergency-custom-rule.ts';
import type {EmergencyDraft} from './emergency-draft.ts';
import {describeQuotaRemedies} from './emergency-quota.ts';
import type {FirewallZone, Rule} from './rule.ts';

/**
 * Checks an emergency draft before it is sent, for commands and screens. A full zone is an error: the service
 * would create the filter and refuse the rule. If `rules` could not be read (undefined), the draft is sent
 * anyway, with a warning.
 */
export const checkEmergency = (
	draft: EmergencyDraft,
	zone: FirewallZone,
	rules: readonly Rule[] | undefined,
): readonly DraftFinding[] =>
	rules
		? checkDraft(draft, zone, {rules}).map(finding =>
				finding.about === 'quota' && finding.severity === 'error'
					? withQuotaRemedies(finding, draft, zone, rules)
					: finding,
			)
		: [...checkDraft(draft, zone), uncountedFinding];

/** Returns the person's own address, the first word of `SSH_CONNECTION`. */
export const readOwnAddress = ({SSH_CONNECTION: connection}: NodeJS.ProcessEnv): string | undefined =>
	connection?.split(' ')[0];

/** Returns a warning if a block would lock out the person who creates it. */
export function formatOwnAddressWarning(
	{action, filter}: Pick<EmergencyDraft, 'action' | 'filter'>,
	ownAddress: string | undefined,
	zone: Pick<FirewallZone, 'name'>,
): string | undefined {
	if (!ownAddress || action === 'log' || !matchesAddress(filter.expression, ownAddress, zone.name))
		return undefined;
	return `This rule also matches your own address ${ownAddress} (from SSH_CONNECTION): requests from there will be blocked or challenged.`;
}

const uncountedSentence =
	"The zone's rules could not be counted, so it is unknown whether there is room for another one.";

const uncountedFinding: DraftFinding = {
	severity: 'warning',
	about: 'quota',
	sentence: uncountedSentence,
	failure: new Failure('plan_lacks', uncountedSentence),
};

export const checkCustomRuleQuota = (
	draft: EmergencyDraft,
	zone: FirewallZone,
	{entryPoint, identicalRule}: CustomRulePlan,
): readonly DraftFinding[] =>
	!entryPoint || identicalRule
		? []
		: checkQuota(entryPoint.rules.length, zone.plan, 'custom rule').map(finding =>
				finding.severity === 'error' ? withQuotaRemedies(finding, draft, zone, entryPoint) : finding,
			);

function withQuotaRemedies(
	finding: DraftFinding,
	draft: EmergencyDraft,
	zone: FirewallZone,
	existingRules: readonly Rule[] | Ruleset,
): DraftFinding {
	const remedies = describeQuotaRemedies(draft, zone, existingRules);
	const next = remedies
		.map((remedy, index) => (index === 0 ? remedy : `Or ${lowerFirst(remedy)}`))
		.join('\n');
	return {...finding, failure: finding.failure.withDetails({left: 'Nothing was sent.', next})};
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
