import {createHash, type Hash} from 'node:crypto';
import {existsSync, rmSync, statSync} from 'node:fs';
import {type FileHandle, open, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {boolean, type InferOutput, string} from 'valibot';
import {createInterruptedFailure, Failure} from '../../failure.ts';
import {claimFile} from '../../state/claim.ts';
import {createFileFailure, getErrorCode, syncDirectory} from '../../state/directory.ts';
import {buildAdvice, buildCommand, buildKeysCommandInto} from '../../text/advice.ts';
import {ignoreInvalid, pickFields} from '../../text/schema.ts';
import {quoteShellWord} from '../../text/shell-word.ts';

export type ExportOptions = InferOutput<typeof exportOptions>;
export const exportOptions = pickFields({
	/** Absolute path of the file. */
	path: string(),
	/** True if an existing file may be overwritten. */
	over: boolean(),
	/** If a file is exported instead of a namespace: the SHA-256 of its content, in hex. */
	digest: ignoreInvalid(string()),
	prefix: ignoreInvalid(string()),
});

/** The file of a running export: `NAME.part`, 0600, renamed when complete. */
export type ExportFile = {
	append(text: string): Promise<void>;
	/** Syncs everything appended to disk; returns undefined if part of it could not be written. */
	checkpoint(): Promise<FileMark | undefined>;
	/**
	 * Closes the complete file and renames it to its final name. Fails with `file_exists` if another file has
	 * that name by now.
	 */
	finish(): Promise<void>;
	/** Closes the file unfinished, and removes it unless it can be resumed. */
	closeUnfinished(isResumable: boolean): Promise<void>;
};

/** A position at which the file may be cut later. `digest` is the SHA-256 of everything before it, in hex. */
export type FileMark = {readonly bytes: number; readonly digest: string};

type ExportDestination = {
	readonly path: string;
	/** True if an existing file may be overwritten. */
	readonly over: boolean;
};

/** Characters per block. With gzip each block is a complete member, after which the file may be cut. */
const blockLength = 1_000_000;

/** Returns the path of an unfinished file. */
export const getPartPath = (path: string): string => `${path}.part`;

const isGzipName = (path: string): boolean => path.endsWith('.gz');

/**
 * Makes an export the only writer of its file until disposed; call it before touching the file. Fails with
 * `job_running`, and with `usage` if the path is not a regular file.
 */
export function claimExport({path}: ExportDestination): Disposable {
	refuseNonFile(path);
	return claimFile(path);
}

/**
 * Fails with `file_exists` if the file of a claimed export exists, or an unfinished one with content that
 * must not be discarded. `isOwn`: the unfinished file is known to belong to this export.
 */
export function refuseTakenExport({path, over}: ExportDestination, isOwn: boolean): void {
	if (over) return;
	if (existsSync(path)) throw createExportExistsFailure(path);
	if (isOwn || !hasPartFile(path)) return;
	throw new Failure('file_exists', `The file ${JSON.stringify(getPartPath(path))} already exists.`, {
		why: 'It is the first part of an interrupted export, and no job continues it.',
		next: 'Choose another file, or add --yes to replace it and start over.',
	});
}

/** True if part of an export into the file was already written. */
export const hasPartFile = (path: string): boolean =>
	(statSync(getPartPath(path), {throwIfNoEntry: false})?.size ?? 0) > 0;

/** Creates the file of a claimed export, discarding any unfinished one. */
export async function createExportFile(destination: ExportDestination): Promise<ExportFile> {
	const partPath = getPartPath(destination.path);
	try {
		rmSync(partPath, {force: true});
		return new PartFile(destination, await open(partPath, 'wx', 0o600), 0);
	} catch (cause) {
		throw createFileFailure(`The file ${JSON.stringify(partPath)} cannot be written.`, cause);
	}
}

/** Fails for a folder, device or pipe, which is never replaced, whatever the user confirmed. */
function refuseNonFile(path: string): void {
	const stats = statSync(path, {throwIfNoEntry: false});
	if (!stats || stats.isFile()) return;
	throw stats.isDirectory()
		? new Failure('usage', `${JSON.stringify(path)} is a folder.`, {next: 'Specify a file in it.'})
		: new Failure('usage', `${JSON.stringify(path)} is not a file that can be replaced.`, {
				next: buildAdvice`Write to standard output: \`${buildKeysCommandInto('kv export …', ` > ${quoteShellWord(path)}`)}\``,
			});
}

/**
 * Reopens the file of a job and truncates it to a mark. Fails with `changed_meanwhile` if the content before
 * the mark is missing or not what the export wrote.
 */
export async function reopenExportFile(
	destination: ExportDestination,
	mark: FileMark,
	jobId: string,
	signal: AbortSignal,
): Promise<ExportFile> {
	const partPath = getPartPath(destination.path);
	let file: FileHandle | undefined;
	try {
		file = await open(partPath, 'r+');
		const hash = await hashUpToMark(file, mark, signal);
		if (!hash)
			throw createPartChangedFailure(
				partPath,
				jobId,
				'The part exported so far has changed, or is incomplete.',
			);
		await file.truncate(mark.bytes);
		return new PartFile(destination, file, mark.bytes, hash);
	} catch (cause) {
		await file?.close();
		if (getErrorCode(cause) === 'ENOENT')
			throw createPartChangedFailure(partPath, jobId, 'It no longer exists.');
		throw createFileFailure(`The file ${JSON.stringify(partPath)} cannot be resumed.`, cause);
	}
}

/** True if the file was completed at this mark and renamed, but the process ended before it recorded that. */
export async function isFinishedExport(
	{path}: ExportDestination,
	mark: FileMark,
	signal: AbortSignal,
): Promise<boolean> {
	if (existsSync(getPartPath(path)) || !existsSync(path)) return false;
	try {
		await using file = await open(path, 'r');
		return (await file.stat()).size === mark.bytes && (await hashUpToMark(file, mark, signal)) !== undefined;
	} catch (cause) {
		throw createFileFailure(`The file ${JSON.stringify(path)} cannot be read.`, cause);
	}
}

/** Returns the hash of the content before a mark; undefined if it differs from the digest. */
async function hashUpToMark(
	file: FileHandle,
	{bytes, digest}: FileMark,
	signal: AbortSignal,
): Promise<Hash | undefined> {
	const hash = createHash('sha256');
	const chunk = Buffer.allocUnsafe(readLength);
	for (let offset = 0; offset < bytes; ) {
		if (signal.aborted) throw createInterruptedFailure();
		const {bytesRead} = await file.read(chunk, 0, Math.min(readLength, bytes - offset), offset);
		if (bytesRead === 0) return undefined;
		hash.update(chunk.subarray(0, bytesRead));
		offset += bytesRead;
	}
	return getHexDigest(hash) === digest ? hash : undefined;
}

const readLength = 256 * 1024;

const getHexDigest = (hash: Hash): string => hash.copy().digest('hex');

class PartFile implements ExportFile {
	readonly #destination: ExportDestination;
	readonly #file: FileHandle;
	readonly #isGzip: boolean;
	readonly #hash: Hash;
	#bytes: number;
	#pendingTexts: string[] = [];
	#pendingLength = 0;
	/** Writes run one after the other. */
	#lastWrite: Promise<void> = Promise.resolve();
	/** Why appended text is missing from the file; nothing may be written after that. */
	#writeFailure: Failure | undefined;
	#isClosed = false;

	constructor(
		destination: ExportDestination,
		file: FileHandle,
		bytes: number,
		hash: Hash = createHash('sha256'),
	) {
		this.#destination = destination;
		this.#file = file;
		this.#isGzip = isGzipName(destination.path);
		this.#bytes = bytes;
		this.#hash = hash;
	}

	async append(text: string): Promise<void> {
		this.#pendingTexts.push(text);
		this.#pendingLength += text.length;
		if (this.#pendingLength >= blockLength) await this.#write();
	}

	async checkpoint(): Promise<FileMark | undefined> {
		if (this.#writeFailure) return undefined;
		const mark = await this.#write();
		await this.#sync();
		return mark;
	}

	async finish(): Promise<void> {
		const {path, over} = this.#destination;
		await this.#write();
		await this.#sync();
		if (!over && existsSync(path))
			throw new Failure('file_exists', `The file ${JSON.stringify(path)} now exists.`, {
				why: 'The export is complete, but its name is taken.',
				next: 'Move that file away.',
			});
		await this.#close();
		try {
			await rename(getPartPath(path), path);
			syncDirectory(dirname(path));
		} catch (cause) {
			throw createFileFailure(`The export cannot be renamed to ${JSON.stringify(path)}.`, cause);
		}
	}

	async closeUnfinished(isResumable: boolean): Promise<void> {
		await this.#close();
		if (!isResumable) rmSync(getPartPath(this.#destination.path), {force: true});
	}

	/** Writes everything appended so far; returns the mark after it. */
	#write(): Promise<FileMark> {
		const pendingBytes = Buffer.from(this.#pendingTexts.join(''));
		this.#pendingTexts = [];
		this.#pendingLength = 0;
		const write = this.#lastWrite.then(async () => {
			if (this.#writeFailure) throw this.#writeFailure;
			try {
				// An empty file would not be valid gzip.
				const isDue = pendingBytes.length > 0 || (this.#isGzip && this.#bytes === 0);
				if (isDue) await this.#writeBytes(this.#isGzip ? await compress(pendingBytes) : pendingBytes);
			} catch (cause) {
				throw this.#recordWriteFailure(cause);
			}
			return {bytes: this.#bytes, digest: getHexDigest(this.#hash)};
		});
		this.#lastWrite = write.then(
			() => {},
			() => {},
		);
		return write;
	}

	async #writeBytes(bytes: Buffer): Promise<void> {
		for (let offset = 0; offset < bytes.length; )
			offset += (await this.#file.write(bytes, offset, bytes.length - offset, this.#bytes + offset))
				.bytesWritten;
		this.#bytes += bytes.length;
		this.#hash.update(bytes);
	}

	async #close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		await this.#lastWrite;
		try {
			await this.#file.close();
		} catch (cause) {
			// Some systems report only here that the disk is full.
			throw this.#recordWriteFailure(cause);
		}
	}

	/** Some systems report only here that the disk is full. */
	async #sync(): Promise<void> {
		try {
			if (!this.#isClosed) await this.#file.datasync();
		} catch (cause) {
			throw this.#recordWriteFailure(cause);
		}
	}

	#recordWriteFailure(cause: unknown): Failure {
		this.#writeFailure ??= createFileFailure(
			`The file ${JSON.stringify(getPartPath(this.#destination.path))} cannot be written.`,
			cause,
		);
		return this.#writeFailure;
	}
}

const compress = promisify(gzip);

const createPartChangedFailure = (partPath: string, jobId: string, why: string): Failure =>
	new Failure(
		'changed_meanwhile',
		`The file ${JSON.stringify(partPath)} has changed since the export stopped.`,
		{
			why,
			next: buildAdvice`Forget the job and export again: \`${buildCommand('jobs forget', jobId, '--yes')}\``,
		},
	);

const createExportExistsFailure = (path: string): Failure =>
	new Failure('file_exists', `The file ${JSON.stringify(path)} already exists.`, {
		next: 'Choose another file, or add --yes to overwrite it.',
	});
