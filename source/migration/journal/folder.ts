import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {
	type Environment,
	errorCode,
	fileFailed,
	openStateDirectory,
	stateDirectory,
} from '../../state/directory.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/**
 * The migration of a zone. `place`: the origin of the service, `simulated` or `rehearsal`. Only the zone's id
 * identifies it: names can change, and not every credential can read them.
 */
export type MigrationTarget = {
	readonly place: string;
	readonly zone: Pick<MigrationZone, 'id' | 'name' | 'accountId'>;
};

/** Places without real zones, whose journal may be in memory. A simulated world may add its name. */
const unreal = /^(rehearsal|simulated(-[0-9a-f]+)?)$/;

/** True if a place has real zones, whose migration must be resumable. */
export const isReal = ({place}: Pick<MigrationTarget, 'place'>): boolean => !unreal.test(place);

/**
 * Returns the zone's folder in the state directory, which may not exist. Undefined without a home directory.
 */
export function migrationFolder(environment: Environment, target: MigrationTarget): string | undefined {
	const root = stateDirectory(environment);
	return root === undefined ? undefined : join(root, folderIn(root, target));
}

/** Like `getMigrationFolder`, but creates the folder if needed. Throws `file_failed`. */
export function openMigrationFolder(environment: Environment, target: MigrationTarget): string {
	return openStateDirectory(environment, folderIn(stateDirectory(environment) ?? '', target));
}

function folderIn(root: string, {place, zone}: MigrationTarget): string {
	const ofPlace = join('migrations', segment(place));
	const folder = join(ofPlace, segment(zone.id));
	if (existsSync(join(root, folder))) return folder;
	return join(ofPlace, named(join(root, ofPlace), segment(zone.id)) ?? segment(zone.id));
}

/** Finds the zone's folder in the earlier layout: `ACCOUNT/ZONENAME-ID`. */
function named(ofPlace: string, id: string): string | undefined {
	for (const account of foldersIn(ofPlace)) {
		const found = foldersIn(join(ofPlace, account)).find(name => zoneIdIn(name) === id);
		if (found !== undefined) return join(account, found);
	}
	return undefined;
}

/** Parses the zone id from a folder name of the earlier layout: `shop.example-ID`. */
const zoneIdIn = (name: string): string => name.slice(name.lastIndexOf('-') + 1);

/** A folder that may hold the journal of a zone. */
export type ZoneFolder = {
	readonly path: string;
	/** Id of the zone, from the folder's name. */
	readonly zoneId: string;
};

/** Lists the folders of the zones of a place, in both layouts. */
export function zoneFolders(environment: Environment, place: string): readonly ZoneFolder[] {
	const root = stateDirectory(environment);
	if (root === undefined) return [];
	const ofPlace = join(root, 'migrations', segment(place));
	return foldersIn(ofPlace).flatMap(name => {
		const folder = join(ofPlace, name);
		return [
			{path: folder, zoneId: name},
			...foldersIn(folder).map(one => ({path: join(folder, one), zoneId: zoneIdIn(one)})),
		];
	});
}

function foldersIn(path: string): readonly string[] {
	try {
		return readdirSync(path, {withFileTypes: true})
			.filter(one => one.isDirectory())
			.map(({name}) => name);
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return [];
		throw fileFailed(`The folder ${path} cannot be read.`, cause);
	}
}

/** Converts a name to a single path segment. The journal holds the original, which is compared. */
function segment(name: string): string {
	const kept = name.replaceAll(/[^\w.-]+/g, '_');
	return /^\.*$/.test(kept) ? '_' : kept;
}
