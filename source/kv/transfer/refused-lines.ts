import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {createFileFailure} from '../../state/directory.ts';

/** The file (0600) of refused entries, one line each; created with the first one. */
export class RefusedLines {
	readonly #path: string;
	#file: FileHandle | undefined;
	/** Bytes of complete lines. */
	#completeBytes = 0;
	/** Digests of lines from an interrupted job: some of their keys are refused again. */
	readonly #earlierDigests = new Set<string>();
	/** Writes run one after the other. */
	#lastWrite: Promise<void> = Promise.resolve();

	constructor(path: string) {
		this.#path = path;
	}

	/** Writes entries and syncs them to disk. Lines from an interrupted job stay and are not repeated. */
	add(...entries: readonly object[]): Promise<void> {
		const write = this.#lastWrite.then(async () => {
			try {
				await this.#write(entries.map(entry => Buffer.from(`${JSON.stringify(entry)}\n`)));
			} catch (cause) {
				// A partial line would make the file unreadable.
				await this.#file?.truncate(this.#completeBytes).catch(() => {});
				throw createFileFailure(
					`The file ${JSON.stringify(this.#path)} for rejected entries cannot be written.`,
					cause,
				);
			}
		});
		this.#lastWrite = write.catch(() => {});
		return write;
	}

	async close(): Promise<void> {
		await this.#lastWrite;
		await this.#file?.close();
		this.#file = undefined;
	}

	async #write(lines: readonly Buffer[]): Promise<void> {
		this.#file ??= await this.#open();
		const bytes = Buffer.concat(lines.filter(line => !this.#isWritten(line)));
		for (let offset = 0; offset < bytes.length; )
			offset += (await this.#file.write(bytes, offset, bytes.length - offset, this.#completeBytes + offset))
				.bytesWritten;
		await this.#file.datasync();
		this.#completeBytes += bytes.length;
	}

	#isWritten(line: Buffer): boolean {
		return (
			this.#earlierDigests.size > 0 &&
			this.#earlierDigests.has(createHash('sha256').update(line).digest('base64'))
		);
	}

	async #open(): Promise<FileHandle> {
		const file = await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
		try {
			await this.#readLines(file);
			await file.truncate(this.#completeBytes);
			return file;
		} catch (error) {
			await file.close();
			throw error;
		}
	}

	async #readLines(file: FileHandle): Promise<void> {
		const chunk = Buffer.allocUnsafe(readLength);
		let hash = createHash('sha256');
		for (let offset = 0; ; ) {
			const {bytesRead} = await file.read(chunk, 0, readLength, offset);
			if (bytesRead === 0) return;
			for (let from = 0; from < bytesRead; ) {
				const newline = chunk.subarray(from, bytesRead).indexOf(0x0a);
				const end = newline === -1 ? bytesRead : from + newline + 1;
				hash.update(chunk.subarray(from, end));
				from = end;
				if (newline === -1) continue;
				this.#earlierDigests.add(hash.digest('base64'));
				this.#completeBytes = offset + end;
				hash = createHash('sha256');
			}
			offset += bytesRead;
		}
	}
}

const readLength = 256 * 1024;
