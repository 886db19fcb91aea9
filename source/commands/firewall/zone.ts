import {Failure} from '../../failure.ts';
import {listing} from '../../firewall/continuation.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {filterById} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {ruleById} from '../../firewall/rules/rules.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {wayThere} from '../../session/qualify-commands.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import {chooseZone, type ZoneUse} from '../../session/zone.ts';
import type {CommandContext} from '../shell/context.ts';

export type OpenedZone = {readonly client: Client; readonly zone: ChosenZone};

/** Opens the active zone, with a client for it. */
export async function openZone(context: CommandContext, use: ZoneUse): Promise<OpenedZone> {
	const chosen = await chooseZone(context.session, use, context.signal);
	return {client: await context.client(), zone: {...chosen, way: wayThere(context.options)}};
}

export const ruleThere = (opened: OpenedZone, id: string, signal: AbortSignal): Promise<Rule> =>
	there('rule', id, opened, () => ruleById(opened.client, opened.zone.id, id, signal));

export const filterThere = (opened: OpenedZone, id: string, signal: AbortSignal): Promise<Filter> =>
	there('filter', id, opened, () => filterById(opened.client, opened.zone.id, id, signal));

/** Reads a resource by id. Fails with `not_found`, naming the command that lists them. */
async function there<T>(
	what: 'filter' | 'rule',
	id: string,
	{zone}: OpenedZone,
	read: () => Promise<T>,
): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (!isAbsent(error)) throw error;
		throw new Failure('not_found', `There is no ${what} ${id} in ${zone.label}.`, {
			...error.details,
			why: undefined,
			next: `See \`${listing(zone, what)}\` for what there is.`,
		});
	}
}
