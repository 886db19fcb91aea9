import type {Client} from '../../service/client.ts';
import {orAbsent} from '../../service/read-result.ts';
import {type Change, carryOut, orThrow} from '../../service/settle.ts';
import {type CommandZone, listing, showing} from '../continuation.ts';
import {filterPath, rulePath} from '../paths.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {
	filterById,
	filterOfExpression,
	filters,
	filterUpdate,
	isAs,
	postFilter,
	readFilter,
} from './filters.ts';
import type {Rule, RuleFilter, RuleSettings} from './rule.ts';
import {changedRule, hasSettings, postRule, readRule, ruleById, rules, rulesOn, ruleUpdate} from './rules.ts';
import {named} from './users.ts';
import {write} from './writing.ts';

/** A filter with the sent expression that this write did not create, and the rules on it. */
export type OthersFilter = {readonly filter: Filter; readonly users: readonly Rule[]};

/**
 * Creates a filter. `before` is the filter that had this expression already, if any. After an unknown outcome
 * it counts as done if a new filter matches what was sent and no rule uses it. Fails with `already_exists` if
 * a filter has this expression; `findNamedId` reads its id.
 */
export const filterCreating = (
	zone: CommandZone,
	draft: FilterDraft,
	before: Filter | undefined,
): Change<Filter, never, OthersFilter> => ({
	send: (client, signal) => postFilter(client, zone.id, draft, signal),
	async look(client, signal) {
		const filter = await filterOfExpression(client, zone.id, draft.expression, signal);
		if (!filter) return {shows: 'not done', sentence: 'no filter has this expression.'};
		const users = await rulesOn(client, zone.id, filter.id, signal);
		if (filter.id !== before?.id && isAs(filter, draft) && users.length === 0)
			return {shows: 'done', value: filter};
		const sentence = `filter ${filter.id} has this expression, and ${filter.id === before?.id ? 'had it before' : 'is not from this call'}.`;
		return {shows: 'other', other: {filter, users}, sentence, blocks: true};
	},
	where: listing(zone, 'filter'),
});

/**
 * Changes a filter. After an unknown outcome: done if the filter is as sent, not done if it is as before,
 * else someone else's change.
 */
export const filterChanging = (
	zone: CommandZone,
	filter: Filter,
	before: Filter,
): Change<Filter, never, Filter | undefined> => ({
	send: (client, signal) =>
		write(
			client,
			filterUpdate(zone.id, filter),
			{read: readFilter, pretend: filterUpdate(zone.id, filter).body},
			signal,
		),
	...lookingAt(zone, 'filter', filter.id, {
		read: filterById,
		isDone: now => isAs(now, filter),
		isAsBefore: now => isAs(now, before),
		inShort: ({expression}) => `its expression is: ${expression}`,
	}),
});

/** Changes a filter for all rules on it; `before` is the filter as it was read. */
export const updateFilter = async (
	client: Client,
	zone: CommandZone,
	filter: Filter,
	before: Filter,
	signal: AbortSignal,
): Promise<Filter> => orThrow(await carryOut(client, filterChanging(zone, filter, before), {signal}));

/** Deletes a filter; the service refuses while a rule uses it. */
export const filterDeleting = (zone: CommandZone, id: string): Change<void> =>
	deleting(zone, 'filter', id, filterPath(zone.id, id), filters);

export const deleteFilter = async (
	client: Client,
	zone: CommandZone,
	id: string,
	signal: AbortSignal,
): Promise<void> => orThrow(await carryOut(client, filterDeleting(zone, id), {signal}));

/**
 * Creates a rule on an existing filter; `before` holds the ids of the rules already on it. After an unknown
 * outcome it counts as done if exactly one new rule on the filter matches. With several matches, it is
 * unknown which one is ours.
 */
export const ruleCreating = (
	zone: CommandZone,
	filter: Pick<Filter, 'id'>,
	settings: RuleSettings,
	before: ReadonlySet<string>,
): Change<Rule, never, readonly Rule[]> => ({
	send: (client, signal) => postRule(client, zone.id, {id: filter.id}, settings, signal),
	async look(client, signal) {
		const fresh = (await rulesOn(client, zone.id, filter.id, signal)).filter(({id}) => !before.has(id));
		const fitting = fresh.filter(rule => hasSettings(rule, settings));
		const [rule] = fitting;
		if (rule && fitting.length === 1) return {shows: 'done', value: rule};
		if (fitting.length > 1)
			return {shows: 'other', other: fitting, sentence: `new on this filter since then: ${named(fitting)}.`};
		const sentence =
			fresh.length === 0
				? 'no new rule uses the filter.'
				: `new on this filter since then, and not as it was sent: ${named(fresh)}.`;
		return {shows: 'not done', sentence};
	},
	where: listing(zone, 'rule'),
});

