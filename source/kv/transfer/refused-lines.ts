import {type FileHandle, open} from 'node:fs/promises';
import {fileFailed} from '../../config/state.ts';
import type {BulkEntry} from '../store.ts';

/** The file (0600) for what a store refuses, a line each, as `kv bulk put` takes it; it is made with the first one. */
export class RefusedLines {
	readonly #path: string;
	#opened: Promise<FileHandle> | undefined;

	constructor(path: string) {
		this.#path = path;
	}

	/** After the return it is on the disk. What an interrupted job wrote there before stays. */
	async add(entry: BulkEntry): Promise<void> {
		try {
			this.#opened ??= open(this.#path, 'a', 0o600);
			const file = await this.#opened;
			await file.appendFile(`${JSON.stringify(entry)}\n`);
			await file.datasync();
		} catch (cause) {
			throw fileFailed(
				`The file ${JSON.stringify(this.#path)} for what is refused cannot be written.`,
				cause,
			);
		}
	}

	async close(): Promise<void> {
		await (await this.#opened?.catch(() => undefined))?.close();
	}
}
