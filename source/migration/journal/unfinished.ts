import {basename} from 'node:path';
import {asFailure, type Failure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {isNotTaken, stateTable} from '../machine/states.ts';
import {type ZoneFolder, zoneFolders} from './folder.ts';
import {type ReadJournal, readZoneJournal, zoneNameIn} from './journal.ts';
import type {MigrationRecord} from './record.ts';

/** A migration that was begun on this machine and has not come to its end. */
export type UnfinishedMigration = {
	/** Of its journal; the name of its folder where the journal cannot be read. */
	readonly id: string;
	readonly folder: string;
} & (
	| (ReadJournal & {readonly zone: {readonly id: string; readonly name: string}})
	/** `zoneId`: the zone that its folder is named after. */
	| {readonly failure: Failure; readonly zoneId: string}
);

/**
 * The migrations at a place that are in progress or in doubt, the latest first. A journal that cannot be read may be one
 * of these, so it is listed with its failure, after the others.
 */
export function unfinishedMigrations(
	environment: Environment,
	place: string,
): readonly UnfinishedMigration[] {
	const found = zoneFolders(environment, place).flatMap(folder => listed(folder, place));
	const time = (one: UnfinishedMigration) => ('record' in one ? one.updated : 0);
	return found.toSorted((one, other) => time(other) - time(one));
}

function listed({path: folder, zoneId}: ZoneFolder, place: string): readonly UnfinishedMigration[] {
	try {
		const journal = readZoneJournal(folder, place);
		if (!journal || !isUnfinished(journal.record)) return [];
		const {id, target} = journal.header;
		const zone = {id: target.zone ?? '', name: zoneNameIn(journal.header)};
		return [{...journal, id, folder, zone}];
	} catch (error) {
		return [{id: basename(folder), folder, zoneId, failure: asFailure(error)}];
	}
}

/**
 * Whether something was sent that is not settled yet: a PUT is under way or in doubt, the service works on one, both
 * versions are on, or the zone was changed elsewhere and nobody has looked.
 */
export function isUnfinished({state, put, seen}: MigrationRecord): boolean {
	const {unfinished} = stateTable[state];
	if (unfinished !== 'depends on its PUT') return unfinished === 'yes';
	// A PUT that was given up may still arrive; a refused PUT leaves both versions on.
	return isNotTaken(state) ? put?.came === 'given up' || seen?.stage === 'validation' : put !== undefined;
}

/** Where it stands, in a sentence without its point. */
export const standingInWords = ({state}: MigrationRecord): string => stateTable[state].means;
