import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {createFileFailure} from '../../state/directory.ts';

/** The file (0600) of refused entries, one line each; created with the first one. */
export class RefusedLines {
	readonly #path: string;
	#file: FileHandle | undefined;
	/** Bytes of complete lines. */
	#length = 0;
	/** Digests of lines from an interrupted job: some of their keys are refused again. */
	readonly #before = new Set<string>();
	/** Writes run one after the other. */
	#last: Promise<void> = Promise.resolve();

	constructor(path: string) {
		this.#path = path;
	}

	/** Writes entries and syncs them to disk. Lines from an interrupted job stay and are not repeated. */
	add(...entries: readonly object[]): Promise<void> {
		const after = this.#last.then(async () => {
			try {
				await this.#write(entries.map(entry => Buffer.from(`${JSON.stringify(entry)}\n`)));
			} catch (cause) {
				// A partial line would make the file unreadable.
				await this.#file?.truncate(this.#length).catch(() => {});
				throw createFileFailure(
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

	async #write(lines: readonly Buffer[]): Promise<void> {
		this.#file ??= await this.#open();
		const bytes = Buffer.concat(lines.filter(line => !this.#isWritten(line)));
		for (let at = 0; at < bytes.length; )
			at += (await this.#file.write(bytes, at, bytes.length - at, this.#length + at)).bytesWritten;
		await this.#file.datasync();
		this.#length += bytes.length;
	}

	#isWritten(line: Buffer): boolean {
		return this.#before.size > 0 && this.#before.has(createHash('sha256').update(line).digest('base64'));
	}

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
				this.#before.add(hash.digest('base64'));
				this.#length = at + end;
				hash = createHash('sha256');
			}
			at += bytesRead;
		}
	}
}

const readLength = 256 * 1024;
