import {randomBytes} from 'node:crypto';
import {
	closeSync,
	constants,
	createReadStream,
	mkdtempSync,
	openSync,
	readSync,
	rmSync,
	statSync,
} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {pipeline, Readable} from 'node:stream';
import {createGunzip} from 'node:zlib';
import {Failure, interrupted, isFailure} from '../../failure.ts';
import {
	type Environment,
	errorCode,
	fileFailed,
	inputMissing,
	openStateDirectory,
} from '../../state/directory.ts';
import {inputFolder} from '../../state/jobs.ts';
import {quantity} from '../../text/figures.ts';
import {holdMemory} from '../memory.ts';
import {type Element, Splitter} from './splitter.ts';

/** A bulk file that can be read more than once. */
export type BulkInput = Disposable & {
	readonly path: string;
	/** What it is called in messages: its path in quotes, or "standard input". */
	readonly label: string;
	readonly size: number;
	/** Milliseconds since the epoch. */
	readonly modified: number;
	/** Whether it is a copy that ledge keeps in the state directory, so that a job can resume with it later. */
	readonly kept: boolean;
	/** Whether it is a copy of something that can be read only once. */
	readonly spooled: boolean;
	/** Whether nothing at all in it means no entries, as in the export of an empty namespace. */
	readonly mayBeEmpty?: boolean | undefined;
	/** Whether it holds keys that a store listed a moment before, so that all of them existed. */
	readonly isListed?: boolean | undefined;
	/** Whether a copy stays when the input is disposed of, because a job will need it. */
	retain(stays: boolean): void;
};

const chunkBytes = 256 * 1024;
/** Bytes whose elements are in memory at once: so few that most are used up before a collection of garbage would move them. */
const pieceBytes = 16 * 1024;

/**
 * The file of a bulk command. Standard input (`-`) and pipes are copied first, so that all of it can be checked
 * before anything is sent: to a 0600 file in the state directory, or to the system's folder for
 * temporary files where there can be none. Fails with `input_missing`, and `file_failed` when the disk is full.
 */
export async function openInput(
	path: string,
	options: {
		/** What standard input is called in messages. */
		readonly label?: string;
		/** Not for standard input: there it is rather a command that failed before this one. */
		readonly mayBeEmpty?: boolean | undefined;
		/** Whether standard input holds keys that a store listed a moment before. */
		readonly isListed?: boolean | undefined;
		readonly environment: Environment;
		readonly stdin: AsyncIterable<Uint8Array>;
		readonly signal: AbortSignal;
	},
): Promise<BulkInput> {
	const {mayBeEmpty, isListed} = options;
	if (path === '-')
		return {...(await spool(options.stdin, options.label ?? 'standard input', options)), isListed};
	const label = JSON.stringify(path);
	const found = lookAt(path, label);
	if (found.isDirectory()) {
		throw new Failure('input_missing', `${label} is a folder.`, {next: 'Name a file.'});
	}
	if (found.isFIFO()) return spool(openPipe(path, label), label, options);
	if (!found.isFile()) return spool(createReadStream(path), label, options);
	if (isGzip(path)) return {...(await spool(decompressed(path), label, options)), mayBeEmpty};
	const {size, mtimeMs: modified} = found;
	const asItIs = {kept: false, spooled: false, retain() {}, [Symbol.dispose]() {}};
	return {path, label, size, modified, mayBeEmpty, ...asItIs};
}

/** The input that an interrupted job began with, to resume it. `kept` as its journal says; such a copy stays. */
export function reopenInput(path: string, kept: boolean): BulkInput {
	const label = kept ? 'standard input' : JSON.stringify(path);
	const {size, mtimeMs: modified} = lookAt(path, label);
	if (kept) return copied({path, label, size, modified, kept}, true);
	return {path, label, size, modified, kept, spooled: false, retain() {}, [Symbol.dispose]() {}};
}

/** Whether a file is compressed: by what it begins with, whatever its name is. */
function isGzip(path: string): boolean {
	const start = Buffer.alloc(gzipMagic.length);
	const file = openSync(path, 'r');
	try {
		return readSync(file, start) === start.length && start.equals(gzipMagic);
	} finally {
		closeSync(file);
	}
}

const gzipMagic = Buffer.of(0x1f, 0x8b);

/** What goes wrong is told to whoever reads it, and until then to nobody. */
const decompressed = (path: string): Readable => pipeline(createReadStream(path), createGunzip(), () => {});

function copied(
	copy: Pick<BulkInput, 'path' | 'label' | 'size' | 'modified' | 'kept'>,
	stays: boolean,
): BulkInput {
	let retained = stays;
	return {
		...copy,
		spooled: true,
		retain(yes) {
			retained = yes;
		},
		[Symbol.dispose]() {
			if (!retained) removeCopy(copy);
		},
	};
}

/** A copy that is not kept is in a folder of its own. */
const removeCopy = ({path, kept}: {readonly path: string; readonly kept: boolean}): void =>
	rmSync(kept ? path : dirname(path), {recursive: true, force: true});

