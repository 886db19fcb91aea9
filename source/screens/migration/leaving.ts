import {adviceText} from '../../failure.ts';
import {deletedInWords} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {mayHaveFinished} from '../../migration/machine/observation.ts';
import {isFinishing, stateTable} from '../../migration/machine/states.ts';
import {counted} from '../../text/figures.ts';
import {isOpen, isReviewed, type MigrationState} from './state.ts';

type Where = Pick<MigrationState, 'zone' | 'way'>;

/** Formats a command for a zone, with the options that the screens use. */
export const commandThere = ({zone, way = ''}: Where, ...words: readonly string[]): string =>
	adviceText([migrationCommand(zone, ...words)], () => way);

/** Formats the command that resumes the migration. */
export const resumeCommand = (where: Where): string => commandThere(where, 'resume');

/** True if there are edits that were not reviewed, and so are not in the journal. */
export const isMigrationLost = (migration: MigrationState | undefined): boolean =>
	migration !== undefined && migration.edits.length > 0 && !isReviewed(migration);

/** Lists what is not reviewed or continues, for the question before leaving. */
export function migrationLeavingLines(migration: MigrationState): readonly string[] {
	const {phase, zone, edits} = migration;
	switch (phase.name) {
		case 'sending':
			return [
				`The PUT for ${zone.name} is under way, and continues at the service whatever is done here.`,
				'It is in the journal: what became of it is looked up when the migration is resumed.',
				resumeCommand(migration),
			];
		case 'looking':
			return [
				`What became of the PUT for ${zone.name} is not known yet. Nothing is sent again by itself.`,
				`To continue looking: ${resumeCommand(migration)}`,
			];
		default:
			return isMigrationLost(migration)
				? [`${counted(edits.length, 'edit')} of the configuration for ${zone.name} are not reviewed.`]
				: [];
	}
}

/** Describes the migration after it was left, or when it ends behind another screen. */
export function migrationLeftSentence({record, zone}: MigrationState): string | undefined {
	const {unfinished} = stateTable[record.state];
	if (unfinished === 'no') return undefined;
	return unfinished === 'unsent'
		? `${zone.name}: ${sentWords(record)}. M continues from what was reviewed.`
		: `${zone.name}: ${stateMeans(record)}. M continues from there.`;
}

/** Returns the message to print after quitting: the state of the migration, and how to resume it. */
export function migrationLastWords(migration: MigrationState | undefined): string | undefined {
	if (!migration || !isOpen(migration)) return undefined;
	const {record, zone} = migration;
	const {unfinished, activity} = stateTable[record.state];
	if (unfinished === 'no') return undefined;
	const where =
		unfinished === 'unsent'
			? sentWords(record)
			: activity === 'sending'
				? 'the PUT was under way, and whether it was taken is not known'
				: stateMeans(record);
	return `Migration of ${zone.name}: ${where}. To continue: ${resumeCommand(migration)}`;
}

/** Describes what was sent before the first PUT. */
function sentWords(record: MigrationRecord): string {
	const deleted = deletedInWords(record);
	return deleted === undefined ? 'nothing was sent' : `${deleted}, nothing else was sent`;
}

/** Describes a state; says "someone" if no PUT of ledge caused it. */
export const stateMeans = (record: MigrationRecord): string =>
	isFinishing(record.state) && !mayHaveFinished(record)
		? 'someone is turning the previous version off'
		: stateTable[record.state].means;
