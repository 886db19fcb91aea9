import {existsSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {isFailure} from '../../failure.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {newestBackup, readBackup} from './backup.ts';
import type {KeptBackup, MigrationRecord} from './record.ts';

/** In the journal a backup is named within the zone's folder, which may be moved as a whole. */
export const movable = ({backup, ...record}: MigrationRecord, folder: string): MigrationRecord => ({
	...record,
	...(backup && {
		backup: {...backup, folder: dirname(backup.folder) === folder ? basename(backup.folder) : backup.folder},
	}),
});

/**
 * A record with the newest backup of the zone: the backup that it names, or a later one of another command. A backup that
 * was recorded with its whole path is looked for in the zone's folder first. Fails with `file_failed`.
 */
export function withBackupFound({backup, ...record}: MigrationRecord, folder: string): MigrationRecord {
	const newest = newestBackup(folder, backup && found(backup, folder));
	return newest ? {...record, backup: newest} : record;
}

function found(backup: KeptBackup, folder: string): KeptBackup {
	const here = join(folder, basename(backup.folder));
	const isHere = existsSync(here) || !isAbsolute(backup.folder);
	return {...backup, folder: isHere ? here : backup.folder};
}

/** A backup read; none where it is gone or damaged: it serves nobody, and another one is made. */
export function readableBackup({folder}: KeptBackup): Snapshot | undefined {
	try {
		return readBackup(folder);
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}
