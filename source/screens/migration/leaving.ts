import {adviceText} from '../../failure.ts';
import {deletedInWords} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {mayHaveFinished} from '../../migration/machine/observation.ts';
import {isFinishing, stateTable} from '../../migration/machine/states.ts';
import {counted} from '../../text/figures.ts';
import {isOpen, isReviewed, type MigrationState} from './state.ts';

type Where = Pick<MigrationState, 'zone' | 'way'>;

/** A whole command for the zone in front, which acts where the screens do. */
export const commandThere = ({zone, way = ''}: Where, ...words: readonly string[]): string =>
	adviceText([migrationCommand(zone, ...words)], () => way);

/** The command that takes the migration up again. */
export const resumeCommand = (where: Where): string => commandThere(where, 'resume');

/** Whether there are edits that only a draft keeps: the journal has what was reviewed. */
export const isMigrationLost = (migration: MigrationState | undefined): boolean =>
	migration !== undefined && migration.edits.length > 0 && !isReviewed(migration);

/** What is not reviewed, or continues, when it is left: for the question before it. */
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

/** What is said once it is left, or has come to its end behind another screen. */
export function migrationLeftSentence({record, zone}: MigrationState): string | undefined {
	const {unfinished} = stateTable[record.state];
	if (unfinished === 'no') return undefined;
	return unfinished === 'unsent'
		? `${zone.name}: ${sentWords(record)}. M continues from what was reviewed.`
		: `${zone.name}: ${stateMeans(record)}. M continues from there.`;
}

/** What has to be said on the ordinary screen when ledge is gone: where the migration stands, and the way on. */
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

/** What was sent before the first PUT. */
function sentWords(record: MigrationRecord): string {
	const deleted = deletedInWords(record);
	return deleted === undefined ? 'nothing was sent' : `${deleted}, nothing else was sent`;
}

/** How it stands, whoever brought it there. */
export const stateMeans = (record: MigrationRecord): string =>
	isFinishing(record.state) && !mayHaveFinished(record)
		? 'someone is turning the previous version off'
		: stateTable[record.state].means;
