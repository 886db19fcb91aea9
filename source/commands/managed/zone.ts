import {formatManagedCommand} from '../../firewall/continuation.ts';
import {describeManagedChange} from '../../managed/change-words.ts';
import {type ManagedRulesState, type ManagedZone, readManagedState} from '../../managed/in-force.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import {type OpenedZone, openZone} from '../firewall/zone.ts';
import type {OpenedRuleset, RulesetArea} from '../rulesets/area.ts';
import type {CommandContext} from '../shell/context.ts';

/** A zone and its managed rules, as read. */
export type OpenedManagedZone = OpenedRuleset & {readonly inForce: ManagedRulesState};

export const managedArea: RulesetArea = {
	rules: 'managed rules',
	command: formatManagedCommand,
	sentence: describeManagedChange,
};

/** Opens the active zone, and reads its managed rules. */
export async function openManaged(context: CommandContext, use: ZoneUse): Promise<OpenedManagedZone> {
	return loadManagedZone(context, await openZone(context, use));
}

/** Opens managed rules for a write, and announces the zone. Fails if its migration is not complete. */
export async function openManagedForWriting(context: CommandContext): Promise<OpenedManagedZone> {
	const openedZone = await openZone(context, {writes: true});
	await context.announceWrite(toZonePlace(openedZone.zone));
	const managedZone = await loadManagedZone(context, openedZone);
	if (managedZone.inForce.readOnly) throw managedZone.inForce.readOnly;
	const {managedUnread} = managedZone.inForce;
	if (managedUnread)
		context.output.warn(
			`The managed rulesets could not be read (${managedUnread.message}): ids are checked by the service only.`,
		);
	return managedZone;
}

async function loadManagedZone(
	{signal}: CommandContext,
	{client, zone}: OpenedZone,
): Promise<OpenedManagedZone> {
	const {id, name = zone.id, plan, label} = zone;
	const zoneFacts: ManagedZone = {id, name, plan, label};
	const inForce = await readManagedState(client, zoneFacts, signal);
	return {client, zone, ruleset: inForce.ruleset, inForce};
}
