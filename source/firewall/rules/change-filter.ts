import type {Client} from '../../service/client.ts';
import {findNamedId, getRefusalBody} from '../../service/refusal.ts';
import {executeChange} from '../../service/settle.ts';
import {formatExchangeFilterCommand} from '../commands.ts';
import {buildRuleConfirmOptions} from './broad-rule.ts';
import {buildFilterUpdateChange} from './changes.ts';
import type {Filter, FilterDraft} from './filter.ts';
import type {FirewallZone, Rule} from './rule.ts';
import {findFilterUsers} from './users.ts';

/** A change to a filter, with the rules that it affects. */
export type FilterChange = {
	readonly before: Filter;
	readonly after: Filter;
	/**
	 * Firewall rules on the filter; all of them match the new expression. Other features may use it as well.
	 */
	readonly rulesOnFilter: readonly Rule[];
};

/** Plans a filter change without sending anything. Settings missing from `changes` stay. */
export function planFilterChange(
	before: Filter,
	changes: Partial<FilterDraft>,
	rules: readonly Rule[],
): FilterChange {
	const after: Filter = {
		id: before.id,
		expression: changes.expression ?? before.expression,
		paused: changes.paused ?? before.paused,
		description: changes.description ?? before.description,
		ref: changes.ref ?? before.ref,
	};
	return {before, after, rulesOnFilter: findFilterUsers(before.id, rules)};
}

/**
 * Changes a filter for all rules on it, with one call. If another filter already has the new expression (code
 * 10102), the failure says how to switch the rules to that filter.
 */
export async function changeFilter(
	client: Client,
	zone: FirewallZone,
	{before, after, rulesOnFilter}: FilterChange,
	{signal}: {readonly signal: AbortSignal},
): Promise<Filter> {
	const outcome = await executeChange(client, buildFilterUpdateChange(zone, after, before), {signal});
	if (outcome.state === 'done') return outcome.value;
	const {failure} = outcome;
	const filterId = findNamedId(getRefusalBody(failure)?.errors ?? []);
	if (
		failure.details.outcomeUnknown ||
		failure.code !== 'already_exists' ||
		filterId === undefined ||
		filterId === after.id
	)
		throw failure;
	const commands = rulesOnFilter.map(rule => {
		const confirmOptions = buildRuleConfirmOptions(zone, [{before: rule, after: {...rule, filter: after}}]);
		return formatExchangeFilterCommand(zone, rule.id, filterId, confirmOptions);
	});
	const next = [
		`Filter ${filterId} already has this expression.`,
		...(commands.length > 0 ? ['Switch the rules to that filter:', ...commands] : []),
	].join('\n');
	throw failure.withDetails({next});
}
