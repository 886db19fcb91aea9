import {
	type DeletionPlan,
	deleteRule,
	planDeletion,
	planDeletions,
} from '../../firewall/rules/delete-rule.ts';
import {getEditItem} from '../../firewall/rules/edits.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {findFilterUsers, formatRuleName} from '../../firewall/rules/users.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {Client} from '../../service/client.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {reportDeletion} from './deletion-words.ts';
import {createUndo, type FirewallUndo} from './undo.ts';
import {
	createWriteRunner,
	type FirewallWrite,
	type FirewallWriteGroup,
	type WriteProgress,
	type WriteResult,
} from './write-runner.ts';

/** A rule, and the priority that it gets. */
export type NewPriority = {readonly rule: Rule; readonly priority: number | null};

/**
 * Writes from the lists of a zone, as one step of the undo. Each takes the rules or the filter as shown, fails
 * with `changed_meanwhile` if one has changed, refreshes both lists, and reports the outcome.
 */
export type FirewallWrites = FirewallUndo & {
	/** `paused`: true pauses, false resumes. */
	pauseRules(
		rules: readonly Rule[],
		paused: boolean,
		signal: AbortSignal,
		progress?: WriteProgress,
	): Promise<void>;
	/** `rulesOnFilter`: the rules that use the filter, as shown. */
	pauseFilter(
		filter: Filter,
		rulesOnFilter: readonly Rule[],
		paused: boolean,
		signal: AbortSignal,
	): Promise<void>;
	setPriorities(
		priorities: readonly NewPriority[],
		signal: AbortSignal,
		progress?: WriteProgress,
	): Promise<void>;
	/** Deletes each rule, then its filter if no other of the `shownRules` uses it, nor any rule by then. */
	deleteRules(
		rules: readonly Rule[],
		shownRules: readonly Rule[],
		signal: AbortSignal,
		progress?: WriteProgress,
	): Promise<void>;
	/** Deletes an unused filter; the service refuses to delete a used one. */
	deleteFilter(filter: Filter, signal: AbortSignal): Promise<void>;
};

