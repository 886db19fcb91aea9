import {isDeepStrictEqual} from 'node:util';
import type {Failure} from '../../failure.ts';
import {
	findMergeProblems,
	listMergedRules,
	type MergedRule,
	type MergeProblem,
	type MergeResult,
	mergeCustomRules,
} from '../../firewall/export/merge.ts';
import type {ConvertedRules} from '../../firewall/export/read-export.ts';
import type {OldRulesPlan} from '../../firewall/export/replaced-rules.ts';
import {buildDeletionRequests} from '../../firewall/rules/delete-rule.ts';
import {findCustomRuleZoneNameReasons} from '../../firewall/rules/name-reasons.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {buildEditRequest, computeRulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {hasLoaded, type LoadState} from '../list/reading.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {WriteRequest} from '../write-flow/curl.ts';

/** The source of the new custom rules. */
export type MergeSource =
	/** The firewall rules of the zone; only those with `ruleIds` if given. */
	| {readonly kind: 'zone'; readonly ruleIds?: readonly string[] | undefined}
	/** An export, by its absolute path. */
	| {readonly kind: 'file'; readonly path: string};

/** The converted rules, and the firewall rules of the zone if these are the source. */
export type SourceRules = ConvertedRules & {readonly firewallRules: readonly Rule[]};

/**
 * The conversion of firewall rules to custom rules. The existing rules are those of the custom rules screen.
 */
export type MergeState = {
	readonly zone: ZoneWithLabel;
	readonly source: MergeSource;
	readonly reading: LoadState;
	readonly failure?: Failure | undefined;
	readonly sourceRules: SourceRules | undefined;
	/** Id of the existing rule that follows the new ones; undefined places them last. */
	readonly nextRuleId: string | undefined;
	/** The visible step: the merged rules, the request, or the review of the deletion of firewall rules. */
	readonly step: 'rules' | 'request' | 'deletion';
	/** Whether a review shows requests or `curl` lines. */
	readonly shows: 'requests' | 'curl';
	/** Index in the merged rules. */
	readonly cursor: number;
	/** Scroll offset of the notes below the rules, or of a review, in rows. */
	readonly top: number;
	/** The result of the last write, in a sentence. */
	readonly lastResult?: string | undefined;
	readonly deletion?: OldRulesPlan | undefined;
	/** Number of firewall rules deleted so far, during a deletion. */
	readonly deletedCount?: number | undefined;
};

/** A merge that can be reviewed and sent. */
export type ReadyMerge = {
	/** The entry point that the merge is based on. */
	readonly ruleset: Ruleset | undefined;
	readonly result: MergeResult;
	readonly rows: readonly MergedRule[];
	/** Why the service would refuse the merge. */
	readonly mismatches: readonly MergeProblem[];
	/** Warnings about new rules that affect nearly all traffic, in sentences. */
	readonly broadRuleReasons: readonly string[];
	/** The exact requests to send; empty if all rules exist already. */
	readonly requests: readonly WriteRequest[];
};

type MergeInputs = StateWith<'merge' | 'customRules'>;

/** The last merge per source and its inputs, because comparing hundreds of expressions takes time. */
const mergeCache = new WeakMap<
	SourceRules,
	{readonly inputs: readonly unknown[]; readonly readyMerge: ReadyMerge}
>();

/** Computes the merge with the current custom rules; undefined before both sides were read. */
export function getReadyMerge({
	merge: {data: merge},
	customRules: {data: customRules},
}: MergeInputs): ReadyMerge | undefined {
	if (!merge?.sourceRules || customRules?.zone.id !== merge.zone.id || !hasLoaded(customRules))
		return undefined;
	const {sourceRules, zone, nextRuleId} = merge;
	const {ruleset} = customRules;
	const inputs = [ruleset, nextRuleId, zone.id, zone.plan];
	const cached = mergeCache.get(sourceRules);
	if (cached?.inputs.every((part, index) => part === inputs[index])) return cached.readyMerge;
	const existingRules = ruleset?.rules ?? [];
	const result = mergeCustomRules(
		existingRules,
		sourceRules.rules,
		findNextRuleId(existingRules, nextRuleId),
	);
	const edit = computeRulesetEdit(existingRules, result.rules);
	const readyMerge = {
		ruleset,
		result,
		rows: listMergedRules(result),
		mismatches: findMergeProblems(result, zone),
		broadRuleReasons: findCustomRuleZoneNameReasons(zone, existingRules, result.rules),
		requests: edit ? [buildEditRequest(zone.id, customPhase, ruleset, edit)] : [],
	};
	mergeCache.set(sourceRules, {inputs, readyMerge});
	return readyMerge;
}

/** Returns `nextRuleId` if that rule still exists, else undefined. */
const findNextRuleId = (
	existingRules: Ruleset['rules'],
	nextRuleId: string | undefined,
): string | undefined => (existingRules.some(({id}) => id === nextRuleId) ? nextRuleId : undefined);

/** Finds the rule under the cursor, with its position among the merged rules. */
export const findMergedRule = (state: MergeInputs): MergedRule | undefined =>
	getReadyMerge(state)?.rows[state.merge.data?.cursor ?? 0];

/** Explains why the merge cannot be sent; undefined if it can. */
export function getMergeObstacle(state: MergeInputs): string | undefined {
	const merge = state.merge.data;
	if (!merge) return 'no zone is open';
	const readyMerge = getReadyMerge(state);
	if (!readyMerge)
		return merge.reading.startsWith('reading') ? 'the rules are still loading' : 'the rules are not loaded';
	if (readyMerge.requests.length === 0)
		return readyMerge.result.presentRules.length === 0
			? 'nothing to create: there are no rules'
			: 'nothing to create: all rules already exist';
	const [mismatch, ...others] = readyMerge.mismatches;
	if (!mismatch) return undefined;
	return others.length === 0
		? mismatch.failure.message
		: `${mismatch.failure.message} (and ${others.length} more)`;
}

/** Explains why the firewall rules cannot be deleted here; undefined if they can. */
export function getOldRulesObstacle(state: MergeInputs): string | undefined {
	const merge = state.merge.data;
	if (merge?.source.kind !== 'zone') return 'the rules are from a file, not from the zone';
	const readyMerge = getReadyMerge(state);
	if (!readyMerge || !merge.sourceRules) return 'the rules are not loaded';
	if (merge.sourceRules.firewallRules.length === 0) return 'the zone has no firewall rules';
	return readyMerge.requests.length > 0 ? 'their custom rules do not exist yet' : undefined;
}

/** Returns the requests of the visible review. */
export function getMergeRequests(state: MergeInputs): readonly WriteRequest[] {
	const merge = state.merge.data;
	if (merge?.step === 'deletion')
		return merge.deletion?.deletionPlans.flatMap(plan => buildDeletionRequests(merge.zone, plan)) ?? [];
	return getReadyMerge(state)?.requests ?? [];
}

/** True if a merge still equals the reviewed one: same version, same request. */
export const isReviewed = (reviewedMerge: ReadyMerge, current: ReadyMerge | undefined): boolean =>
	current?.ruleset?.id === reviewedMerge.ruleset?.id &&
	current?.ruleset?.version === reviewedMerge.ruleset?.version &&
	isDeepStrictEqual(current?.requests, reviewedMerge.requests);
