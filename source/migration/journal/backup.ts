import {createHash, randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {check, exactOptional, literal, nullable, optional, picklist, pipe, string, transform} from 'valibot';
import {Failure, isFailure} from '../../failure.ts';
import {parseJson} from '../../service/envelope.ts';
import {plans} from '../../service/plan.ts';
import {
	createFileFailure,
	discardPath,
	getErrorCode,
	keepFile,
	makeFolder,
	syncDirectory,
} from '../../state/directory.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
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
	countPackages,
	findUnreadReason,
	listParts,
	type Snapshot,
	singleParts,
	snapshotPartNames,
} from '../zone/snapshot.ts';
import type {KeptBackup, MigrationRecord} from './record.ts';

export const countSnapshotObjects = (snapshot: Snapshot): number =>
	countPackages(snapshot.packages) +
	listParts.reduce((sum, name) => sum + snapshot[name].length, 0) +
	singleParts.filter(name => snapshot[name] !== null).length;

/** True if two snapshots have the same content, whenever they were taken. */
export const isSameSnapshot = (one: Snapshot, other: Snapshot): boolean =>
	serializeContent(one) === serializeContent(other);

const serializeContent = (snapshot: Snapshot): string => {
	const {zone, packages, unread} = snapshot;
	const parts = [...singleParts, ...listParts].map(name => snapshot[name]);
	return JSON.stringify([zone.plan, packages, unread, ...parts]);
};

/**
 * Writes a backup into a new folder `backup-2026-11-21T0310Z` below `folder`: a file of each kind for people,
 * and `snapshot.json` with everything, which is read back. Files have mode 0600 in a folder of mode 0700, and
 * are synced. The folder gets its name only when complete, and never replaces another. Throws `file_failed`.
 */
export function writeBackup(
	folder: string,
	snapshot: Snapshot,
	{reviewed}: {readonly reviewed?: ManagedConfiguration | undefined} = {},
): KeptBackup {
	const name = `backup-${snapshot.taken.slice(0, 16).replaceAll(':', '')}Z`;
	const draft = join(folder, `.${name}.${randomBytes(6).toString('hex')}.new`);
	try {
		makeFolder(folder, 0o700);
		mkdirSync(draft, {mode: 0o700});
		for (const [file, value] of Object.entries(buildBackupFiles(snapshot, reviewed)))
			keepFile(join(draft, `${file}.json`), toReadableJson(value));
		// Written last: it makes the backup complete.
		keepFile(join(draft, snapshotFile), serializeBackup(snapshot));
		const kept = {folder: moveIntoPlace(draft, folder, name), objects: countSnapshotObjects(snapshot)};
		return {...kept, at: Date.parse(snapshot.taken)};
	} catch (cause) {
		discardPath(draft);
		throw createFileFailure(`The backup cannot be written into ${folder}.`, cause);
	}
}

/** Renames a finished folder to `name`, or to the next free `name-2`, `name-3`…; returns its path. */
function moveIntoPlace(draft: string, folder: string, name: string): string {
	for (let number = 1; ; number++) {
		const path = join(folder, number === 1 ? name : `${name}-${number}`);
		// A rename replaces an empty folder, so check first.
		if (existsSync(path)) continue;
		try {
			renameSync(draft, path);
		} catch (cause) {
			if (getErrorCode(cause) === 'ENOTEMPTY' || getErrorCode(cause) === 'EEXIST') continue;
			throw cause;
		}
		syncDirectory(folder);
		return path;
	}
}

