import {isDeepStrictEqual} from 'node:util';
import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {type CommandZone, formatFirewallGetCommand} from '../commands.ts';
import type {Filter} from './filter.ts';
import {readFilterById} from './filters.ts';
import type {Rule} from './rule.ts';
import {listRulesOnFilter, readRuleById} from './rules.ts';
import {formatRuleNames} from './users.ts';

/** What the caller is about to do: completes "Rule ID was not …". */
type Intent = 'changed' | 'deleted' | 'paused' | 'resumed';

const listDifferences = (one: object, other: object): string[] =>
	[...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
		name => !isDeepStrictEqual((one as never)[name], (other as never)[name]),
	);

/** Lists the names of properties that differ between two reads of a rule. */
export const listChangedProperties = (
	{filter: oldFilter, ...before}: Rule,
	{filter, ...now}: Rule,
): string[] => [
	...listDifferences(before, now),
	...listDifferences(oldFilter, filter).map(name => `filter ${name}`),
];

/** Fails with `changed_meanwhile` if a rule differs from what was shown before the write. */
export function assertRuleUnchanged(
	zone: CommandZone,
	shownRule: Rule,
	currentRule: Rule,
	intent: Intent,
): void {
	refuseChanges(zone, 'rule', shownRule.id, listChangedProperties(shownRule, currentRule), intent);
}

/** Fails with `changed_meanwhile` if a filter differs from what was shown before the write. */
export function assertFilterUnchanged(
	zone: CommandZone,
	shownFilter: Filter,
	currentFilter: Filter,
	intent: Intent,
): void {
	refuseChanges(zone, 'filter', shownFilter.id, listDifferences(shownFilter, currentFilter), intent);
}

/**
 * Re-reads the rules on a filter before it is written. Fails with `changed_meanwhile` if they differ from
 * those shown.
 */
export async function refuseChangedRulesOnFilter(
	client: Client,
	zone: CommandZone,
	{id}: Pick<Filter, 'id'>,
	shownRules: readonly Rule[],
	intent: Intent,
	signal: AbortSignal,
): Promise<void> {
	const currentRules = await listRulesOnFilter(client, zone.id, id, signal);
	const isShown = (rule: Rule) =>
		shownRules.some(
			shownRule => shownRule.id === rule.id && listChangedProperties(shownRule, rule).length === 0,
		);
	if (currentRules.length === shownRules.length && currentRules.every(isShown)) return;
	const usersText =
		currentRules.length === 0 ? 'now not used by any rule' : `now used by ${formatRuleNames(currentRules)}`;
	refuseChanges(zone, 'filter', id, [`the rules that use it (${usersText})`], intent);
}

/**
 * Re-reads a rule before it is deleted. Fails with `changed_meanwhile` if it differs from what was shown. A
 * missing rule passes: the deletion reports it.
 */
export async function refuseChangedRule(
	client: Client,
	zone: CommandZone,
	shownRule: Rule,
	signal: AbortSignal,
): Promise<void> {
	if (client.dryRun) return;
	const currentRule = await readIfPresent(() => readRuleById(client, zone.id, shownRule.id, signal));
	if (currentRule) assertRuleUnchanged(zone, shownRule, currentRule, 'deleted');
}

/** Like `refuseChangedRule`, for a filter. */
export async function refuseChangedFilter(
	client: Client,
	zone: CommandZone,
	shownFilter: Filter,
	signal: AbortSignal,
): Promise<void> {
	if (client.dryRun) return;
	const currentFilter = await readIfPresent(() => readFilterById(client, zone.id, shownFilter.id, signal));
	if (currentFilter) assertFilterUnchanged(zone, shownFilter, currentFilter, 'deleted');
}

function refuseChanges(
	zone: CommandZone,
	kind: 'rule' | 'filter',
	id: string,
	changes: readonly string[],
	intent: Intent,
): void {
	if (changes.length === 0) return;
	const name = `${kind === 'rule' ? 'Rule' : 'Filter'} ${id}`;
	throw new Failure('changed_meanwhile', `${name} has changed since you last saw it.`, {
		why: `Someone else changed: ${changes.join(', ')}.`,
		left: `${name} was not ${intent}.`,
		next: `Check its current state: ${formatFirewallGetCommand(zone, kind, id)}`,
	});
}
