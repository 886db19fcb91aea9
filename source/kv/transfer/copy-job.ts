import {boolean, type InferOutput, literal, string} from 'valibot';
import {jobTarget} from '../../state/job-record.ts';
import {ignoreInvalid, pickFields} from '../../text/schema.ts';
import {type Batch, BatchFiller, BatchSize} from '../bulk/batches.ts';
import type {Item} from '../bulk/entries.ts';
import {ExpiryFilter} from '../bulk/expiry-filter.ts';
import {putItems} from '../bulk/work.ts';
import {retryWaits} from '../job/job.ts';
import {Lanes} from '../job/lanes.ts';
import {recordIntervals} from '../job/recorder.ts';
import {collectGarbageIfNeeded} from '../memory.ts';
import {readValues} from '../read-window.ts';
import {createBatch, type RefusedEntry} from '../send.ts';
import type {BulkEntry, KeyEntry, KvStore, StoredValue} from '../store.ts';
import {Checkpoint} from './checkpoint.ts';
import {addCounts, type Counts} from './counts.ts';
import {listDifferingParts, toBulkItem} from './entry.ts';
import {reportListed} from './export-job.ts';
import {
	createTransferCodec,
	startTransfer,
	type TransferJob,
	type TransferOptions,
	type TransferTools,
	transferStart,
} from './job.ts';
import {type ListedKeys, walkKeys} from './listing.ts';
import {pairListings} from './pairing.ts';
import {type EntryRun, readEntries} from './read-entries.ts';
import {RefusedLines} from './refused-lines.ts';

export type CopyOptions = InferOutput<typeof copyOptions>;
const copyOptions = pickFields({
	/** The source store; the other one is the job's target. */
	from: jobTarget,
	/** For a source file: the SHA-256 of its content, in hex. */
	digest: ignoreInvalid(string()),
	prefix: ignoreInvalid(string()),
	/** Keeps existing keys of the target unchanged. */
	onlyMissing: boolean(),
	/**
	 * True to restore deleted keys. A key whose content in the target is identical counts as missing, because
	 * the service may show a key for a minute after its deletion. Only for named keys.
	 */
	restores: ignoreInvalid(literal(true)),
	failed: string(),
});

export const copyCodec = createTransferCodec('copy', copyOptions);

export type CopyJobOptions = Omit<TransferOptions<CopyOptions>, 'recordIntervalMs'> & {
	readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
	/** Called with keys that stay as they are in the target, in no particular order. */
	readonly onKept?: ((keys: readonly string[]) => void) | undefined;
};

/**
 * Copies keys with a prefix, or named keys, to another store, with metadata and expiry. Deletes nothing
 * there. Keys that have expired, or will before the target could accept them, are skipped and counted;
 * finally refused ones go to a file. An interrupted job resumes where everything before is processed.
 */
export function startCopy(
	from: KvStore,
	to: KvStore,
	requestedOptions: CopyOptions,
	options: CopyJobOptions,
): TransferJob {
	const refused = new RefusedLines(requestedOptions.failed);
	const walk = new CopyWalk(from, to, requestedOptions, refused, options);
	return startTransfer(
		{
			kind: 'copy',
			// The number of missing keys is only known at the end.
			keysWork: {
				content: requestedOptions.onlyMissing ? 'names' : options.names ? 'values' : 'both',
				quota: from.quota?.(),
			},
			participle: 'copied',
			run: tools => walk.run(tools),
			getCounts: () => walk.getCounts(),
			getRetainedCounts: () => walk.checkpoint.counts,
			getPosition: async () => walk.checkpoint.getState(),
			close: () => refused.close(),
			getFailedFile: () => (walk.checkpoint.counts.refused > 0 ? requestedOptions.failed : undefined),
		},
		{...options, recordIntervalMs: recordIntervals[to.kind]},
	);
}

class CopyWalk {
	readonly checkpoint: Checkpoint;
	readonly #from: KvStore;
	readonly #to: KvStore;
	readonly #requestedOptions: CopyOptions;
	readonly #refused: RefusedLines;
	readonly #options: CopyJobOptions;
	readonly #size: BatchSize;
	readonly #expiryFilter: ExpiryFilter<BulkEntry>;

