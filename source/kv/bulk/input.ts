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
import {createInterruptedFailure, Failure, isFailure} from '../../failure.ts';
import {
	createFileFailure,
	createInputMissingFailure,
	type Environment,
	getErrorCode,
	openStateDirectory,
} from '../../state/directory.ts';
import {inputFolder} from '../../state/jobs.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {collectGarbageIfNeeded} from '../memory.ts';
import {type Element, Splitter, type SplitterOptions} from './splitter.ts';

/** A bulk file that can be read more than once. */
export type BulkInput = Disposable & {
	readonly path: string;
	/** Name in messages: the quoted path, or "standard input". */
	readonly label: string;
	readonly size: number;
	/** Milliseconds since the epoch. */
	readonly modified: number;
	/** True for a copy in the state directory, from which a job can resume. */
	readonly isInStateDirectory: boolean;
	/** True for a copy of a source that can be read only once. */
	readonly isCopy: boolean;
	/** True if an empty file means no entries, as in the export of an empty namespace. */
	readonly mayBeEmpty?: boolean | undefined;
	/** True if its keys were just listed from a store, so that all of them existed. */
	readonly hasListedKeys?: boolean | undefined;
	/** Sets whether a copy stays on disk when the input is disposed of, because a job will need it. */
	setRetained(isRetained: boolean): void;
};

const chunkBytes = 256 * 1024;
/**
 * Bytes whose elements are in memory at once: few enough that most are garbage before a collection could
 * promote them.
 */
const pieceBytes = 16 * 1024;

/**
 * Opens the file of a bulk command. Standard input (`-`), pipes and gzip files are copied first, so that
 * everything is checked before anything is sent: to a 0600 file in the state directory, or in the system's
 * temporary folder as a fallback. Fails with `input_missing`, and with `file_failed` if the disk is full.
 */
export async function openInput(
	path: string,
	options: {
		/** Name of standard input in messages. */
		readonly label?: string;
		/** Ignored for standard input: an empty one more likely means that the previous command failed. */
		readonly mayBeEmpty?: boolean | undefined;
		/** True if standard input holds keys that a store just listed. */
		readonly hasListedKeys?: boolean | undefined;
		readonly environment: Environment;
		readonly stdin: AsyncIterable<Uint8Array>;
		readonly signal: AbortSignal;
	},
): Promise<BulkInput> {
	const {mayBeEmpty, hasListedKeys} = options;
	if (path === '-')
		return {...(await spoolInput(options.stdin, options.label ?? 'standard input', options)), hasListedKeys};
	const label = JSON.stringify(path);
	const stats = statInput(path, label);
	if (stats.isDirectory()) {
		throw new Failure('input_missing', `${label} is a folder.`, {next: 'Specify a file.'});
	}
	if (stats.isFIFO()) return spoolInput(openPipe(path, label), label, options);
	if (!stats.isFile()) return spoolInput(createReadStream(path), label, options);
	if (isGzip(path)) return {...(await spoolInput(createGunzipStream(path), label, options)), mayBeEmpty};
	const {size, mtimeMs: modified} = stats;
	const noCopy = {isInStateDirectory: false, isCopy: false, setRetained() {}, [Symbol.dispose]() {}};
	return {path, label, size, modified, mayBeEmpty, ...noCopy};
}

/**
 * Reopens the input of an interrupted job. `isInStateDirectory` comes from the journal; such a copy stays on
 * disk when the input is disposed of.
 */
export function reopenInput(path: string, isInStateDirectory: boolean): BulkInput {
	const label = isInStateDirectory ? 'standard input' : JSON.stringify(path);
	const {size, mtimeMs: modified} = statInput(path, label);
	if (isInStateDirectory) return createCopiedInput({path, label, size, modified, isInStateDirectory}, true);
	return {
		path,
		label,
		size,
		modified,
		isInStateDirectory,
		isCopy: false,
		setRetained() {},
		[Symbol.dispose]() {},
	};
}

/** True if a file starts like a gzip file, whatever its name. */
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

/** Errors reach the reader of the stream. */
const createGunzipStream = (path: string): Readable =>
	pipeline(createReadStream(path), createGunzip(), () => {});

function createCopiedInput(
	copy: Pick<BulkInput, 'path' | 'label' | 'size' | 'modified' | 'isInStateDirectory'>,
	isRetained: boolean,
): BulkInput {
	let staysOnDispose = isRetained;
	return {
		...copy,
		isCopy: true,
		setRetained(isRetained) {
			staysOnDispose = isRetained;
		},
		[Symbol.dispose]() {
			if (!staysOnDispose) removeCopy(copy);
		},
	};
}

/** Removes a copy; outside the state directory, with the temporary folder made for it. */
const removeCopy = ({
	path,
	isInStateDirectory,
}: {
	readonly path: string;
	readonly isInStateDirectory: boolean;
}): void => rmSync(isInStateDirectory ? path : dirname(path), {recursive: true, force: true});

