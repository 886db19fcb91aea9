import {isDeepStrictEqual} from 'node:util';
import {type Advice, type Failure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {getRefusalBody} from '../../service/refusal.ts';
import {executeChange} from '../../service/settle.ts';
import {buildAdvice, joinAdviceLines} from '../../text/advice.ts';
import {
	formatCustomRulesExportCommand,
	formatDeleteFilterCommand,
	formatFirewallListCommand,
} from '../commands.ts';
import {getFilterPath, getFirewallRulePath} from '../paths.ts';
import {buildFilterDeleteChange, buildRuleDeleteChange} from './changes.ts';
import {readFilterById} from './filters.ts';
import type {FirewallZone, Rule} from './rule.ts';
import {listRulesOnFilter} from './rules.ts';
import {findFilterUsers, formatRuleNames} from './users.ts';
import type {WritingRequest} from './writing.ts';

/** What to do with a rule and its filter. */
export type DeletionPlan = {
	readonly rule: Rule;
	readonly filter:
		| {readonly state: 'delete'}
		/** Deletion was not requested. */
		| {readonly state: 'keep'}
		/** Other rules use it, so it stays even if its deletion was requested. */
		| {readonly state: 'shared'; readonly users: readonly Rule[]}
		/** It no longer exists. */
		| {readonly state: 'gone'};
};

/** Outcome of a deletion; each failure describes the current state. */
export type Deletion =
	| {readonly state: 'deleted'; readonly rule: Rule; readonly filter: FilterAfterDeletion}
	/** The rule is deleted; its filter, which should be, probably still exists. */
	| {readonly state: 'rule only'; readonly rule: Rule; readonly failure: Failure}
	/**
	 * Nothing was deleted. Rule and filter still exist, unless `failure` says that the rule was already
	 * deleted.
	 */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/**
	 * The response was lost, and the state could not be read. If `what` is `filter`, the rule is certainly
	 * deleted.
	 */
	| {readonly state: 'unsure'; readonly what: 'rule' | 'filter'; readonly failure: Failure};

export type FilterAfterDeletion =
	| {readonly state: 'deleted' | 'kept' | 'gone before'}
	| {readonly state: 'kept, shared'; readonly users: readonly Rule[]}
	| {readonly state: 'kept, changed'}
	/** The service refused, as it does while other features use the filter; `reason` is its message. */
	| {readonly state: 'kept, refused'; readonly failure: Failure; readonly reason: string};

type DeletionOptions = {
	readonly signal: AbortSignal;
	onStep?(step: 'rule' | 'filter'): void;
	/** Called with what a write did, once known: `delete rule ID`. Not called in a dry run. */
	onWritten?: ((done: string) => void) | undefined;
	/** True if the caller read all rules right before: rule and filter are as planned, and nothing else uses the filter. */
	readonly isPlanCurrent?: boolean;
};

/** Plans the deletion of a rule; its filter goes only if requested and unused by other rules. */
export function planDeletion(rule: Rule, rules: readonly Rule[], filter: 'delete' | 'keep'): DeletionPlan {
	if ('deleted' in rule.filter) return {rule, filter: {state: 'gone'}};
	if (filter === 'keep') return {rule, filter: {state: 'keep'}};
	const users = findFilterUsers(rule.filter.id, rules).filter(({id}) => id !== rule.id);
	return {rule, filter: users.length > 0 ? {state: 'shared', users} : {state: 'delete'}};
}

/** Plans deletions in sequence: the last rule on a filter takes the filter with it. */
export const planDeletions = (
	targets: readonly Rule[],
	rules: readonly Rule[],
	filter: 'delete' | 'keep',
): readonly DeletionPlan[] =>
	targets.map((rule, index) => {
		const earlierIds = new Set(targets.slice(0, index).map(({id}) => id));
		return planDeletion(
			rule,
			rules.filter(({id}) => !earlierIds.has(id)),
			filter,
		);
	});

/** Returns exactly what `deleteRule` will send, in order. */
export const buildDeletionRequests = (
	zone: FirewallZone,
	{rule, filter}: DeletionPlan,
): readonly WritingRequest[] => [
	{method: 'DELETE', path: getFirewallRulePath(zone.id, rule.id)},
	...(filter.state === 'delete'
		? [{method: 'DELETE', path: getFilterPath(zone.id, rule.filter.id)} as const]
		: []),
];

/**
 * Deletes a rule and then, if planned, its filter; the service requires this order. Re-reads both before the
 * filter goes, unless the plan was read right before: one that other rules use now, or that changed, stays.
 * Never rejects; the result describes the current state.
 */
export async function deleteRule(
	client: Client,
	zone: FirewallZone,
	plan: DeletionPlan,
	options: DeletionOptions,
): Promise<Deletion> {
	const {rule} = plan;
	options.onStep?.('rule');
	const outcome = await executeChange(client, buildRuleDeleteChange(zone, rule.id), options);
	if (outcome.state !== 'done') {
		const {failure} = outcome;
		if (failure.details.outcomeUnknown)
			return {
				state: 'unsure',
				what: 'rule',
				failure: failure.withDetails({next: buildCheckAdvice(zone, plan, failure)}),
			};
		const isGone: boolean = isAbsent(failure);
		return {state: 'nothing', failure: isGone ? withRuleGone(failure, rule) : failure};
	}
	if (!client.dryRun) options.onWritten?.(`delete rule ${rule.id}`);
	switch (plan.filter.state) {
		case 'delete':
			return deleteFilterOfRule(client, zone, rule, options);
		case 'keep':
			return {state: 'deleted', rule, filter: {state: 'kept'}};
		case 'shared':
			return {state: 'deleted', rule, filter: {state: 'kept, shared', users: plan.filter.users}};
		case 'gone':
			return {state: 'deleted', rule, filter: {state: 'gone before'}};
	}
}

const withRuleGone = (failure: Failure, rule: Rule): Failure =>
	failure.withDetails({
		left: `Rule ${rule.id} no longer exists; its filter ${rule.filter.id} was not changed.`,
	});

/** Advice for an unknown outcome: if the rule is deleted, its filter is left behind. */
const buildCheckAdvice = (
	zone: FirewallZone,
	{rule, filter}: DeletionPlan,
	{details: {next}}: Failure,
): Advice | undefined =>
	filter.state === 'delete'
		? joinAdviceLines(
				next,
				`If rule ${rule.id} was deleted, its filter still exists. To delete it: ${formatDeleteFilterCommand(zone, rule.filter.id)}`,
			)
		: next;

/** True if the person must act before the same call can succeed. */
const requiresUserAction = ({code, details: {next}}: Failure): boolean =>
	next !== undefined && (code === 'credential_refused' || code === 'rate_limited');

/** Deletes the filter of a deleted rule; keeps one that other rules use now or that changed. */
export async function deleteFilterOfRule(
	client: Client,
	zone: FirewallZone,
	rule: Rule,
	{signal, onStep, onWritten, isPlanCurrent = false}: DeletionOptions,
): Promise<Deletion> {
	const {id} = rule.filter;
	const deleteFilterCommand = formatDeleteFilterCommand(zone, id);
	const deletedNote = `Rule ${rule.id} was deleted.`;
	const buildRuleOnly = (failure: Failure): Deletion => ({
		state: 'rule only',
		rule,
		failure: failure.withDetails({
			outcomeUnknown: false,
			left: `${deletedNote} Its filter ${id} was not deleted.`,
			next: buildNextStep(failure),
		}),
	});
	const buildNextStep = (failure: Failure): Advice => {
		if (failure.code === 'gone') {
			return `The service has retired this call, so the filter stays.\nTo export all rules that can still be read: ${formatCustomRulesExportCommand(zone)}`;
		}
		if (requiresUserAction(failure))
			return buildAdvice`${failure.details.next} Then delete it with: ${deleteFilterCommand}`;
		return `Delete it with: ${deleteFilterCommand}`;
	};
	// A dry run deletes nothing, so the plan counts instead of the state.
	if (!client.dryRun && !isPlanCurrent) {
		try {
			const users = (await listRulesOnFilter(client, zone.id, id, signal)).filter(
				otherRule => otherRule.id !== rule.id,
			);
			if (users.length > 0) return {state: 'deleted', rule, filter: {state: 'kept, shared', users}};
			const currentFilter = await readIfPresent(() => readFilterById(client, zone.id, id, signal));
			if (!currentFilter) return {state: 'deleted', rule, filter: {state: 'gone before'}};
			if (!isDeepStrictEqual(currentFilter, rule.filter))
				return {state: 'deleted', rule, filter: {state: 'kept, changed'}};
		} catch (error) {
			return buildRuleOnly(toFailure(error));
		}
	}
	onStep?.('filter');
	const outcome = await executeChange(client, buildFilterDeleteChange(zone, id), {signal});
	if (outcome.state === 'done') {
		if (!client.dryRun) onWritten?.(`delete filter ${id}`);
		return {state: 'deleted', rule, filter: {state: 'deleted'}};
	}
	const {failure} = outcome;
	if (failure.details.outcomeUnknown) {
		const left = `${deletedNote} It is unknown whether its filter ${id} still exists.`;
		const next = `Check \`${formatFirewallListCommand(zone, 'filter')}\`; if it still exists: ${deleteFilterCommand}`;
		return {state: 'unsure', what: 'filter', failure: failure.withDetails({left, next})};
	}
	const isGone: boolean = isAbsent(failure);
	if (isGone) return {state: 'deleted', rule, filter: {state: 'gone before'}};
	const reason = getServiceReason(failure);
	if (reason === undefined) return buildRuleOnly(failure);
	const left = `${deletedNote} Filter ${id} was kept: the service rejected the deletion.`;
	const next = `If something else uses it, you can delete it once nothing does: ${deleteFilterCommand}`;
	return {
		state: 'deleted',
		rule,
		filter: {state: 'kept, refused', failure: failure.withDetails({left, next}), reason},
	};
}

/** Returns the service's reason for a refused deletion; undefined without one or for a missing permission. */
const getServiceReason = (failure: Failure): string | undefined =>
	failure.code === 'refused_by_service' && failure.details.http !== 403
		? getRefusalBody(failure)?.errors.find(({message}) => message !== '')?.message
		: undefined;

/** Returns the failure of a deletion, if any; a filter that the service keeps counts as one. */
export function getDeletionFailure(deletion: Deletion): Failure | undefined {
	if (deletion.state !== 'deleted') return deletion.failure;
	return 'failure' in deletion.filter ? deletion.filter.failure : undefined;
}

export function describeFilterAfterDeletion(rule: Rule, filter: FilterAfterDeletion): string {
	const {id} = rule.filter;
	switch (filter.state) {
		case 'deleted':
			return `Its filter ${id} was deleted.`;
		case 'kept':
			return `Its filter ${id} was kept.`;
		case 'gone before':
			return `Its filter ${id} was already deleted.`;
		case 'kept, shared':
			return `Its filter ${id} was kept: ${formatRuleNames(filter.users)} ${filter.users.length === 1 ? 'uses' : 'use'} it.`;
		case 'kept, changed':
			return `Its filter ${id} was kept: someone else changed it after it was read.`;
		case 'kept, refused':
			return `Its filter ${id} was kept: the service rejected the deletion ("${filter.reason}").`;
	}
}
