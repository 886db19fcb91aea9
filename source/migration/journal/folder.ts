import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {type Environment, getStateDirectory, listFolder, openStateDirectory} from '../../state/directory.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/**
 * Identifies the migration of a zone. `place`: the origin of the service, `simulated` or `rehearsal`. Only
 * the zone's id identifies the zone: names can change, and not every credential can read them.
 */
export type MigrationTarget = {
	readonly place: string;
	readonly zone: Pick<MigrationZone, 'id' | 'name' | 'accountId'>;
};

/**
 * Matches places without real zones, whose journal may be in memory. The name of a simulated world may
 * follow.
 */
const simulatedPlaces = /^(rehearsal|simulated(-[0-9a-f]+)?)$/;

/** True if a place has real zones, whose migration must be resumable. */
export const isRealPlace = ({place}: Pick<MigrationTarget, 'place'>): boolean => !simulatedPlaces.test(place);

/**
 * Returns the zone's folder in the state directory, which may not exist. Undefined without a home directory.
 */
export function getMigrationFolder(environment: Environment, target: MigrationTarget): string | undefined {
	const root = getStateDirectory(environment);
	return root === undefined ? undefined : join(root, getRelativeFolder(root, target));
}

/** Like `getMigrationFolder`, but creates the folder if needed. Throws `file_failed`. */
export function openMigrationFolder(environment: Environment, target: MigrationTarget): string {
	return openStateDirectory(environment, getRelativeFolder(getStateDirectory(environment) ?? '', target));
}

function getRelativeFolder(root: string, {place, zone}: MigrationTarget): string {
	const placeFolder = join('migrations', toPathSegment(place));
	const folder = join(placeFolder, toPathSegment(zone.id));
	if (existsSync(join(root, folder))) return folder;
	return join(
		placeFolder,
		findLegacyFolder(join(root, placeFolder), toPathSegment(zone.id)) ?? toPathSegment(zone.id),
	);
}

/** Finds the zone's folder in the earlier layout, `ACCOUNT/ZONENAME-ID`. */
function findLegacyFolder(placeFolder: string, id: string): string | undefined {
	for (const account of listFolders(placeFolder)) {
		const folderName = listFolders(join(placeFolder, account)).find(name => parseZoneId(name) === id);
		if (folderName !== undefined) return join(account, folderName);
	}
	return undefined;
}

/** Parses the zone id from a folder name of the earlier layout, such as `shop.example-ID`. */
const parseZoneId = (name: string): string => name.slice(name.lastIndexOf('-') + 1);

/** A folder that may hold the journal of a zone. */
export type ZoneFolder = {
	readonly path: string;
	/** Id of the zone, from the folder's name. */
	readonly zoneId: string;
};

/** Lists the folders of all zones at a place, in both layouts. */
export function listZoneFolders(environment: Environment, place: string): readonly ZoneFolder[] {
	const root = getStateDirectory(environment);
	if (root === undefined) return [];
	const placeFolder = join(root, 'migrations', toPathSegment(place));
	return listFolders(placeFolder).flatMap(name => {
		const folder = join(placeFolder, name);
		return [
			{path: folder, zoneId: name},
			...listFolders(folder).map(one => ({path: join(folder, one), zoneId: parseZoneId(one)})),
		];
	});
}

const listFolders = (path: string): readonly string[] =>
	listFolder(path)
		.filter(one => one.isDirectory())
		.map(({name}) => name);

/** Converts a name to a single path segment. The original is in the journal, which is compared with it. */
function toPathSegment(name: string): string {
	const segment = name.replaceAll(/[^\w.-]+/g, '_');
	return /^\.*$/.test(segment) ? '_' : segment;
}
