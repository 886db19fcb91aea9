import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {fileFailed} from '../../config/state.ts';
import type {BulkEntry} from '../store.ts';

/** The file (0600) for what a store refuses, a line each, as `kv bulk put` takes it; it is made with the first one. */
export class RefusedLines {
	readonly #path: string;
	#file: FileHandle | undefined;
	/** Bytes of its whole lines. */
	#length = 0;
	/** Digests of its lines: after an interruption some keys are refused once more. */
	readonly #written = new Set<string>();
	/** Lines are written one after the other. */
	#last: Promise<void> = Promise.resolve();

	constructor(path: string) {
		this.#path = path;
	}

	/** After the return it is on the disk, once. What an interrupted job wrote there before stays. */
	add(entry: BulkEntry): Promise<void> {
		const after = this.#last.then(async () => {
			try {
				await this.#write(Buffer.from(`${JSON.stringify(entry)}\n`));
			} catch (cause) {
				// Half a line would make the file one that nobody can read.
				await this.#file?.truncate(this.#length).catch(() => {});
				throw fileFailed(
					`The file ${JSON.stringify(this.#path)} for what is refused cannot be written.`,
					cause,
				);
			}
		});
		this.#last = after.catch(() => {});
		return after;
	}

	async close(): Promise<void> {
		await this.#last;
		await this.#file?.close();
		this.#file = undefined;
	}

	async #write(line: Buffer): Promise<void> {
		this.#file ??= await this.#open();
		const digest = createHash('sha256').update(line).digest('base64');
		if (this.#written.has(digest)) return;
		for (let at = 0; at < line.length; )
			at += (await this.#file.write(line, at, line.length - at, this.#length + at)).bytesWritten;
		await this.#file.datasync();
		this.#length += line.length;
		this.#written.add(digest);
	}

	/** Opens it behind its last whole line. */
	async #open(): Promise<FileHandle> {
		const file = await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
		try {
			await this.#readLines(file);
			await file.truncate(this.#length);
			return file;
		} catch (error) {
			await file.close();
			throw error;
		}
	}

	async #readLines(file: FileHandle): Promise<void> {
		const chunk = Buffer.allocUnsafe(readLength);
		let hash = createHash('sha256');
		for (let at = 0; ; ) {
			const {bytesRead} = await file.read(chunk, 0, readLength, at);
			if (bytesRead === 0) return;
			for (let from = 0; from < bytesRead; ) {
				const newline = chunk.subarray(from, bytesRead).indexOf(0x0a);
				const end = newline === -1 ? bytesRead : from + newline + 1;
				hash.update(chunk.subarray(from, end));
				from = end;
				if (newline === -1) continue;
				this.#written.add(hash.digest('base64'));
				this.#length = at + end;
				hash = createHash('sha256');
			}
			at += bytesRead;
		}
	}
}

const readLength = 256 * 1024;