/**
 * Reads the elements of a bulk file in groups; a group must be used before the next is requested. `tap` sees
 * the raw bytes. Fails with `changed_meanwhile` if the file is no longer the opened one.
 */
export async function* readElements(
	input: BulkInput,
	{elementsNoun, elementExample}: Pick<SplitterOptions, 'elementsNoun' | 'elementExample'>,
	signal: AbortSignal,
	tap?: (chunk: Buffer) => void,
): AsyncGenerator<Element[]> {
	if (input.mayBeEmpty && input.size === 0) return;
	const splitter = new Splitter({label: input.label, elementsNoun, elementExample});
	const chunk = Buffer.allocUnsafe(chunkBytes);
	await using file = await openFile(input);
	for (;;) {
		if (signal.aborted) throw createInterruptedFailure();
		const {bytesRead} = await file.read(chunk, 0, chunkBytes, null);
		if (bytesRead === 0) break;
		const bytes = chunk.subarray(0, bytesRead);
		collectGarbageIfNeeded();
		tap?.(bytes);
		for (let offset = 0; offset < bytesRead; offset += pieceBytes) {
			const group = splitter.push(bytes.subarray(offset, offset + pieceBytes));
			if (group.length > 0) yield group;
		}
	}
	await checkUnchanged(input, file);
	const lastGroup = splitter.finish();
	if (lastGroup.length > 0) yield lastGroup;
}

async function openFile(input: BulkInput): Promise<FileHandle> {
	let file: FileHandle;
	try {
		// A pipe that replaced the file is then reported as changed, instead of blocking.
		file = await open(input.path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (cause) {
		throw createInputMissingFailure(input.label, cause);
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
		why: `It had ${formatPlainQuantity(input.size, 'byte')} and now has ${size}.`,
		next: 'Try again when nothing is writing to it.',
	});
}

async function spoolInput(
	source: AsyncIterable<Uint8Array>,
	label: string,
	{environment, signal}: {readonly environment: Environment; readonly signal: AbortSignal},
): Promise<BulkInput> {
	const {path, isInStateDirectory} = createSpoolPath(environment);
	try {
		await using file = await open(path, 'wx', 0o600);
		for await (const chunk of readUntilAborted(source, signal)) {
			for (let offset = 0; offset < chunk.length; ) offset += (await file.write(chunk, offset)).bytesWritten;
		}
		const {size, mtimeMs} = await file.stat();
		return createCopiedInput({path, label, size, modified: mtimeMs, isInStateDirectory}, false);
	} catch (cause) {
		removeCopy({path, isInStateDirectory});
		if (getErrorCode(cause)?.startsWith('Z_'))
			throw new Failure('input_malformed', `${label} cannot be decompressed.`, {
				why: cause instanceof Error ? cause.message : undefined,
				next: 'It looks cut off or damaged: create it again.',
				cause,
			});
		throw createFileFailure(
			`The copy of ${label} that ledge needs to check it first cannot be written.`,
			cause,
		);
	}
}

/**
 * Opens a pipe without waiting for a writer, and reads it on the event loop: a blocked thread would keep the
 * process from ending.
 */
function openPipe(path: string, label: string): Readable {
	try {
		const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		return new Socket({fd, readable: true, writable: false});
	} catch (cause) {
		throw createInputMissingFailure(label, cause);
	}
}

/** Yields the same pieces; fails as soon as the signal aborts, even while waiting for the next. */
async function* readUntilAborted<Piece>(
	source: AsyncIterable<Piece>,
	signal: AbortSignal,
): AsyncGenerator<Piece> {
	try {
		const pieces = source[Symbol.asyncIterator]();
		for (;;) {
			const next = await rejectOnAbort(pieces.next(), signal);
			if (next.done) return;
			yield next.value;
		}
	} finally {
		if (source instanceof Readable) source.destroy();
	}
}

/**
 * Rejects on abort. Uses one promise per wait: racing against a single one would retain every piece until the
 * end.
 */
function rejectOnAbort<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(createInterruptedFailure());
		signal.addEventListener('abort', abort, {once: true});
		if (signal.aborted) abort();
		const removeListener = () => signal.removeEventListener('abort', abort);
		wait.then(resolve, reject).finally(removeListener);
	});
}

/** Creates a path for a copy: in the state directory, where a job can find it again, or else temporary. */
function createSpoolPath(environment: Environment): {path: string; isInStateDirectory: boolean} {
	const name = `${randomBytes(8).toString('hex')}.input`;
	try {
		return {path: join(openStateDirectory(environment, inputFolder), name), isInStateDirectory: true};
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
	}
	try {
		return {path: join(mkdtempSync(join(tmpdir(), 'ledge-')), name), isInStateDirectory: false};
	} catch (cause) {
		throw createFileFailure('There is no place for a copy of standard input.', cause);
	}
}

function statInput(path: string, label: string) {
	try {
		return statSync(path);
	} catch (cause) {
		throw createInputMissingFailure(label, cause);
	}
}
