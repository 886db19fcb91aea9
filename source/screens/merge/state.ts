import {isDeepStrictEqual} from 'node:util';
import type {Failure} from '../../failure.ts';
import type {OldRulesPlan} from '../../firewall/export/delete-old.ts';
import {
	type Merged,
	type MergedRule,
	type Misfit,
	merged,
	mergedRules,
	misfits,
} from '../../firewall/export/merge.ts';
import type {MadeRules} from '../../firewall/export/read-export.ts';
import {deletionRequests} from '../../firewall/rules/delete-rule.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {editRequest, editTo} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset} from '../../rulesets/ruleset.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {hasLoaded} from '../list/reading.ts';
import type {WriteRequest} from '../write-flow/curl.ts';

/** Where the rules come from that custom rules are made of. */
export type MergeSource =
	| {readonly kind: 'zone'}
	/** An export, by its absolute path. */
	| {readonly kind: 'file'; readonly path: string};

/** What is made, with the firewall rules of the zone where it is made of those. */
export type MadeOf = MadeRules & {readonly old: readonly Rule[]};

/** The custom rules that firewall rules become in a zone, beside those that exist. The latter are the open custom rules. */
export type MergeState = {
	readonly zone: OpenedZone;
	readonly source: MergeSource;
	readonly reading: 'unread' | 'reading' | 'read' | 'failed';
	readonly failure?: Failure | undefined;
	readonly made: MadeOf | undefined;
	/** The existing rule that the new ones go before; behind all of them where there is none. */
	readonly before: string | undefined;
	/** What is shown: the rules as they would be, the request, or the review of the deletion of the firewall rules. */
	readonly step: 'rules' | 'request' | 'deletion';
	/** The requests as they are, or as `curl` lines. */
	readonly shows: 'requests' | 'curl';
	/** Among the merged rules. */
	readonly cursor: number;
	/** The first row in view of what is scrolled: the notes below the rules, or a review. */
	readonly top: number;
	/** What the last send has done, as a sentence. */
	readonly done?: string | undefined;
	readonly deletion?: OldRulesPlan | undefined;
	/** How many firewall rules are deleted, while that is under way. */
	readonly gone?: number | undefined;
};

/** A merge with all that is known of it before it is sent. */
export type ReadyMerge = {
	/** The entry point that it was made for. */
	readonly ruleset: Ruleset | undefined;
	readonly merged: Merged;
	readonly rows: readonly MergedRule[];
	readonly misfits: readonly Misfit[];
	/** What new rules do to nearly all traffic, each in a sentence. */
	readonly broad: readonly string[];
	/** Exactly what will be sent; nothing where all rules exist already. */
	readonly requests: readonly WriteRequest[];
};

type Known = Has<'merge' | 'customRules'>;

/** The last merge of what was made, by all that it follows from: comparing hundreds of expressions takes a moment. */
const latest = new WeakMap<MadeOf, {readonly of: readonly unknown[]; readonly ready: ReadyMerge}>();

/** The merge as it is with the custom rules that are known now; `undefined` before both sides were read. */
export function mergeOf({
	merge: {data: merge},
	customRules: {data: customRules},
}: Known): ReadyMerge | undefined {
	if (!merge?.made || customRules?.zone.id !== merge.zone.id || !hasLoaded(customRules)) return undefined;
	const {made, zone, before} = merge;
	const {ruleset} = customRules;
	const of = [ruleset, before, zone.id, zone.plan];
	const known = latest.get(made);
	if (known?.of.every((part, at) => part === of[at])) return known.ready;
	const existing = ruleset?.rules ?? [];
	const result = merged(existing, made.rules, placeIn(existing, before));
	const edit = editTo(existing, result.rules);
	const ready = {
		ruleset,
		merged: result,
		rows: mergedRules(result),
		misfits: misfits(result, zone),
		broad: findCustomRuleReasons(zone, existing, result.rules),
		requests: edit ? [editRequest(zone.id, customPhase, ruleset, edit)] : [],
	};
	latest.set(made, {of, ready});
	return ready;
}

/** The rule that the new ones go before, unless it is gone. */
const placeIn = (existing: Ruleset['rules'], before: string | undefined): string | undefined =>
	existing.some(({id}) => id === before) ? before : undefined;

/** The rule under the cursor, with its place. */
export const mergedUnderCursor = (state: Known): MergedRule | undefined =>
	mergeOf(state)?.rows[state.merge.data?.cursor ?? 0];

/** Why nothing can be sent; `undefined` where it can be. */
export function obstacleOf(state: Known): string | undefined {
	const merge = state.merge.data;
	if (!merge) return 'no zone is open';
	const ready = mergeOf(state);
	if (!ready)
		return merge.reading === 'reading' ? 'the rules are still being read' : 'the rules were not read';
	if (ready.requests.length === 0) return 'there is nothing to create: all of them exist already';
	const [misfit, ...more] = ready.misfits;
	if (!misfit) return undefined;
	return more.length === 0 ? misfit.failure.message : `${misfit.failure.message} (and ${more.length} more)`;
}

/** Why the firewall rules cannot be deleted here; `undefined` where they can be. */
export function notDeletable(state: Known): string | undefined {
	const merge = state.merge.data;
	if (merge?.source.kind !== 'zone') return 'the rules are of a file, and not of the zone';
	const ready = mergeOf(state);
	if (!ready || !merge.made) return 'the rules were not read';
	if (merge.made.old.length === 0) return 'the zone has no firewall rules';
	return ready.requests.length > 0 ? 'their custom rules do not exist yet' : undefined;
}

/** The requests that the review in front shows. */
export function requestsOf(state: Known): readonly WriteRequest[] {
	const merge = state.merge.data;
	if (merge?.step === 'deletion')
		return merge.deletion?.plans.flatMap(plan => deletionRequests(merge.zone, plan)) ?? [];
	return mergeOf(state)?.requests ?? [];
}

/** Whether a merge is still what was reviewed: made for the same version, with the same request. */
export const isReviewed = (reviewed: ReadyMerge, now: ReadyMerge | undefined): boolean =>
	now?.ruleset?.id === reviewed.ruleset?.id &&
	now?.ruleset?.version === reviewed.ruleset?.version &&
	isDeepStrictEqual(now?.requests, reviewed.requests);