/**
 * Builds the files for people. Omits parts that could not be read: an empty list would mean that there was
 * nothing.
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
		listParts
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
} as const satisfies Record<(typeof listParts)[number], string>;

const toReadableJson = (value: unknown): string => `${JSON.stringify(value, undefined, '\t')}\n`;

/**
 * Reads a backup from its folder, or from the `snapshot.json` in it. Throws `input_malformed` if it is
 * damaged, incomplete or no backup, and `input_missing` if it does not exist.
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
		return new Failure('input_malformed', `${path} is not a whole backup.`, {
			why: `It has no ${snapshotFile}: it was never finished, or is a folder of something else.`,
			next: `Name another one: finished backups are called backup-… and are beside it in ${dirname(resolve(path))}.`,
			cause,
		});
	}
	return new Failure('input_missing', `The backup ${path} cannot be read.`, {
		why: cause instanceof Error ? cause.message : String(cause),
		next: 'Name the folder of a backup, as the command that made it told it.',
		cause,
	});
}

/**
 * Adds the final state to a backup, in files `final-NAME.json`; replaces those of an earlier run. The rest of
 * the backup never changes. Throws `file_failed`.
 */
export function addFinalFiles(folder: string, parts: Readonly<Record<string, JsonValue>>): void {
	for (const [name, value] of Object.entries(parts))
		keepFile(join(folder, `final-${name}.json`), toReadableJson(value));
}

/** The backups in a zone's folder: the complete ones, oldest first, and the paths of damaged ones. */
export type Backups = {
	readonly whole: readonly {readonly kept: KeptBackup; readonly snapshot: Snapshot}[];
	readonly damaged: readonly string[];
};

/** Reads every backup in a zone's folder; ignores other folders. Throws `file_failed`. */
export function readBackups(folder: string): Backups {
	const whole: Backups['whole'][number][] = [];
	const damaged: string[] = [];
	for (const path of listBackupFolders(folder)) {
		try {
			const snapshot = readBackup(path);
			whole.push({kept: buildKeptBackup(path, snapshot), snapshot});
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			damaged.push(path);
		}
	}
	return {whole, damaged};
}

/**
 * Finds the newest complete backup of the previous version. Returns `known`, the backup in the journal, if
 * the folder has no newer one. Throws `file_failed`.
 */
function findNewestBackup(folder: string, known: KeptBackup | undefined): KeptBackup | undefined {
	for (const path of listBackupFolders(folder).toReversed()) {
		if (path === known?.folder) return known;
		try {
			const snapshot = readBackup(path);
			if (hasPreviousVersion(snapshot)) return buildKeptBackup(path, snapshot);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
		}
	}
	return known;
}

/** True if a snapshot was taken while the previous version could still be read. */
export const hasPreviousVersion = (snapshot: Snapshot): boolean =>
	['previous', 'validation'].includes(getEligibilityFacts(snapshot).stage);

const buildKeptBackup = (folder: string, snapshot: Snapshot): KeptBackup => ({
	folder,
	objects: countSnapshotObjects(snapshot),
	at: Date.parse(snapshot.taken),
});

/** Lists the folders of backups, oldest first; a second one of the same minute has a number at its end. */
function listBackupFolders(folder: string): readonly string[] {
	let names: string[];
	try {
		names = readdirSync(folder).filter(name => name.startsWith('backup-'));
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return [];
		throw createFileFailure(`The folder ${folder} cannot be read.`, cause);
	}
	const order = new Intl.Collator('en', {numeric: true});
	return names.toSorted(order.compare).map(name => join(folder, basename(name)));
}

/** The file that a backup is read from. */
const snapshotFile = 'snapshot.json';

/** Identifies the file as a backup. */
const kind = 'ledge migration backup';

/** Serializes the zone's own data, with a digest to detect a damaged file. */
export function serializeBackup({managed: _rulesets, managedUnread: _why, ...snapshot}: Snapshot): string {
	const text = JSON.stringify(snapshot);
	return `${JSON.stringify({kind, version: 1, digest: computeBackupDigest(text), snapshot: JSON.parse(text)}, undefined, '\t')}\n`;
}

