import {toFailure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import {sendProposal} from '../../managed/proposal.ts';
import {readStageAccess} from '../../managed/state.ts';
import type {PhaseChange} from '../../rule-files/plan.ts';
import type {ZoneRules} from '../../rule-files/zone-rules.ts';
import {changeRuleset, type RulesetOutcome} from '../../rulesets/change.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {quoteShellWord} from '../../service/curl.ts';
import {customPhaseTexts, rateLimitPhaseTexts} from '../firewall/phase-rules.ts';
import type {OpenedZone} from '../firewall/zone.ts';
import {buildManagedPhaseTexts} from '../managed/zone.ts';
import type {PhaseTexts} from '../rulesets/phase-texts.ts';

type ManagedState = ZoneRules['managedState'];

/** Returns the texts and commands of a phase. */
export function getPhaseTexts({section}: PhaseChange, managedState: ManagedState): Required<PhaseTexts> {
	switch (section.key) {
		case 'custom_rules':
			return customPhaseTexts;
		case 'rate_limits':
			return rateLimitPhaseTexts;
		case 'managed_rules':
			return buildManagedPhaseTexts(managedState);
		default:
			return section.key satisfies never;
	}
}

/** Formats the command that restores the rules of a phase as they were before the change. */
export function formatPhaseUndoCommand(
	{zone}: OpenedZone,
	{section, ruleset}: PhaseChange,
	texts: Required<PhaseTexts>,
	currentRules: readonly RulesetRule[],
): string {
	if (ruleset)
		return texts.formatCommand(
			zone,
			['restore', ruleset.version],
			texts.buildChangeOptions(zone, currentRules, ruleset.rules),
		);
	// The zone had no such rules, so there is no version to restore.
	const empty = quoteShellWord(`${section.key}: []`);
	return `echo ${empty} | ${formatRulesCommand(zone, ['apply', '-'], ['--confirm', zone.name])}`;
}

/**
 * Makes the change of a phase with one call, unless the phase has changed since it was planned. Managed rules
 * are sent only if the zone still reports its migration as complete. Never rejects.
 */
export async function writePhase(
	{client, zone}: OpenedZone,
	change: PhaseChange,
	managedState: ManagedState,
	sendOptions: {readonly signal: AbortSignal; readonly onRecheck: () => void},
): Promise<RulesetOutcome> {
	const {section, ruleset, edit, proposal} = change;
	if (section.key === 'managed_rules') {
		try {
			if (!managedState || !proposal) throw new Error('The managed rules were not planned.');
			const {readOnlyReason} = await readStageAccess(client, managedState.zone, sendOptions.signal);
			if (readOnlyReason) throw readOnlyReason;
			return await sendProposal(client, managedState, proposal, {zoneName: zone.name}, sendOptions);
		} catch (error) {
			const failure = toFailure(error);
			return {state: 'nothing', refused: true, failure: failure.withDetails({left: 'Nothing was sent.'})};
		}
	}
	if (!edit) throw new Error('The phase does not change.');
	const inspectCommand = getPhaseTexts(change, managedState).formatCommand(zone, ['list']);
	return changeRuleset(
		client,
		{
			zoneId: zone.id,
			phase: section.phase,
			baseline: ruleset,
			edit,
			inspectCommand,
		},
		sendOptions,
	);
}
