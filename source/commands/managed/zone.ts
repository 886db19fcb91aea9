import {managedCommand} from '../../firewall/continuation.ts';
import {managedChangeSentence} from '../../managed/change-words.ts';
import {type InForce, type ManagedZone, readInForce} from '../../managed/in-force.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import {type OpenedZone, openZone} from '../firewall/zone.ts';
import type {OpenedRuleset, RulesetArea} from '../rulesets/area.ts';
import type {CommandContext} from '../shell/context.ts';

/** The managed rules of a zone, as read. */
export type OpenedManaged = OpenedRuleset & {readonly inForce: InForce};

export const managedArea: RulesetArea = {
	rules: 'managed rules',
	command: managedCommand,
	sentence: managedChangeSentence,
};

/** Opens the active zone, and reads its managed rules. */
export async function openManaged(context: CommandContext, use: ZoneUse): Promise<OpenedManaged> {
	return opened(context, await openZone(context, use));
}

/** Opens managed rules for a write, and announces the zone. Fails if its migration is not complete. */
export async function openToWrite(context: CommandContext): Promise<OpenedManaged> {
	const zone = await openZone(context, {writes: true});
	await context.announceWrite(placeOfZone(zone.zone));
	const found = await opened(context, zone);
	if (found.inForce.readOnly) throw found.inForce.readOnly;
	const {managedUnread} = found.inForce;
	if (managedUnread)
		context.output.warn(
			`The managed rulesets could not be read (${managedUnread.message}): ids are checked by the service only.`,
		);
	return found;
}

async function opened({signal}: CommandContext, {client, zone}: OpenedZone): Promise<OpenedManaged> {
	const {id, name = zone.id, plan, label} = zone;
	const managed: ManagedZone = {id, name, plan, label};
	const inForce = await readInForce(client, managed, signal);
	return {client, zone, ruleset: inForce.ruleset, inForce};
}
