import {type Failure, toFailure} from '../../failure.ts';
import {findZoneNameReasons} from '../../firewall/rules/broad-rule.ts';
import {refuseChangedRule} from '../../firewall/rules/changed-rule.ts';
import {
	type Deletion,
	type DeletionPlan,
	deleteRule,
	describeFilterAfterDeletion,
	getDeletionFailure,
	planDeletions,
} from '../../firewall/rules/delete-rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {formatRuleName, formatRuleNames} from '../../firewall/rules/users.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExclusionFailure} from '../shell/declare.ts';
import {parseIds} from './options.ts';
import {withPartialProgress} from './partial-progress.ts';
import type {RuleDeleteOptions} from './rule.ts';
import {formatFirewallAction} from './text.ts';
import {type OpenedZone, openZone} from './zone.ts';

/** A rule in the JSON of `--json`. */
type DeletedRule = {
	id: string;
	deleted: boolean;
	filter?: {id: string; state: string; usedBy?: readonly string[]};
};

/**
 * `firewall rule delete`: deletes each rule, then its filter unless it is kept or others use it. A rule that
 * does not exist counts as deleted.
 */
export async function deleteRulesCommand(
	context: CommandContext,
	{withFilter, keepFilter, ...options}: RuleDeleteOptions,
	...words: string[]
): Promise<void> {
	const ids = parseIds(words, 'rule');
	if (withFilter && keepFilter) throw buildExclusionFailure('--with-filter', '--keep-filter');
	const openedZone = await openZone(context, {writes: true});
	const rules = await Array.fromAsync(
		listFirewallRules(openedZone.client, openedZone.zone.id, context.signal),
	);
	const existingRules = ids.flatMap(id => rules.find(rule => rule.id === id) ?? []);
	const plans = planDeletions(existingRules, rules, keepFilter ? 'keep' : 'delete');
	await context.announceWrite(toZonePlace(openedZone.zone));
	for (const id of ids)
		if (!plans.some(({rule}) => rule.id === id)) context.output.say(`There is no rule ${id}.`);
	if (plans.length > 0) await confirmRuleDeletion(context, openedZone, plans, options);
	const deletedRules = await deletePlannedRules(context, openedZone, plans, withFilter === true);
	await context.printResult(ids.map(id => deletedRules.find(one => one.id === id) ?? {id, deleted: false}));
}

async function confirmRuleDeletion(
	context: CommandContext,
	{zone}: OpenedZone,
	plans: readonly DeletionPlan[],
	options: ZoneNameOptions,
): Promise<void> {
	const [firstPlan] = plans;
	const subject =
		plans.length === 1 && firstPlan
			? describeDeletionPlan(firstPlan)
			: `${plans.length} rules (${plans.map(describeDeletionPlan).join('; ')})`;
	const question = `Delete from ${zone.label}: ${subject}? This cannot be undone.`;
	const zoneNameReasons = findZoneNameReasons(
		zone,
		plans.map(({rule}) => ({before: rule})),
	);
	await confirmWrite(context, zone, zoneNameReasons, options.confirm, question);
}

/** Describes what a deletion does to a rule and its filter, for the confirmation. */
export function describeDeletionPlan({rule, filter}: DeletionPlan): string {
	const ruleText = `rule ${formatRuleName({...rule, action: formatFirewallAction(rule)})}`;
	switch (filter.state) {
		case 'delete':
			return `${ruleText} and its filter ${rule.filter.id}`;
		case 'keep':
			return `${ruleText}, but not its filter ${rule.filter.id}`;
		case 'shared':
			return `${ruleText}, but not its filter ${rule.filter.id}, which ${formatRuleNames(filter.users)} ${filter.users.length === 1 ? 'uses' : 'use'}`;
		case 'gone':
			return ruleText;
	}
}

async function deletePlannedRules(
	context: CommandContext,
	openedZone: OpenedZone,
	plans: readonly DeletionPlan[],
	requiresFilterDeletion: boolean,
): Promise<DeletedRule[]> {
	const ids = plans.map(({rule}) => rule.id);
	const deletedRules: DeletedRule[] = [];
	for (const [index, plan] of plans.entries()) {
		const {rule} = plan;
		const buildPartialFailure = (failure: Failure): Failure =>
			withPartialProgress(failure, 'Deleted', ids, index);
		try {
			await refuseChangedRule(openedZone.client, openedZone.zone, rule, context.signal);
		} catch (error) {
			throw buildPartialFailure(toFailure(error));
		}
		const deletion = await removeRule(context, openedZone, plan);
		if (deletion.state !== 'deleted') throw buildPartialFailure(deletion.failure);
		const {filter} = deletion;
		if (filter.state === 'kept, refused') {
			if (requiresFilterDeletion) throw buildPartialFailure(filter.failure);
			context.output.warn(filter.failure.message);
		}
		const usedBy = 'users' in filter ? {usedBy: filter.users.map(one => one.id)} : {};
		deletedRules.push({
			id: rule.id,
			deleted: true,
			filter: {id: rule.filter.id, state: filter.state, ...usedBy},
		});
	}
	return deletedRules;
}

/** Deletes one rule as planned, with an audit entry, and prints what happened to it and its filter. */
export async function removeRule(
	{auditWrites, output, signal, options}: CommandContext,
	{client, zone}: OpenedZone,
	plan: DeletionPlan,
): Promise<Deletion> {
	const {rule} = plan;
	const deletion = await auditWrites(
		toZonePlace(zone),
		({onSend, onWritten}) =>
			deleteRule(client, zone, plan, {
				signal,
				onStep: step =>
					onSend(step === 'rule' ? `delete rule ${rule.id}` : `delete filter ${rule.filter.id}`),
				onWritten,
			}),
		getDeletionFailure,
	);
	if (deletion.state === 'deleted' && !options.dryRun)
		output.say(
			`Deleted rule ${formatRuleName({...rule, action: formatFirewallAction(rule)})}. ${describeFilterAfterDeletion(rule, deletion.filter)}`,
		);
	return deletion;
}
