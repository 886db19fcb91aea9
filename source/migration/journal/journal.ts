import {randomBytes} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {asFailure, Failure, isFailure} from '../../failure.ts';
import {
	type Environment,
	errorCode,
	fileFailed,
	keepFile,
	stateDirectory,
	syncDirectory,
} from '../../state/directory.ts';
import type {Holder} from '../../state/holder.ts';
import {type JobCodec, type JobTarget, type JournalHeader, replay} from '../../state/job-record.ts';
import {Journal} from '../../state/journal.ts';
import {lockHolder, takeLock} from '../../state/lock.ts';
import {advice, inZone} from '../../text/advice.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {type Configuration, fingerprint, parseConfiguration} from '../configuration/configuration.ts';
import {afterInterruption} from '../machine/transitions.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {
	type Backups,
	backupsIn,
	movable,
	objectCount,
	readableBackup,
	withBackupFound,
	writeBackup,
} from './backup.ts';
import {type MigrationTarget, migrationFolder, openMigrationFolder} from './folder.ts';
import {type KeptBackup, type MigrationRecord, readRecord} from './record.ts';

/**
 * The journal of one zone's migration: its record, reviewed configurations and backups. Never holds a
 * credential. Locked for other processes until it is closed.
 */
export type MigrationJournal = {
	readonly target: MigrationTarget;
	/** The zone's folder; undefined for a journal in memory. */
	readonly folder: string | undefined;
	/** The last record. A PUT that was under way when the process ended is in doubt. */
	readonly record: MigrationRecord;
	/** Writes a record durably: it survives a crash. Throws `file_failed`, and the record stays unchanged. */
	keep(record: MigrationRecord): Promise<void>;
	keepReviewed(configuration: Configuration): Promise<void>;
	/** Throws `journal_invalid` if it is missing or not what was reviewed. */
	readReviewed(digits: string): Promise<Configuration>;
	backUp(snapshot: Snapshot, reviewed: Configuration | undefined): Promise<KeptBackup>;
	/** Reads the backup named by the record. Undefined if none exists, or it is missing or damaged. */
	snapshot(): Snapshot | undefined;
	/** Reads every backup of the zone. Throws `file_failed`. */
	backups(): Backups;
	/** Writes a file with mode 0600 into the zone's folder; returns its path, or the name if in memory. */
	keepText(name: string, text: string): string;
	close(): Promise<void>;
};

const begun: MigrationRecord = {state: 'unread'};

/**
 * Opens the journal of a zone's migration for this process; creates it if needed. Throws `job_running` while
 * another process has it, `journal_invalid` if it is damaged or of another zone, and `file_failed`.
 */
export async function openMigrationJournal(
	environment: Environment,
	target: MigrationTarget,
): Promise<MigrationJournal> {
	const folder = openMigrationFolder(environment, target);
	const path = join(folder, journalName);
	// Prevents two processes from creating the journal at once.
	using _opening = takeLock(join(folder, 'opening'));
	if (existsSync(path)) return keptJournal(folder, path, target, await takeUp(path, target));
	const opened = await begin(path, target);
	// Syncs the parent folders, too: they may be new, and a crash must not lose their entries.
	const root = stateDirectory(environment) ?? folder;
	for (let at = folder; at.length > root.length; at = dirname(at)) syncDirectory(dirname(at));
	return keptJournal(folder, path, target, opened);
}

/**
 * Reads the record without a lock. A PUT under way counts as lost only if no other process holds the journal.
 * Undefined without a journal.
 */
export function readMigrationRecord(
	environment: Environment,
	target: MigrationTarget,
): MigrationRecord | undefined {
	const folder = migrationFolder(environment, target);
	if (folder === undefined) return undefined;
	return readJournalFile(join(folder, journalName), target)?.record;
}

/** The journal of a zone, and the process that holds it. */
export type ReadJournal = {
	readonly header: JournalHeader<JsonValue>;
	readonly record: MigrationRecord;
	/** Milliseconds since the epoch. */
	readonly updated: number;
	/** The live process that holds the journal. */
	readonly holder: Holder | undefined;
};

