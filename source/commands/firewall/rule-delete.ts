import {asFailure, type Failure} from '../../failure.ts';
import {findNameReasons} from '../../firewall/rules/broad-rule.ts';
import {refuseChangedRule} from '../../firewall/rules/changed-rule.ts';
import {
	type Deletion,
	type DeletionPlan,
	deleteRule,
	deletionFailure,
	deletionPlans,
	filterSentence,
} from '../../firewall/rules/delete-rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {formatRuleName, named} from '../../firewall/rules/users.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {excludesOther} from '../shell/declare.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/zone-name.ts';
import {idsOf} from './options.ts';
import {partly} from './partly.ts';
import type {DeleteOptions} from './rule.ts';
import {actionOf} from './text.ts';
import {type OpenedZone, openZone} from './zone.ts';

/** A rule in the JSON of `--json`. */
type Deleted = {
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
	{withFilter, keepFilter, ...options}: DeleteOptions,
	...words: string[]
): Promise<void> {
	const ids = idsOf(words, 'rule');
	if (withFilter && keepFilter) throw excludesOther('--with-filter', '--keep-filter');
	const opened = await openZone(context, {writes: true});
	const all = await Array.fromAsync(rules(opened.client, opened.zone.id, context.signal));
	const going = ids.flatMap(id => all.find(rule => rule.id === id) ?? []);
	const plans = deletionPlans(going, all, keepFilter ? 'keep' : 'delete');
	await context.announceWrite(placeOfZone(opened.zone));
	for (const id of ids)
		if (!plans.some(({rule}) => rule.id === id)) context.output.say(`There is no rule ${id}.`);
	if (plans.length > 0) await confirmed(context, opened, plans, options);
	const gone = await deleted(context, opened, plans, withFilter === true);
	await context.result(ids.map(id => gone.find(one => one.id === id) ?? {id, deleted: false}));
}

async function confirmed(
	context: CommandContext,
	{zone}: OpenedZone,
	plans: readonly DeletionPlan[],
	options: ZoneNameOptions,
): Promise<void> {
	const [only] = plans;
	const what =
		plans.length === 1 && only
			? describePlan(only)
			: `${plans.length} rules (${plans.map(describePlan).join('; ')})`;
	const question = `Delete from ${zone.label}: ${what}? This cannot be undone.`;
	const reasons = findNameReasons(
		zone,
		plans.map(({rule}) => ({before: rule})),
	);
	await confirmWrite(context, zone, reasons, options.confirm, question);
}

/** Describes what a deletion does to a rule and its filter, for the confirmation. */
export function describePlan({rule, filter}: DeletionPlan): string {
	const what = `rule ${formatRuleName({...rule, action: actionOf(rule)})}`;
	switch (filter.state) {
		case 'delete':
			return `${what} and its filter ${rule.filter.id}`;
		case 'keep':
			return `${what}, but not its filter ${rule.filter.id}`;
		case 'shared':
			return `${what}, but not its filter ${rule.filter.id}, which ${named(filter.users)} ${filter.users.length === 1 ? 'uses' : 'use'}`;
		case 'gone':
			return what;
	}
}

async function deleted(
	context: CommandContext,
	opened: OpenedZone,
	plans: readonly DeletionPlan[],
	strict: boolean,
): Promise<Deleted[]> {
	const ids = plans.map(({rule}) => rule.id);
	const gone: Deleted[] = [];
	for (const [index, plan] of plans.entries()) {
		const {rule} = plan;
		const fail = (failure: Failure): Failure => partly(failure, 'Deleted', ids, index);
		try {
			await refuseChangedRule(opened.client, opened.zone, rule, context.signal);
		} catch (error) {
			throw fail(asFailure(error));
		}
		const deletion = await removeRule(context, opened, plan);
		if (deletion.state !== 'deleted') throw fail(deletion.failure);
		const {filter} = deletion;
		if (filter.state === 'kept, refused') {
			if (strict) throw fail(filter.failure);
			context.output.warn(filter.failure.message);
		}
		const usedBy = 'users' in filter ? {usedBy: filter.users.map(one => one.id)} : {};
		gone.push({id: rule.id, deleted: true, filter: {id: rule.filter.id, state: filter.state, ...usedBy}});
	}
	return gone;
}

/** Deletes one rule as planned, with an audit entry, and prints what happened to it and its filter. */
export async function removeRule(
	{auditedWrites, output, signal, options}: CommandContext,
	{client, zone}: OpenedZone,
	plan: DeletionPlan,
): Promise<Deletion> {
	const {rule} = plan;
	const deletion = await auditedWrites(
		placeOfZone(zone),
		({sends, wrote}) =>
			deleteRule(client, zone, plan, {
				signal,
				onStep: step => sends(step === 'rule' ? `delete rule ${rule.id}` : `delete filter ${rule.filter.id}`),
				onWrite: wrote,
			}),
		deletionFailure,
	);
	if (deletion.state === 'deleted' && !options.dryRun)
		output.say(
			`Deleted rule ${formatRuleName({...rule, action: actionOf(rule)})}. ${filterSentence(rule, deletion.filter)}`,
		);
	return deletion;
}
