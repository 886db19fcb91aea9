import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {getRefusalBody} from '../../service/refusal.ts';
import {checkDraft, type DraftFinding} from './checks.ts';
import type {FirewallZone, Rule, RuleDraft} from './rule.ts';
import {listFirewallRules} from './rules.ts';

/**
 * Turns a refusal (403) into `plan_lacks` if the plan explains it: a missing feature, or no room for another
 * rule (reads the rules to count them). Returns other failures unchanged; never rejects.
 */
export async function explainPlanRefusal(
	client: Client,
	zone: FirewallZone,
	draft: RuleDraft,
	failure: Failure,
	signal: AbortSignal,
): Promise<Failure> {
	const isForbidden = failure.code === 'refused_by_service' && failure.details.http === 403;
	if (!isForbidden || !getRefusalBody(failure)) return failure;
	const planProblem = findPlanProblem(draft, zone);
	if (planProblem) return withPlanReason(failure, planProblem);
	try {
		const existingRules = await Array.fromAsync(listFirewallRules(client, zone.id, signal));
		const quotaProblem = findPlanProblem(draft, zone, existingRules);
		return quotaProblem ? withPlanReason(failure, quotaProblem) : failure;
	} catch {
		// The refusal itself matters; its reason could not be read.
		return failure;
	}
}

const findPlanProblem = (
	draft: RuleDraft,
	zone: FirewallZone,
	existingRules?: readonly Rule[],
): DraftFinding | undefined =>
	checkDraft(draft, zone, existingRules && {rules: existingRules}).find(
		({severity, failure}) => severity === 'error' && failure.code === 'plan_lacks',
	);

function withPlanReason(failure: Failure, {sentence, failure: planFailure}: DraftFinding): Failure {
	const {why} = failure.details;
	return new Failure('plan_lacks', failure.message, {
		...failure.details,
		why: [why, sentence, planFailure.details.why].filter(Boolean).join('\n'),
		next: planFailure.details.next ?? failure.details.next,
	});
}
