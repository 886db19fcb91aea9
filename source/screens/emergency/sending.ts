import {type Failure, toFailure} from '../../failure.ts';
import {createEmergencyRule, readStateBeforeEmergency} from '../../firewall/rules/emergency.ts';
import {checkEmergency} from '../../firewall/rules/emergency-check.ts';
import {
	createCustomRule,
	findExistingRuleOutcome,
	planCustomRule,
} from '../../firewall/rules/emergency-custom-rule.ts';
import {type EmergencyBefore, findAuditedFailure} from '../../firewall/rules/emergency-draft.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {SendContext} from '../stepped-form/rule-backend.ts';
import {
	buildEmergencyDraft,
	buildEmergencyPlan,
	type EmergencyEnding,
	type EmergencyState,
	findExistingFilter,
	getEmergencyRules,
} from './state.ts';

/** Reads the custom rules of a zone. */
export const loadCustomRules = async (client: Client, {id}: FirewallZone, signal: AbortSignal) => ({
	ruleset: await readRulesetEntryPoint(client, id, customPhase, signal),
});

/**
 * Sends what the review shows, once, and returns the outcome. Sends nothing if the zone is full. If
 * firewall rules are retired, reads the custom rules for the next review.
 */
export async function sendEmergency(
	client: Client,
	emergency: EmergencyState,
	context: SendContext,
	messages: StateWith<'messages', 'warn' | 'fail'>['messages'],
): Promise<EmergencyEnding> {
	const {zone} = emergency;
	const draft = buildEmergencyDraft(emergency);
	const {signal, onStep, onWritten} = context;
	const plan = buildEmergencyPlan(emergency);
	if (plan) {
		onStep('rule');
		return withRefusal(
			await createCustomRule(client, zone, plan, {signal, onWritten, onRecheck: () => onStep('looking')}),
		);
	}
	let knownState: EmergencyBefore | undefined;
	try {
		// The lists may be outdated; they are used only if nothing newer can be read in time.
		knownState = (await readStateBeforeEmergency(client, zone, draft, signal)) ?? getKnownState(emergency);
	} catch (error) {
		return handleRetirement(client, emergency, toFailure(error), context, messages);
	}
	const quotaFinding = checkEmergency(draft, zone, knownState?.rules).find(({about}) => about === 'quota');
	if (quotaFinding?.severity === 'error') return {state: 'nothing', failure: quotaFinding.failure};
	const outcome = await createEmergencyRule(client, zone, draft, {...context, before: knownState});
	if (outcome.state === 'gone')
		return handleRetirement(client, emergency, outcome.failure, context, messages);
	if (quotaFinding && !knownState && outcome.state !== 'nothing') messages.warn(quotaFinding.sentence);
	return withRefusal(outcome);
}

/** Adds the failure for the audit log: that of the outcome, or that an identical rule already existed. */
const withRefusal = <Outcome extends Parameters<typeof findAuditedFailure>[0]>(outcome: Outcome) => ({
	...outcome,
	failure: findAuditedFailure(outcome),
});

/** Returns the state that the lists show; undefined if they are missing or stale. */
function getKnownState(emergency: EmergencyState): EmergencyBefore | undefined {
	const rules = getEmergencyRules(emergency);
	if (!rules || emergency.lists?.reading === 'stale') return undefined;
	const duplicate = findExistingFilter(emergency);
	return {
		rules,
		filter:
			duplicate?.expression === buildEmergencyDraft(emergency).filter.expression ? duplicate : undefined,
	};
}

/** Reads the custom rules for the next review; an equivalent custom rule ends the emergency. */
async function handleRetirement(
	client: Client,
	emergency: EmergencyState,
	retirementFailure: Failure,
	{signal}: SendContext,
	messages: StateWith<'messages', 'fail'>['messages'],
): Promise<EmergencyEnding> {
	try {
		const customRules = await loadCustomRules(client, emergency.zone, signal);
		const draft = buildEmergencyDraft({...emergency, way: 'custom rule'});
		const existingEnding = findExistingRuleOutcome(
			planCustomRule(emergency.zone, draft, customRules.ruleset),
		);
		return existingEnding
			? {...existingEnding, failure: retirementFailure}
			: {state: 'gone', failure: retirementFailure, customRules};
	} catch (error) {
		messages.fail(toFailure(error));
		return {state: 'gone', failure: retirementFailure, customRules: undefined};
	}
}
