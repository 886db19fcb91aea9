import {filterChange, changeFilter as putChange} from '../firewall/change-filter.ts';
import type {Filter} from '../firewall/filter.ts';
import {filterById} from '../firewall/filters.ts';
import {rules} from '../firewall/rules.ts';
import {named} from '../firewall/users.ts';
import {confirm} from '../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import {type OpenedZone, there} from './firewall-zone.ts';

/**
 * Changes a filter for all that use it. What changes the requests that are meant (the expression, the pause) is
 * confirmed when rules use it, other than the one that is changed with it.
 */
export async function changeFilter(
	context: CommandContext,
	opened: OpenedZone,
	id: string,
	changes: Partial<Omit<Filter, 'id'>>,
	changedWith?: string,
): Promise<Filter> {
	const {client, zone} = opened;
	const {signal} = context;
	const filter = await there('filter', id, opened, () => filterById(client, zone.id, id, signal));
	const all = await Array.fromAsync(rules(client, zone.id, signal));
	const change = filterChange(zone, filter, changes, all);
	const users = change.users.filter(rule => rule.id !== changedWith);
	const means = changes.expression !== undefined || changes.paused !== undefined;
	if (means && users.length > 0 && !context.options.dryRun) {
		const what = changes.expression === undefined ? 'the pause' : 'the expression';
		const who = `${changedWith === undefined ? '' : 'also '}used by ${named(users)}`;
		await confirm(
			`Change ${what} of filter ${id} in ${zone.label}? It is ${who}.`,
			context.confirmation(),
			signal,
		);
	}
	return context.audited(`update filter ${id}`, zone.label, async () => {
		const done = await putChange(client, zone, change, {signal});
		if (done.state !== 'changed') throw done.failure;
		return done.filter;
	});
}
