import {randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {Failure} from '../../failure.ts';
import {discard, errorCode, fileFailed, keepFile, makeFolder, syncDirectory} from '../../state/directory.ts';
import type {JsonValue} from '../../text/json.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {countPackages, listParts, parts, reasonUnread, type Snapshot, singleParts} from '../zone/snapshot.ts';
import {factsIn} from '../zone/snapshot-facts.ts';
import {parseBackup, snapshotFile, wholeBackup} from './backup-file.ts';
import type {KeptBackup} from './record.ts';

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
export function newestBackup(folder: string, known: KeptBackup | undefined): KeptBackup | undefined {
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
