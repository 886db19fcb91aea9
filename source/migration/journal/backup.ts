import {createHash, randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {check, exactOptional, literal, nullable, optional, picklist, pipe, string, transform} from 'valibot';
import {Failure, isFailure} from '../../failure.ts';
import {parseJson} from '../../service/envelope.ts';
import {plans} from '../../service/plan.ts';
import {discard, errorCode, fileFailed, keepFile, makeFolder, syncDirectory} from '../../state/directory.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {fields, jsonObject, lenient, list, parseOrUndefined, type Schema} from '../../text/schema.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {factsIn} from '../zone/read-facts.ts';
import {countPackages, listParts, parts, reasonUnread, type Snapshot, singleParts} from '../zone/snapshot.ts';
import type {KeptBackup, MigrationRecord} from './record.ts';

export const objectCount = (snapshot: Snapshot): number =>
	countPackages(snapshot.packages) +
	listParts.reduce((sum, name) => sum + snapshot[name].length, 0) +
	singleParts.filter(name => snapshot[name] !== null).length;

/** True if two snapshots have the same content, whenever they were taken. */
export const holdsSame = (one: Snapshot, other: Snapshot): boolean => contentOf(one) === contentOf(other);

const contentOf = (snapshot: Snapshot): string => {
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
	{reviewed}: {readonly reviewed?: Configuration | undefined} = {},
): KeptBackup {
	const name = `backup-${snapshot.taken.slice(0, 16).replaceAll(':', '')}Z`;
	const draft = join(folder, `.${name}.${randomBytes(6).toString('hex')}.new`);
	try {
		makeFolder(folder, 0o700);
		mkdirSync(draft, {mode: 0o700});
		for (const [file, value] of Object.entries(perKind(snapshot, reviewed)))
			keepFile(join(draft, `${file}.json`), readable(value));
		// Written last: it makes the backup complete.
		keepFile(join(draft, snapshotFile), wholeBackup(snapshot));
		const kept = {folder: settle(draft, folder, name), objects: objectCount(snapshot)};
		return {...kept, at: Date.parse(snapshot.taken)};
	} catch (cause) {
		discard(draft);
		throw fileFailed(`The backup cannot be written into ${folder}.`, cause);
	}
}

/** Renames a finished folder to `name`, or to the next free `name-2`, `name-3`…; returns its path. */
function settle(draft: string, folder: string, name: string): string {
	for (let number = 1; ; number++) {
		const path = join(folder, number === 1 ? name : `${name}-${number}`);
		// A rename replaces an empty folder, so check first.
		if (existsSync(path)) continue;
		try {
			renameSync(draft, path);
		} catch (cause) {
			if (errorCode(cause) === 'ENOTEMPTY' || errorCode(cause) === 'EEXIST') continue;
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
const perKind = (snapshot: Snapshot, reviewed: Configuration | undefined): Record<string, unknown> => ({
	migration: {check: snapshot.check, status: snapshot.status},
	settings: {waf: snapshot.waf},
	...(reasonUnread(snapshot.unread, parts.packages) === undefined && {
		packages: snapshot.packages.map(one => one.package),
		groups: snapshot.packages.flatMap(({groups}) => groups),
		rules: snapshot.packages.flatMap(({rules}) => rules),
	}),
	...Object.fromEntries(
		listParts
			.filter(name => reasonUnread(snapshot.unread, parts[name]) === undefined)
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

const readable = (value: unknown): string => `${JSON.stringify(value, undefined, '\t')}\n`;

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
		throw unreadable(path, file, cause);
	}
	return parseBackup(text, file);
}

function unreadable(path: string, file: string, cause: unknown): Failure {
	if (errorCode(cause) === 'ENOENT' && file !== resolve(path)) {
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
export function addFinal(folder: string, parts: Readonly<Record<string, JsonValue>>): void {
	for (const [name, value] of Object.entries(parts))
		keepFile(join(folder, `final-${name}.json`), readable(value));
}

/** The backups in a zone's folder: the complete ones, oldest first, and the paths of damaged ones. */
export type Backups = {
	readonly whole: readonly {readonly kept: KeptBackup; readonly snapshot: Snapshot}[];
	readonly damaged: readonly string[];
};

/** Reads every backup in a zone's folder; ignores other folders. Throws `file_failed`. */
export function backupsIn(folder: string): Backups {
	const whole: Backups['whole'][number][] = [];
	const damaged: string[] = [];
	for (const path of backupFolders(folder)) {
		try {
			const snapshot = readBackup(path);
			whole.push({kept: keptAs(path, snapshot), snapshot});
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
function newestBackup(folder: string, known: KeptBackup | undefined): KeptBackup | undefined {
	for (const path of backupFolders(folder).toReversed()) {
		if (path === known?.folder) return known;
		try {
			const snapshot = readBackup(path);
			if (isFromBefore(snapshot)) return keptAs(path, snapshot);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
		}
	}
	return known;
}

/** True if a snapshot was taken while the previous version could still be read. */
export const isFromBefore = (snapshot: Snapshot): boolean =>
	['previous', 'validation'].includes(factsIn(snapshot).stage);

const keptAs = (folder: string, snapshot: Snapshot): KeptBackup => ({
	folder,
	objects: objectCount(snapshot),
	at: Date.parse(snapshot.taken),
});

/** Lists the folders of backups, oldest first; a second one of the same minute has a number at its end. */
function backupFolders(folder: string): readonly string[] {
	let names: string[];
	try {
		names = readdirSync(folder).filter(name => name.startsWith('backup-'));
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return [];
		throw fileFailed(`The folder ${folder} cannot be read.`, cause);
	}
	const order = new Intl.Collator('en', {numeric: true});
	return names.toSorted(order.compare).map(name => join(folder, basename(name)));
}

/** The file that a backup is read from. */
const snapshotFile = 'snapshot.json';

/** Identifies the file as a backup. */
const kind = 'ledge migration backup';

/** Serializes the zone's own data, with a digest to detect a damaged file. */
export function wholeBackup({managed: _rulesets, managedUnread: _why, ...snapshot}: Snapshot): string {
	const text = JSON.stringify(snapshot);
	return `${JSON.stringify({kind, version: 1, digest: digestOf(text), snapshot: JSON.parse(text)}, undefined, '\t')}\n`;
}

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Throws `input_malformed`; `file` names the file in messages. */
function parseBackup(text: string, file: string): Snapshot {
	const json = parseJson(text);
	if (json === undefined)
		throw damaged(file, 'It is not whole JSON: it was cut off, or is of something else.');
	if (!isJsonObject(json) || json.kind !== kind) throw foreign(file);
	if (json.version !== 1) {
		throw new Failure('input_malformed', `The backup ${file} was written by another version of ledge.`, {
			why: `Its format is ${JSON.stringify(json.version)}; this ledge knows format 1.`,
			next: 'Use the version that made it; the other files of its folder can be read by people.',
		});
	}
	if (json.digest !== digestOf(JSON.stringify(json.snapshot ?? null)))
		throw damaged(file, 'What it holds is not what was written: its digest is another one.');
	const parsed = parseOrUndefined(snapshot, json.snapshot);
	if (!parsed) throw damaged(file, 'Its parts are not those of a snapshot.');
	return parsed;
}

const damaged = (file: string, why: string): Failure =>
	new Failure('input_malformed', `The backup ${file} is damaged.`, {
		why,
		next: 'Name another backup; while the previous version lives, a new one can be made. The other files in its folder hold the same for people to read.',
	});

const foreign = (file: string): Failure =>
	new Failure('input_malformed', `${file} is not a backup made by ledge.`, {
		why: `A backup says so of itself: "kind": "${kind}".`,
		next: `Name the folder of a backup (backup-…), or the ${snapshotFile} in it.`,
	});

const zone = pipe(
	fields({
		id: string(),
		name: string(),
		label: string(),
		plan: optional(picklist(plans)),
		account: optional(string()),
		accountId: exactOptional(string()),
	}),
	transform(({plan, account, ...named}) => ({...named, plan, account})),
);

const unread = fields({
	what: string(),
	why: string(),
	isLacking: lenient(literal(true)),
	isForbidden: lenient(literal(true)),
});

const objects = list(jsonObject);

const partsOf = <Name extends string, Part>(names: readonly Name[], part: Part) =>
	Object.fromEntries(names.map(name => [name, part])) as Record<Name, Part>;

const snapshot: Schema<Snapshot> = fields({
	version: literal(1),
	taken: pipe(
		string(),
		check(taken => !Number.isNaN(Date.parse(taken))),
	),
	place: string(),
	zone,
	...partsOf(singleParts, nullable(jsonObject)),
	packages: list(fields({package: jsonObject, groups: objects, rules: objects})),
	...partsOf(listParts, objects),
	unread: list(unread),
});

/** Makes the backup's path in a record relative to the zone's folder, so that the folder can be moved. */
export const movable = ({backup, ...record}: MigrationRecord, folder: string): MigrationRecord => ({
	...record,
	...(backup && {
		backup: {...backup, folder: dirname(backup.folder) === folder ? basename(backup.folder) : backup.folder},
	}),
});

/**
 * Sets a record's backup to the newest one of the zone, possibly of another command. If the folder was moved,
 * finds the backup in `folder`. Throws `file_failed`.
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

/** Reads a backup. Undefined if it is missing or damaged; the caller then makes another. */
export function readableBackup({folder}: KeptBackup): Snapshot | undefined {
	try {
		return readBackup(folder);
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}
