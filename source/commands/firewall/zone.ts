import {Failure} from '../../failure.ts';
import {formatFirewallListCommand} from '../../firewall/commands.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {readFilterById} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {readRuleById} from '../../firewall/rules/rules.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import {chooseZone, type ZoneUse} from '../../session/zone.ts';
import type {CommandContext} from '../shell/context.ts';

export type OpenedZone = {readonly client: Client; readonly zone: ChosenZone};

/** Opens the active zone, with a client for it. */
export async function openZone(context: CommandContext, use: ZoneUse): Promise<OpenedZone> {
	const chosenZone = await chooseZone(context.session, use, context.signal);
	return {
		client: await context.client(),
		zone: {...chosenZone, sessionOptions: formatSessionOptions(context.options)},
	};
}

/** Reads the zone that the options name; without one, the service is not called. */
export const loadNamedZone = async ({
	session,
	options,
	signal,
}: CommandContext): Promise<ChosenZone | undefined> =>
	options.zone === undefined && options.zoneId === undefined
		? undefined
		: chooseZone(session, {writes: false}, signal);

export const loadFirewallRule = (openedZone: OpenedZone, id: string, signal: AbortSignal): Promise<Rule> =>
	loadById('rule', id, openedZone, () => readRuleById(openedZone.client, openedZone.zone.id, id, signal));

export const loadFilter = (openedZone: OpenedZone, id: string, signal: AbortSignal): Promise<Filter> =>
	loadById('filter', id, openedZone, () => readFilterById(openedZone.client, openedZone.zone.id, id, signal));

/** Reads a resource by id. Fails with `not_found`, naming the command that lists them. */
async function loadById<T>(
	kind: 'filter' | 'rule',
	id: string,
	{zone}: OpenedZone,
	read: () => Promise<T>,
): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (!isAbsent(error)) throw error;
		throw new Failure('not_found', `There is no ${kind} ${id} in ${zone.label}.`, {
			...error.details,
			why: undefined,
			next: `To list all ${kind}s: \`${formatFirewallListCommand(zone, kind)}\``,
		});
	}
}
