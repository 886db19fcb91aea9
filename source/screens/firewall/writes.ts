import {Failure, type FailureDetails, toFailure} from '../../failure.ts';
import {
	type Deletion,
	deleteRule,
	type FilterAfterDeletion,
	planDeletion,
} from '../../firewall/rules/delete-rule.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule, RuleDraft, RuleSettings} from '../../firewall/rules/rule.ts';
import {findFilterUsers, formatRuleName, formatRuleNames} from '../../firewall/rules/users.ts';
import type {Client} from '../../service/client.ts';
import type {WriteSteps} from '../../session/audit.ts';
import {toZonePlace, type WritePlace} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {FirewallState} from './state.ts';

/**
 * Writes from the lists of a zone. Each takes the rule or filter as shown, fails with `changed_meanwhile` if
 * it has changed, refreshes both lists, and reports the outcome.
 */
export type FirewallWrites = {
	/** `paused`: true pauses, false resumes. */
	pauseRule(rule: Rule, paused: boolean, signal: AbortSignal): Promise<void>;
	/** `rulesOnFilter`: the rules that use the filter, as shown. */
	pauseFilter(
		filter: Filter,
		rulesOnFilter: readonly Rule[],
		paused: boolean,
		signal: AbortSignal,
	): Promise<void>;
	setPriority(rule: Rule, priority: number | null, signal: AbortSignal): Promise<void>;
	/** Deletes the rule, then its filter if requested and unused. */
	deleteRule(rule: Rule, filter: 'keep' | 'delete', signal: AbortSignal): Promise<void>;
	/** Deletes an unused filter; the service refuses to delete a used one. */
	deleteFilter(filter: Filter, signal: AbortSignal): Promise<void>;
	/** The rule deleted last in this session, until it is created again. */
	readonly deletedRule: DeletedRule | undefined;
	/**
	 * Creates the rule deleted last again, under a new id: on its filter if that was kept, otherwise with a
	 * new one.
	 */
	recreateDeletedRule(signal: AbortSignal): Promise<void>;
};

/** A deleted rule, its zone, and whether its filter was deleted too. */
export type DeletedRule = {readonly zoneId: string; readonly rule: Rule; readonly isFilterGone: boolean};

/** A change: its name in the audit log, and its write, which returns the message for success. */
type Change = {
	readonly auditLabel: string;
	/** The changed object. */
	readonly target: {readonly kind: 'rule' | 'filter'; readonly id: string};
	/** What is unknown if the response is lost: "whether the rule is paused". */
	readonly unknownOutcome: string;
	write(client: Client, zone: ZoneWithLabel, steps: WriteSteps): Promise<string>;
};

/** Converts a zone to the target of a write. */
export const toWritePlace = ({label, ...zone}: ZoneWithLabel): WritePlace =>
	toZonePlace({...zone, label: label ?? `zone ${zone.name}`});

