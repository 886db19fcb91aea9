import {maxRulesByPlan} from '../../firewall/limits.ts';
import {checkDraft, type DraftFinding, findQuotaError} from '../../firewall/rules/checks.ts';
import {describeEarlierRules} from '../../firewall/rules/earlier-rules.ts';
import {
	checkCustomRuleQuota,
	checkEmergency,
	formatOwnAddressWarning,
} from '../../firewall/rules/emergency-check.ts';
import {findRulesBeforeDraft, listEmergencyLimits} from '../../firewall/rules/emergency-limits.ts';
import {describeFirstPriority} from '../../firewall/rules/order.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {areFirewallRulesRetired} from '../firewall/list.ts';
import {describeQuota} from '../stepped-form/descriptions.ts';
import {describeMakingRoom} from '../stepped-form/full-zone.ts';
import type {AnyRuleKind} from '../stepped-form/rule-form.ts';
import {
	buildEmergencyDraft,
	buildEmergencyPlan,
	type EmergencyState,
	findExistingFilter,
	getEmergencyRules,
} from './state.ts';

/** Builds the text of the review, apart from findings and requests. */
export function describeEmergencyReview(
	emergency: EmergencyState,
): ReturnType<AnyRuleKind['describeReview']> {
	const {zone, way, ownAddress} = emergency;
	const draft = buildEmergencyDraft(emergency);
	const rules = getEmergencyRules(emergency);
	const firstPriority = draft.priority == null ? undefined : describeFirstPriority(rules, draft.action);
	const duplicate = findExistingFilter(emergency);
	const quotaError = findEmergencyQuotaError(emergency);
	const ruleCount = (rules?.length ?? 0) + 1;
	const isNearlyFull =
		way === 'firewall rule' && zone.plan && rules && ruleCount + 1 >= maxRulesByPlan[zone.plan];
	return {
		summary: [`${draft.action}, active immediately: ${draft.filter.expression.replaceAll(/\s*\n\s*/g, ' ')}`],
		changes: [],
		warnings: [
			...(firstPriority && !firstPriority.isFirst ? [firstPriority.sentence] : []),
			formatOwnAddressWarning(draft, ownAddress, zone),
			duplicate?.expression === getTypedExpression(emergency.editing)
				? `Filter ${duplicate.id} already has this expression: the service will reject the request and create nothing.`
				: undefined,
			quotaError && describeRoomAdvice(emergency),
		].filter(text => text !== undefined),
		concerns: [
			...(firstPriority?.isFirst ? [firstPriority.sentence] : []),
			...(isNearlyFull && !quotaError ? [describeQuota(zone, ruleCount, 'rules')] : []),
		].filter(text => text !== undefined),
		limits: [
			...(way === 'firewall rule' ? describeKnownEarlierRules(emergency) : []).map(
				text => ({text, look: 'warning'}) as const,
			),
			...listEmergencyLimits(draft, zone).map(text => ({text, look: 'plain'}) as const),
		],
	};
}

/** Describes the known rules that run earlier and let matching requests through. */
function describeKnownEarlierRules(emergency: EmergencyState): readonly string[] {
	const {lists} = emergency;
	const rules = getEmergencyRules(emergency);
	if (!rules)
		return [
			lists?.reading === 'failed'
				? "The zone's rules could not be read: earlier rules may let some of these requests through."
				: "The zone's rules are not loaded yet: earlier rules may let some of these requests through.",
		];
	return [
		...(lists?.reading === 'stale' ? ['The rules shown are older than your last change here.'] : []),
		...describeEarlierRules(findRulesBeforeDraft(buildEmergencyDraft(emergency), rules)),
	];
}

/** Checks the input before it is sent. */
export function listEmergencyFindings(emergency: EmergencyState): readonly DraftFinding[] {
	const {lists, way} = emergency;
	const zone = {...emergency.zone, allowUnknown: true};
	const draft = buildEmergencyDraft(emergency);
	const rules = getEmergencyRules(emergency);
	const plan = buildEmergencyPlan(emergency);
	if (way === 'custom rule')
		return [...checkDraft(draft, zone), ...(plan ? checkCustomRuleQuota(draft, zone, plan) : [])];
	// The rules are unknown while they are read; sending counts them first.
	const areRulesPending =
		rules === undefined && (lists?.reading !== 'failed' || areFirewallRulesRetired(lists));
	return areRulesPending ? checkDraft(draft, zone) : checkEmergency(draft, zone, rules);
}

const findEmergencyQuotaError = (emergency: EmergencyState): DraftFinding | undefined =>
	findQuotaError(listEmergencyFindings(emergency));

/** Describes how to make room in a full zone. */
function describeRoomAdvice(emergency: EmergencyState): string {
	const isCustom = emergency.way === 'custom rule';
	const existingRules = isCustom ? emergency.customRules?.ruleset : getEmergencyRules(emergency);
	return describeMakingRoom(
		existingRules,
		isCustom ? undefined : `${nameKey('emergency.custom', 't')} makes it a custom rule`,
	);
}

/**
 * Explains why the request cannot be sent: the zone is full, or the custom rules are not loaded yet. Undefined
 * if it can.
 */
export function findEmergencyObstacle(emergency: EmergencyState): string | undefined {
	if (emergency.way === 'custom rule' && !emergency.customRules)
		return emergency.isReadingCustomRules
			? 'Loading the custom rules; the request is shown when they are loaded.'
			: `The custom rules are not loaded, so the request is not known. Press ${nameKey('emergency.custom', 't')} to load them.`;
	const quotaError = findEmergencyQuotaError(emergency);
	return quotaError && `${quotaError.sentence} ${describeRoomAdvice(emergency)}`;
}
