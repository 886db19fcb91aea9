import {formatManagedCommand} from '../../firewall/commands.ts';
import {describeManagedChange} from '../../managed/change-words.ts';
import {buildManagedRestoreOptions} from '../../managed/proposal.ts';
import {type ManagedRulesState, type ManagedZone, readManagedState} from '../../managed/state.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import {type OpenedZone, openZone} from '../firewall/zone.ts';
import type {OpenedRuleset, PhaseTexts} from '../rulesets/phase-texts.ts';
import type {CommandContext} from '../shell/context.ts';

/** A zone and its managed rules, as read. */
export type OpenedManagedZone = OpenedRuleset & {readonly managedState: ManagedRulesState};

export const managedPhaseTexts: PhaseTexts = {
	rulesNoun: 'managed rules',
	formatCommand: formatManagedCommand,
	describeChange: describeManagedChange,
};

/** Adds to the texts how rules are restored in a zone; without its state, a restore is printed without options. */
export const buildManagedPhaseTexts = (
	managedState: ManagedRulesState | undefined,
): Required<PhaseTexts> => ({
	...managedPhaseTexts,
	buildChangeOptions: (_zone, currentRules, targetRules) =>
		managedState ? buildManagedRestoreOptions(managedState, currentRules, targetRules) : [],
});

/** Opens the active zone, and reads its managed rules. */
export async function openManaged(context: CommandContext, use: ZoneUse): Promise<OpenedManagedZone> {
	return loadManagedZone(context, await openZone(context, use));
}

/** Opens managed rules for a write, and announces the zone. Fails if its migration is not complete. */
export async function openManagedForWriting(context: CommandContext): Promise<OpenedManagedZone> {
	const openedZone = await openZone(context, {writes: true});
	await context.announceWrite(toZonePlace(openedZone.zone));
	const managedZone = await loadManagedZone(context, openedZone);
	if (managedZone.managedState.readOnlyReason) throw managedZone.managedState.readOnlyReason;
	const {catalogueFailure} = managedZone.managedState;
	if (catalogueFailure)
		context.output.warn(
			`The managed rulesets could not be loaded (${catalogueFailure.message}): only the service checks ids.`,
		);
	return managedZone;
}

async function loadManagedZone(
	{signal}: CommandContext,
	{client, zone}: OpenedZone,
): Promise<OpenedManagedZone> {
	const {id, name = zone.id, plan, label} = zone;
	const zoneFacts: ManagedZone = {id, name, plan, label};
	const managedState = await readManagedState(client, zoneFacts, signal);
	return {client, zone, ruleset: managedState.ruleset, managedState};
}
