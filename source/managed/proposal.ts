import {Failure} from '../failure.ts';
import {zoneNameFailure} from '../firewall/zone-name.ts';
import {checkConfiguration} from '../migration/configuration/checks.ts';
import {type Configuration, fingerprint, withoutOwn} from '../migration/configuration/configuration.ts';
import {configurationDifference, type Difference} from '../migration/configuration/difference.ts';
import {applyEdit, type Edit} from '../migration/configuration/edits.ts';
import type {Finding} from '../migration/configuration/findings.ts';
import {findReductions} from '../migration/configuration/reductions.ts';
import {changeRuleset, type RulesetOutcome} from '../rulesets/change.ts';
import {editRequest, editTo, type RulesetEdit} from '../rulesets/edit.ts';
import {managedPhase, type RulesetRule, readRulesetRule} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {inZone} from '../text/advice.ts';
import type {InForce} from './in-force.ts';

/** A planned change of the active managed rules. */
export type Proposal = {
	/** The rules after the change; existing ones keep their ids, new ones have none. */
	readonly after: Configuration;
	/** Fingerprint of `after`. */
	readonly fingerprint: string;
	/** The single edit to get there; undefined if nothing differs. */
	readonly edit: RulesetEdit | undefined;
	readonly differences: readonly Difference[];
	/** Problems that this change introduces; existing ones are omitted. */
	readonly findings: readonly Finding[];
	/** Sentences on reduced protection; if there are any, the zone's name is required. */
	readonly reductions: readonly string[];
};

type ProposalOptions = {
	/** Unknown fields and functions of expressions are warnings. */
	readonly allowUnknown?: boolean | undefined;
};

/** Plans the change from the active rules to these. Pure: reads and sends nothing. */
export function propose(inForce: InForce, after: Configuration, options: ProposalOptions = {}): Proposal {
	const before = inForce.configuration;
	return {
		after,
		fingerprint: fingerprint(after),
		edit: editTo(inForce.ruleset?.rules ?? [], after.rules.map(readRulesetRule)),
		differences: configurationDifference(before, after),
		findings: newFindings(inForce, after, options),
		reductions: reductionsBetween(inForce, before, after),
	};
}

type Rules = Pick<Configuration, 'rules'>;

/** Describes how a change reduces protection. */
const reductionsBetween = (
	{zone: {name}, managed}: Pick<InForce, 'zone' | 'managed'>,
	before: Rules,
	after: Rules,
): readonly string[] => findReductions(before, after, {zone: name, managed});

/** Builds `--confirm ZONE` for a printed command if needed. */
export const confirmOptions = (
	{zone: {name}}: Pick<InForce, 'zone'>,
	{reductions}: Pick<Proposal, 'reductions'>,
): readonly string[] => (reductions.length > 0 ? ['--confirm', name] : []);

/** Builds the options of a printed command that changes the rules from `now` to `then`. */
export function restoreOptions(
	inForce: Pick<InForce, 'zone' | 'managed'>,
	now: readonly RulesetRule[],
	then: readonly RulesetRule[],
): readonly string[] {
	return confirmOptions(inForce, {reductions: reductionsBetween(inForce, {rules: now}, {rules: then})});
}

/** Plans edits applied in sequence. Fails as `applyEdit` does. */
export const proposeEdits = (
	inForce: InForce,
	edits: readonly Edit[],
	options: ProposalOptions = {},
): Proposal => propose(inForce, edits.reduce(applyEdit, inForce.configuration), options);

function newFindings(
	{zone, configuration, managed}: InForce,
	after: Configuration,
	options: ProposalOptions,
): readonly Finding[] {
	const before = withoutOwn(configuration);
	const found = (checked: Configuration) =>
		checkConfiguration(withoutOwn(checked), zone, before, managed, options);
	const keyed = (checked: Configuration, {rule, sentence}: Finding) =>
		`${rule === undefined ? '' : checked.rules[rule]?.id} ${sentence}`;
	const known = new Set(found(configuration).map(finding => keyed(configuration, finding)));
	return found(after).filter(finding => !known.has(keyed(after, finding)));
}

/** Builds the request of a proposal for display; undefined if nothing differs. */
export const requestOf = ({zone, ruleset}: InForce, {edit}: Proposal) =>
	edit && editRequest(zone.id, managedPhase, ruleset, edit);

/** The zone's name typed as confirmation. */
type Confirmed = {readonly zone?: string | undefined};

/** Finds why a proposal cannot be sent even if confirmed; undefined if it can. */
export function hindranceOf({readOnly}: InForce, {findings}: Proposal): Failure | undefined {
	if (readOnly) return readOnly;
	const wrong = findings.filter(({severity}) => severity === 'error');
	if (wrong.length === 0) return undefined;
	return new Failure('input_malformed', 'Something in the change is wrong.', {
		why: wrong.map(findingSentence).join('\n'),
		left: 'Nothing was sent.',
		next: 'Correct it, and try again.',
	});
}

/** Formats a finding with its rule's place, counted from 1. Holds raw text of data. */
export const findingSentence = ({rule, sentence}: Finding): string =>
	rule === undefined ? sentence : `rule ${rule + 1}: ${sentence}`;

/** Returns a failure if the zone's name is required and missing or wrong. */
function unconfirmed(
	{zone: {name}}: InForce,
	{reductions}: Proposal,
	{zone: typed}: Confirmed,
): Failure | undefined {
	if (reductions.length === 0 || typed === name) return undefined;
	return zoneNameFailure({name}, reductions, typed);
}

/**
 * Sends a proposal with one call, unless it is blocked, unconfirmed, or the rules have changed since. Never
 * starts a migration, never retries, never rejects.
 */
export async function sendProposal(
	client: Client,
	inForce: InForce,
	proposal: Proposal,
	confirmed: Confirmed,
	work: {readonly signal: AbortSignal; onLook?: (() => void) | undefined},
): Promise<RulesetOutcome> {
	const {edit} = proposal;
	const failure =
		hindranceOf(inForce, proposal) ??
		(client.dryRun ? undefined : unconfirmed(inForce, proposal, confirmed)) ??
		(edit ? undefined : new Failure('internal', 'A change that changes nothing was to be sent.'));
	if (failure || !edit) return {state: 'nothing', refused: true, failure: failure as Failure};
	const {zone, ruleset} = inForce;
	return changeRuleset(
		client,
		{zone: zone.id, phase: managedPhase, shown: ruleset, edit, where: inZone('managed', 'show')},
		work,
	);
}