/**
 * The elements of a bulk file, in groups as they are read; a group must be used up before the next is asked for.
 * `tap` sees the raw bytes. Fails with `changed_meanwhile` when the file is no longer what was opened.
 */
export async function* elementsOf(
	input: BulkInput,
	holds: string,
	signal: AbortSignal,
	tap?: (chunk: Buffer) => void,
): AsyncGenerator<Element[]> {
	if (input.mayBeEmpty && input.size === 0) return;
	const splitter = new Splitter({label: input.label, holds});
	const chunk = Buffer.allocUnsafe(chunkBytes);
	await using file = await openFile(input);
	for (;;) {
		if (signal.aborted) throw interrupted();
		const {bytesRead} = await file.read(chunk, 0, chunkBytes, null);
		if (bytesRead === 0) break;
		const bytes = chunk.subarray(0, bytesRead);
		holdMemory();
		tap?.(bytes);
		for (let at = 0; at < bytesRead; at += pieceBytes) {
			const group = splitter.push(bytes.subarray(at, at + pieceBytes));
			if (group.length > 0) yield group;
		}
	}
	await checkUnchanged(input, file);
	const last = splitter.end();
	if (last.length > 0) yield last;
}

async function openFile(input: BulkInput): Promise<FileHandle> {
	let file: FileHandle;
	try {
		// A pipe that has taken the place of the file is then told as changed, and not waited for.
		file = await open(input.path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (cause) {
		throw inputMissing(input.label, cause);
	}
	try {
		await checkUnchanged(input, file);
		return file;
	} catch (error) {
		await file.close();
		throw error;
	}
}

async function checkUnchanged(input: BulkInput, file: FileHandle): Promise<void> {
	const {size, mtimeMs} = await file.stat();
	if (size === input.size && mtimeMs === input.modified) return;
	throw new Failure('changed_meanwhile', `${input.label} was changed while ledge read it.`, {
		why: `It had ${quantity(input.size, 'byte')} and now has ${size}.`,
		next: 'Start again once nothing writes to it.',
	});
}

async function spool(
	source: AsyncIterable<Uint8Array>,
	label: string,
	{environment, signal}: {readonly environment: Environment; readonly signal: AbortSignal},
): Promise<BulkInput> {
	const {path, kept} = spoolPlace(environment);
	try {
		await using file = await open(path, 'wx', 0o600);
		for await (const chunk of untilAborted(source, signal)) {
			for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
		}
		const {size, mtimeMs} = await file.stat();
		return copied({path, label, size, modified: mtimeMs, kept}, false);
	} catch (cause) {
		removeCopy({path, kept});
		if (errorCode(cause)?.startsWith('Z_'))
			throw new Failure('input_malformed', `${label} cannot be decompressed.`, {
				why: cause instanceof Error ? cause.message : undefined,
				next: 'It looks cut off or damaged: create it again.',
				cause,
			});
		throw fileFailed(`The copy of ${label} that is needed to check it first cannot be written.`, cause);
	}
}

/**
 * A pipe, opened without waiting for whoever writes to it, and read by the event loop: a thread that waits in the
 * system would keep the process from ending.
 */
function openPipe(path: string, label: string): Readable {
	try {
		const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		return new Socket({fd, readable: true, writable: false});
	} catch (cause) {
		throw inputMissing(label, cause);
	}
}

/** The same pieces; fails as soon as the signal is aborted, also while the next one is a long time coming. */
async function* untilAborted<Piece>(
	source: AsyncIterable<Piece>,
	signal: AbortSignal,
): AsyncGenerator<Piece> {
	try {
		const pieces = source[Symbol.asyncIterator]();
		for (;;) {
			const next = await orAborted(pieces.next(), signal);
			if (next.done) return;
			yield next.value;
		}
	} finally {
		if (source instanceof Readable) source.destroy();
	}
}

/** A promise for each wait: a single promise that all of them raced against would hold on to every piece until the end. */
function orAborted<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(interrupted());
		signal.addEventListener('abort', abort, {once: true});
		if (signal.aborted) abort();
		const over = () => signal.removeEventListener('abort', abort);
		wait.then(resolve, reject).finally(over);
	});
}

/** A place for a copy: where a job could find it again, or else just for now. */
function spoolPlace(environment: Environment): {path: string; kept: boolean} {
	const name = `${randomBytes(8).toString('hex')}.input`;
	try {
		return {path: join(openStateDirectory(environment, inputFolder), name), kept: true};
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
	}
	try {
		return {path: join(mkdtempSync(join(tmpdir(), 'ledge-')), name), kept: false};
	} catch (cause) {
		throw fileFailed('There is no place for a copy of standard input.', cause);
	}
}

function lookAt(path: string, label: string) {
	try {
		return statSync(path);
	} catch (cause) {
		throw inputMissing(label, cause);
	}
}