/** Like `readMigrationRecord`, for any zone: the journal names it. `place` must match. */
export const readZoneJournal = (folder: string, place: string): ReadJournal | undefined =>
	readJournalFile(join(folder, journalName), {place});

function readJournalFile(
	path: string,
	target: {readonly place: string; readonly zone?: MigrationTarget['zone']},
): ReadJournal | undefined {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		throw fileFailed(`The journal ${path} cannot be read.`, cause);
	}
	// Ignores text after the last line feed: a line that is incomplete or still being written.
	const lines = text.split('\n').slice(0, -1);
	return withWayOut(path, () => {
		const replayed = replay(path, lines, codec);
		const {header, updated} = replayed;
		const written = recordOf(path, replayed, target);
		const holder = lockHolder(path);
		return {header, updated, holder, record: holder ? written : upTaken(written)};
	});
}

/** Finds the live process that holds the journal of a zone's migration. */
export function migrationHolder(environment: Environment, target: MigrationTarget): Holder | undefined {
	const folder = migrationFolder(environment, target);
	return folder !== undefined && existsSync(folder) ? lockHolder(join(folder, journalName)) : undefined;
}

/**
 * Creates a journal in memory, for rehearsals, the simulated service and dry runs. `createFlow` refuses it
 * otherwise.
 */
export function memoryJournal(target: MigrationTarget, from: MigrationRecord = begun): MigrationJournal {
	let record = upTaken(from);
	let kept: Snapshot | undefined;
	const reviewed = new Map<string, Configuration>();
	return {
		target,
		folder: undefined,
		get record() {
			return record;
		},
		async keep(next) {
			record = next;
		},
		async keepReviewed(configuration) {
			reviewed.set(fingerprint(configuration), configuration);
		},
		async readReviewed(digits) {
			return reviewed.get(digits) ?? notReviewed(digits, 'It is not there.');
		},
		async backUp(snapshot) {
			kept = snapshot;
			return memoryBackup(snapshot);
		},
		snapshot: () => kept,
		backups: () => ({
			whole: kept ? [{kept: memoryBackup(kept), snapshot: kept}] : [],
			damaged: [],
		}),
		keepText: name => name,
		async close() {},
	};
}

const memoryBackup = (snapshot: Snapshot): KeptBackup => ({
	folder: 'memory',
	objects: objectCount(snapshot),
	at: Date.parse(snapshot.taken),
});

type Opened = {journal: Journal; readonly record: MigrationRecord};

function keptJournal(
	folder: string,
	path: string,
	target: MigrationTarget,
	opened: Opened,
): MigrationJournal {
	let {journal, record} = opened;
	let torn = false;
	let closed = false;
	return {
		target,
		folder,
		get record() {
			return record;
		},
		async keep(next) {
			if (closed) throw new Failure('internal', `The journal ${path} is closed.`);
			// A failed append may have written part of a line; appending after it would lose the next line.
			if (torn) {
				await journal.close();
				journal = (await takeUp(path, target)).journal;
				torn = false;
			}
			try {
				await journal.append(line(next, folder));
			} catch (error) {
				torn = true;
				throw error;
			}
			record = next;
		},
		async keepReviewed(configuration) {
			const name = `reviewed-${fingerprint(configuration)}.json`;
			keepFile(join(folder, name), `${JSON.stringify(configuration, undefined, '\t')}\n`);
		},
		async readReviewed(digits) {
			return readReviewedIn(folder, digits);
		},
		async backUp(snapshot, reviewed) {
			return writeBackup(folder, snapshot, {reviewed});
		},
		snapshot: () => record.backup && readableBackup(record.backup),
		backups: () => backupsIn(folder),
		keepText(name, text) {
			const file = join(folder, name);
			keepFile(file, text);
			return file;
		},
		async close() {
			closed = true;
			await journal.close();
		},
	};
}

