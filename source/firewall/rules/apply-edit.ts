import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {executeChange, unwrapOutcome} from '../../service/settle.ts';
import {formatFirewallGetCommand, formatFirewallListCommand} from '../commands.ts';
import {refuseChangedRulesOnFilter} from './changed-rule.ts';
import {
	buildPriorityChange,
	buildRuleDeleteChange,
	buildRuleUpdateChange,
	deleteFilter,
	updateFilter,
} from './changes.ts';
import {createFilter} from './create-filter.ts';
import {createRule} from './create-rule.ts';
import type {CreationOptions} from './creation.ts';
import {type FirewallEdit, listEditDifferences} from './edits.ts';
import type {Filter} from './filter.ts';
import {filterMatchesDraft, readFilterById} from './filters.ts';
import type {FirewallZone, Rule, RuleSettings} from './rule.ts';
import {hasRuleSettings, listRulesOnFilter, readRuleById} from './rules.ts';
import {findFilterUsers, formatRuleName, formatRuleNames} from './users.ts';

type EditOptions = Pick<CreationOptions, 'signal'> & {
	/** The rules of the zone as shown; those on a changed filter must be the same when it is written. */
	readonly shownRules: readonly Rule[];
	readonly onSend: (action: string) => void;
	readonly onWritten: (done: string) => void;
};

/**
 * Changes, creates or deletes a rule or filter as the edit says, and returns the edit as it took effect: a
 * created one has a new id. Reads the current state first: sends nothing if that already is as after the edit,
 * which then has no differences, and fails with `changed_meanwhile` or `not_found` if it is something else than
 * before.
 */
export async function applyFirewallEdit(
	client: Client,
	zone: FirewallZone,
	edit: FirewallEdit,
	options: EditOptions,
): Promise<FirewallEdit> {
	const {kind, before, after} = edit;
	if (kind === 'rule') {
		if (!before) return recreateRule(client, zone, after, options);
		return after
			? changeRule(client, zone, before, after, options)
			: removeRule(client, zone, before, options);
	}
	if (!before) return recreateFilter(client, zone, after, options);
	return after
		? changeFilter(client, zone, before, after, options)
		: removeFilter(client, zone, before, options);
}

async function changeRule(
	client: Client,
	zone: FirewallZone,
	before: Rule,
	after: Rule,
	{signal, onSend}: EditOptions,
): Promise<FirewallEdit> {
	const current = await readIfPresent(() => readRuleById(client, zone.id, before.id, signal));
	if (!current) throw createGoneFailure(zone, 'rule', before);
	if (isSameRule(current, after)) return {kind: 'rule', before: current, after: current};
	if (!isSameRule(current, before)) throw createChangedFailure(zone, 'rule', before, current);
	onSend(`update rule ${before.id}`);
	const outcome = await executeChange(client, buildChangeOfRule(zone, current, after), {signal});
	return {kind: 'rule', before: current, after: unwrapOutcome(outcome)};
}

async function changeFilter(
	client: Client,
	zone: FirewallZone,
	before: Filter,
	after: Filter,
	{signal, shownRules, onSend}: EditOptions,
): Promise<FirewallEdit> {
	const current = await readIfPresent(() => readFilterById(client, zone.id, before.id, signal));
	if (!current) throw createGoneFailure(zone, 'filter', before);
	if (filterMatchesDraft(current, after)) return {kind: 'filter', before: current, after: current};
	if (!filterMatchesDraft(current, before)) throw createChangedFailure(zone, 'filter', before, current);
	const rulesOnFilter = findFilterUsers(before.id, shownRules);
	await refuseChangedRulesOnFilter(client, zone, before, rulesOnFilter, 'changed', signal);
	onSend(`update filter ${before.id}`);
	const sentFilter = {
		...after,
		description: keepOrRemove(current.description, after.description),
		ref: keepOrRemove(current.ref, after.ref),
	};
	return {
		kind: 'filter',
		before: current,
		after: await updateFilter(client, zone, sentFilter, current, signal),
	};
}

async function recreateFilter(
	client: Client,
	zone: FirewallZone,
	filter: Filter,
	{signal, onSend, onWritten}: EditOptions,
): Promise<FirewallEdit> {
	const {id: _, ...draft} = filter;
	onSend('create filter');
	const creation = await createFilter(client, zone, draft, {signal, onWritten});
	if (creation.state === 'made') return {kind: 'filter', before: undefined, after: creation.filter};
	// It may be the one that an earlier attempt created without a response, or whose deletion had none.
	if (creation.state === 'duplicate') {
		const existing = await readFilterById(client, zone.id, creation.filterId, signal);
		if (filterMatchesDraft(existing, draft)) return {kind: 'filter', before: undefined, after: existing};
	}
	throw creation.failure;
}

