import {randomBytes} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Failure, isFailure, toFailure} from '../../failure.ts';
import {
	createFileFailure,
	type Environment,
	getErrorCode,
	getStateDirectory,
	syncDirectory,
	writePrivateFile,
} from '../../state/directory.ts';
import type {Holder} from '../../state/holder.ts';
import {type JobCodec, type JobTarget, type JournalHeader, replayJournal} from '../../state/job-record.ts';
import {Journal} from '../../state/journal.ts';
import {findLockHolder, takeLock} from '../../state/lock.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	parseConfiguration,
} from '../configuration/configuration.ts';
import {getStateAfterInterruption} from '../machine/transitions.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {
	type Backups,
	countSnapshotObjects,
	readBackups,
	toMovableRecord,
	tryReadBackup,
	withNewestBackup,
	writeBackup,
} from './backup.ts';
import {getMigrationFolder, type MigrationTarget, openMigrationFolder} from './folder.ts';
import {type MigrationRecord, parseMigrationRecord, type StoredBackup} from './record.ts';

/**
 * The journal of one zone's migration: its record, reviewed configurations and backups. Never holds a
 * credential. Locked for other processes until it is closed.
 */
export type MigrationJournal = {
	readonly target: MigrationTarget;
	/** The zone's folder; undefined for a journal in memory. */
	readonly folder: string | undefined;
	/** The last record. If the process ended while a PUT was under way, its outcome is unknown. */
	readonly record: MigrationRecord;
	/**
	 * Writes a record durably, so that it survives a crash. Throws `file_failed`; the record is then
	 * unchanged.
	 */
	saveRecord(record: MigrationRecord): Promise<void>;
	saveReviewed(configuration: ManagedConfiguration): Promise<void>;
	/** Throws `journal_invalid` if the file is missing or does not match the fingerprint. */
	readReviewed(fingerprint: string): Promise<ManagedConfiguration>;
	backUp(snapshot: Snapshot, reviewed: ManagedConfiguration | undefined): Promise<StoredBackup>;
	/** Reads the backup named by the record. Undefined if none exists, or it is missing or damaged. */
	loadBackup(): Snapshot | undefined;
	/** Reads every backup of the zone. Throws `file_failed`. */
	listBackups(): Backups;
	/**
	 * Writes a file with mode 0600 into the zone's folder. Returns its path, or the name if the journal is in
	 * memory.
	 */
	saveText(name: string, text: string): string;
	close(): Promise<void>;
};

const initialRecord: MigrationRecord = {state: 'unread'};

/**
 * Opens the journal of a zone's migration for this process; creates it if needed. Throws `job_running` while
 * another process has it open, `journal_invalid` if it is damaged or belongs to another zone, and
 * `file_failed`.
 */
export async function openMigrationJournal(
	environment: Environment,
	target: MigrationTarget,
): Promise<MigrationJournal> {
	const folder = openMigrationFolder(environment, target);
	const path = join(folder, journalName);
	// Prevents two processes from creating the journal at once.
	using _opening = takeLock(join(folder, 'opening'));
	if (existsSync(path)) return createFileJournal(folder, path, target, await openJournalFile(path, target));
	const createdJournal = await createJournalFile(path, target);
	// Syncs the parent folders, too: they may be new, and their entries must survive a crash.
	const root = getStateDirectory(environment) ?? folder;
	for (let currentFolder = folder; currentFolder.length > root.length; currentFolder = dirname(currentFolder))
		syncDirectory(dirname(currentFolder));
	return createFileJournal(folder, path, target, createdJournal);
}

/**
 * Reads the record without a lock. A PUT under way counts as lost only if no other process has the journal
 * open. Undefined without a journal.
 */
export function readMigrationRecord(
	environment: Environment,
	target: MigrationTarget,
): MigrationRecord | undefined {
	const folder = getMigrationFolder(environment, target);
	if (folder === undefined) return undefined;
	return readJournalFile(join(folder, journalName), target)?.record;
}

/** The journal of a zone, and the process that has it open. */
export type StoredJournal = {
	readonly header: JournalHeader<JsonValue>;
	readonly record: MigrationRecord;
	/** Milliseconds since the epoch. */
	readonly updated: number;
	/** The live process that holds the journal. */
	readonly holder: Holder | undefined;
};

/**
 * Reads the journal of any zone; the journal says which. Throws `journal_invalid` if it belongs to another
 * place.
 */