	constructor(
		from: KvStore,
		to: KvStore,
		requestedOptions: CopyOptions,
		refused: RefusedLines,
		options: CopyJobOptions,
	) {
		const {record} = options.resumed ?? {};
		this.checkpoint = new Checkpoint(record?.position ?? transferStart);
		this.#from = from;
		this.#to = to;
		this.#requestedOptions = requestedOptions;
		this.#refused = refused;
		this.#options = options;
		this.#expiryFilter = new ExpiryFilter(options.now ?? Date.now, ({expiration}) => expiration);
		this.#size = new BatchSize(to.batchLimits);
	}

	/** Returns the counts so far, with the existing keys that the checkpoint does not cover yet. */
	getCounts(): Counts {
		return addCounts(this.checkpoint.counts, {kept: this.#aheadCount});
	}

	async run(tools: TransferTools): Promise<void> {
		const {signal, recorder} = tools;
		const lanes = new Lanes(this.#to.batchLimits.concurrency, tools);
		const filler = new BatchFiller<BulkEntry>(this.#size);
		const launch = (batch: Batch<BulkEntry>) =>
			lanes.start(batch.bytes, () => {
				recorder.begin();
				return this.#send(batch, tools, 0);
			});
		try {
			for await (const run of readEntries(
				this.#from,
				reportListed(this.#listSourceKeys(signal), tools),
				signal,
			)) {
				for (const item of this.#beginRun(run)) for (const batch of filler.add(item)) await launch(batch);
				tools.noteProcessed();
			}
			for (const batch of filler.flush()) await launch(batch);
			await lanes.finish();
			this.#countLastExisting();
		} finally {
			await lanes.drain();
		}
	}

	/** Lists the keys to read: all, or those missing from the target. */
	async *#listSourceKeys(signal: AbortSignal): AsyncGenerator<ListedKeys> {
		const {prefix, onlyMissing} = this.#requestedOptions;
		const {names} = this.#options;
		const {place: from} = this.checkpoint.getState();
		const walkOptions = {prefix, names, from};
		if (!onlyMissing) return yield* walkKeys(this.#from, walkOptions, signal);
		if (names) return yield* this.#listMissing(walkKeys(this.#from, walkOptions, signal), signal);
		// The two listings have different pages: a resumed job restarts both and skips visited keys.
		const walk = {prefix, from: from && {after: from.after}};
		for await (const group of pairListings(this.#from, this.#to, walk, signal)) {
			const missingKeys = group.flatMap(({one, other}) => (one && this.#isMissing(one, other) ? [one] : []));
			yield {keys: missingKeys, cursor: undefined};
		}
	}

	/** Lists the named keys that the target does not have; it reads them to find out. */
	async *#listMissing(
		namedPages: AsyncIterable<ListedKeys>,
		signal: AbortSignal,
	): AsyncGenerator<ListedKeys> {
		async function* listNameGroups() {
			for await (const {keys} of namedPages) yield keys;
		}
		for await (const pairs of readValues(this.#to, listNameGroups(), ({name}) => name, signal)) {
			const existingByKey = this.#requestedOptions.restores
				? await this.#readDifferingTargets(pairs, signal)
				: new Map(pairs.filter(([, stored]) => stored));
			const missingKeys = pairs.flatMap(([key]) =>
				this.#isMissing(key, existingByKey.get(key)) ? [key] : [],
			);
			this.#options.onKept?.(pairs.flatMap(([key]) => (existingByKey.get(key) ? [key.name] : [])));
			yield {keys: missingKeys, cursor: undefined, isNamesOnly: true};
		}
	}

	/** Returns the target's keys whose content differs from what would be written. */
	async #readDifferingTargets(
		pairs: readonly (readonly [KeyEntry, StoredValue | undefined])[],
		signal: AbortSignal,
	): Promise<ReadonlyMap<KeyEntry, StoredValue>> {
		const existingByKey = new Map(pairs.flatMap(([key, stored]) => (stored ? [[key, stored] as const] : [])));
		async function* yieldKeys() {
			yield [...existingByKey.keys()];
		}
		for await (const ownPairs of readValues(this.#from, yieldKeys(), ({name}) => name, signal))
			for (const [key, value] of ownPairs) {
				const stored = existingByKey.get(key);
				if (value && stored && !isDifferent(value, stored)) existingByKey.delete(key);
			}
		return existingByKey;
	}

	/**
	 * Number of existing keys since the last missing one; `#existingCountBefore` has the number directly
	 * before each missing key.
	 */
	#existingCount = 0;
	/** Number of existing keys found, but not counted in the checkpoint yet. */
	#aheadCount = 0;
	#lastExistingKey = '';
	readonly #existingCountBefore = new Map<string, number>();

	/**
	 * True if a key must be copied. Existing keys are counted with the next missing one, so that none counts
	 * twice.
	 */
	#isMissing({name}: {readonly name: string}, existing: object | undefined): boolean {
		if (existing) {
			this.#existingCount++;
			this.#aheadCount++;
			this.#lastExistingKey = name;
			return false;
		}
		if (this.#existingCount > 0) this.#existingCountBefore.set(name, this.#existingCount);
		this.#existingCount = 0;
		return true;
	}

	#takeExistingCount(names: readonly string[]): number {
		let existingCount = 0;
		for (const name of names) {
			existingCount += this.#existingCountBefore.get(name) ?? 0;
			this.#existingCountBefore.delete(name);
		}
		this.#aheadCount -= existingCount;
		return existingCount;
	}

	/** Counts existing keys after the last missing one. */
	#countLastExisting(): void {
		if (this.#existingCount > 0)
			this.checkpoint.beginRun(0, {after: this.#lastExistingKey}, {kept: this.#existingCount});
		this.#aheadCount -= this.#existingCount;
		this.#existingCount = 0;
	}

	/** Begins a run and yields its numbered entries. */
	*#beginRun({entries, missingNames, position}: EntryRun): Generator<Item<BulkEntry>> {
		const existingCount = this.#takeExistingCount([...entries.map(({key}) => key), ...missingNames]);
		let number = this.checkpoint.beginRun(entries.length, position, {
			gone: missingNames.length,
			kept: existingCount,
		});
		for (const entry of entries) yield toBulkItem(number++, entry);
	}

	async #send(batch: Batch<BulkEntry>, tools: TransferTools, round: number): Promise<void> {
		const {signal} = tools;
		const refused: RefusedEntry[] = [];
		await this.#expiryFilter.send(batch, items => putItems(this.#to, items, signal), {
			onAcknowledged: items => {
				for (const {number, content} of items)
					this.checkpoint.markProcessed(number, {done: 1, bytes: measureValue(content)});
				collectGarbageIfNeeded();
				tools.noteProcessed();
			},
			onExpired: items => {
				for (const {number} of items) this.checkpoint.markProcessed(number, {expired: 1});
				tools.noteProcessed();
			},
			onRefused: entries => void refused.push(...entries),
			onHalved: halvedBatch => this.#size.halve(halvedBatch),
		});
		if (refused.length === 0) return;
		const waitMs = retryWaits[round];
		const itemsByNumber = new Map(batch.items.map(item => [item.number, item]));
		const selectItems = (isFinal: boolean) =>
			refused.flatMap(entry => {
				const item = itemsByNumber.get(entry.entry);
				return item && (entry.final || waitMs === undefined) === isFinal ? [item] : [];
			});
		const finallyRefusedItems = selectItems(true);
		if (finallyRefusedItems.length > 0)
			await this.#refused.add(...finallyRefusedItems.map(({content}) => content));
		for (const {number} of finallyRefusedItems) this.checkpoint.markProcessed(number, {refused: 1});
		const retriedItems = selectItems(false);
		if (waitMs === undefined || retriedItems.length === 0) return tools.noteProcessed();
		await this.#options.wait(waitMs, signal);
		await tools.gate.waitUntilOpen();
		signal.throwIfAborted();
		await this.#send(createBatch(retriedItems), tools, round + 1);
	}
}

/** True if two values differ. Older deployments read values alone, so only these are compared then. */
function isDifferent(ownValue: StoredValue, existingValue: StoredValue): boolean {
	const parts = listDifferingParts(ownValue, existingValue);
	return existingValue.valueOnly ? parts.includes('value') : parts.length > 0;
}

const measureValue = ({value, base64}: BulkEntry): number =>
	Buffer.byteLength(value, base64 ? 'base64' : 'utf8');
