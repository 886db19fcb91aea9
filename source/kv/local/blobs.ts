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
import type {Value} from './batch.ts';
import {isAbsent, isLink, localFailure} from './failures.ts';
import {refuseLinks} from './inside.ts';
import {newBlobId} from './naming.ts';

/** Blob ids are file names; one from a damaged row must not lead out of the folder. */
export const isPlainName = (id: string): boolean => /^[^/\\\0]+$/.test(id) && id !== '.' && id !== '..';

/** Never through a link, and without waiting for whoever would write to a pipe. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a value, or why there are none. */
type BlobContent = {readonly bytes: Uint8Array} | {readonly why: string};

/** The values of a namespace: one file each, the raw bytes and nothing else. */
export class BlobFolder {
	readonly #folder: string;
	#isInside = false;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Writes a value under a new id, and returns the id. When it fails, nothing is left behind. */
	write(value: Value, now: number): string {
		const id = newBlobId(now);
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
			throw localFailure(error, file, 'written');
		}
		return id;
	}

	/** Reads a value. Fails with `file_failed` where the system refuses. */
	read(id: string): BlobContent {
		if (!isPlainName(id))
			return {why: `Its row names ${JSON.stringify(id)}, which is not a file of the namespace.`};
		const file = `${this.#folder}/${id}`;
		let descriptor: number | undefined;
		try {
			this.#checkInside();
			descriptor = openSync(file, openFlags);
			// What was opened is what is checked: another file may have taken its name since.
			return fstatSync(descriptor).isFile()
				? {bytes: readFileSync(descriptor)}
				: {why: `${file} is not a regular file.`};
		} catch (error) {
			if (isAbsent(error)) return {why: `Its file ${file} does not exist.`};
			if (isLink(error)) return {why: `${file} is a symbolic link, and not followed.`};
			throw localFailure(error, file, 'read');
		} finally {
			if (descriptor !== undefined) closeSync(descriptor);
		}
	}

	/** Bytes of a value, which is not read; `undefined` where that cannot be told. */
	sizeOf(id: string): number | undefined {
		if (!isPlainName(id)) return undefined;
		this.#checkInside();
		const status = lstatSync(`${this.#folder}/${id}`, {throwIfNoEntry: false});
		return status?.isFile() ? status.size : undefined;
	}

	/** Removes a blob that no row names any longer. A blob that cannot be removed is an orphan, which `check.ts` finds. */
	remove(id: string): void {
		if (!isPlainName(id)) return;
		try {
			unlinkSync(`${this.#folder}/${id}`);
		} catch {
			// The write or delete it belongs to is done or undone already, and must not fail for it.
		}
	}

	/** Once: what replaces a folder by a link while ledge runs may as well change the files. */
	#checkInside(): void {
		if (this.#isInside) return;
		const namespace = dirname(this.#folder);
		refuseLinks(dirname(namespace), namespace, this.#folder);
		this.#isInside = true;
	}

	#create(file: string): number {
		this.#checkInside();
		try {
			return openSync(file, 'wx');
		} catch (error) {
			if (!isAbsent(error)) throw error;
			makeFolder(this.#folder);
			return openSync(file, 'wx');
		}
	}
}

function writeAll(descriptor: number, value: Value): void {
	if (value.length === 0) return;
	let written = 0;
	if (typeof value === 'string') {
		// A text is written without a copy of its bytes; the system takes all of it unless the disk is full.
		written = writeSync(descriptor, value);
		if (written === Buffer.byteLength(value)) return;
	}
	const bytes = typeof value === 'string' ? Buffer.from(value) : value;
	while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
