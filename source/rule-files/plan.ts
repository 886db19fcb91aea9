import {Failure} from '../failure.ts';
import {findCustomRuleZoneNameReasons} from '../firewall/rules/name-reasons.ts';
import {type ManagedProposal, proposeConfiguration} from '../managed/proposal.ts';
import {toConfiguration} from '../managed/state.ts';
import {isIdenticalRule, listRuleChanges, type RuleChange} from '../rulesets/difference.ts';
import {buildEditRequest, computeRulesetEdit, type RulesetEdit} from '../rulesets/edit.ts';
import {matchRules} from '../rulesets/match.ts';
import type {Ruleset, RulesetRule} from '../rulesets/ruleset.ts';
import type {ZonePlan} from '../service/plan.ts';
import {checkFileRules, checkRuleCount, type FileFinding, toManagedFindings} from './checks.ts';
import {type FieldChange, listFieldChanges} from './field-changes.ts';
import type {RulesFile} from './parse.ts';
import {describeRuleReductions} from './reductions.ts';
import {ruleSections} from './sections.ts';
import type {ZoneRules} from './zone-rules.ts';

type Section = (typeof ruleSections)[number];

/** A change of one rule, and what it means. */
export type PlannedChange = RuleChange & {
	/** The fields that differ, if the rule stays. */
	readonly fields: readonly FieldChange[];
	/** How the change reduces protection, as sentences. */
	readonly reductions: readonly string[];
};

/** The change of one phase. */
export type PhaseChange = {
	readonly section: Section;
	readonly state: 'same' | 'different';
	/** The entry point that was read; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
	readonly targetRules: readonly RulesetRule[];
	/** The edit that makes the change with one call; undefined if nothing differs. */
	readonly edit: RulesetEdit | undefined;
	readonly changes: readonly PlannedChange[];
	/** Reductions of protection by the phase as a whole, beyond those of single changes. */
	readonly reductions: readonly string[];
	/** For managed rules only. */
	readonly proposal: ManagedProposal | undefined;
};

/** What applying a file does to one phase. */
export type PhasePlan =
	| PhaseChange
	/** The file has no such section; the phase stays as it is. */
	| {readonly section: Section; readonly state: 'not in file'}
	/** The phase can't be changed. */
	| {readonly section: Section; readonly state: 'left out'; readonly reason: Failure};

/** What applying a file to a zone does; all that is sent is in it. */
export type RulesPlan = {
	readonly phases: readonly PhasePlan[];
	readonly findings: readonly FileFinding[];
};

type PlanOptions = {
	readonly zone: {readonly id: string; readonly name: string; readonly plan: ZonePlan | undefined};
	/** Accepts fields and functions that ledge does not know. */
	readonly allowUnknown?: boolean | undefined;
};

/** Plans what applying a file to a zone changes. Pure: reads and sends nothing. */
export function planRules(file: RulesFile, zoneRules: ZoneRules, options: PlanOptions): RulesPlan {
	const findings: FileFinding[] = [];
	const phases = ruleSections.map((section): PhasePlan => {
		const {key} = section;
		const fileRules = file.data[key];
		if (!fileRules) return {section, state: 'not in file'};
		const reading = zoneRules[key];
		if (reading instanceof Failure) return {section, state: 'left out', reason: reading};
		const {phaseChange, phaseFindings} = planPhase(file, zoneRules, {
			section,
			fileRules,
			reading,
			...options,
		});
		findings.push(...phaseFindings);
		return phaseChange;
	});
	return {phases, findings};
}

type PhaseInput = PlanOptions & {
	readonly section: Section;
	readonly fileRules: readonly RulesetRule[];
	readonly reading: {readonly ruleset: Ruleset | undefined};
};

function planPhase(
	file: RulesFile,
	{managedState}: ZoneRules,
	{section, fileRules, reading: {ruleset}, zone, allowUnknown}: PhaseInput,
): {readonly phaseChange: PhaseChange; readonly phaseFindings: readonly FileFinding[]} {
	const {key} = section;
	const currentRules = ruleset?.rules ?? [];
	const targetRules = buildTargetRules(currentRules, fileRules);
	const edit = computeRulesetEdit(currentRules, targetRules);
	const changes = listRuleChanges(currentRules, targetRules);
	const proposal =
		key === 'managed_rules' && managedState
			? proposeConfiguration(
					managedState,
					{name: toConfiguration(ruleset).name, rules: targetRules},
					{allowUnknown},
				)
			: undefined;
	return {
		phaseChange: {
			section,
			state: edit ? 'different' : 'same',
			ruleset,
			targetRules,
			edit,
			changes: changes.map(change => ({
				...change,
				fields: change.kind === 'changed' ? listFieldChanges(change.before, change.rule) : [],
				reductions: proposal ? [] : describeRuleReductions(change, currentRules, targetRules),
			})),
			reductions: proposal
				? proposal.reductions
				: findCustomRuleZoneNameReasons(zone, currentRules, targetRules),
			proposal,
		},
		phaseFindings:
			key === 'managed_rules'
				? proposal
					? toManagedFindings(file, proposal)
					: []
				: [
						...checkFileRules(file, key, changes, {plan: zone.plan, allowUnknown}),
						...checkRuleCount(file, key, currentRules.length, targetRules.length, zone.plan),
					],
	};
}

/**
 * Builds the rules that a phase has after the change. A rule of the file keeps the id of its counterpart in the
 * zone, and its reference if the file has none; ids of other zones are dropped. A rule that does not change is
 * sent as the service has it.
 */
function buildTargetRules(
	currentRules: readonly RulesetRule[],
	fileRules: readonly RulesetRule[],
): readonly RulesetRule[] {
	const matches = matchRules(fileRules, currentRules);
	return fileRules.map(({id, ref, ...fields}, index) => {
		const match = matches[index];
		const ownRef = ref === id ? match?.ref : (ref ?? match?.ref);
		const rule = {
			...(match?.id !== undefined && {id: match.id}),
			...(ownRef !== undefined && {ref: ownRef}),
			// Explicit, so that no service takes a missing field for an unchanged one.
			...(match && {description: '', enabled: true}),
			...(match?.logging && fields.action === 'skip' && {logging: {enabled: true}}),
			...fields,
		} as RulesetRule;
		return match && isIdenticalRule(match, rule) ? match : rule;
	});
}

/** Builds the request of a planned change for display; undefined if nothing differs. */
export const buildPhaseRequest = (zoneId: string, {section, ruleset, edit}: PhaseChange) =>
	edit && buildEditRequest(zoneId, section.phase, ruleset, edit);

export const isPhaseChange = (plan: PhasePlan): plan is PhaseChange =>
	plan.state === 'same' || plan.state === 'different';

/** True if applying the file would change the zone, or could not apply a part of it. */
export const hasDifference = ({phases}: RulesPlan): boolean =>
	phases.some(({state}) => state === 'different' || state === 'left out');