export const readZoneJournal = (folder: string, place: string): StoredJournal | undefined =>
	readJournalFile(join(folder, journalName), {place});

function readJournalFile(
	path: string,
	target: {readonly place: string; readonly zone?: MigrationTarget['zone']},
): StoredJournal | undefined {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return undefined;
		throw createFileFailure(`The journal ${path} cannot be read.`, cause);
	}
	// Ignores text after the last line feed: a line that is incomplete or still being written.
	const lines = text.split('\n').slice(0, -1);
	return withRecoveryAdvice(path, () => {
		const replayed = replayJournal(path, lines, codec);
		const {header, updated} = replayed;
		const storedRecord = readTargetRecord(path, replayed, target);
		const holder = findLockHolder(path);
		return {header, updated, holder, record: holder ? storedRecord : withInterruptedPut(storedRecord)};
	});
}

/** Finds the live process that holds the journal of a zone's migration. */
export function findMigrationHolder(environment: Environment, target: MigrationTarget): Holder | undefined {
	const folder = getMigrationFolder(environment, target);
	return folder !== undefined && existsSync(folder) ? findLockHolder(join(folder, journalName)) : undefined;
}

/**
 * Creates a journal in memory, for rehearsals, the simulated service and dry runs. `createFlow` refuses it
 * for anything else.
 */
export function createMemoryJournal(
	target: MigrationTarget,
	startRecord: MigrationRecord = initialRecord,
): MigrationJournal {
	let record = withInterruptedPut(startRecord);
	let lastSnapshot: Snapshot | undefined;
	const reviewed = new Map<string, ManagedConfiguration>();
	return {
		target,
		folder: undefined,
		get record() {
			return record;
		},
		async saveRecord(nextRecord) {
			record = nextRecord;
		},
		async saveReviewed(configuration) {
			reviewed.set(computeFingerprint(configuration), configuration);
		},
		async readReviewed(fingerprint) {
			return reviewed.get(fingerprint) ?? failUnreadableReview(fingerprint, 'It does not exist.');
		},
		async backUp(snapshot) {
			lastSnapshot = snapshot;
			return buildMemoryBackup(snapshot);
		},
		loadBackup: () => lastSnapshot,
		listBackups: () => ({
			complete: lastSnapshot ? [{backup: buildMemoryBackup(lastSnapshot), snapshot: lastSnapshot}] : [],
			damagedPaths: [],
		}),
		saveText: name => name,
		async close() {},
	};
}

const buildMemoryBackup = (snapshot: Snapshot): StoredBackup => ({
	folder: 'memory',
	objects: countSnapshotObjects(snapshot),
	at: Date.parse(snapshot.taken),
});

type OpenJournal = {journal: Journal; readonly record: MigrationRecord};

function createFileJournal(
	folder: string,
	path: string,
	target: MigrationTarget,
	openJournal: OpenJournal,
): MigrationJournal {
	let {journal, record} = openJournal;
	let isTorn = false;
	let isClosed = false;
	return {
		target,
		folder,
		get record() {
			return record;
		},
		async saveRecord(nextRecord) {
			if (isClosed) throw new Failure('internal', `The journal ${path} is closed.`);
			// A failed append may have written part of a line; a line appended after it would be lost.
			if (isTorn) {
				await journal.close();
				journal = (await openJournalFile(path, target)).journal;
				isTorn = false;
			}
			try {
				await journal.append(buildJournalLine(nextRecord, folder));
			} catch (error) {
				isTorn = true;
				throw error;
			}
			record = nextRecord;
		},
		async saveReviewed(configuration) {
			const name = `reviewed-${computeFingerprint(configuration)}.json`;
			writePrivateFile(join(folder, name), `${JSON.stringify(configuration, undefined, '\t')}\n`);
		},
		async readReviewed(fingerprint) {
			return readReviewedFile(folder, fingerprint);
		},
		async backUp(snapshot, reviewed) {
			return writeBackup(folder, snapshot, {reviewed});
		},
		loadBackup: () => record.backup && tryReadBackup(record.backup),
		listBackups: () => readBackups(folder),
		saveText(name, text) {
			const file = join(folder, name);
			writePrivateFile(file, text);
			return file;
		},
		async close() {
			isClosed = true;
			await journal.close();
		},
	};
}

