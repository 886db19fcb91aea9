import {Failure} from '../failure.ts';
import {createZoneNameFailure} from '../firewall/zone-name.ts';
import {checkConfiguration} from '../migration/configuration/checks.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	omitServiceFields,
} from '../migration/configuration/configuration.ts';
import {type ConfigurationDifference, compareConfigurations} from '../migration/configuration/difference.ts';
import {applyEdit, type ConfigurationEdit} from '../migration/configuration/edits.ts';
import type {ConfigurationFinding} from '../migration/configuration/findings.ts';
import {findReductions} from '../migration/configuration/reductions.ts';
import {describeWeakenedRules} from '../migration/configuration/weakened-rules.ts';
import {changeRuleset, type RulesetOutcome} from '../rulesets/change.ts';
import {buildEditRequest, computeRulesetEdit, type RulesetEdit} from '../rulesets/edit.ts';
import {managedPhase, type RulesetRule, readRulesetRule} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {buildZoneCommand} from '../text/advice.ts';
import type {ManagedRulesState} from './state.ts';

/** A planned change of the active managed rules. */
export type ManagedProposal = {
	/** The rules after the change; existing ones keep their ids, new ones have none. */
	readonly newConfiguration: ManagedConfiguration;
	/** Fingerprint of the new configuration. */
	readonly fingerprint: string;
	/** The edit that makes this change with one call; undefined if nothing differs. */
	readonly edit: RulesetEdit | undefined;
	readonly differences: readonly ConfigurationDifference[];
	/** Problems that this change introduces; existing ones are omitted. */
	readonly findings: readonly ConfigurationFinding[];
	/** Sentences on reduced protection; if there are any, the zone's name is required. */
	readonly reductions: readonly string[];
	/** Sentences on managed rules that are weakened beyond that; they do not require the zone's name. */
	readonly weakenedRules: readonly string[];
};

type ProposalOptions = {
	/** Reports unknown fields and functions in expressions as warnings instead of errors. */
	readonly allowUnknown?: boolean | undefined;
};

/** Plans the change from the active rules to these. Pure: reads and sends nothing. */
export function proposeConfiguration(
	state: ManagedRulesState,
	newConfiguration: ManagedConfiguration,
	options: ProposalOptions = {},
): ManagedProposal {
	const oldConfiguration = state.configuration;
	return {
		newConfiguration,
		fingerprint: computeFingerprint(newConfiguration),
		edit: computeRulesetEdit(state.ruleset?.rules ?? [], newConfiguration.rules.map(readRulesetRule)),
		differences: compareConfigurations(oldConfiguration, newConfiguration),
		findings: findNewFindings(state, newConfiguration, options),
		reductions: listReductions(state, oldConfiguration, newConfiguration),
		weakenedRules: describeWeakenedRules(oldConfiguration, newConfiguration, state.catalogue),
	};
}

type Rules = Pick<ManagedConfiguration, 'rules'>;

/** Describes how a change reduces protection. */
const listReductions = (
	{zone: {name}, catalogue}: Pick<ManagedRulesState, 'zone' | 'catalogue'>,
	oldConfiguration: Rules,
	newConfiguration: Rules,
): readonly string[] => findReductions(oldConfiguration, newConfiguration, {zoneName: name, catalogue});

/** Builds `--confirm ZONE` for a printed command if needed. */
export const buildProposalConfirmOptions = (
	{zone: {name}}: Pick<ManagedRulesState, 'zone'>,
	{reductions}: Pick<ManagedProposal, 'reductions'>,
): readonly string[] => (reductions.length > 0 ? ['--confirm', name] : []);

/** Builds `--confirm ZONE`, if needed, for a printed command that restores `targetRules`. */
export function buildManagedRestoreOptions(
	state: Pick<ManagedRulesState, 'zone' | 'catalogue'>,
	currentRules: readonly RulesetRule[],
	targetRules: readonly RulesetRule[],
): readonly string[] {
	return buildProposalConfirmOptions(state, {
		reductions: listReductions(state, {rules: currentRules}, {rules: targetRules}),
	});
}

