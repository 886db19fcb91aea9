import {readSync} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import {createInterruptedFailure, Failure} from '../../failure.ts';
import {type Environment, openStateDirectory} from '../../state/directory.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {type JsonValue, parseJson} from '../../text/json.ts';
import {checkInput, refuseProblems} from '../bulk/check.ts';
import {importFormat} from '../bulk/entries.ts';
import type {BulkInput} from '../bulk/input.ts';
import {Pages} from '../key-index/pages.ts';
import {limits, toEpochSeconds} from '../limits.ts';
import {checkReadSize} from '../read-limit.ts';
import type {BulkEntry, KeyEntry, KeyPage, KvStore, ListQuery, StoredValue} from '../store.ts';
import {FileLines} from './file-lines.ts';
import type {Line} from './line-list.ts';

/**
 * Opens an export file, or a file for `kv bulk put`, as a read-only store: of duplicate keys the last entry
 * wins. Reads the file once to locate every key; values stay in the file. Checks the whole file first: fails
 * with `input_malformed`. Expired entries are included.
 */
export async function openFileStore(
	input: BulkInput,
	signal: AbortSignal,
	{
		now = toEpochSeconds(Date.now()),
		environment = {},
	}: {readonly now?: number; readonly environment?: Environment} = {},
): Promise<KvStore & {readonly digest: string}> {
	const pages = new Pages({
		maxBytes: maxLineBytesInMemory,
		directory: () => openStateDirectory(environment),
	});
	const lines = new FileLines(pages);
	const checked = await checkInput(input, importFormat, {
		// Nothing in a file is expired: it holds former content.
		now: 0,
		signal,
		onItem: ({content}, {offset, bytes}) => lines.add({entry: toListedEntry(content, now), offset, bytes}),
	});
	refuseProblems(checked, 'Correct the file.');
	return new FileStore(input, checked.digest, lines.sort(), await open(input.path, 'r'));
}

/**
 * Bytes of lines in memory: about 120,000 with names of 20 bytes. The rest is in an unlinked temporary file.
 */
const maxLineBytesInMemory = 6_000_000;

function toListedEntry(
	{key, metadata, expiration_ttl: ttl, ...otherFields}: BulkEntry,
	now: number,
): KeyEntry {
	const expiration = ttl === undefined ? otherFields.expiration : now + ttl;
	return {
		name: key,
		...(expiration !== undefined && {expiration}),
		...(metadata !== undefined && {metadata}),
	};
}

class FileStore implements KvStore {
	readonly kind = 'file';
	readonly namespace: string;
	readonly label: string;
	/** SHA-256 of the file's content, in hex. */
	readonly digest: string;
	readonly batchLimits = {entries: 1000, bytes: 16_000_000, keysPerRead: 100, concurrency: 1};
	readonly #input: BulkInput;
	readonly #lines: FileLines;
	readonly #file: FileHandle;

	constructor(input: BulkInput, digest: string, lines: FileLines, file: FileHandle) {
		this.namespace = input.path;
		this.label = input.label;
		this.digest = digest;
		this.#input = input;
		this.#lines = lines;
		this.#file = file;
	}

	async list({prefix = '', cursor, limit = limits.listPage.maxKeys}: ListQuery): Promise<KeyPage> {
		const entries: KeyEntry[] = [];
		for (let index = this.#lines.findFirst(cursor ?? prefix); index < this.#lines.count; index++) {
			const entry = this.#lines.getEntry(index);
			if (!entry.name.startsWith(prefix)) break;
			if (entries.length === limit) return {entries, cursor: entry.name};
			entries.push(entry);
		}
		return {entries};
	}

	async get(key: string, signal: AbortSignal): Promise<StoredValue | undefined> {
		return (await this.getMany([key], signal)).get(key);
	}

	async metadata(key: string): Promise<JsonValue | undefined> {
		const line = this.#lines.find(key);
		return line && (line.entry.metadata ?? null);
	}

	async getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>> {
		const lines = keys.flatMap(key => this.#lines.find(key) ?? []);
		lines.sort((one, other) => one.offset - other.offset);
		checkReadSize(
			lines.reduce((sum, {bytes}) => sum + bytes, 0),
			keys,
		);
		const values = new Map<string, StoredValue>();
		for (const piece of groupLines(lines)) {
			if (signal.aborted) throw createInterruptedFailure();
			for (const [key, value] of await this.#read(piece)) values.set(key, value);
		}
		return values;
	}

	readonly put = () => this.#refuse();
	readonly delete = () => this.#refuse();
	readonly putMany = () => this.#refuse();
	readonly deleteMany = () => this.#refuse();

	[Symbol.dispose](): void {
		void this.#file.close();
		this.#input[Symbol.dispose]();
	}

	/** Reads adjacent lines at once. */
	async #read(lines: readonly Line[]): Promise<[key: string, value: StoredValue][]> {
		const start = lines[0]?.offset ?? 0;
		const last = lines.at(-1);
		const length = last ? last.offset + last.bytes - start : 0;
		const buffer = Buffer.allocUnsafe(length);
		const bytesRead =
			length <= maxSyncReadBytes
				? readSync(this.#file.fd, buffer, 0, length, start)
				: (await this.#file.read(buffer, 0, length, start)).bytesRead;
		return lines.map(({entry: {name, ...listingData}, offset, bytes}) => {
			const lineStart = offset - start;
			const text = bytesRead === length ? buffer.toString('utf8', lineStart, lineStart + bytes) : '';
			// The same bytes were a valid entry when the file was opened.
			const parsedEntry = parseJson(text) as unknown as BulkEntry | undefined;
			if (parsedEntry?.key !== name)
				throw new Failure('changed_meanwhile', `${this.label} was changed while ledge read it.`, {
					next: 'Try again when nothing is writing to it.',
				});
			return [
				name,
				{bytes: Buffer.from(parsedEntry.value, parsedEntry.base64 ? 'base64' : 'utf8'), ...listingData},
			];
		});
	}

	async #refuse(): Promise<never> {
		throw new Failure('usage', `${this.label} is a file: ledge only reads it.`, {
			next: buildAdvice`\`${buildCommand('kv export')}\` writes a new file.`,
		});
	}
}

/** Bytes per read, unless a single line is larger. */
const pieceBytes = 1_000_000;
/** Gaps up to this size are read rather than skipped; in an unordered file, lines are far apart. */
const maxGapBytes = 4096;
/** Up to this many bytes are read synchronously, which is faster than an asynchronous read. */
const maxSyncReadBytes = 65_536;

/** Groups lines, in file order, that one read can cover with the small gaps between them. */
function groupLines(lines: readonly Line[]): readonly (readonly Line[])[] {
	const pieces: Line[][] = [];
	for (const line of lines) {
		const piece = pieces.at(-1);
		const [first, last] = [piece?.[0], piece?.at(-1)];
		const isNear = first && last && line.offset - last.offset - last.bytes <= maxGapBytes;
		if (isNear && line.offset + line.bytes - first.offset <= pieceBytes) piece?.push(line);
		else pieces.push([line]);
	}
	return pieces;
}
