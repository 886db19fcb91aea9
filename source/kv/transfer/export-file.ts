import {existsSync, rmSync} from 'node:fs';
import {type FileHandle, open, rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {fileFailed, syncDirectory} from '../../config/state.ts';
import {Failure} from '../../failure.ts';

/** The file of an export while it is written: `NAME.part`, 0600, which gets its name once it is whole. */
export type ExportFile = {
	append(text: string): Promise<void>;
	/** Puts everything that was appended on the disk; how many bytes the file has then, and may be cut to later. */
	checkpoint(): Promise<number>;
	/** The file is whole: it gets its name, and is closed. Fails with `file_exists` where another one took the name. */
	finish(): Promise<void>;
	/** Closes it as it is: someone goes on with it later, or it goes. */
	leave(stays: boolean): Promise<void>;
};

export type ExportPlace = {
	readonly path: string;
	/** Whether a file of that name may be written over. */
	readonly over: boolean;
};

/** Characters that are written together. With gzip each such block is a whole of its own, behind which a file may be cut. */
const blockLength = 1_000_000;

const partOf = (path: string): string => `${path}.part`;

/** Whether a name says that the file is compressed. */
export const isGzipName = (path: string): boolean => path.endsWith('.gz');

/**
 * Begins the file of an export. Fails with `file_exists` where it, or the beginning of one, is there already; `again`
 * where that beginning is known to be of this export.
 */
export async function createExportFile({path, over}: ExportPlace, again = false): Promise<ExportFile> {
	if (!over && existsSync(path)) throw exists(path);
	const part = partOf(path);
	if (!over && !again && existsSync(part))
		throw new Failure('file_exists', `The file ${JSON.stringify(part)} exists already.`, {
			why: 'It is the beginning of an export that was interrupted.',
			next: '`ledge jobs` lists what can be gone on with. Name another file, or add --yes to begin anew over it.',
		});
	try {
		rmSync(part, {force: true});
		return new PartFile({path, over}, await open(part, 'wx', 0o600), 0);
	} catch (cause) {
		throw fileFailed(`The file ${JSON.stringify(part)} cannot be written.`, cause);
	}
}

/** Goes on with one behind so many bytes, and cuts off what stands there. Fails with `changed_meanwhile` where it has fewer. */
export async function reopenExportFile(place: ExportPlace, bytes: number): Promise<ExportFile> {
	const part = partOf(place.path);
	let file: FileHandle | undefined;
	try {
		file = await open(part, 'r+');
		const {size} = await file.stat();
		if (size < bytes)
			throw new Failure(
				'changed_meanwhile',
				`The file ${JSON.stringify(part)} is not what the export left.`,
				{
					why: `It had ${bytes} bytes at least, and now has ${size}.`,
					next: 'Begin the export anew.',
				},
			);
		await file.truncate(bytes);
		return new PartFile(place, file, bytes);
	} catch (cause) {
		await file?.close();
		throw fileFailed(`The file ${JSON.stringify(part)} cannot be gone on with.`, cause);
	}
}

class PartFile implements ExportFile {
	readonly #place: ExportPlace;
	readonly #file: FileHandle;
	readonly #isGzip: boolean;
	#bytes: number;
	#texts: string[] = [];
	#length = 0;
	/** Writes are done one after the other. */
	#last: Promise<void> = Promise.resolve();
	#isClosed = false;

	constructor(place: ExportPlace, file: FileHandle, bytes: number) {
		this.#place = place;
		this.#file = file;
		this.#isGzip = isGzipName(place.path);
		this.#bytes = bytes;
	}

	async append(text: string): Promise<void> {
		this.#texts.push(text);
		this.#length += text.length;
		if (this.#length >= blockLength) await this.#write();
	}

	async checkpoint(): Promise<number> {
		const bytes = await this.#write();
		await this.#tried(() => this.#file.datasync());
		return bytes;
	}

	async finish(): Promise<void> {
		const {path, over} = this.#place;
		await this.checkpoint();
		await this.#close();
		if (!over && existsSync(path)) throw exists(path);
		await this.#tried(async () => {
			await rename(partOf(path), path);
			syncDirectory(dirname(path));
		});
	}

	async leave(stays: boolean): Promise<void> {
		await this.#close();
		if (!stays) rmSync(partOf(this.#place.path), {force: true});
	}

	/** Writes what was appended until now; gives the length of the file behind it. */
	#write(): Promise<number> {
		const plain = Buffer.from(this.#texts.join(''));
		this.#texts = [];
		this.#length = 0;
		const after = this.#last.then(async () => {
			const bytes = this.#isGzip && plain.length > 0 ? await compressed(plain) : plain;
			await this.#tried(async () => {
				for (let at = 0; at < bytes.length; )
					at += (await this.#file.write(bytes, at, bytes.length - at, this.#bytes + at)).bytesWritten;
			});
			this.#bytes += bytes.length;
			return this.#bytes;
		});
		this.#last = after.then(
			() => {},
			() => {},
		);
		return after;
	}

	async #close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		await this.#last;
		await this.#file.close();
	}

	async #tried(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (cause) {
			throw fileFailed(`The file ${JSON.stringify(partOf(this.#place.path))} cannot be written.`, cause);
		}
	}
}

const compressed = promisify(gzip);

const exists = (path: string): Failure =>
	new Failure('file_exists', `The file ${JSON.stringify(path)} exists already.`, {
		next: 'Name another file, or add --yes to write over it.',
	});
