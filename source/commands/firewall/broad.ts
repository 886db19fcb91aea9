import type {Option} from 'commander';
import {type ActingChange, findNameReasons} from '../../firewall/rules/broad-rule.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmZoneName, type ZoneNameOptions, zoneNameOption} from '../shell/zone-name.ts';

export const confirmOption = (): Option => zoneNameOption('for a rule that acts on nearly all its traffic');

/** Requires the zone's name where one of the rules comes to act on all or nearly all traffic. */
export async function confirmBroad(
	context: CommandContext,
	zone: Pick<FirewallZone, 'name'>,
	changes: readonly ActingChange[],
	{confirm}: ZoneNameOptions,
): Promise<void> {
	await confirmZoneName(context, zone, findNameReasons(zone, changes), confirm);
}
