import {isDeepStrictEqual} from 'node:util';
import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {type CommandZone, formatFirewallGetCommand} from '../continuation.ts';
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
export const listChanges = ({filter: old, ...before}: Rule, {filter, ...now}: Rule): string[] => [
	...listDifferences(before, now),
	...listDifferences(old, filter).map(name => `filter ${name}`),
];

/** Fails with `changed_meanwhile` if a rule differs from what was shown before the write. */
export function assertRuleUnchanged(zone: CommandZone, shown: Rule, now: Rule, intent: Intent): void {
	refuseChanges(zone, 'rule', shown.id, listChanges(shown, now), intent);
}

/** Fails with `changed_meanwhile` if a filter differs from what was shown before the write. */
export function assertFilterUnchanged(zone: CommandZone, shown: Filter, now: Filter, intent: Intent): void {
	refuseChanges(zone, 'filter', shown.id, listDifferences(shown, now), intent);
}

/**
 * Re-reads the rules on a filter before it is written. Fails with `changed_meanwhile` if they differ from
 * those shown.
 */
export async function refuseChangedUsers(
	client: Client,
	zone: CommandZone,
	{id}: Pick<Filter, 'id'>,
	shown: readonly Rule[],
	intent: Intent,
	signal: AbortSignal,
): Promise<void> {
	const now = await listRulesOnFilter(client, zone.id, id, signal);
	const isShown = (rule: Rule) =>
		shown.some(one => one.id === rule.id && listChanges(one, rule).length === 0);
	if (now.length === shown.length && now.every(isShown)) return;
	const users = now.length === 0 ? 'no rule uses it now' : `now used by ${formatRuleNames(now)}`;
	refuseChanges(zone, 'filter', id, [`the rules that use it (${users})`], intent);
}

/**
 * Re-reads a rule before it is deleted. Fails with `changed_meanwhile` if it differs from what was shown. A
 * missing rule passes: the deletion reports it.
 */
export async function refuseChangedRule(
	client: Client,
	zone: CommandZone,
	shown: Rule,
	signal: AbortSignal,
): Promise<void> {
	if (client.dryRun) return;
	const now = await readIfPresent(() => readRuleById(client, zone.id, shown.id, signal));
	if (now) assertRuleUnchanged(zone, shown, now, 'deleted');
}

/** Like `refuseChangedRule`, for a filter. */
export async function refuseChangedFilter(
	client: Client,
	zone: CommandZone,
	shown: Filter,
	signal: AbortSignal,
): Promise<void> {
	if (client.dryRun) return;
	const now = await readIfPresent(() => readFilterById(client, zone.id, shown.id, signal));
	if (now) assertFilterUnchanged(zone, shown, now, 'deleted');
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
	throw new Failure('changed_meanwhile', `${name} has changed since it was shown.`, {
		why: `Someone else changed: ${changes.join(', ')}.`,
		left: `${name} was not ${intent}.`,
		next: `See its current state: ${formatFirewallGetCommand(zone, kind, id)}`,
	});
}
