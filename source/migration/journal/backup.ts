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

/** How many objects of a zone a snapshot holds. */
export const objectCount = (snapshot: Snapshot): number =>
	countPackages(snapshot.packages) +
	listParts.reduce((sum, name) => sum + snapshot[name].length, 0) +
	singleParts.filter(name => snapshot[name] !== null).length;

/** Whether two snapshots hold the same, whenever they were taken. */
export const holdsSame = (one: Snapshot, other: Snapshot): boolean => contentOf(one) === contentOf(other);

const contentOf = (snapshot: Snapshot): string => {
	const {zone, packages, unread} = snapshot;
	const parts = [...singleParts, ...listParts].map(name => snapshot[name]);
	return JSON.stringify([zone.plan, packages, unread, ...parts]);
};

/**
 * Writes a backup into a folder of its own, `backup-2026-11-21T0310Z`, below `folder`: a file of each
 * kind for people, and `snapshot.json` with all of it, from which it is read back. All 0600 in a folder 0700, and
 * synced; the folder has its name only once it is whole, and never takes the place of another. Fails with
 * `file_failed`.
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
		// The last one counts.
		keepFile(join(draft, snapshotFile), wholeBackup(snapshot));
		const kept = {folder: settle(draft, folder, name), objects: objectCount(snapshot)};
		return {...kept, at: Date.parse(snapshot.taken)};
	} catch (cause) {
		discard(draft);
		throw fileFailed(`The backup cannot be written into ${folder}.`, cause);
	}
}

/** Names a finished folder, or with the next free name; returns its path. */
function settle(draft: string, folder: string, name: string): string {
	for (let number = 1; ; number++) {
		const path = join(folder, number === 1 ? name : `${name}-${number}`);
		// Renaming replaces an empty folder: whether one exists is checked, too.
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

/** The files for people. A part that could not be read has none: an empty list would say that there was nothing. */
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

/** The names of the files of lists. */
const listFiles = {
	overrides: 'overrides',
	firewallRules: 'firewall-rules',
	filters: 'filters',
	pageRules: 'page-rules',
} as const satisfies Record<(typeof listParts)[number], string>;

const readable = (value: unknown): string => `${JSON.stringify(value, undefined, '\t')}\n`;

/**
 * A backup read back: its folder, or the `snapshot.json` out of it. A backup that is damaged, half-written or of something
 * else fails with `input_malformed`; a missing one with `input_missing`. Nothing is taken from it then.
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
 * Adds to a backup what came in the end, a file each: `final-NAME.json`. Of two runs the last one stands. The backup
 * itself is never changed. Fails with `file_failed`.
 */
export function addFinal(folder: string, parts: Readonly<Record<string, JsonValue>>): void {
	for (const [name, value] of Object.entries(parts))
		keepFile(join(folder, `final-${name}.json`), readable(value));
}

/** What the folder of a zone has of backups: those that are whole, as they were made, and the paths of damaged ones. */
export type Backups = {
	readonly whole: readonly {readonly kept: KeptBackup; readonly snapshot: Snapshot}[];
	readonly damaged: readonly string[];
};

/** Reads every backup in the folder of a zone; folders of other things are passed over. Fails with `file_failed`. */
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
 * The newest whole backup of the zone as it was before the end of the previous version; `known`, the backup that a journal
 * names, where no newer one is in the folder. Fails with `file_failed`.
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

/** Whether a snapshot was taken while the previous version could still be read. */
export const isFromBefore = (snapshot: Snapshot): boolean =>
	['previous', 'validation'].includes(factsIn(snapshot).stage);

const keptAs = (folder: string, snapshot: Snapshot): KeptBackup => ({
	folder,
	objects: objectCount(snapshot),
	at: Date.parse(snapshot.taken),
});

/** In the order in which they were made: one of the same minute has a number behind it. */
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

/** The file of a backup from which it is read back. */
const snapshotFile = 'snapshot.json';

/** What the file says it is, so that nothing else is taken for it. */
const kind = 'ledge migration backup';

/** A snapshot of what is the zone's own as the text of that file, with a digest over it: half a file or a changed one is not a backup. */
export function wholeBackup({managed: _rulesets, managedUnread: _why, ...snapshot}: Snapshot): string {
	const text = JSON.stringify(snapshot);
	return `${JSON.stringify({kind, version: 1, digest: digestOf(text), snapshot: JSON.parse(text)}, undefined, '\t')}\n`;
}

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The snapshot out of that text. Fails with `input_malformed`; `file` is named then. */
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

/** The same schema for each part. */
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
