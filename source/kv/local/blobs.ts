import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
	unlinkSync,
	writeSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {makeFolder} from '../../state/directory.ts';
import {isAbsentError, isLinkError, toLocalFailure} from './failures.ts';
import {refuseLinks} from './link-checks.ts';
import {createBlobId} from './naming.ts';
import type {BlobValue} from './prepare-entries.ts';

/** True for a name without a path: a blob id from a damaged row must not lead out of the folder. */
export const isPlainName = (id: string): boolean => /^[^/\\\0]+$/.test(id) && id !== '.' && id !== '..';

/** Never follows a link, and never blocks on a pipe. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a value, or why it has none. */
type BlobContent = {readonly bytes: Uint8Array} | {readonly why: string};

/** The values of a namespace: one file each, with the raw bytes only. */
export class BlobFolder {
	readonly #folder: string;
	#hasChecked = false;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Writes a value under a new id; returns the id. Leaves nothing behind on failure. */
	write(value: BlobValue, now: number): string {
		const id = createBlobId(now);
		const file = `${this.#folder}/${id}`;
		try {
			const descriptor = this.#create(file);
			try {
				writeAll(descriptor, value);
			} catch (error) {
				this.remove(id);
				throw error;
			} finally {
				closeSync(descriptor);
			}
		} catch (error) {
			throw toLocalFailure(error, file, 'written');
		}
		return id;
	}

	/** Reads a value. Fails with `file_failed` if the system refuses. */
	read(id: string): BlobContent {
		if (!isPlainName(id))
			return {why: `Its row names ${JSON.stringify(id)}, which is not a file of the namespace.`};
		const file = `${this.#folder}/${id}`;
		let descriptor: number | undefined;
		try {
			this.#refuseLinkedFolders();
			descriptor = openSync(file, openFlags);
			// Check the opened file, because another one may have taken its name since.
			return fstatSync(descriptor).isFile()
				? {bytes: readFileSync(descriptor)}
				: {why: `${file} is not a regular file.`};
		} catch (error) {
			if (isAbsentError(error)) return {why: `Its file ${file} does not exist.`};
			if (isLinkError(error)) return {why: `${file} is a symbolic link, which ledge does not follow.`};
			throw toLocalFailure(error, file, 'read');
		} finally {
			if (descriptor !== undefined) closeSync(descriptor);
		}
	}

	/** Returns the size of a value without reading it; undefined if unknown. */
	getSize(id: string): number | undefined {
		if (!isPlainName(id)) return undefined;
		this.#refuseLinkedFolders();
		const status = lstatSync(`${this.#folder}/${id}`, {throwIfNoEntry: false});
		return status?.isFile() ? status.size : undefined;
	}

	/** Removes a blob that no row references. If that fails, it becomes an orphan, which `check.ts` finds. */
	remove(id: string): void {
		if (!isPlainName(id)) return;
		try {
			unlinkSync(`${this.#folder}/${id}`);
		} catch {
			// The write or deletion it belongs to is already done or undone, and must not fail because of it.
		}
	}

	/**
	 * Fails if a folder of the namespace is a link. Once is enough: whatever could replace a folder with a
	 * link while ledge runs could change the files as well.
	 */
	#refuseLinkedFolders(): void {
		if (this.#hasChecked) return;
		const namespace = dirname(this.#folder);
		refuseLinks(dirname(namespace), namespace, this.#folder);
		this.#hasChecked = true;
	}

	#create(file: string): number {
		this.#refuseLinkedFolders();
		try {
			return openSync(file, 'wx');
		} catch (error) {
			if (!isAbsentError(error)) throw error;
			makeFolder(this.#folder);
			return openSync(file, 'wx');
		}
	}
}

function writeAll(descriptor: number, value: BlobValue): void {
	if (value.length === 0) return;
	let writtenBytes = 0;
	if (typeof value === 'string') {
		// A string is written without copying its bytes; the system takes all of it unless the disk is full.
		writtenBytes = writeSync(descriptor, value);
		if (writtenBytes === Buffer.byteLength(value)) return;
	}
	const bytes = typeof value === 'string' ? Buffer.from(value) : value;
	while (writtenBytes < bytes.length) writtenBytes += writeSync(descriptor, bytes, writtenBytes);
}
