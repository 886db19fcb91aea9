import {createHash, randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {check, exactOptional, literal, nullable, optional, picklist, pipe, string, transform} from 'valibot';
import {Failure, isFailure} from '../../failure.ts';
import {zonePlans} from '../../service/plan.ts';
import {
	createFileFailure,
	discardPath,
	getErrorCode,
	listFolder,
	makeFolder,
	syncDirectory,
	writePrivateFile,
} from '../../state/directory.ts';
import {isJsonObject, type JsonValue, parseJson} from '../../text/json.ts';
import {
	ignoreInvalid,
	jsonObject,
	list,
	parseOrUndefined,
	pickFields,
	type Schema,
} from '../../text/schema.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {getEligibilityFacts} from '../zone/read-facts.ts';
import {
	arrayPartKeys,
	countPackages,
	findUnreadReason,
	type Snapshot,
	singlePartKeys,
	snapshotPartNames,
} from '../zone/snapshot.ts';
import type {MigrationRecord, StoredBackup} from './record.ts';

export const countSnapshotObjects = (snapshot: Snapshot): number =>
	countPackages(snapshot.packages) +
	arrayPartKeys.reduce((sum, name) => sum + snapshot[name].length, 0) +
	singlePartKeys.filter(name => snapshot[name] !== null).length;

/** True if two snapshots have the same content, regardless of when they were taken. */
export const isSameSnapshot = (one: Snapshot, other: Snapshot): boolean =>
	serializeContent(one) === serializeContent(other);

const serializeContent = (snapshot: Snapshot): string => {
	const {zone, packages, unread} = snapshot;
	const parts = [...singlePartKeys, ...arrayPartKeys].map(name => snapshot[name]);
	return JSON.stringify([zone.plan, packages, unread, ...parts]);
};

/**
 * Writes a backup into a new folder such as `backup-2026-11-21T0310Z` in `folder`: one file per kind of
 * object for people to read, and `snapshot.json` with everything, which `readBackup` reads. Files have mode
 * 0600 in a folder of mode 0700, and are synced. The folder gets its name only when it is complete, and never
 * replaces another. Throws `file_failed`.
 */
export function writeBackup(
	folder: string,
	snapshot: Snapshot,
	{reviewed}: {readonly reviewed?: ManagedConfiguration | undefined} = {},
): StoredBackup {
	const name = `backup-${snapshot.taken.slice(0, 16).replaceAll(':', '')}Z`;
	const draftFolder = join(folder, `.${name}.${randomBytes(6).toString('hex')}.new`);
	try {
		makeFolder(folder, 0o700);
		mkdirSync(draftFolder, {mode: 0o700});
		for (const [file, value] of Object.entries(buildBackupFiles(snapshot, reviewed)))
			writePrivateFile(join(draftFolder, `${file}.json`), toReadableJson(value));
		// Written last: it makes the backup complete.
		writePrivateFile(join(draftFolder, snapshotFile), serializeBackup(snapshot));
		const backup = {
			folder: moveIntoPlace(draftFolder, folder, name),
			objects: countSnapshotObjects(snapshot),
		};
		return {...backup, at: Date.parse(snapshot.taken)};
	} catch (cause) {
		discardPath(draftFolder);
		throw createFileFailure(`The backup cannot be written to ${folder}.`, cause);
	}
}

/** Renames a finished folder to `name`, or to the next free name (`name-2`, `name-3`…). Returns its path. */
function moveIntoPlace(draftFolder: string, folder: string, name: string): string {
	for (let number = 1; ; number++) {
		const path = join(folder, number === 1 ? name : `${name}-${number}`);
		// A rename would replace an empty folder, so this is checked first.
		if (existsSync(path)) continue;
		try {
			renameSync(draftFolder, path);
		} catch (cause) {
			if (getErrorCode(cause) === 'ENOTEMPTY' || getErrorCode(cause) === 'EEXIST') continue;
			throw cause;
		}
		syncDirectory(folder);
		return path;
	}
}

/**
 * Builds the files for people to read. Omits parts that could not be read: an empty list would mean that
 * nothing existed.
 */
const buildBackupFiles = (
	snapshot: Snapshot,
	reviewed: ManagedConfiguration | undefined,
): Record<string, unknown> => ({
	migration: {check: snapshot.check, status: snapshot.status},
	settings: {waf: snapshot.waf},
	...(findUnreadReason(snapshot.unread, snapshotPartNames.packages) === undefined && {
		packages: snapshot.packages.map(one => one.package),
		groups: snapshot.packages.flatMap(({groups}) => groups),
		rules: snapshot.packages.flatMap(({rules}) => rules),
	}),
	...Object.fromEntries(
		arrayPartKeys
			.filter(name => findUnreadReason(snapshot.unread, snapshotPartNames[name]) === undefined)
			.map(name => [listFiles[name], snapshot[name]]),
	),
	proposed: snapshot.proposed,
	'entry-point': snapshot.entryPoint,
	...(snapshot.unread.length > 0 && {unread: snapshot.unread}),
	...(reviewed && {reviewed}),
});

const listFiles = {
	overrides: 'overrides',
	firewallRules: 'firewall-rules',
	filters: 'filters',
	pageRules: 'page-rules',
} as const satisfies Record<(typeof arrayPartKeys)[number], string>;

const toReadableJson = (value: unknown): string => `${JSON.stringify(value, undefined, '\t')}\n`;

/**
 * Reads a backup from its folder, or from the `snapshot.json` in it. Throws `input_malformed` if it is
 * damaged, incomplete or not a backup, and `input_missing` if it does not exist.
 */
export function readBackup(path: string): Snapshot {
	let file = resolve(path);
	let text: string;
	try {
		if (statSync(file).isDirectory()) file = join(file, snapshotFile);
		text = readFileSync(file, 'utf8');
	} catch (cause) {
		throw createUnreadableFailure(path, file, cause);
	}
	return parseBackup(text, file);
}

function createUnreadableFailure(path: string, file: string, cause: unknown): Failure {
	if (getErrorCode(cause) === 'ENOENT' && file !== resolve(path)) {
		return new Failure('input_malformed', `${path} is not a complete backup.`, {
			why: `It has no ${snapshotFile}: it was never finished, or is another kind of folder.`,
			next: `Choose another one: complete backups are named backup-… and are in ${dirname(resolve(path))}.`,
			cause,
		});
	}
	return new Failure('input_missing', `The backup ${path} cannot be read.`, {
		why: cause instanceof Error ? cause.message : String(cause),
		next: 'Use the backup folder printed by the command that made the backup.',
		cause,
	});
}

/**
 * Adds the final state to a backup, in files named `final-NAME.json`; replaces those of an earlier run. The
 * other files of a backup never change. Throws `file_failed`.
 */
export function addFinalFiles(folder: string, parts: Readonly<Record<string, JsonValue>>): void {
	for (const [name, value] of Object.entries(parts))
		writePrivateFile(join(folder, `final-${name}.json`), toReadableJson(value));
}

/** The backups in a zone's folder: the complete ones, oldest first, and the paths of the damaged ones. */
export type Backups = {
	readonly complete: readonly {readonly backup: StoredBackup; readonly snapshot: Snapshot}[];
	readonly damagedPaths: readonly string[];
};

/** Reads every backup in a zone's folder; ignores other folders. Throws `file_failed`. */
export function readBackups(folder: string): Backups {
	const completeBackups: Backups['complete'][number][] = [];
	const damagedPaths: string[] = [];
	for (const path of listBackupFolders(folder)) {
		try {
			const snapshot = readBackup(path);
			completeBackups.push({backup: buildStoredBackup(path, snapshot), snapshot});
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			damagedPaths.push(path);
		}
	}
	return {complete: completeBackups, damagedPaths};
}

/**
 * Finds the newest complete backup of the previous version. Returns `journalBackup` if the folder has no
 * newer one. Throws `file_failed`.
 */
function findNewestBackup(folder: string, journalBackup: StoredBackup | undefined): StoredBackup | undefined {
	for (const path of listBackupFolders(folder).toReversed()) {
		if (path === journalBackup?.folder) return journalBackup;
		try {
			const snapshot = readBackup(path);
			if (hasPreviousVersion(snapshot)) return buildStoredBackup(path, snapshot);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
		}
	}
	return journalBackup;
}

/** True if a snapshot was taken while the previous version could still be read. */
export const hasPreviousVersion = (snapshot: Snapshot): boolean =>
	['previous', 'validation'].includes(getEligibilityFacts(snapshot).stage);

const buildStoredBackup = (folder: string, snapshot: Snapshot): StoredBackup => ({
	folder,
	objects: countSnapshotObjects(snapshot),
	at: Date.parse(snapshot.taken),
});

/**
 * Lists the folders of backups, oldest first. A second backup of the same minute has a number at the end of
 * its name.
 */
function listBackupFolders(folder: string): readonly string[] {
	const names = listFolder(folder).flatMap(({name}) => (name.startsWith('backup-') ? [name] : []));
	const collator = new Intl.Collator('en', {numeric: true});
	return names.toSorted(collator.compare).map(name => join(folder, basename(name)));
}

/** The file that a backup is read from. */
const snapshotFile = 'snapshot.json';

/** Identifies the file as a backup. */
const backupKind = 'ledge migration backup';

/** Serializes the zone's own data, with a digest that detects a damaged file. */
export function serializeBackup({
	catalogue: _rulesets,
	catalogueUnreadReason: _why,
	...snapshot
}: Snapshot): string {
	const text = JSON.stringify(snapshot);
	return `${JSON.stringify({kind: backupKind, version: 1, digest: computeBackupDigest(text), snapshot: JSON.parse(text)}, undefined, '\t')}\n`;
}

const computeBackupDigest = (text: string): string =>
	`sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Parses a backup. Throws `input_malformed`. `file` is the path for messages. */
function parseBackup(text: string, file: string): Snapshot {
	const json = parseJson(text);
	if (json === undefined)
		throw createDamagedFailure(file, 'It is not complete JSON: it was cut off, or is something else.');
	if (!isJsonObject(json) || json.kind !== backupKind) throw createForeignFailure(file);
	if (json.version !== 1) {
		throw new Failure('input_malformed', `The backup ${file} was written by another version of ledge.`, {
			why: `Its format is ${JSON.stringify(json.version)}; this version of ledge reads format 1.`,
			next: 'Use the version that made it; the other files in its folder are human-readable.',
		});
	}
	if (json.digest !== computeBackupDigest(JSON.stringify(json.snapshot ?? null)))
		throw createDamagedFailure(file, 'Its content is not what was written: the digest does not match.');
	const parsedSnapshot = parseOrUndefined(snapshotSchema, json.snapshot);
	if (!parsedSnapshot) throw createDamagedFailure(file, 'Its content is not a snapshot.');
	return parsedSnapshot;
}

const createDamagedFailure = (file: string, why: string): Failure =>
	new Failure('input_malformed', `The backup ${file} is damaged.`, {
		why,
		next: 'Use another backup, or make a new one while the zone still has the previous version. The other files in its folder contain the same data in readable form.',
	});

const createForeignFailure = (file: string): Failure =>
	new Failure('input_malformed', `${file} is not a backup made by ledge.`, {
		why: `A backup contains "kind": "${backupKind}".`,
		next: `Specify a backup folder (backup-…), or the ${snapshotFile} in it.`,
	});

const zoneSchema = pipe(
	pickFields({
		id: string(),
		name: string(),
		label: string(),
		plan: optional(picklist(zonePlans)),
		account: optional(string()),
		accountId: exactOptional(string()),
	}),
	transform(({plan, account, ...named}) => ({...named, plan, account})),
);

const unreadSchema = pickFields({
	what: string(),
	why: string(),
	isLacking: ignoreInvalid(literal(true)),
	isForbidden: ignoreInvalid(literal(true)),
});

const objectListSchema = list(jsonObject);

const buildPartSchemas = <Name extends string, Part>(names: readonly Name[], part: Part) =>
	Object.fromEntries(names.map(name => [name, part])) as Record<Name, Part>;

const snapshotSchema: Schema<Snapshot> = pickFields({
	version: literal(1),
	taken: pipe(
		string(),
		check(taken => !Number.isNaN(Date.parse(taken))),
	),
	place: string(),
	zone: zoneSchema,
	...buildPartSchemas(singlePartKeys, nullable(jsonObject)),
	packages: list(pickFields({package: jsonObject, groups: objectListSchema, rules: objectListSchema})),
	...buildPartSchemas(arrayPartKeys, objectListSchema),
	unread: list(unreadSchema),
});

/** Makes the backup's path in a record relative to the zone's folder, so that the folder can be moved. */
export const toMovableRecord = ({backup, ...record}: MigrationRecord, folder: string): MigrationRecord => ({
	...record,
	...(backup && {
		backup: {...backup, folder: dirname(backup.folder) === folder ? basename(backup.folder) : backup.folder},
	}),
});

/**
 * Sets a record's backup to the newest one of the zone, which another command may have made. If the zone's
 * folder was moved, finds the backup in `folder`. Throws `file_failed`.
 */
export function withNewestBackup({backup, ...record}: MigrationRecord, folder: string): MigrationRecord {
	const newestBackup = findNewestBackup(folder, backup && locateBackup(backup, folder));
	return newestBackup ? {...record, backup: newestBackup} : record;
}

function locateBackup(backup: StoredBackup, folder: string): StoredBackup {
	const movedFolder = join(folder, basename(backup.folder));
	const isInFolder = existsSync(movedFolder) || !isAbsolute(backup.folder);
	return {...backup, folder: isInFolder ? movedFolder : backup.folder};
}

/** Reads a backup. Undefined if it is missing or damaged; the caller then makes a new one. */
export function tryReadBackup({folder}: StoredBackup): Snapshot | undefined {
	try {
		return readBackup(folder);
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}