const computeBackupDigest = (text: string): string =>
	`sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Throws `input_malformed`; `file` names the file in messages. */
function parseBackup(text: string, file: string): Snapshot {
	const json = parseJson(text);
	if (json === undefined)
		throw createDamagedFailure(file, 'It is not whole JSON: it was cut off, or is of something else.');
	if (!isJsonObject(json) || json.kind !== kind) throw createForeignFailure(file);
	if (json.version !== 1) {
		throw new Failure('input_malformed', `The backup ${file} was written by another version of ledge.`, {
			why: `Its format is ${JSON.stringify(json.version)}; this ledge knows format 1.`,
			next: 'Use the version that made it; the other files of its folder can be read by people.',
		});
	}
	if (json.digest !== computeBackupDigest(JSON.stringify(json.snapshot ?? null)))
		throw createDamagedFailure(file, 'What it holds is not what was written: its digest is another one.');
	const parsed = parseOrUndefined(snapshot, json.snapshot);
	if (!parsed) throw createDamagedFailure(file, 'Its parts are not those of a snapshot.');
	return parsed;
}

const createDamagedFailure = (file: string, why: string): Failure =>
	new Failure('input_malformed', `The backup ${file} is damaged.`, {
		why,
		next: 'Name another backup; while the previous version lives, a new one can be made. The other files in its folder hold the same for people to read.',
	});

const createForeignFailure = (file: string): Failure =>
	new Failure('input_malformed', `${file} is not a backup made by ledge.`, {
		why: `A backup says so of itself: "kind": "${kind}".`,
		next: `Name the folder of a backup (backup-…), or the ${snapshotFile} in it.`,
	});

const zone = pipe(
	pickFields({
		id: string(),
		name: string(),
		label: string(),
		plan: optional(picklist(plans)),
		account: optional(string()),
		accountId: exactOptional(string()),
	}),
	transform(({plan, account, ...named}) => ({...named, plan, account})),
);

const unread = pickFields({
	what: string(),
	why: string(),
	isLacking: ignoreInvalid(literal(true)),
	isForbidden: ignoreInvalid(literal(true)),
});

const objects = list(jsonObject);

const buildPartSchemas = <Name extends string, Part>(names: readonly Name[], part: Part) =>
	Object.fromEntries(names.map(name => [name, part])) as Record<Name, Part>;

const snapshot: Schema<Snapshot> = pickFields({
	version: literal(1),
	taken: pipe(
		string(),
		check(taken => !Number.isNaN(Date.parse(taken))),
	),
	place: string(),
	zone,
	...buildPartSchemas(singleParts, nullable(jsonObject)),
	packages: list(pickFields({package: jsonObject, groups: objects, rules: objects})),
	...buildPartSchemas(listParts, objects),
	unread: list(unread),
});

/** Makes the backup's path in a record relative to the zone's folder, so that the folder can be moved. */
export const toMovableRecord = ({backup, ...record}: MigrationRecord, folder: string): MigrationRecord => ({
	...record,
	...(backup && {
		backup: {...backup, folder: dirname(backup.folder) === folder ? basename(backup.folder) : backup.folder},
	}),
});

/**
 * Sets a record's backup to the newest one of the zone, possibly of another command. If the folder was moved,
 * finds the backup in `folder`. Throws `file_failed`.
 */
export function withNewestBackup({backup, ...record}: MigrationRecord, folder: string): MigrationRecord {
	const newest = findNewestBackup(folder, backup && locateBackup(backup, folder));
	return newest ? {...record, backup: newest} : record;
}

function locateBackup(backup: KeptBackup, folder: string): KeptBackup {
	const movedFolder = join(folder, basename(backup.folder));
	const isInFolder = existsSync(movedFolder) || !isAbsolute(backup.folder);
	return {...backup, folder: isInFolder ? movedFolder : backup.folder};
}

/** Reads a backup. Undefined if it is missing or damaged; the caller then makes another. */
export function tryReadBackup({folder}: KeptBackup): Snapshot | undefined {
	try {
		return readBackup(folder);
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}
