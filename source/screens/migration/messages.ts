import {basename} from 'node:path';
import {formatAdvice} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {formatDeletedOverrides} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {mayHaveCompletedMigration} from '../../migration/machine/observation.ts';
import {isFinishing, stateTable} from '../../migration/machine/states.ts';
import {formatQuantity} from '../../text/figures.ts';
import {isJournalOpen, isMigrationReviewed, type MigrationState, wasConfigurationSent} from './state.ts';

type CommandTarget = Pick<MigrationState, 'zone' | 'serviceOptions'>;

/** Formats a command for a zone, with the options that the screens use. */
export const formatZoneCommand = (
	{zone, serviceOptions = ''}: CommandTarget,
	...commandWords: readonly string[]
): string => formatAdvice([buildMigrationCommand(zone, ...commandWords)], () => serviceOptions);

/** Formats the command that resumes the migration. */
export const formatResumeCommand = (target: CommandTarget): string => formatZoneCommand(target, 'resume');

/** Formats the command that restores deleted overrides from a backup. */
export const formatRestoreCommand = (target: CommandTarget, backupFolder: string): string =>
	formatZoneCommand(target, 'overrides', 'restore', basename(backupFolder));

/** True if there are edits that were neither reviewed nor sent, and so are not in the journal. */
export const hasUnreviewedEdits = (migration: MigrationState | undefined): boolean =>
	migration !== undefined &&
	migration.edits.length > 0 &&
	!isMigrationReviewed(migration) &&
	!wasConfigurationSent(migration);

/** Lists what is not reviewed or continues in the background, for the question before leaving. */
export function listLeavingWarnings(migration: MigrationState): readonly string[] {
	const {phase, zone, edits} = migration;
	switch (phase.name) {
		case 'sending':
			return [
				`The PUT for ${zone.name} is in flight; the service completes it whatever you do here.`,
				'It is in the journal: resuming the migration checks the outcome.',
				formatResumeCommand(migration),
			];
		case 'looking':
			return [
				`The outcome of the PUT for ${zone.name} is still unknown. Nothing is sent again automatically.`,
				phase.stopsOnLeaving
					? 'Leaving stops the reading, which changes nothing.'
					: 'Reading continues if you leave this screen, but not after quitting.',
				`To continue reading: ${formatResumeCommand(migration)}`,
			];
		default:
			return hasUnreviewedEdits(migration)
				? [`Not reviewed: ${formatQuantity(edits.length, 'edit')} of the configuration for ${zone.name}.`]
				: [];
	}
}

/** Describes the migration after the user left it, or when it ends behind another screen. */
export function describeLeftMigration({record, zone}: MigrationState): string | undefined {
	const {unfinished} = stateTable[record.state];
	if (unfinished === 'no') return undefined;
	return unfinished === 'unsent'
		? `${zone.name}: ${describeSentChanges(record)}. ${nameKey('go.migration', '5')} continues from the reviewed configuration.`
		: `${zone.name}: ${describeMachineState(record)}. ${nameKey('go.migration', '5')} continues from there.`;
}

/** Returns the message to print after quitting: the state of the migration, and how to resume it. */
export function getMigrationQuitMessage(migration: MigrationState | undefined): string | undefined {
	if (!migration || !isJournalOpen(migration)) return undefined;
	const {record, zone} = migration;
	const {unfinished, activity} = stateTable[record.state];
	if (unfinished === 'no') return undefined;
	const summary =
		unfinished === 'unsent'
			? describeSentChanges(record)
			: activity === 'sending'
				? 'the PUT was in flight, and its outcome is unknown'
				: describeMachineState(record);
	return `Migration of ${zone.name}: ${summary}. To continue: ${formatResumeCommand(migration)}`;
}

/** Describes what was sent before the first PUT: deleted overrides, or nothing. */
function describeSentChanges(record: MigrationRecord): string {
	const deletionText = formatDeletedOverrides(record);
	return deletionText === undefined ? 'nothing was sent' : `${deletionText}, nothing else was sent`;
}

/** Describes a state; says "someone" if no PUT of ledge caused it. */
export const describeMachineState = (record: MigrationRecord): string =>
	isFinishing(record.state) && !mayHaveCompletedMigration(record)
		? 'someone is turning the previous version off'
		: stateTable[record.state].meaning;

/**
 * Describes how many changes were made to the proposal, or in validation to the current configuration. Empty
 * if that could not be read.
 */
export function describeOwnChanges({
	plan,
	record,
	initialConfiguration,
}: Pick<MigrationState, 'plan' | 'record' | 'initialConfiguration'>): readonly string[] {
	if (!plan || !initialConfiguration) return [];
	const origin = record.seen?.stage === 'validation' ? 'the current configuration' : 'the proposal';
	const count = plan.edits.length;
	return [count === 0 ? `same as ${origin}` : `${formatQuantity(count, 'change')} to ${origin}`];
}

/** Describes what became of edits that were applied to rules that others changed. Undefined if nothing changed. */
export function describeRebase(
	lostEdits: readonly string[],
	{length: changeCount}: readonly unknown[],
	hasEdits = true,
): string | undefined {
	if (lostEdits.length > 0)
		return `Dropped because the configuration changed elsewhere: ${lostEdits.join(' ')}`;
	if (changeCount === 0) return undefined;
	return `Changed by others since: ${formatQuantity(changeCount, 'difference')}.${hasEdits ? ' Your edits now apply to the current configuration.' : ''}`;
}
