import {basename} from 'node:path';
import {type Failure, toFailure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {isNotAccepted, isReviewedUnsent, stateTable} from '../machine/states.ts';
import {listZoneFolders, type ZoneFolder} from './folder.ts';
import {parseJournalZoneName, readZoneJournal, type StoredJournal} from './journal.ts';
import type {MigrationRecord} from './record.ts';

/** A migration that was started on this machine. */
export type UnfinishedMigration = {
	/** The id of its journal; the folder's name if the journal cannot be read. */
	readonly id: string;
	readonly folder: string;
} & (
	| (StoredJournal & {readonly zone: {readonly id: string; readonly name: string}})
	/** `zoneId` comes from the folder's name. */
	| {readonly failure: Failure; readonly zoneId: string}
);

/**
 * Lists the migrations that are in progress or have an unknown outcome, the latest first. `place`: the origin
 * of the service, `simulated` (with its world, if any) or `rehearsal`. A journal that cannot be read may
 * belong to one of them: it comes last, with its failure.
 */
export function listUnfinishedMigrations(
	environment: Environment,
	place: string,
): readonly UnfinishedMigration[] {
	return listRecordedMigrations(environment, place).unfinished;
}

/** The migrations in journals, the latest first. */
type RecordedMigrations = {
	/** In progress, or of unknown outcome. */
	readonly unfinished: readonly UnfinishedMigration[];
	/** A configuration was reviewed, and nothing sent. */
	readonly reviewed: readonly UnfinishedMigration[];
};

/** Like `listUnfinishedMigrations`, but also lists those that were only reviewed. */
export function listRecordedMigrations(environment: Environment, place: string): RecordedMigrations {
	const getUpdated = (one: UnfinishedMigration) => ('record' in one ? one.updated : 0);
	const migrations = listZoneFolders(environment, place)
		.flatMap(folder => readMigration(folder, place))
		.toSorted((one, other) => getUpdated(other) - getUpdated(one));
	return {
		unfinished: migrations.filter(one => !('record' in one) || isUnfinishedMigration(one.record)),
		reviewed: migrations.filter(one => 'record' in one && isReviewedUnsent(one.record.state)),
	};
}

function readMigration({path: folder, zoneId}: ZoneFolder, place: string): readonly UnfinishedMigration[] {
	try {
		const journal = readZoneJournal(folder, place);
		if (!journal) return [];
		const {id, target} = journal.header;
		const zone = {id: target.zone ?? '', name: parseJournalZoneName(journal.header)};
		return [{...journal, id, folder, zone}];
	} catch (error) {
		return [{id: basename(folder), folder, zoneId, failure: toFailure(error)}];
	}
}

/**
 * True if a PUT is under way or its outcome is unknown, if the service is working on one, if both versions
 * are active, or if the zone was changed elsewhere and not reviewed since.
 */
export function isUnfinishedMigration({state, put, seen}: MigrationRecord): boolean {
	const {unfinished} = stateTable[state];
	if (unfinished !== 'depends on its PUT') return unfinished === 'yes';
	// A PUT that was given up may still arrive, and one refused during validation leaves both versions active.
	// Any other state here was not caused by ledge: unfinished if ledge has sent a PUT before.
	return isNotAccepted(state) ? put?.came === 'given up' || seen?.stage === 'validation' : put !== undefined;
}

/** Describes the state of a migration in a few words, without a final period. */
export function describeMigrationState({state}: MigrationRecord): string {
	const {meaning, shortMeaning = meaning} = stateTable[state];
	return shortMeaning;
}