export const createFirewallWrites: Slice<FirewallWrites> = (set, get, {session}) => {
	/** Reloads the lists if their zone is open; returns the failure, if any. */
	async function reloadLists(zone: ZoneWithLabel, signal: AbortSignal): Promise<Failure | undefined> {
		if (get().firewall.data?.zone.id !== zone.id) return undefined;
		try {
			await get().firewall.load(signal);
			return undefined;
		} catch (error) {
			return toFailure(error);
		}
	}

	/** Reloads the lists after a failed change, and explains the failure with the current state first. */
	async function explainFailure(
		{target, unknownOutcome}: Change,
		zone: ZoneWithLabel,
		failure: Failure,
		signal: AbortSignal,
	) {
		const refreshFailure = signal.aborted ? failure : await reloadLists(zone, signal);
		const firewall = get().firewall.data;
		if (firewall?.zone.id === zone.id && refreshFailure) get().firewall.markStale();
		if (failure.details.outcomeUnknown) return withSentence(`It is unknown ${unknownOutcome}.`, failure);
		const isDeletedByOthers =
			failure.code === 'not_found' &&
			!refreshFailure &&
			firewall?.zone.id === zone.id &&
			!isStillListed(firewall, target);
		if (!isDeletedByOthers) return failure;
		return withSentence(`The ${target.kind} no longer exists: someone else deleted it.`, failure, {
			next: 'Nothing is left to do: the lists show the current state.',
		});
	}

	async function runChange(change: Change, signal: AbortSignal): Promise<void> {
		const {auditLabel, write} = change;
		const zone = get().firewall.data?.zone;
		if (!zone) throw new Failure('internal', 'No zone is open.');
		session.refuseWhenReadOnly(auditLabel);
		const writePlace = await session.permit(toWritePlace(zone), auditLabel);
		const client = await session.client();
		let message: string;
		try {
			message = await session.auditWrites(writePlace, steps => {
				steps.onSend(auditLabel);
				return write(client, zone, steps);
			});
		} catch (error) {
			throw await explainFailure(change, zone, toFailure(error), signal);
		}
		const refreshFailure = await reloadLists(zone, signal);
		if (!refreshFailure) return get().messages.say(message);
		get().firewall.markStale();
		get().messages.warn(`${message} The lists could not be refreshed: ${refreshFailure.message}`);
	}

	function runPause(
		kind: Change['target']['kind'],
		id: string,
		name: string,
		paused: boolean,
		signal: AbortSignal,
		write: (client: Client, zone: ZoneWithLabel) => Promise<void>,
	): Promise<void> {
		const state = paused ? 'paused' : 'active again';
		const change: Change = {
			auditLabel: `${paused ? 'pause' : 'resume'} ${kind === 'rule' ? 'firewall rule' : kind} ${id}`,
			target: {kind, id},
			unknownOutcome: `whether the ${kind} is ${state}`,
			async write(client, zone) {
				await write(client, zone);
				return `The ${kind} is ${state}: ${name}.`;
			},
		};
		return runChange(change, signal);
	}

	return {
		deletedRule: undefined,
		async recreateDeletedRule(signal) {
			const {deletedRule} = get().firewall;
			if (!deletedRule) return;
			const {rule} = deletedRule;
			await runChange(
				{
					auditLabel: `create firewall rule ${rule.id} again`,
					target: {kind: 'rule', id: rule.id},
					unknownOutcome: 'whether the rule was created again',
					async write(client, zone, {onSend, onWritten}) {
						const {createRule} = await import('../../firewall/rules/create-rule.ts');
						const creation = await createRule(client, zone, buildRecreationDraft(deletedRule), {
							signal,
							onStep(step) {
								if (step !== 'looking') onSend(`create ${step}`);
							},
							onWritten,
						});
						const mayExist = creation.state !== 'nothing' && creation.state !== 'duplicate';
						// A second undo could create it twice.
						if (mayExist) set({deletedRule: undefined});
						if (creation.state !== 'created') throw creation.failure;
						return `The rule was created again, with a new id: ${formatRuleName(creation.rule)}.`;
					},
				},
				signal,
			);
		},
		pauseRule: (rule, paused, signal) =>
			runPause('rule', rule.id, formatRuleName(rule), paused, signal, async (client, zone) => {
				const [{assertRuleUnchanged}, {readRuleById}, {updateRule}] = await Promise.all([
					import('../../firewall/rules/changed-rule.ts'),
					import('../../firewall/rules/rules.ts'),
					import('../../firewall/rules/changes.ts'),
				]);
				const current = await readRuleById(client, zone.id, rule.id, signal);
				assertRuleUnchanged(zone, rule, current, paused ? 'paused' : 'resumed');
				await updateRule(client, zone, current, {paused}, signal);
			}),
		pauseFilter: (filter, rulesOnFilter, paused, signal) =>
			runPause('filter', filter.id, formatRuleName(filter), paused, signal, async (client, zone) => {
				const [{assertFilterUnchanged, refuseChangedRulesOnFilter}, {readFilterById}, {updateFilter}] =
					await Promise.all([
						import('../../firewall/rules/changed-rule.ts'),
						import('../../firewall/rules/filters.ts'),
						import('../../firewall/rules/changes.ts'),
					]);
				const intent = paused ? 'paused' : 'resumed';
				const current = await readFilterById(client, zone.id, filter.id, signal);
				assertFilterUnchanged(zone, filter, current, intent);
				await refuseChangedRulesOnFilter(client, zone, filter, rulesOnFilter, intent, signal);
				await updateFilter(client, zone, {...current, paused}, current, signal);
			}),
		setPriority: (rule, priority, signal) =>
			runChange(
				{
					auditLabel: `set the priority of firewall rule ${rule.id} to ${priority ?? 'none'}`,
					target: {kind: 'rule', id: rule.id},
					unknownOutcome: 'which priority the rule has',
					async write(client, zone) {
						const [{assertRuleUnchanged}, {readRuleById}, {setPriority}] = await Promise.all([
							import('../../firewall/rules/changed-rule.ts'),
							import('../../firewall/rules/rules.ts'),
							import('../../firewall/rules/changes.ts'),
						]);
						assertRuleUnchanged(zone, rule, await readRuleById(client, zone.id, rule.id, signal), 'changed');
						await setPriority(client, zone, rule, priority, signal);
						return priority === null
							? `The rule now has no priority: ${rule.id}.`
							: `The rule now has priority ${priority}: ${rule.id}.`;
					},
				},
				signal,
			),
		deleteRule: (rule, filterAction, signal) =>
			runChange(
				{
					auditLabel: `delete firewall rule ${rule.id}${filterAction === 'delete' ? ' and its filter' : ''}`,
					target: {kind: 'rule', id: rule.id},
					unknownOutcome: 'whether the rule was deleted',
					async write(client, zone, {onSend, onWritten}) {
						const {refuseChangedRule} = await import('../../firewall/rules/changed-rule.ts');
						await refuseChangedRule(client, zone, rule, signal);
						const rules = get().firewall.data?.rules ?? [];
						const plan = planDeletion(rule, rules, filterAction);
						const otherUsers = findFilterUsers(rule.filter.id, rules).filter(({id}) => id !== rule.id);
						const deletion = await deleteRule(client, zone, plan, {
							signal,
							onStep: step =>
								onSend(step === 'rule' ? `delete rule ${rule.id}` : `delete filter ${rule.filter.id}`),
							onWritten,
						});
						if (deletion.state === 'deleted' || deletion.state === 'rule only') {
							const isFilterGone =
								deletion.state === 'deleted' &&
								(deletion.filter.state === 'deleted' || deletion.filter.state === 'gone before');
							set({deletedRule: {zoneId: zone.id, rule, isFilterGone}});
						}
						return `${reportDeletion(rule, otherUsers, deletion)} u creates it again.`;
					},
				},
				signal,
			),
		deleteFilter: (filter, signal) =>
			runChange(
				{
					auditLabel: `delete filter ${filter.id}`,
					target: {kind: 'filter', id: filter.id},
					unknownOutcome: 'whether the filter was deleted',
					async write(client, zone) {
						const [{refuseChangedFilter}, {deleteFilter}] = await Promise.all([
							import('../../firewall/rules/changed-rule.ts'),
							import('../../firewall/rules/changes.ts'),
						]);
						await refuseChangedFilter(client, zone, filter, signal);
						await deleteFilter(client, zone, filter.id, signal);
						return `The filter was deleted: ${filter.id}.`;
					},
				},
				signal,
			),
	};
};

