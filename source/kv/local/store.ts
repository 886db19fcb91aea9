import {resolve} from 'node:path';
import {createInterruptedFailure, Failure} from '../../failure.ts';
import {attempt} from '../../text/attempt.ts';
import type {JsonValue} from '../../text/json.ts';
import {checkKey} from '../limits.ts';
import {checkReadSize} from '../read-limit.ts';
import type {
	BatchOutcome,
	BulkEntry,
	KeyEntry,
	KeyPage,
	KvStore,
	ListQuery,
	StoredValue,
	WriteOptions,
} from '../store.ts';
import {BlobFolder} from './blobs.ts';
import {Connections} from './connections.ts';
import type {EntryReader, EntryWriter, NewRow, StoredRow} from './entries.ts';
import {createLostValueFailure, retryWhileBusy, toLocalFailure} from './failures.ts';
import {readLinkStatus} from './link-checks.ts';
import {getNamespacePaths} from './naming.ts';
import {type PreparedEntry, prepareEntry, prepareValue} from './prepare-entries.ts';
import {Slices} from './slices.ts';

export type LocalStoreOptions = {
	/** The folder that contains `kv/`: the persistence folder with `v3` appended. */
	readonly root: string;
	/** The namespace id; any text, never used as a path. */
	readonly namespace: string;
	/** Milliseconds since the epoch. */
	readonly now?: (() => number) | undefined;
	/** Monotonic milliseconds. */
	readonly elapsed?: (() => number) | undefined;
	/** Milliseconds to wait for another process's lock; default 5,000. */
	readonly patience?: number | undefined;
};

/** A namespace in wrangler's local data, with operations that only local data supports. */
export interface LocalStore extends KvStore {
	readonly kind: 'local';
	/** True if the database exists, or cannot be examined; reading then reports why. */
	exists(): boolean;
	/**
	 * Lists the keys with a prefix in byte order, page by page: holds no lock in between, and memory does not
	 * grow. Parses metadata only on request.
	 */
	listEntries(query?: {
		readonly prefix?: string;
		readonly metadata?: boolean;
		readonly signal?: AbortSignal;
	}): Iterable<KeyEntry>;
}

/**
 * Opens a namespace of the local data. Touches nothing before the first read or write; a missing store reads
 * as empty, and the first write creates it. Fails with `local_store_busy`, `local_store_damaged`,
 * `file_failed`.
 */
export const openLocalStore = (options: LocalStoreOptions): LocalStore => new LocalFiles(options);

const pageSize = 1000;
/** An overwrite between reading the row and its blob is rare; this many in a row do not happen by chance. */
const maxOverwrites = 1000;

class LocalFiles implements LocalStore {
	readonly kind = 'local';
	readonly namespace: string;
	readonly label: string;
	readonly batchLimits = {entries: 1000, bytes: 16_000_000, keysPerRead: 100, concurrency: 1};
	readonly #file: string;
	readonly #connections: Connections;
	readonly #blobs: BlobFolder;
	readonly #now: () => number;
	readonly #elapsed: () => number;
	readonly #patienceMs: number;

	constructor({
		root,
		namespace,
		now = Date.now,
		// Avoids `performance`, which takes a millisecond to load.
		elapsed = () => Number(process.hrtime.bigint()) / 1e6,
		patience: patienceMs = 5000,
	}: LocalStoreOptions) {
		if (namespace === '' || !namespace.isWellFormed())
			throw new Failure('usage', 'The namespace id is empty or not valid Unicode.', {
				why: 'The local data of a namespace is found by its id.',
				next: 'Use the id from the configuration file, or a binding.',
			});
		const paths = getNamespacePaths(resolve(root), namespace);
		this.namespace = namespace;
		this.label = `${root} › ${namespace}`;
		this.#file = paths.database;
		this.#connections = new Connections(paths.database);
		this.#blobs = new BlobFolder(paths.blobs);
		this.#now = now;
		this.#elapsed = elapsed;
		this.#patienceMs = patienceMs;
	}