export const createFirewallWrites: Slice<FirewallWrites> = (set, get, ports) => {
	const runGroup = createWriteRunner(get, ports.session);

	/** Runs writes as one step of the undo; those that were done are no longer marked. */
	const runWrites = (
		group: FirewallWriteGroup,
		signal: AbortSignal,
		progress?: WriteProgress,
	): Promise<void> => {
		const noteResults = (zone: ZoneWithLabel, results: readonly WriteResult[]): string => {
			const edits = results.flatMap(result => result.edits);
			const {noteEdits, noteIrreversibleChange, unmark} = get().firewall;
			const irreversible = results.filter(isIrreversible);
			noteEdits(zone, edits);
			unmark(edits.map(edit => getEditItem(edit).id));
			const [first] = irreversible;
			if (!first) return `${nameKey('firewall.undo', 'u')} undoes it.`;
			if (edits.length > 0)
				return `${nameKey('firewall.undo', 'u')} undoes it, but not the rules whose filters no longer existed.`;
			noteIrreversibleChange(zone, describeIrreversible(first));
			return 'It cannot be undone.';
		};
		return runGroup(group, signal, noteResults, progress);
	};

	const runSingle = (write: FirewallWrite, signal: AbortSignal): Promise<void> =>
		runWrites(
			{auditLabel: write.auditLabel, writes: [write], noun: 'filter', formatDone: () => 'changed'},
			signal,
		);

	const buildPause = (rule: Rule, paused: boolean): FirewallWrite => ({
		auditLabel: `${paused ? 'pause' : 'resume'} firewall rule ${rule.id}`,
		target: {kind: 'rule', id: rule.id},
		name: formatRuleName(rule),
		unknownOutcome: `whether the rule is ${formatNewState(paused)}`,
		async write(client, zone, {signal, onEdit}) {
			const [{assertRuleUnchanged}, {readRuleById}, {updateRule}] = await Promise.all([
				import('../../firewall/rules/changed-rule.ts'),
				import('../../firewall/rules/rules.ts'),
				import('../../firewall/rules/changes.ts'),
			]);
			const before = await readRuleById(client, zone.id, rule.id, signal);
			assertRuleUnchanged(zone, rule, before, paused ? 'paused' : 'resumed');
			onEdit({kind: 'rule', before, after: await updateRule(client, zone, before, {paused}, signal)});
			return `The rule is ${formatNewState(paused)}: ${formatRuleName({...rule, paused: false})}.`;
		},
	});

	const buildPriorityWrite = ({rule, priority}: NewPriority): FirewallWrite => ({
		auditLabel: `set the priority of firewall rule ${rule.id} to ${priority ?? 'none'}`,
		target: {kind: 'rule', id: rule.id},
		name: formatRuleName(rule),
		unknownOutcome: 'which priority the rule has',
		async write(client, zone, {signal, onEdit}) {
			const [{assertRuleUnchanged}, {readRuleById}, {setPriority}] = await Promise.all([
				import('../../firewall/rules/changed-rule.ts'),
				import('../../firewall/rules/rules.ts'),
				import('../../firewall/rules/changes.ts'),
			]);
			const before = await readRuleById(client, zone.id, rule.id, signal);
			assertRuleUnchanged(zone, rule, before, 'changed');
			onEdit({kind: 'rule', before, after: await setPriority(client, zone, before, priority, signal)});
			return priority === null
				? `The rule now has no priority: ${rule.id}.`
				: `The rule now has priority ${priority}: ${rule.id}.`;
		},
	});

	function buildDeletions(rules: readonly Rule[], shownRules: readonly Rule[]): readonly FirewallWrite[] {
		return planDeletions(rules, shownRules, 'delete').map(plan => {
			const {rule} = plan;
			return {
				auditLabel: `delete firewall rule ${rule.id}${plan.filter.state === 'delete' ? ' and its filter' : ''}`,
				target: {kind: 'rule', id: rule.id},
				name: formatRuleName(rule),
				unknownOutcome: 'whether the rule was deleted',
				async write(client, zone, {signal, onSend, onWritten, onEdit}) {
					const currentPlan = await readCurrentPlan(client, zone, plan, signal);
					const deletion = await deleteRule(client, zone, currentPlan, {
						signal,
						isPlanCurrent: true,
						onStep: step =>
							onSend(step === 'rule' ? `delete rule ${rule.id}` : `delete filter ${rule.filter.id}`),
						onWritten,
					});
					const isDeleted =
						deletion.state === 'deleted' ||
						deletion.state === 'rule only' ||
						(deletion.state === 'unsure' && deletion.what === 'filter');
					if (isDeleted && !('deleted' in rule.filter)) {
						onEdit({kind: 'rule', before: rule, after: undefined});
						// The undo finds a filter whose deletion had no response, if it still exists.
						const mayFilterBeGone =
							deletion.state === 'unsure' ||
							(deletion.state === 'deleted' &&
								(deletion.filter.state === 'deleted' || deletion.filter.state === 'gone before'));
						if (mayFilterBeGone) onEdit({kind: 'filter', before: rule.filter, after: undefined});
					}
					const otherUsers = findFilterUsers(rule.filter.id, shownRules).filter(({id}) => id !== rule.id);
					return reportDeletion(rule, otherUsers, deletion);
				},
			};
		});
	}

	return {
		...createUndo(set, get, ports),
		pauseRules: (rules, paused, signal, progress) =>
			runWrites(
				{
					auditLabel: `${paused ? 'pause' : 'resume'} ${formatQuantity(rules.length, 'firewall rule')}`,
					writes: rules.map(rule => buildPause(rule, paused)),
					noun: 'rule',
					formatDone: count => `${count === 1 ? 'is' : 'are'} ${formatNewState(paused)}`,
				},
				signal,
				progress,
			),
		setPriorities: (priorities, signal, progress) =>
			runWrites(
				{
					auditLabel: `set the priorities of ${formatQuantity(priorities.length, 'firewall rule')}`,
					writes: priorities.map(buildPriorityWrite),
					noun: 'rule',
					formatDone: count => `${count === 1 ? 'has' : 'have'} a new priority`,
				},
				signal,
				progress,
			),
		deleteRules: (rules, shownRules, signal, progress) =>
			runWrites(
				{
					auditLabel: `delete ${formatQuantity(rules.length, 'firewall rule')}`,
					writes: buildDeletions(rules, shownRules),
					noun: 'rule',
					formatDone(count, edits) {
						const filterCount = edits.filter(({kind}) => kind === 'filter').length;
						const filterText = filterCount === 0 ? '' : `, with ${formatQuantity(filterCount, 'filter')}`;
						return `${count === 1 ? 'was' : 'were'} deleted${filterText}`;
					},
				},
				signal,
				progress,
			),
		pauseFilter(filter, rulesOnFilter, paused, signal) {
			const write: FirewallWrite = {
				auditLabel: `${paused ? 'pause' : 'resume'} filter ${filter.id}`,
				target: {kind: 'filter', id: filter.id},
				name: formatRuleName(filter),
				unknownOutcome: `whether the filter is ${formatNewState(paused)}`,
				async write(client, zone, {onEdit}) {
					const [{assertFilterUnchanged, refuseChangedRulesOnFilter}, {readFilterById}, {updateFilter}] =
						await Promise.all([
							import('../../firewall/rules/changed-rule.ts'),
							import('../../firewall/rules/filters.ts'),
							import('../../firewall/rules/changes.ts'),
						]);
					const intent = paused ? 'paused' : 'resumed';
					const before = await readFilterById(client, zone.id, filter.id, signal);
					assertFilterUnchanged(zone, filter, before, intent);
					await refuseChangedRulesOnFilter(client, zone, filter, rulesOnFilter, intent, signal);
					const after = await updateFilter(client, zone, {...before, paused}, before, signal);
					onEdit({kind: 'filter', before, after});
					return `The filter is ${formatNewState(paused)}: ${formatRuleName({...filter, paused: false})}.`;
				},
			};
			return runSingle(write, signal);
		},
		deleteFilter: (filter, signal) =>
			runSingle(
				{
					auditLabel: `delete filter ${filter.id}`,
					target: {kind: 'filter', id: filter.id},
					name: formatRuleName(filter),
					unknownOutcome: 'whether the filter was deleted',
					async write(client, zone, {onEdit}) {
						const [{refuseChangedFilter}, {deleteFilter}] = await Promise.all([
							import('../../firewall/rules/changed-rule.ts'),
							import('../../firewall/rules/changes.ts'),
						]);
						await refuseChangedFilter(client, zone, filter, signal);
						await deleteFilter(client, zone, filter.id, signal);
						onEdit({kind: 'filter', before: filter, after: undefined});
						return `The filter was deleted: ${filter.id}.`;
					},
				},
				signal,
			),
	};
};

