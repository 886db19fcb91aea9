import type {Client} from '../../service/client.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {type Change, executeChange, unwrapOutcome} from '../../service/settle.ts';
import {type CommandZone, formatFirewallGetCommand, formatFirewallListCommand} from '../commands.ts';
import {getFilterPath, getFirewallRulePath} from '../paths.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {
	buildFilterUpdateRequest,
	filterMatchesDraft,
	findFilterByExpression,
	listFilters,
	postFilter,
	readFilter,
	readFilterById,
} from './filters.ts';
import type {Rule, RuleFilter, RuleSettings} from './rule.ts';
import {
	buildRuleUpdateRequest,
	hasRuleSettings,
	listFirewallRules,
	listRulesOnFilter,
	postRule,
	readRule,
	readRuleById,
	withRuleChanges,
} from './rules.ts';
import {formatRuleNames} from './users.ts';
import {sendFirewallWrite} from './writing.ts';

/**
 * What the check of a filter creation finds if the filter with the sent expression may not be its own: that
 * filter, and the rules on it.
 */
export type ForeignFilter = {readonly filter: Filter; readonly rulesOnFilter: readonly Rule[]};

/**
 * Creates a filter. `existingFilter` is the filter that had this expression before, if any. After an unknown
 * outcome it counts as done if a new filter matches what was sent and no rule uses it. Fails with
 * `already_exists` if a filter has this expression; the service's message names that filter.
 */
export const buildFilterCreateChange = (
	zone: CommandZone,
	draft: FilterDraft,
	existingFilter: Filter | undefined,
): Change<Filter, never, ForeignFilter> => ({
	send: (client, signal) => postFilter(client, zone.id, draft, signal),
	async checkEffect(client, signal) {
		const filter = await findFilterByExpression(client, zone.id, draft.expression, signal);
		if (!filter) return {effect: 'not done', sentence: 'no filter has this expression.'};
		const rulesOnFilter = await listRulesOnFilter(client, zone.id, filter.id, signal);
		if (filter.id !== existingFilter?.id && filterMatchesDraft(filter, draft) && rulesOnFilter.length === 0)
			return {effect: 'done', value: filter};
		const sentence = `filter ${filter.id} has this expression, but ${filter.id === existingFilter?.id ? 'had it before' : 'was not created by this call'}.`;
		return {effect: 'other', other: {filter, rulesOnFilter}, sentence, blocks: true};
	},
	inspectCommand: formatFirewallListCommand(zone, 'filter'),
});

/**
 * Changes a filter. After an unknown outcome: done if the filter is as sent, not done if it is as before,
 * else someone else's change.
 */
export const buildFilterUpdateChange = (
	zone: CommandZone,
	filter: Filter,
	originalFilter: Filter,
): Change<Filter, never, Filter | undefined> => ({
	send: (client, signal) =>
		sendFirewallWrite(
			client,
			buildFilterUpdateRequest(zone.id, filter),
			{read: readFilter, dryRunResult: buildFilterUpdateRequest(zone.id, filter).body},
			signal,
		),
	...buildUpdateCheck(zone, 'filter', filter.id, {
		read: readFilterById,
		isDone: current => filterMatchesDraft(current, filter),
		isUnchanged: current => filterMatchesDraft(current, originalFilter),
		describeState: ({expression}) => `current expression: ${expression}`,
	}),
});

/** Changes a filter for all rules on it; `originalFilter` is the filter as it was read. */
export const updateFilter = async (
	client: Client,
	zone: CommandZone,
	filter: Filter,
	originalFilter: Filter,
	signal: AbortSignal,
): Promise<Filter> =>
	unwrapOutcome(await executeChange(client, buildFilterUpdateChange(zone, filter, originalFilter), {signal}));

/** Deletes a filter; the service refuses while a rule uses it. */
export const buildFilterDeleteChange = (zone: CommandZone, id: string): Change<void> =>
	buildDeleteChange(zone, 'filter', id, getFilterPath(zone.id, id), listFilters);

export const deleteFilter = async (
	client: Client,
	zone: CommandZone,
	id: string,
	signal: AbortSignal,
): Promise<void> => unwrapOutcome(await executeChange(client, buildFilterDeleteChange(zone, id), {signal}));

/**
 * Creates a rule on an existing filter; `idsBefore` holds the ids of the rules already on it. After an
 * unknown outcome it counts as done if exactly one new rule on the filter matches. With several matches, it
 * is unknown which one is ours.
 */
export const buildRuleCreateChange = (
	zone: CommandZone,
	filter: Pick<Filter, 'id'>,
	settings: RuleSettings,
	idsBefore: ReadonlySet<string>,
): Change<Rule, never, readonly Rule[]> => ({
	send: (client, signal) => postRule(client, zone.id, {id: filter.id}, settings, signal),
	async checkEffect(client, signal) {
		const newRules = (await listRulesOnFilter(client, zone.id, filter.id, signal)).filter(
			({id}) => !idsBefore.has(id),
		);
		const matchingRules = newRules.filter(rule => hasRuleSettings(rule, settings));
		const [rule] = matchingRules;
		if (rule && matchingRules.length === 1) return {effect: 'done', value: rule};
		if (matchingRules.length > 1)
			return {
				effect: 'other',
				other: matchingRules,
				sentence: `the filter now also has ${formatRuleNames(matchingRules)}.`,
			};
		const sentence =
			newRules.length === 0
				? 'no new rule uses the filter.'
				: `the filter now also has ${formatRuleNames(newRules)}, but that is not what was sent.`;
		return {effect: 'not done', sentence};
	},
	inspectCommand: formatFirewallListCommand(zone, 'rule'),
});