/** Reads a reviewed configuration from a zone's folder by its fingerprint. Throws `journal_invalid`. */
export function readReviewedIn(folder: string, digits: string): Configuration {
	const path = join(folder, `reviewed-${digits}.json`);
	let configuration: Configuration;
	try {
		configuration = parseConfiguration(readFileSync(path, 'utf8'), path);
	} catch (error) {
		return notReviewed(digits, asFailure(error).message);
	}
	const found = fingerprint(configuration);
	return found === digits ? configuration : notReviewed(digits, `${path} has the fingerprint ${found} now.`);
}

function notReviewed(digits: string, why: string): never {
	throw new Failure('journal_invalid', `The reviewed configuration ${digits} cannot be read.`, {
		why,
		next: 'Review the configuration again; nothing was sent.',
	});
}

const journalName = 'journal.ndjson';

const codec: JobCodec<JsonValue, MigrationRecord> = {
	kind: 'migration',
	options: json => (isJsonObject(json) ? json : undefined),
	position: readRecord,
};

// A record is JSON except for undefined fields, which are not written.
const line = (record: MigrationRecord, folder: string) =>
	({type: 'cursor', position: movable(record, folder) as unknown as JsonValue, done: 0}) as const;

const jobTarget = ({place, zone}: MigrationTarget): JobTarget => ({
	place,
	...(zone.accountId !== undefined && {account: zone.accountId}),
	zone: zone.id,
});

/** Precedes the zone's name in the title of a journal on disk; changing it breaks older journals. */
const titleStart = 'migration of ';

/** Returns the zone's name at the time the journal was created. */
export const zoneNameIn = ({title}: Pick<JournalHeader<JsonValue>, 'title'>): string =>
	title.startsWith(titleStart) ? title.slice(titleStart.length) : title;

async function begin(path: string, target: MigrationTarget): Promise<Opened> {
	const header: JournalHeader<JsonValue> = {
		id: randomBytes(6).toString('hex'),
		kind: codec.kind,
		created: Date.now(),
		title: `${titleStart}${target.zone.name}`,
		target: jobTarget(target),
		options: {},
	};
	return {journal: await Journal.create(path, header, [line(begun, dirname(path))]), record: begun};
}

async function takeUp(path: string, target: MigrationTarget): Promise<Opened> {
	try {
		const {journal, record} = await Journal.open(path, codec);
		try {
			return {journal, record: upTaken(recordOf(path, record, target))};
		} catch (error) {
			await journal.close();
			throw error;
		}
	} catch (error) {
		throw wayOut(path, error);
	}
}

function recordOf(
	path: string,
	{header, position}: {header: JournalHeader<JsonValue>; position: MigrationRecord | undefined},
	target: {readonly place: string; readonly zone?: MigrationTarget['zone']},
): MigrationRecord {
	const {place, zone} = header.target;
	// The zone id suffices: not every credential can read the account.
	if (place !== target.place || zone === undefined || (target.zone && zone !== target.zone.id))
		throw new Failure('journal_invalid', `The journal ${path} belongs to another zone or service.`, {
			why: `It is of zone ${zone ?? '?'} at ${place}.`,
		});
	return withBackupFound(position ?? begun, dirname(path));
}

/** Marks a PUT under way as lost. */
function upTaken(record: MigrationRecord): MigrationRecord {
	const state = afterInterruption(record.state);
	if (state === record.state) return record;
	const put = record.put && {
		...record.put,
		came: 'lost' as const,
		why: 'ledge ended before the answer came.',
	};
	return {...record, state, put};
}

function withWayOut<T>(path: string, read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw wayOut(path, error);
	}
}

/**
 * Adds how to recover: without the journal only the review is lost, because the service reports the state of
 * the zone.
 */
const wayOut = (path: string, error: unknown): unknown =>
	isFailure(error, 'journal_invalid')
		? error.with({
				next: advice`Move ${path} aside and start again: \`${inZone('migration status')}\` shows how far the zone is, and nothing is sent before a new review.`,
			})
		: error;