/**
 * Plans a deletion by the rules as they are now. If the filter is to be deleted, one reading of all rules shows
 * rule, filter and what else uses it; else the rule alone is read. Fails with `changed_meanwhile` or `not_found`.
 */
async function readCurrentPlan(
	client: Client,
	zone: ZoneWithLabel,
	plan: DeletionPlan,
	signal: AbortSignal,
): Promise<DeletionPlan> {
	const [{assertRuleUnchanged, refuseChangedRule}, {listFirewallRules}] = await Promise.all([
		import('../../firewall/rules/changed-rule.ts'),
		import('../../firewall/rules/rules.ts'),
	]);
	const {rule} = plan;
	const currentRules =
		plan.filter.state === 'delete' ? await Array.fromAsync(listFirewallRules(client, zone.id, signal)) : [];
	const currentRule = currentRules.find(({id}) => id === rule.id);
	if (!currentRule) {
		await refuseChangedRule(client, zone, rule, signal);
		return plan;
	}
	assertRuleUnchanged(zone, rule, currentRule, 'deleted');
	return planDeletion(rule, currentRules, 'delete');
}

/** True if a write took effect, or may have, and nothing is known to undo it with. */
const isIrreversible = (result: WriteResult): boolean =>
	result.edits.length === 0 && (!('failure' in result) || result.failure.details.outcomeUnknown === true);

/** Says why the undo cannot take back a write, and which one. */
const describeIrreversible = (result: WriteResult): string =>
	'failure' in result
		? `the outcome of the last write is unknown: ${result.write.auditLabel}`
		: `the filter of the last write no longer existed: ${result.write.auditLabel}`;

const formatNewState = (paused: boolean): string => (paused ? 'paused' : 'active again');
