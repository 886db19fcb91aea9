import {closeSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync} from 'node:fs';
import {isAbsent, localFailure} from './failures.ts';
import {newBlobId} from './naming.ts';

/** Blob ids are file names; one from a damaged row must not lead out of the folder. */
const isPlainName = (id: string): boolean => /^[^/\\\0]+$/.test(id) && id !== '.' && id !== '..';

/** The values of a namespace: one file each, the raw bytes and nothing else (wrangler-compat.md 4.1). */
export class BlobFolder {
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Writes a value under a new id, and gives the id. When it fails, nothing is left behind. */
	write(value: Uint8Array, now: number): string {
		const id = newBlobId(now);
		const file = `${this.#folder}/${id}`;
		try {
			const descriptor = this.#create(file);
			try {
				for (let written = 0; written < value.length; ) written += writeSync(descriptor, value, written);
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

	/** The bytes of a value, `undefined` if there is no such blob. */
	read(id: string): Uint8Array | undefined {
		if (!isPlainName(id)) return undefined;
		const file = `${this.#folder}/${id}`;
		try {
			return readFileSync(file);
		} catch (error) {
			if (isAbsent(error)) return undefined;
			throw localFailure(error, file, 'read');
		}
	}

	/** Removes a blob that no row names any more. One that cannot be removed is an orphan, which `check.ts` finds. */
	remove(id: string): void {
		if (!isPlainName(id)) return;
		try {
			unlinkSync(`${this.#folder}/${id}`);
		} catch {
			// The write or delete it belongs to is done or undone already, and must not fail for it.
		}
	}

	#create(file: string): number {
		try {
			return openSync(file, 'wx');
		} catch (error) {
			if (!isAbsent(error)) throw error;
			mkdirSync(this.#folder, {recursive: true});
			return openSync(file, 'wx');
		}
	}
}
