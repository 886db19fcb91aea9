import {rmSync} from 'node:fs';
import {type FileHandle, open, truncate} from 'node:fs/promises';
import {Failure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import type {JsonValue} from '../text/json.ts';
import {createFileFailure, writePrivateFile} from './directory.ts';
import {
	type JobCodec,
	type JobRecord,
	type JournalEvent,
	type JournalHeader,
	replayJournal,
} from './job-record.ts';
import {takeLock} from './lock.ts';

/**
 * Journal of one resumable job, open for writing: JSON lines, mode 0600; the first describes the job, the
 * others are events. Contains no values of keys and no credential, and records only what was acknowledged.
 * Locked against other processes until closed.
 */
export class Journal {
	readonly path: string;
	readonly id: string;
	readonly #lock: Disposable;
	readonly #file: FileHandle;
	/** Bytes of complete lines. */
	#length: number;
	#lastAppend: Promise<void> = Promise.resolve();
	#isClosed = false;

	private constructor(path: string, id: string, lock: Disposable, file: FileHandle, length: number) {
		this.path = path;
		this.id = id;
		this.#lock = lock;
		this.#file = file;
		this.#length = length;
	}

	/** Creates the journal of a new job, with its first events. Fails with `file_failed`. */
	static async create(
		path: string,
		header: JournalHeader<JsonValue>,
		events: readonly JournalEvent<JsonValue>[] = [],
	): Promise<Journal> {
		const lock = takeLock(path);
		try {
			// Atomic, so that a killed process leaves no partial first line.
			const content = Buffer.from(`${JSON.stringify({v: 1, ...header})}\n${formatLines(events)}`);
			writePrivateFile(path, content);
			return new Journal(path, header.id, lock, await open(path, 'a'), content.length);
		} catch (error) {
			lock[Symbol.dispose]();
			throw createFileFailure(`The journal ${path} cannot be written.`, error);
		}
	}

	/**
	 * Opens the journal of an interrupted job and returns its content. Removes a partial last line of a
	 * killed process. Fails with `journal_invalid` and `job_running`.
	 */
	static async open<Options, Position>(
		path: string,
		codec: JobCodec<Options, Position>,
	): Promise<{journal: Journal; record: JobRecord<Options, Position>}> {
		// Read before locking too: a missing journal may lack the folder for its lock.
		await readJournal(path, codec);
		const lock = takeLock(path);
		try {
			const {record, completeLength} = await readCompleteLines(path, codec);
			await truncate(path, completeLength);
			return {
				record,
				journal: new Journal(path, record.header.id, lock, await open(path, 'a'), completeLength),
			};
		} catch (error) {
			lock[Symbol.dispose]();
			throw createFileFailure(`The journal ${path} cannot be written.`, error);
		}
	}

	/**
	 * Appends events, which survive a crash after the return. Calls run in sequence. Fails with
	 * `file_failed`.
	 */
	append(...events: readonly JournalEvent<JsonValue>[]): Promise<void> {
		const pendingAppend = this.#lastAppend.then(async () => {
			try {
				const bytes = Buffer.from(formatLines(events));
				await this.#file.appendFile(bytes);
				await this.#file.datasync();
				this.#length += bytes.length;
			} catch (cause) {
				// On a full disk, a partial line must not precede complete ones.
				await this.#file.truncate(this.#length).catch(() => {});
				throw createFileFailure(`The journal ${this.path} cannot be written.`, cause);
			}
		});
		// The next call waits for this one; this one's failure is its caller's concern.
		this.#lastAppend = pendingAppend.catch(() => {});
		return pendingAppend;
	}

	/** Removes and closes the journal, for a job that needs no record. Fails with `file_failed`. */
	async discard(): Promise<void> {
		await this.#lastAppend;
		try {
			rmSync(this.path, {force: true});
		} catch (cause) {
			throw createFileFailure(`The journal ${this.path} cannot be removed.`, cause);
		} finally {
			await this.close();
		}
	}

	/** Closes the journal after pending writes; repeated calls do nothing. */
	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		await this.#lastAppend;
		try {
			await this.#file.close();
		} finally {
			this.#lock[Symbol.dispose]();
		}
	}
}

/**
 * Reads a journal without opening it for writing. Ignores a partial last line. Fails with `journal_invalid`.
 */
export async function readJournal<Options, Position>(
	path: string,
	codec: JobCodec<Options, Position>,
): Promise<JobRecord<Options, Position>> {
	return (await readCompleteLines(path, codec)).record;
}

async function readCompleteLines<Options, Position>(
	path: string,
	codec: JobCodec<Options, Position>,
): Promise<{record: JobRecord<Options, Position>; completeLength: number}> {
	let bytes: Buffer;
	try {
		await using file = await open(path, 'r');
		bytes = await file.readFile();
	} catch (cause) {
		throw new Failure('journal_invalid', `The journal ${path} cannot be read.`, {
			why: cause instanceof Error ? cause.message : String(cause),
			next: buildAdvice`\`${buildCommand('jobs list')}\` lists the jobs.`,
			cause,
		});
	}
	const completeLength = bytes.lastIndexOf(0x0a) + 1;
	const texts = bytes.toString('utf8', 0, completeLength).split('\n').slice(0, -1);
	return {record: replayJournal(path, texts, codec), completeLength};
}

const formatLines = (events: readonly JournalEvent<JsonValue>[]): string =>
	events.map(event => `${JSON.stringify({at: Date.now(), ...event})}\n`).join('');