/** Builds the rule as it was, on its old filter or with a new one of the same expression. */
function buildRecreationDraft({rule, isFilterGone}: DeletedRule): RuleDraft {
	const {id: _, filter, ...settings} = rule;
	const filterDraft = isFilterGone && !('deleted' in filter) ? filter : undefined;
	return {
		// The service accepts what it returned.
		...(settings as RuleSettings),
		filter: filterDraft
			? {
					expression: filterDraft.expression,
					paused: filterDraft.paused,
					description: filterDraft.description,
				}
			: {id: filter.id},
	};
}

/** Describes the outcome for a rule and its filter; throws the failure if it is incomplete. */
function reportDeletion(rule: Rule, otherUsers: readonly Rule[], deletion: Deletion): string {
	switch (deletion.state) {
		case 'deleted':
			return describeDeletedFilter(rule, otherUsers, deletion.filter);
		case 'rule only':
			throw buildFilterRemainsFailure(deletion.failure);
		case 'nothing':
			throw deletion.failure;
		case 'unsure':
			throw withSentence(
				deletion.what === 'rule'
					? `It is unknown whether the rule was deleted; its filter still exists.`
					: `The rule was deleted; it is unknown whether its filter was.`,
				deletion.failure,
				{outcomeUnknown: false},
			);
	}
}

/** Describes what happened to the filter, ids last, because the message line is short. */
function describeDeletedFilter(rule: Rule, otherUsers: readonly Rule[], filter: FilterAfterDeletion): string {
	const ids = `rule ${formatRuleName(rule)}, filter ${rule.filter.id}`;
	switch (filter.state) {
		case 'kept, refused':
			throw buildFilterRemainsFailure(filter.failure);
		case 'kept':
			return otherUsers.length > 0
				? describeSharedFilter(otherUsers, ids)
				: `The rule was deleted; its filter was kept, and no rule uses it: ${ids}.`;
		case 'kept, shared':
			return describeSharedFilter(filter.users, ids);
		case 'kept, changed':
			return `The rule was deleted; its filter was kept, because someone changed it in the meantime: ${ids}.`;
		case 'gone before':
			return `The rule was deleted; its filter no longer existed: ${ids}.`;
		case 'deleted':
			return `The rule and its filter were deleted: ${ids}.`;
	}
}

const describeSharedFilter = (users: readonly Rule[], ids: string): string =>
	`The rule was deleted; its filter was kept for ${formatQuantity(users.length, 'other rule')}: ${ids}, used by ${formatRuleNames(users)}.`;

const buildFilterRemainsFailure = (failure: Failure): Failure =>
	withSentence('The rule was deleted, but its filter still exists.', failure);

const isStillListed = ({rules, filters}: FirewallState, {kind, id}: Change['target']): boolean =>
	(kind === 'rule' ? rules : filters).some(one => one.id === id);

/** Replaces the message of a failure with the current state; the old message becomes the reason. */
const withSentence = (
	sentence: string,
	{code, message, details}: Failure,
	extraDetails: Partial<FailureDetails> = {},
): Failure =>
	new Failure(code, sentence, {
		...details,
		why: [message, details.why].filter(Boolean).join('\n'),
		...extraDetails,
	});