/** Reads a reviewed configuration from a zone's folder by its fingerprint. Throws `journal_invalid`. */
export function readReviewedFile(folder: string, fingerprint: string): ManagedConfiguration {
	const path = join(folder, `reviewed-${fingerprint}.json`);
	let configuration: ManagedConfiguration;
	try {
		configuration = parseConfiguration(readFileSync(path, 'utf8'), path);
	} catch (error) {
		return failUnreadableReview(fingerprint, toFailure(error).message);
	}
	const actualFingerprint = computeFingerprint(configuration);
	return actualFingerprint === fingerprint
		? configuration
		: failUnreadableReview(fingerprint, `${path} now has the fingerprint ${actualFingerprint}.`);
}

function failUnreadableReview(fingerprint: string, why: string): never {
	throw new Failure('journal_invalid', `The reviewed configuration ${fingerprint} cannot be read.`, {
		why,
		next: 'Review the configuration again; nothing was sent.',
	});
}

const journalName = 'journal.ndjson';

const codec: JobCodec<JsonValue, MigrationRecord> = {
	kind: 'migration',
	parseOptions: json => (isJsonObject(json) ? json : undefined),
	parsePosition: parseMigrationRecord,
};

// A record is JSON except for undefined fields, which are not written.
const buildJournalLine = (record: MigrationRecord, folder: string) =>
	({type: 'cursor', position: toMovableRecord(record, folder) as unknown as JsonValue, done: 0}) as const;

const toJobTarget = ({place, zone}: MigrationTarget): JobTarget => ({
	place,
	...(zone.accountId !== undefined && {account: zone.accountId}),
	zone: zone.id,
});

/** Precedes the zone's name in the title of a journal on disk. Do not change it: older journals have it. */
const titlePrefix = 'migration of ';

/** Returns the zone's name at the time the journal was created. */
export const parseJournalZoneName = ({title}: Pick<JournalHeader<JsonValue>, 'title'>): string =>
	title.startsWith(titlePrefix) ? title.slice(titlePrefix.length) : title;

async function createJournalFile(path: string, target: MigrationTarget): Promise<OpenJournal> {
	const header: JournalHeader<JsonValue> = {
		id: randomBytes(6).toString('hex'),
		kind: codec.kind,
		created: Date.now(),
		title: `${titlePrefix}${target.zone.name}`,
		target: toJobTarget(target),
		options: {},
	};
	return {
		journal: await Journal.create(path, header, [buildJournalLine(initialRecord, dirname(path))]),
		record: initialRecord,
	};
}

async function openJournalFile(path: string, target: MigrationTarget): Promise<OpenJournal> {
	try {
		const {journal, record} = await Journal.open(path, codec);
		try {
			return {journal, record: withInterruptedPut(readTargetRecord(path, record, target))};
		} catch (error) {
			await journal.close();
			throw error;
		}
	} catch (error) {
		throw addRecoveryAdvice(path, error);
	}
}

function readTargetRecord(
	path: string,
	{header, position}: {header: JournalHeader<JsonValue>; position: MigrationRecord | undefined},
	target: {readonly place: string; readonly zone?: MigrationTarget['zone']},
): MigrationRecord {
	const {place, zone} = header.target;
	// The zone id suffices: not every credential can read the account.
	if (place !== target.place || zone === undefined || (target.zone && zone !== target.zone.id))
		throw new Failure('journal_invalid', `The journal ${path} belongs to another zone or service.`, {
			why: `It belongs to zone ${zone ?? '?'} at ${place}.`,
		});
	return withNewestBackup(position ?? initialRecord, dirname(path));
}

/** Marks a PUT under way as lost. */
function withInterruptedPut(record: MigrationRecord): MigrationRecord {
	const state = getStateAfterInterruption(record.state);
	if (state === record.state) return record;
	const put = record.put && {
		...record.put,
		came: 'lost' as const,
		why: 'ledge exited before the response arrived.',
	};
	return {...record, state, put};
}

function withRecoveryAdvice<T>(path: string, read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw addRecoveryAdvice(path, error);
	}
}

/**
 * Adds how to recover. Without the journal only the review is lost, because the service reports the state of
 * the zone.
 */
const addRecoveryAdvice = (path: string, error: unknown): unknown =>
	isFailure(error, 'journal_invalid')
		? error.withDetails({
				next: buildAdvice`Move ${path} aside and start over: \`${buildZoneCommand('migration status')}\` shows the state of the zone, and nothing is sent before a new review.`,
			})
		: error;