/**
 * A change of a rule. After an unknown outcome: done if the rule equals what was sent, not done if it is as
 * before; anything else is someone else's change.
 */
type RuleUpdateChange = Change<Rule, never, Rule | undefined>;

/**
 * Changes a rule, never the content of its filter; pausing is such a change. With `filter`, the rule also
 * moves to that filter.
 */
export function buildRuleUpdateChange(
	zone: CommandZone,
	rule: Rule,
	changes: Partial<RuleSettings>,
	filter: RuleFilter = rule.filter,
): RuleUpdateChange {
	const targetSettings = withRuleChanges(rule, changes);
	const sentRule = {...rule, filter};
	return {
		send: (client, signal) =>
			sendFirewallWrite(
				client,
				buildRuleUpdateRequest(zone.id, sentRule, changes),
				{read: readRule, dryRunResult: {...sentRule, ...targetSettings}},
				signal,
			),
		...buildUpdateCheck(zone, 'rule', rule.id, {
			read: readRuleById,
			isDone: current => current.filter.id === filter.id && hasRuleSettings(current, targetSettings),
			isUnchanged: current => current.filter.id === rule.filter.id && hasRuleSettings(current, rule),
			describeState,
		}),
	};
}

export const updateRule = async (
	client: Client,
	zone: CommandZone,
	rule: Rule,
	changes: Partial<RuleSettings>,
	signal: AbortSignal,
	filter?: RuleFilter,
): Promise<Rule> =>
	unwrapOutcome(await executeChange(client, buildRuleUpdateChange(zone, rule, changes, filter), {signal}));

/** Sets or removes the priority of a rule and changes nothing else. */
export const buildPriorityChange = (
	zone: CommandZone,
	rule: Rule,
	priority: number | null,
): RuleUpdateChange => ({
	send: (client, signal) =>
		sendFirewallWrite(
			client,
			{method: 'PATCH', path: getFirewallRulePath(zone.id, rule.id), body: {id: rule.id, priority}},
			{read: readRule, dryRunResult: {...rule, priority}},
			signal,
		),
	...buildUpdateCheck(zone, 'rule', rule.id, {
		read: readRuleById,
		isDone: current => current.priority === priority,
		isUnchanged: current => current.priority === rule.priority,
		describeState,
	}),
});

export const setPriority = async (
	client: Client,
	zone: CommandZone,
	rule: Rule,
	priority: number | null,
	signal: AbortSignal,
): Promise<Rule> =>
	unwrapOutcome(await executeChange(client, buildPriorityChange(zone, rule, priority), {signal}));

/** Compares the current filter or rule with what was sent and with what it was before. */
const buildUpdateCheck = <T>(
	zone: CommandZone,
	kind: 'filter' | 'rule',
	id: string,
	probe: {
		readonly read: (client: Client, zone: string, id: string, signal: AbortSignal) => Promise<T>;
		readonly isDone: (now: T) => boolean;
		readonly isUnchanged: (now: T) => boolean;
		readonly describeState: (now: T) => string;
	},
): Pick<Change<T, never, T | undefined>, 'checkEffect' | 'inspectCommand'> => ({
	async checkEffect(client, signal) {
		const current = await readIfPresent(() => probe.read(client, zone.id, id, signal));
		if (!current) return {effect: 'other', other: current, sentence: `${kind} ${id} no longer exists.`};
		if (probe.isDone(current)) return {effect: 'done', value: current};
		const differenceText = `${kind} ${id} does not have this change; ${probe.describeState(current)}`;
		return probe.isUnchanged(current)
			? {effect: 'not done', sentence: differenceText}
			: {effect: 'other', other: current, sentence: `someone else changed it: ${differenceText}`};
	},
	inspectCommand: formatFirewallGetCommand(zone, kind, id),
});

const describeState = ({action, paused, priority}: Rule): string =>
	`current settings: ${action}, ${priority === null ? 'no priority' : `priority ${priority}`}, ${paused ? 'paused' : 'not paused'}.`;

/** Deletes a rule and keeps its filter. Fails if the rule does not exist. */
export const buildRuleDeleteChange = (zone: CommandZone, id: string): Change<void> =>
	buildDeleteChange(zone, 'rule', id, getFirewallRulePath(zone.id, id), listFirewallRules);

const buildDeleteChange = (
	zone: CommandZone,
	kind: 'filter' | 'rule',
	id: string,
	path: string,
	list: (client: Client, zone: string, signal: AbortSignal) => AsyncIterable<{readonly id: string}>,
): Change<void> => ({
	send: (client, signal) =>
		sendFirewallWrite(client, {method: 'DELETE', path}, {read: () => undefined}, signal),
	async checkEffect(client, signal) {
		for await (const item of list(client, zone.id, signal))
			if (item.id === id) return {effect: 'not done', sentence: `${kind} ${id} still exists.`};
		return {effect: 'done', value: undefined};
	},
	inspectCommand: formatFirewallListCommand(zone, kind),
});
