import {findZoneNameReasons} from '../../firewall/rules/broad-rule.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {confirmZoneName, createZoneNameOption, type ZoneNameOptions} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';

export const createConfirmOption = () =>
	createZoneNameOption(
		'required for a rule that affects nearly all traffic, or to pause or delete more than 10 rules',
	);

/** Requires the zone's name if a write of these rules needs it. Returns the name that was given or typed. */
export const confirmBroadRules = (
	context: CommandContext,
	zone: Pick<FirewallZone, 'name'>,
	changes: Parameters<typeof findZoneNameReasons>[1],
	{confirm}: ZoneNameOptions,
): Promise<string | undefined> => confirmZoneName(context, zone, findZoneNameReasons(zone, changes), confirm);