	exists(): boolean {
		return attempt(() => readLinkStatus(this.#file) !== undefined) ?? true;
	}

	async list({prefix = '', cursor, limit = pageSize}: ListQuery, signal: AbortSignal): Promise<KeyPage> {
		const after = cursor === undefined ? '' : decodeCursor(cursor);
		const query = {prefix, after, limit: limit + 1, now: this.#now(), includesMetadata: true};
		const foundEntries = await this.#read(signal, reader => reader.readPage(query));
		if (foundEntries === undefined) return {entries: []};
		const entries = foundEntries.slice(0, limit);
		const last = entries.at(-1);
		return foundEntries.length > limit && last ? {entries, cursor: encodeCursor(last.name)} : {entries};
	}

	*listEntries({prefix = '', metadata = false, signal}: Parameters<LocalStore['listEntries']>[0] = {}) {
		for (let after = ''; ; ) {
			if (signal?.aborted) throw createInterruptedFailure();
			const query = {prefix, after, limit: pageSize, now: this.#now(), includesMetadata: metadata};
			const page = this.#readAtOnce(reader => reader.readPage(query)) ?? [];
			yield* page;
			const last = page.at(-1);
			if (page.length < pageSize || !last) return;
			after = last.name;
		}
	}

	async get(key: string, signal: AbortSignal): Promise<StoredValue | undefined> {
		return this.#read(signal, reader => this.#readStoredValue(reader, key));
	}

	async metadata(key: string, signal: AbortSignal): Promise<JsonValue | undefined> {
		return this.#read(signal, reader => {
			const row = this.#findLiveRow(reader, key);
			if (!row) return undefined;
			return row.metadata === null ? null : reader.parseMetadata(key, row.metadata);
		});
	}

	async getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>> {
		const values = new Map<string, StoredValue>();
		await this.#read(signal, reader => {
			const validKeys = keys.filter(key => key.isWellFormed());
			const rows = reader.findAll(validKeys);
			let bytes = 0;
			for (const [index, key] of validKeys.entries()) {
				const value = rows[index] && this.#readStoredValue(reader, key, rows[index]);
				if (!value) continue;
				values.set(key, value);
				bytes += value.bytes.length;
				checkReadSize(bytes, keys);
			}
		});
		return values;
	}