/** Plans edits applied in sequence. Fails as `applyEdit` does. */
export const proposeEdits = (
	state: ManagedRulesState,
	edits: readonly ConfigurationEdit[],
	options: ProposalOptions = {},
): ManagedProposal => proposeConfiguration(state, edits.reduce(applyEdit, state.configuration), options);

function findNewFindings(
	{zone, configuration, catalogue}: ManagedRulesState,
	newConfiguration: ManagedConfiguration,
	options: ProposalOptions,
): readonly ConfigurationFinding[] {
	const baseline = omitServiceFields(configuration);
	const collectFindings = (candidate: ManagedConfiguration) =>
		checkConfiguration(omitServiceFields(candidate), zone, baseline, catalogue, options);
	const getFindingKey = (candidate: ManagedConfiguration, {rule, sentence}: ConfigurationFinding) =>
		`${rule === undefined ? '' : candidate.rules[rule]?.id} ${sentence}`;
	const knownKeys = new Set(
		collectFindings(configuration).map(finding => getFindingKey(configuration, finding)),
	);
	return collectFindings(newConfiguration).filter(
		finding => !knownKeys.has(getFindingKey(newConfiguration, finding)),
	);
}

/** Builds the request of a proposal for display; undefined if nothing differs. */
export const buildProposalRequest = ({zone, ruleset}: ManagedRulesState, {edit}: ManagedProposal) =>
	edit && buildEditRequest(zone.id, managedPhase, ruleset, edit);

/** The zone's name typed as confirmation. */
type ProposalConfirmation = {readonly zoneName?: string | undefined};

/** Finds why a proposal cannot be sent even if confirmed; undefined if it can. */
export function findProposalBlocker(
	{readOnlyReason}: ManagedRulesState,
	{findings}: ManagedProposal,
): Failure | undefined {
	if (readOnlyReason) return readOnlyReason;
	const errors = findings.filter(({severity}) => severity === 'error');
	if (errors.length === 0) return undefined;
	return new Failure('input_malformed', 'The change contains errors.', {
		why: errors.map(describeConfigurationFinding).join('\n'),
		left: 'Nothing was sent.',
		next: errors.every(({isAllowable}) => isAllowable)
			? 'Fix the errors and try again, or add --allow-unknown to send it: the service may be newer than the tables of ledge.'
			: 'Fix the errors and try again.',
	});
}

/** Formats a finding with the position of its rule, from 1. The text is not escaped for the terminal. */
export const describeConfigurationFinding = ({rule, sentence}: ConfigurationFinding): string =>
	rule === undefined ? sentence : `rule ${rule + 1}: ${sentence}`;

/** Returns a failure if the zone's name is required and missing or wrong. */
function findMissingConfirmation(
	{zone: {name}}: ManagedRulesState,
	{reductions}: ManagedProposal,
	{zoneName: typedName}: ProposalConfirmation,
): Failure | undefined {
	if (reductions.length === 0 || typedName === name) return undefined;
	return createZoneNameFailure({name}, reductions, typedName);
}

/**
 * Sends a proposal with one call, unless it is blocked, unconfirmed, or the rules have changed since. Never
 * starts a migration, never retries, never rejects.
 */
export async function sendProposal(
	client: Client,
	state: ManagedRulesState,
	proposal: ManagedProposal,
	confirmation: ProposalConfirmation,
	sendOptions: {readonly signal: AbortSignal; onRecheck?: (() => void) | undefined},
): Promise<RulesetOutcome> {
	const {edit} = proposal;
	const failure =
		findProposalBlocker(state, proposal) ??
		(client.dryRun ? undefined : findMissingConfirmation(state, proposal, confirmation)) ??
		(edit ? undefined : new Failure('internal', 'The change is empty; there is nothing to send.'));
	if (failure || !edit) return {state: 'nothing', refused: true, failure: failure as Failure};
	const {zone, ruleset} = state;
	return changeRuleset(
		client,
		{
			zoneId: zone.id,
			phase: managedPhase,
			baseline: ruleset,
			edit,
			inspectCommand: buildZoneCommand('managed', 'show'),
		},
		sendOptions,
	);
}