async function recreateRule(
	client: Client,
	zone: FirewallZone,
	rule: Rule,
	{signal, onSend, onWritten}: EditOptions,
): Promise<FirewallEdit> {
	const {id: _, filter, ...settings} = rule;
	const current = await readIfPresent(() => readFilterById(client, zone.id, filter.id, signal));
	if (!current || 'deleted' in filter) throw createGoneFailure(zone, 'filter', filter);
	if (!filterMatchesDraft(current, filter)) throw createChangedFailure(zone, 'filter', filter, current);
	onSend(`create rule (${rule.action})`);
	// The service accepts what it returned.
	const draft = {...(settings as RuleSettings), filter: {id: filter.id}};
	const creation = await createRule(client, zone, draft, {signal, onWritten});
	if (creation.state !== 'created') throw creation.failure;
	return {kind: 'rule', before: undefined, after: creation.rule};
}

async function removeRule(
	client: Client,
	zone: FirewallZone,
	rule: Rule,
	{signal, onSend, onWritten}: EditOptions,
): Promise<FirewallEdit> {
	const current = await readIfPresent(() => readRuleById(client, zone.id, rule.id, signal));
	if (!current) throw createGoneFailure(zone, 'rule', rule);
	if (!isSameRule(current, rule)) throw createChangedFailure(zone, 'rule', rule, current);
	onSend(`delete rule ${rule.id}`);
	unwrapOutcome(await executeChange(client, buildRuleDeleteChange(zone, rule.id), {signal}));
	onWritten(`delete rule ${rule.id}`);
	return {kind: 'rule', before: rule, after: undefined};
}

async function removeFilter(
	client: Client,
	zone: FirewallZone,
	filter: Filter,
	{signal, onSend, onWritten}: EditOptions,
): Promise<FirewallEdit> {
	const current = await readIfPresent(() => readFilterById(client, zone.id, filter.id, signal));
	if (!current) throw createGoneFailure(zone, 'filter', filter);
	if (!filterMatchesDraft(current, filter)) throw createChangedFailure(zone, 'filter', filter, current);
	const users = await listRulesOnFilter(client, zone.id, filter.id, signal);
	if (users.length > 0)
		throw new Failure('changed_meanwhile', `The filter is in use: ${formatRuleNames(users)}.`, {
			left: `Filter ${filter.id} stays.`,
		});
	onSend(`delete filter ${filter.id}`);
	await deleteFilter(client, zone, filter.id, signal);
	onWritten(`delete filter ${filter.id}`);
	return {kind: 'filter', before: filter, after: undefined};
}

/** Changes a rule to another state of it: by PATCH if only the priority differs. */
function buildChangeOfRule(zone: FirewallZone, current: Rule, after: Rule) {
	if (isSameRule({...current, priority: after.priority}, after))
		return buildPriorityChange(zone, current, after.priority);
	const changes = {
		action: after.action,
		products: after.products ?? [],
		priority: after.priority,
		paused: after.paused,
		description: keepOrRemove(current.description, after.description),
		ref: keepOrRemove(current.ref, after.ref),
	};
	// The service accepts what it returned.
	return buildRuleUpdateChange(zone, current, changes as Partial<RuleSettings>, after.filter);
}

/** Returns the text to send: '' removes an existing one. */
const keepOrRemove = (current: string | undefined, wanted: string | undefined): string | undefined =>
	wanted ?? (current === undefined ? undefined : '');

/** True if two states of a rule have the same settings, and the same filter with the same content. */
const isSameRule = (one: Rule, other: Rule): boolean =>
	hasRuleSettings(one, other) &&
	one.filter.id === other.filter.id &&
	('deleted' in one.filter || 'deleted' in other.filter
		? 'deleted' in one.filter && 'deleted' in other.filter
		: filterMatchesDraft(one.filter, other.filter));

const formatItem = (item: Rule | Filter | Rule['filter']): string =>
	'deleted' in item ? item.id : formatRuleName(item);

const createChangedFailure = (
	zone: FirewallZone,
	kind: 'rule' | 'filter',
	expected: Rule | Filter,
	current: Rule | Filter,
): Failure =>
	new Failure('changed_meanwhile', `The ${kind} has changed since then: ${formatItem(current)}.`, {
		why: ['Then → now:', ...listEditDifferences(expected, current)].join('\n'),
		left: 'Nothing was sent, and the newer change stays.',
		next: `Check its current state: ${formatFirewallGetCommand(zone, kind, current.id)}`,
	});

const createGoneFailure = (
	zone: FirewallZone,
	kind: 'rule' | 'filter',
	item: Rule | Filter | Rule['filter'],
): Failure =>
	new Failure('not_found', `The ${kind} no longer exists: ${formatItem(item)}.`, {
		left: 'Nothing was sent.',
		next: `See what exists: ${formatFirewallListCommand(zone, kind)}`,
	});