	size(key: string): number | undefined {
		try {
			return this.#withReader(reader => {
				const row = key.isWellFormed() ? this.#findLiveRow(reader, key) : undefined;
				return row && this.#blobs.getSize(row.blobId);
			});
		} catch {
			// Reading the value reports why it is unreadable.
			return undefined;
		}
	}

	async findVersions(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
		const validKeys = keys.filter(key => key.isWellFormed());
		const rows = (await this.#read(signal, reader => reader.findAll(validKeys))) ?? [];
		return new Map(
			rows.flatMap((row, index) => (row ? [[validKeys[index] ?? '', row.blobId] as const] : [])),
		);
	}

	async put(key: string, value: Uint8Array, options: WriteOptions, signal: AbortSignal): Promise<void> {
		const prepared = prepareValue(checkKey(key), value, options, this.#now());
		if ('why' in prepared) throw new Failure('limit', `The key "${key}" was not written.`, prepared);
		await this.#write([prepared], signal);
	}

	async delete(key: string, signal: AbortSignal): Promise<boolean> {
		const {absent} = await this.deleteMany([key], signal);
		return absent === 0;
	}

	async move(
		from: string,
		to: string,
		isExpected: Parameters<NonNullable<KvStore['move']>>[2],
		signal: AbortSignal,
	): Promise<boolean> {
		checkKey(to);
		if ((await this.#read(signal, () => true)) === undefined) return false;
		let hasMoved = false;
		// No other write can happen during the transaction, so what is read here is what it replaces.
		const freedBlobs = await this.#change(signal, writer => {
			const reader = this.#connections.getReader();
			const row = reader && this.#findLiveRow(reader, from);
			if (!row || !isExpected(this.#readStoredValue(reader, from), this.#readStoredValue(reader, to)))
				return [];
			hasMoved = true;
			const replaced = writer.put({key: to, ...row});
			writer.delete(from);
			return [replaced];
		});
		await this.#removeAll(freedBlobs);
		return hasMoved;
	}

	async putMany(entries: readonly BulkEntry[], signal: AbortSignal): Promise<BatchOutcome> {
		const refused: {key: string; why: string}[] = [];
		const done = await this.#write(prepareEntries(entries, this.#now(), refused), signal);
		return {done, refused};
	}

	async deleteMany(
		keys: readonly string[],
		signal: AbortSignal,
	): Promise<BatchOutcome & {readonly absent: number}> {
		// Missing keys count as deleted; a name that is not valid Unicode would match another key.
		const validKeys = (await this.#read(signal, () => true)) ? keys.filter(key => key.isWellFormed()) : [];
		let rows: ReturnType<EntryWriter['delete']>[] = [];
		if (validKeys.length > 0) {
			const freedBlobs = await this.#change(signal, writer => {
				rows = validKeys.map(key => writer.delete(key));
				return rows.map(row => row?.blobId);
			});
			await this.#removeAll(freedBlobs);
		}
		const existedCount = rows.filter(row => row && this.#isAlive(row)).length;
		return {done: keys.length, refused: [], absent: keys.length - existedCount};
	}

	[Symbol.dispose](): void {
		this.#connections.close();
	}

	#findLiveRow(reader: EntryReader, key: string, knownRow?: StoredRow): StoredRow | undefined {
		const row = knownRow ?? (key.isWellFormed() ? reader.find(key) : undefined);
		return row && this.#isAlive(row) ? row : undefined;
	}

	#isAlive({expiration}: Pick<StoredRow, 'expiration'>): boolean {
		return expiration === null || expiration > this.#now();
	}

	/**
	 * Reads a value; `knownRow` is its row if it was just read. If the value is unreadable, it was overwritten
	 * or deleted since, and reading the row again shows that; if the row is unchanged, the value is damaged
	 * (`local_store_damaged`).
	 */
	#readStoredValue(reader: EntryReader, key: string, knownRow?: StoredRow): StoredValue | undefined {
		let missingBlob: string | undefined;
		for (let attempt = 0; attempt < maxOverwrites; attempt++) {
			const row = this.#findLiveRow(reader, key, attempt === 0 ? knownRow : undefined);
			if (!row) return undefined;
			const content = this.#blobs.read(row.blobId);
			if ('bytes' in content) {
				return {
					bytes: content.bytes,
					...(row.expiration !== null && {expiration: Math.floor(row.expiration / 1000)}),
					...(row.metadata !== null && {metadata: reader.parseMetadata(key, row.metadata)}),
				};
			}
			if (row.blobId === missingBlob) throw createLostValueFailure(key, content.why);
			missingBlob = row.blobId;
		}
		throw new Failure('local_store_busy', `The key "${key}" changes faster than it can be read.`, {
			why: `It was overwritten ${maxOverwrites} times while it was read.`,
			next: 'Stop the program that writes it, then try again.',
		});
	}

	/** Writes blobs first, then all rows in one transaction, then removes replaced blobs. */
	async #write(entries: Iterable<PreparedEntry>, signal: AbortSignal): Promise<number> {
		if (signal.aborted) throw createInterruptedFailure();
		const rows: NewRow[] = [];
		const slices = new Slices(this.#elapsed);
		let replacedBlobs: (string | undefined)[];
		let hasStarted = false;
		try {
			for (const {key, value, expiration, metadata} of entries) {
				if (slices.isOver) {
					await slices.startNext();
					if (signal.aborted) throw createInterruptedFailure();
				}
				rows.push({key, blobId: this.#blobs.write(value, this.#now()), expiration, metadata});
			}
			if (rows.length === 0) return 0;
			replacedBlobs = await this.#change(signal, writer => {
				hasStarted = true;
				return rows.map(row => writer.put(row));
			});
		} catch (error) {
			if (hasStarted) this.#removeUnreferenced(rows);
			else for (const {blobId} of rows) this.#blobs.remove(blobId);
			throw error;
		}
		await this.#removeAll(replacedBlobs);
		return rows.length;
	}

	/** Removes blobs that no row references. Ignores aborts: the write or deletion is already done. */
	async #removeAll(blobs: readonly (string | undefined)[]): Promise<void> {
		const slices = new Slices(this.#elapsed);
		for (const blob of blobs) {
			if (blob === undefined) continue;
			if (slices.isOver) await slices.startNext();
			this.#blobs.remove(blob);
		}
	}

	/**
	 * After a failure: removes the new blobs, except those a row references (a failed commit may have
	 * succeeded).
	 */
	#removeUnreferenced(rows: readonly NewRow[]): void {
		const isReferenced = (row: NewRow) =>
			this.#readAtOnce(reader => reader.find(row.key)?.blobId === row.blobId);
		try {
			for (const row of rows) if (!isReferenced(row)) this.#blobs.remove(row.blobId);
		} catch {
			// The rows are unreadable, so a blob may be in use: an orphan is better than a lost value.
		}
	}

	/**
	 * Runs one transaction, which also purges some expired rows, because reads never write. Returns the blobs
	 * that are no longer needed.
	 */
	async #change(
		signal: AbortSignal,
		work: (writer: EntryWriter) => (string | undefined)[],
	): Promise<(string | undefined)[]> {
		try {
			return await retryWhileBusy(this.#file, this.#patienceMs, signal, () => {
				const writer = this.#connections.getWriter();
				return writer.transact(() => work(writer).concat(writer.purge(this.#now())));
			});
		} catch (error) {
			throw toLocalFailure(error, this.#file, 'written');
		}
	}

	/** Runs work with a reader, waiting for locks; undefined if the store does not exist. */
	async #read<T>(signal: AbortSignal, work: (reader: EntryReader) => T): Promise<T | undefined> {
		try {
			return await retryWhileBusy(this.#file, this.#patienceMs, signal, () => this.#withReader(work));
		} catch (error) {
			throw toLocalFailure(error, this.#file, 'read');
		}
	}

	/** Runs work with a reader without waiting: readers are blocked only for moments. */
	#readAtOnce<T>(work: (reader: EntryReader) => T): T | undefined {
		try {
			return this.#withReader(work);
		} catch (error) {
			throw toLocalFailure(error, this.#file, 'read');
		}
	}

	#withReader<T>(work: (reader: EntryReader) => T): T | undefined {
		const reader = this.#connections.getReader();
		return reader && work(reader);
	}
}

/**
 * Yields storable entries one by one, so that not all values are decoded at once; adds the others to
 * `refused`.
 */
function* prepareEntries(
	entries: readonly BulkEntry[],
	now: number,
	refused: {key: string; why: string}[],
): Generator<PreparedEntry> {
	for (const entry of entries) {
		const prepared = prepareEntry(entry, now);
		if ('why' in prepared) refused.push({key: entry.key, why: prepared.why});
		else yield prepared;
	}
}

/** Encodes "start after this key" as wrangler does. */
const encodeCursor = (key: string): string => Buffer.from(key, 'utf8').toString('base64');

function decodeCursor(cursor: string): string {
	const key = Buffer.from(cursor, 'base64').toString('utf8');
	if (encodeCursor(key) === cursor) return key;
	throw new Failure('input_malformed', 'The cursor does not come from a listing of local data.', {
		why: 'It is not the base64 form of a key.',
		next: 'Start over without a cursor.',
	});
}
