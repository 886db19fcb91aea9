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
 * Whose migration it is: `place` is the origin of the service, `simulated` or `rehearsal`. Of the zone its
 * id alone counts: its name, and that of its account, can change, and not every credential may read them.
 */
export type MigrationTarget = {
	readonly place: string;
	readonly zone: Pick<MigrationZone, 'id' | 'name' | 'accountId'>;
};

/** Places where nothing real is migrated, a simulated world by its name: there a journal may be in memory. */
const unreal = /^(rehearsal|simulated(-[0-9a-f]+)?)$/;

/** Whether zones at a place are real ones, whose migration has to be resumed whatever happens. */
export const isReal = ({place}: Pick<MigrationTarget, 'place'>): boolean => !unreal.test(place);

/** The zone's folder in the state directory, whether or not it is there; `undefined` without a home. */
export function migrationFolder(environment: Environment, target: MigrationTarget): string | undefined {
	const root = stateDirectory(environment);
	return root === undefined ? undefined : join(root, folderIn(root, target));
}

/** The same, made if it is not there. Fails with `file_failed`. */
export function openMigrationFolder(environment: Environment, target: MigrationTarget): string {
	return openStateDirectory(environment, folderIn(stateDirectory(environment) ?? '', target));
}

function folderIn(root: string, {place, zone}: MigrationTarget): string {
	const ofPlace = join('migrations', segment(place));
	const folder = join(ofPlace, segment(zone.id));
	if (existsSync(join(root, folder))) return folder;
	return join(ofPlace, named(join(root, ofPlace), segment(zone.id)) ?? segment(zone.id));
}

/** A zone's folder as it was made once: in one of the account, with the name of the zone before its id. */
function named(ofPlace: string, id: string): string | undefined {
	for (const account of foldersIn(ofPlace)) {
		const found = foldersIn(join(ofPlace, account)).find(name => zoneIdIn(name) === id);
		if (found !== undefined) return join(account, found);
	}
	return undefined;
}

/** The id of the zone in the name of such a folder: `shop.example-ID`. */
const zoneIdIn = (name: string): string => name.slice(name.lastIndexOf('-') + 1);

/** A folder in which something of a zone may be kept. */
export type ZoneFolder = {
	readonly path: string;
	/** The zone that it is named after. */
	readonly zoneId: string;
};

/** The folders of the zones of a place, in which something may be kept: those of both layouts. */
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

/** A name that no system takes for more than one; which it was is in the journal, and is compared. */
function segment(name: string): string {
	const kept = name.replaceAll(/[^\w.-]+/g, '_');
	return /^\.*$/.test(kept) ? '_' : kept;
}
