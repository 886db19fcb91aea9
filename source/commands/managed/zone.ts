import {formatManagedCommand} from '../../firewall/continuation.ts';
import {describeManagedChange} from '../../managed/change-words.ts';
import {type ManagedRulesState, type ManagedZone, readManagedState} from '../../managed/in-force.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import {type OpenedZone, openZone} from '../firewall/zone.ts';
import type {OpenedRuleset, RulesetArea} from '../rulesets/area.ts';
import type {CommandContext} from '../shell/context.ts';

/** The managed rules of a zone, as read. */
export type OpenedManaged = OpenedRuleset & {readonly inForce: ManagedRulesState};

export const managedArea: RulesetArea = {
	rules: 'managed rules',
	command: formatManagedCommand,
	sentence: describeManagedChange,
};

/** Opens the active zone, and reads its managed rules. */
export async function openManaged(context: CommandContext, use: ZoneUse): Promise<OpenedManaged> {
	return loadManagedZone(context, await openZone(context, use));
}

/** Opens managed rules for a write, and announces the zone. Fails if its migration is not complete. */
export async function openManagedForWriting(context: CommandContext): Promise<OpenedManaged> {
	const zone = await openZone(context, {writes: true});
	await context.announceWrite(toZonePlace(zone.zone));
	const found = await loadManagedZone(context, zone);
	if (found.inForce.readOnly) throw found.inForce.readOnly;
	const {managedUnread} = found.inForce;
	if (managedUnread)
		context.output.warn(
			`The managed rulesets could not be read (${managedUnread.message}): ids are checked by the service only.`,
		);
	return found;
}

async function loadManagedZone({signal}: CommandContext, {client, zone}: OpenedZone): Promise<OpenedManaged> {
	const {id, name = zone.id, plan, label} = zone;
	const managed: ManagedZone = {id, name, plan, label};
	const inForce = await readManagedState(client, managed, signal);
	return {client, zone, ruleset: inForce.ruleset, inForce};
}
