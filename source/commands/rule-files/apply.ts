import {Failure, toFailure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import type {RulesFile} from '../../rule-files/parse.ts';
import {isPhaseChange, type PhaseChange, type PhasePlan, type RulesPlan} from '../../rule-files/plan.ts';
import type {ZoneRules} from '../../rule-files/zone-rules.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {isRulesetUnchanged} from '../../rulesets/change.ts';
import {listRuleChanges} from '../../rulesets/difference.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {formatQuantity} from '../../text/figures.ts';
import {type OpenedZone, openZone} from '../firewall/zone.ts';
import {sendRulesetChange} from '../rulesets/send-change.ts';
import {confirmZoneName} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import type {RulesApplyOptions} from './commands.ts';
import {planRulesFile} from './diff.ts';
import {readRulesFile} from './input.ts';
import {formatPhaseUndoCommand, getPhaseTexts, writePhase} from './phase-write.ts';
import {formatRulesPlan, toPhaseJson} from './text.ts';

/** What applying needs besides the plan. */
type Application = {
	readonly openedZone: OpenedZone;
	readonly file: RulesFile;
	readonly fileArgument: string;
	readonly options: RulesApplyOptions;
	readonly managedState: ZoneRules['managedState'];
};

/** A phase that was changed. */
type AppliedPhase = {
	readonly phase: PhaseChange;
	readonly version: string;
	readonly undoCommand: string;
	/** True if the rules are not what was sent. */
	readonly isUnexpected: boolean;
};

/**
 * `rules apply`: makes the rules of a file the active ones. Shows the plan, asks for the zone's name, and sends
 * one call per phase that differs, in the order shown. Stops at the first that fails, and says what was
 * applied. A second run changes nothing.
 */
export async function applyRules(
	context: CommandContext,
	options: RulesApplyOptions,
	fileArgument: string,
): Promise<void> {
	const {output} = context;
	const file = await readRulesFile(context, fileArgument, options);
	const openedZone = await openZone(context, {writes: true});
	const {client, zone} = openedZone;
	await context.announceWrite(toZonePlace(zone));
	const {plan, managedState} = await planRulesFile(context, client, zone, file, options);
	for (const line of formatRulesPlan(zone, file, plan)) output.say(line);
	const phases = plan.phases.filter(isPhaseChange).filter(({edit}) => edit !== undefined);
	const application: Application = {openedZone, file, fileArgument, options, managedState};
	if (phases.length === 0) output.say('Nothing to send.');
	else {
		await confirmZoneName(context, zone, listReasons(zone.name, phases), options.confirm);
		await refuseChangedPhases(context, application, phases);
	}
	const appliedPhases = await applyPhases(context, application, phases);
	const isIncomplete = plan.phases.some(({state}) => state === 'left out');
	if (isIncomplete || appliedPhases.some(({isUnexpected}) => isUnexpected)) context.setExitCode(1);
	if (context.options.dryRun) return;
	for (const {phase, undoCommand} of appliedPhases)
		output.say(`To undo (${phase.section.noun}): ${undoCommand}`);
	if (output.json)
		await output.writeJson(context.markSimulated(toResultJson(application, plan, appliedPhases)));
}

const listReasons = (zoneName: string, phases: readonly PhaseChange[]): readonly string[] => [
	`This changes the ${phases.map(({section}) => section.noun).join(' and the ')} of ${zoneName}: ${formatQuantity(
		phases.reduce((sum, {changes}) => sum + changes.length, 0),
		'change',
	)}.`,
	...(phases.some(({changes}) => changes.some(({reductions}) => reductions.length > 0))
		? ['The changes marked with ! reduce protection.']
		: []),
	...new Set(phases.flatMap(({reductions}) => reductions)),
];

/** Fails, before anything is sent, if a phase has changed since it was read. */
async function refuseChangedPhases(
	{signal}: CommandContext,
	application: Application,
	phases: readonly PhaseChange[],
): Promise<void> {
	const {managedState, openedZone} = application;
	const {client, zone} = openedZone;
	for (const phase of phases) {
		const {section, ruleset} = phase;
		const currentRuleset = await readRulesetEntryPoint(client, zone.id, section.phase, signal);
		if (isRulesetUnchanged(ruleset, currentRuleset)) continue;
		throw new Failure('changed_meanwhile', `Someone else changed the ${section.noun} after they were read.`, {
			why:
				listRuleChanges(ruleset?.rules ?? [], currentRuleset?.rules ?? [])
					.map(change => getPhaseTexts(phase, managedState).describeChange(change))
					.join('\n') || undefined,
			left: 'Nothing was sent.',
			next: `To see what the file changes now: ${formatFileCommand(application, 'diff')}`,
		});
	}
}

/** Formats a command on the same file; standard input cannot be read again. */
function formatFileCommand(
	{openedZone: {zone}, fileArgument, options}: Application,
	command: 'diff' | 'apply',
): string {
	const commandOptions = [
		...(options.format === undefined ? [] : ['--format', options.format]),
		...(options.allowUnknown ? ['--allow-unknown'] : []),
		...(command === 'apply' ? ['--confirm', zone.name] : []),
	];
	return fileArgument === '-'
		? `ledge rules ${command} with the same input`
		: formatRulesCommand(zone, [command, fileArgument], commandOptions);
}

/** Changes the phases one after the other. Fails at the first that fails, with the state of all. */
async function applyPhases(
	context: CommandContext,
	application: Application,
	phases: readonly PhaseChange[],
): Promise<readonly AppliedPhase[]> {
	const {openedZone, managedState, file} = application;
	const appliedPhases: AppliedPhase[] = [];
	for (const phase of phases) {
		const texts = getPhaseTexts(phase, managedState);
		const {noun} = phase.section;
		try {
			const {ruleset, concurrentEdits} = await sendRulesetChange(
				context,
				openedZone,
				texts,
				`apply ${file.name}: ${noun}`,
				onRecheck => writePhase(openedZone, phase, managedState, {signal: context.signal, onRecheck}),
			);
			appliedPhases.push({
				phase,
				version: ruleset.version,
				undoCommand: formatPhaseUndoCommand(openedZone, phase, texts, ruleset.rules),
				isUnexpected: (concurrentEdits?.unexplained.length ?? 0) > 0,
			});
			if (!context.options.dryRun)
				context.output.say(`Applied ${noun}: version ${ruleset.version}, in zone ${openedZone.zone.name}.`);
		} catch (error) {
			throw buildPartialFailure(application, phases, appliedPhases, toFailure(error));
		}
	}
	return appliedPhases;
}

/** Adds what was applied, what was not, and the commands that continue or restore, to the failure of a phase. */
function buildPartialFailure(
	application: Application,
	phases: readonly PhaseChange[],
	appliedPhases: readonly AppliedPhase[],
	failure: Failure,
): Failure {
	const lines = phases.map(({section: {noun}}, index) => {
		const applied = appliedPhases[index];
		if (applied) return `${noun}: applied, version ${applied.version}`;
		if (index > appliedPhases.length) return `${noun}: not sent`;
		const state = failure.details.outcomeUnknown ? 'unknown' : 'not applied';
		return `${noun}: ${[state, failure.details.left].filter(Boolean).join('. ')}`;
	});
	return failure.withDetails({
		left: lines.join('\n'),
		next: [
			`To see what is missing: ${formatFileCommand(application, 'diff')}`,
			`To continue: ${formatFileCommand(application, 'apply')}`,
			...appliedPhases.map(({phase, undoCommand}) => `To restore the ${phase.section.noun}: ${undoCommand}`),
		].join('\n'),
	});
}

/** Builds the JSON of `--json`, see docs/rules-files.md. */
function toResultJson(
	{openedZone: {zone}, file}: Application,
	{phases}: RulesPlan,
	appliedPhases: readonly AppliedPhase[],
) {
	const toJson = (phase: PhasePlan) => {
		const applied = appliedPhases.find(one => one.phase === phase);
		return {
			...toPhaseJson(zone.id, phase),
			...(applied && {state: 'applied'}),
			newVersion: applied?.version ?? null,
			undo: applied?.undoCommand ?? null,
		};
	};
	return {
		zone: {id: zone.id, name: zone.name},
		file: file.name,
		sent: appliedPhases.length > 0,
		phases: phases.map(toJson),
	};
}
