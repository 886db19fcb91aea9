import {createHash, type Hash} from 'node:crypto';
import {existsSync, rmSync, statSync} from 'node:fs';
import {type FileHandle, open, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {boolean, type InferOutput, string} from 'valibot';
import {Failure, interrupted} from '../../failure.ts';
import {claimFile} from '../../state/claim.ts';
import {errorCode, fileFailed, syncDirectory} from '../../state/directory.ts';
import {advice, ledge, onKeysInto} from '../../text/advice.ts';
import {fields, lenient} from '../../text/schema.ts';
import {quoted} from '../../text/shell-word.ts';

export type ExportOptions = InferOutput<typeof exportOptions>;
export const exportOptions = fields({
	/** Absolute path of the file. */
	path: string(),
	over: boolean(),
	/** For a source file: the SHA-256 of its content, in hex. */
	digest: lenient(string()),
	prefix: lenient(string()),
});

/** The file of a running export: `NAME.part`, 0600, renamed when complete. */
export type ExportFile = {
	append(text: string): Promise<void>;
	/** Syncs everything appended to disk; returns undefined if part of it could not be written. */
	checkpoint(): Promise<FileMark | undefined>;
	/**
	 * Completes the file: closes it and gives it its name. Fails with `file_exists` if another file took the
	 * name.
	 */
	finish(): Promise<void>;
	/** Closes the file unfinished, and removes it unless it stays to be resumed. */
	leave(stays: boolean): Promise<void>;
};

/** A position at which the file may be cut later. `digest` is the SHA-256 of everything before it, in hex. */
export type FileMark = {readonly bytes: number; readonly digest: string};

type ExportPlace = {
	readonly path: string;
	/** True if an existing file may be overwritten. */
	readonly over: boolean;
};

/** Characters per block. With gzip each block is a complete member, after which the file may be cut. */
const blockLength = 1_000_000;

/** Returns the path of an unfinished file. */
export const partOf = (path: string): string => `${path}.part`;

const isGzipName = (path: string): boolean => path.endsWith('.gz');

/**
 * Makes an export the only writer of its file until disposed; call it before touching the file. Fails with
 * `job_running`, and with `usage` if the path is not a regular file.
 */
export function claimExport({path}: ExportPlace): Disposable {
	refuseNoFile(path);
	return claimFile(path);
}

/**
 * Fails with `file_exists` if the file of a claimed export, or an unfinished one that must not be discarded,
 * exists; `isOwn` if the unfinished file is known to belong to this export. An empty unfinished file belongs
 * to no one.
 */
export function refuseTaken({path, over}: ExportPlace, isOwn: boolean): void {
	if (over) return;
	if (existsSync(path)) throw exists(path);
	if (isOwn || !hasBeginning(path)) return;
	throw new Failure('file_exists', `The file ${JSON.stringify(partOf(path))} exists already.`, {
		why: 'It is the beginning of an export that was interrupted, and no job continues it.',
		next: 'Name another file, or add --yes to start over in its place.',
	});
}

/** True if part of an export into the file was already written. */
export const hasBeginning = (path: string): boolean =>
	(statSync(partOf(path), {throwIfNoEntry: false})?.size ?? 0) > 0;

/** Creates the file of a claimed export, discarding any unfinished one. */
export async function createExportFile(place: ExportPlace): Promise<ExportFile> {
	const part = partOf(place.path);
	try {
		rmSync(part, {force: true});
		return new PartFile(place, await open(part, 'wx', 0o600), 0);
	} catch (cause) {
		throw fileFailed(`The file ${JSON.stringify(part)} cannot be written.`, cause);
	}
}

/** Fails for a folder, device or pipe, which is never replaced, whatever the user confirmed. */
function refuseNoFile(path: string): void {
	const found = statSync(path, {throwIfNoEntry: false});
	if (!found || found.isFile()) return;
	throw found.isDirectory()
		? new Failure('usage', `${JSON.stringify(path)} is a folder.`, {next: 'Name a file in it.'})
		: new Failure('usage', `${JSON.stringify(path)} is not a file that can be replaced.`, {
				next: advice`Write to standard output: \`${onKeysInto('kv export …', ` > ${quoted(path)}`)}\``,
			});
}

/**
 * Reopens the file of a job and truncates it to a mark. Fails with `changed_meanwhile` if the content before
 * the mark is missing or not what the export wrote.
 */
export async function reopenExportFile(
	place: ExportPlace,
	mark: FileMark,
	job: string,
	signal: AbortSignal,
): Promise<ExportFile> {
	const part = partOf(place.path);
	let file: FileHandle | undefined;
	try {
		file = await open(part, 'r+');
		const hash = await hashUntil(file, mark, signal);
		if (!hash) throw changed(part, job, 'What it began with is gone, or not complete.');
		await file.truncate(mark.bytes);
		return new PartFile(place, file, mark.bytes, hash);
	} catch (cause) {
		await file?.close();
		if (errorCode(cause) === 'ENOENT') throw changed(part, job, 'It is gone.');
		throw fileFailed(`The file ${JSON.stringify(part)} cannot be resumed.`, cause);
	}
}

/** True if an export that reached this mark was complete and has its name: only its end was not recorded. */
export async function isFinishedExport(
	{path}: ExportPlace,
	mark: FileMark,
	signal: AbortSignal,
): Promise<boolean> {
	if (existsSync(partOf(path)) || !existsSync(path)) return false;
	try {
		await using file = await open(path, 'r');
		return (await file.stat()).size === mark.bytes && (await hashUntil(file, mark, signal)) !== undefined;
	} catch (cause) {
		throw fileFailed(`The file ${JSON.stringify(path)} cannot be read.`, cause);
	}
}

/** Returns the hash of the content before a mark; undefined if it differs from the digest. */
async function hashUntil(
	file: FileHandle,
	{bytes, digest}: FileMark,
	signal: AbortSignal,
): Promise<Hash | undefined> {
	const hash = createHash('sha256');
	const chunk = Buffer.allocUnsafe(readLength);
	for (let at = 0; at < bytes; ) {
		if (signal.aborted) throw interrupted();
		const {bytesRead} = await file.read(chunk, 0, Math.min(readLength, bytes - at), at);
		if (bytesRead === 0) return undefined;
		hash.update(chunk.subarray(0, bytesRead));
		at += bytesRead;
	}
	return digestOf(hash) === digest ? hash : undefined;
}

const readLength = 256 * 1024;

const digestOf = (hash: Hash): string => hash.copy().digest('hex');

class PartFile implements ExportFile {
	readonly #place: ExportPlace;
	readonly #file: FileHandle;
	readonly #isGzip: boolean;
	readonly #hash: Hash;
	#bytes: number;
	#texts: string[] = [];
	#length = 0;
	/** Writes run one after the other. */
	#last: Promise<void> = Promise.resolve();
	/** Why appended text is missing from the file: nothing may be written after the gap. */
	#gap: Failure | undefined;
	#isClosed = false;

	constructor(place: ExportPlace, file: FileHandle, bytes: number, hash: Hash = createHash('sha256')) {
		this.#place = place;
		this.#file = file;
		this.#isGzip = isGzipName(place.path);
		this.#bytes = bytes;
		this.#hash = hash;
	}

	async append(text: string): Promise<void> {
		this.#texts.push(text);
		this.#length += text.length;
		if (this.#length >= blockLength) await this.#write();
	}

	async checkpoint(): Promise<FileMark | undefined> {
		if (this.#gap) return undefined;
		const mark = await this.#write();
		await this.#sync();
		return mark;
	}

	async finish(): Promise<void> {
		const {path, over} = this.#place;
		await this.#write();
		await this.#sync();
		if (!over && existsSync(path))
			throw new Failure('file_exists', `The file ${JSON.stringify(path)} exists by now.`, {
				why: 'The export is whole, and waits for its name.',
				next: 'Move that file away.',
			});
		await this.#close();
		try {
			await rename(partOf(path), path);
			syncDirectory(dirname(path));
		} catch (cause) {
			throw fileFailed(`The export cannot be given its name ${JSON.stringify(path)}.`, cause);
		}
	}

	async leave(stays: boolean): Promise<void> {
		await this.#close();
		if (!stays) rmSync(partOf(this.#place.path), {force: true});
	}

	/** Writes everything appended so far; returns the mark after it. */
	#write(): Promise<FileMark> {
		const plain = Buffer.from(this.#texts.join(''));
		this.#texts = [];
		this.#length = 0;
		const after = this.#last.then(async () => {
			if (this.#gap) throw this.#gap;
			try {
				// An empty file would not be valid gzip.
				const isDue = plain.length > 0 || (this.#isGzip && this.#bytes === 0);
				if (isDue) await this.#put(this.#isGzip ? await compressed(plain) : plain);
			} catch (cause) {
				throw this.#torn(cause);
			}
			return {bytes: this.#bytes, digest: digestOf(this.#hash)};
		});
		this.#last = after.then(
			() => {},
			() => {},
		);
		return after;
	}

	async #put(bytes: Buffer): Promise<void> {
		for (let at = 0; at < bytes.length; )
			at += (await this.#file.write(bytes, at, bytes.length - at, this.#bytes + at)).bytesWritten;
		this.#bytes += bytes.length;
		this.#hash.update(bytes);
	}

	async #close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		await this.#last;
		try {
			await this.#file.close();
		} catch (cause) {
			// Some systems report only here that the disk is full.
			throw this.#torn(cause);
		}
	}

	/** Some systems report only here that the disk is full. */
	async #sync(): Promise<void> {
		try {
			if (!this.#isClosed) await this.#file.datasync();
		} catch (cause) {
			throw this.#torn(cause);
		}
	}

	#torn(cause: unknown): Failure {
		this.#gap ??= fileFailed(
			`The file ${JSON.stringify(partOf(this.#place.path))} cannot be written.`,
			cause,
		);
		return this.#gap;
	}
}

const compressed = promisify(gzip);

const changed = (part: string, job: string, why: string): Failure =>
	new Failure('changed_meanwhile', `The file ${JSON.stringify(part)} is not what the export left.`, {
		why,
		next: advice`Give the job up and export again: \`${ledge('jobs forget', job, '--yes')}\``,
	});

const exists = (path: string): Failure =>
	new Failure('file_exists', `The file ${JSON.stringify(path)} exists already.`, {
		next: 'Name another file, or add --yes to write over it.',
	});