/** Done if the rule is as sent, not done if it is as before, else someone else's change. */
type RuleChanging = Change<Rule, never, Rule | undefined>;

/**
 * Changes a rule, never the content of its filter; pausing is such a change. With `filter`, the rule also
 * moves to that filter.
 */
export function ruleChanging(
	zone: CommandZone,
	rule: Rule,
	changes: Partial<RuleSettings>,
	filter: RuleFilter = rule.filter,
): RuleChanging {
	const wanted = changedRule(rule, changes);
	const sent = {...rule, filter};
	return {
		send: (client, signal) =>
			write(
				client,
				ruleUpdate(zone.id, sent, changes),
				{read: readRule, pretend: {...sent, ...wanted}},
				signal,
			),
		...lookingAt(zone, 'rule', rule.id, {
			read: ruleById,
			isDone: now => now.filter.id === filter.id && hasSettings(now, wanted),
			isAsBefore: now => now.filter.id === rule.filter.id && hasSettings(now, rule),
			inShort,
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
): Promise<Rule> => orThrow(await carryOut(client, ruleChanging(zone, rule, changes, filter), {signal}));

/** Sets or removes the priority of a rule and changes nothing else. */
export const prioritySetting = (zone: CommandZone, rule: Rule, priority: number | null): RuleChanging => ({
	send: (client, signal) =>
		write(
			client,
			{method: 'PATCH', path: rulePath(zone.id, rule.id), body: {id: rule.id, priority}},
			{read: readRule, pretend: {...rule, priority}},
			signal,
		),
	...lookingAt(zone, 'rule', rule.id, {
		read: ruleById,
		isDone: now => now.priority === priority,
		isAsBefore: now => now.priority === rule.priority,
		inShort,
	}),
});

export const setPriority = async (
	client: Client,
	zone: CommandZone,
	rule: Rule,
	priority: number | null,
	signal: AbortSignal,
): Promise<Rule> => orThrow(await carryOut(client, prioritySetting(zone, rule, priority), {signal}));

/** Compares the current filter or rule with what was sent and with what it was before. */
const lookingAt = <T>(
	zone: CommandZone,
	what: 'filter' | 'rule',
	id: string,
	as: {
		readonly read: (client: Client, zone: string, id: string, signal: AbortSignal) => Promise<T>;
		readonly isDone: (now: T) => boolean;
		readonly isAsBefore: (now: T) => boolean;
		readonly inShort: (now: T) => string;
	},
): Pick<Change<T, never, T | undefined>, 'look' | 'where'> => ({
	async look(client, signal) {
		const now = await orAbsent(() => as.read(client, zone.id, id, signal));
		if (!now) return {shows: 'other', other: now, sentence: `${what} ${id} is gone.`};
		if (as.isDone(now)) return {shows: 'done', value: now};
		const differs = `${what} ${id} is not changed; ${as.inShort(now)}`;
		return as.isAsBefore(now)
			? {shows: 'not done', sentence: differs}
			: {shows: 'other', other: now, sentence: `someone else changed it: ${differs}`};
	},
	where: showing(zone, what, id),
});

const inShort = ({action, paused, priority}: Rule): string =>
	`it is: ${action}, ${priority === null ? 'without priority' : `priority ${priority}`}, ${paused ? 'paused' : 'not paused'}.`;

/** Deletes a rule and keeps its filter. Fails if the rule does not exist. */
export const ruleDeleting = (zone: CommandZone, id: string): Change<void> =>
	deleting(zone, 'rule', id, rulePath(zone.id, id), rules);

const deleting = (
	zone: CommandZone,
	what: 'filter' | 'rule',
	id: string,
	path: string,
	list: (client: Client, zone: string, signal: AbortSignal) => AsyncIterable<{readonly id: string}>,
): Change<void> => ({
	send: (client, signal) => write(client, {method: 'DELETE', path}, {read: () => undefined}, signal),
	async look(client, signal) {
		for await (const one of list(client, zone.id, signal))
			if (one.id === id) return {shows: 'not done', sentence: `${what} ${id} still exists.`};
		return {shows: 'done', value: undefined};
	},
	where: listing(zone, what),
});
