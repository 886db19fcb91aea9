import {boolean, type InferOutput, literal, string} from 'valibot';
import {jobTarget} from '../../state/job-record.ts';
import {fields, lenient} from '../../text/schema.ts';
import {type Batch, BatchFiller, BatchSize} from '../bulk/batches.ts';
import type {Item} from '../bulk/entries.ts';
import {LastingEntries} from '../bulk/lasting.ts';
import {putItems} from '../bulk/work.ts';
import {retryWaits} from '../job/job.ts';
import {Lanes} from '../job/lanes.ts';
import {recordEvery} from '../job/recorder.ts';
import {holdMemory} from '../memory.ts';
import {readValues} from '../read-window.ts';
import {partOf, type RefusedEntry} from '../send.ts';
import type {BulkEntry, KeyEntry, KvStore, StoredValue} from '../store.ts';
import {Checkpoint} from './checkpoint.ts';
import {bulkEntryOf, differingParts, type Entry} from './entry.ts';
import {told} from './export-job.ts';
import {
	beginning,
	startTransfer,
	type TransferJob,
	type TransferOptions,
	type TransferTools,
	transferCodec,
} from './job.ts';
import {type ListedKeys, listedKeys} from './listing.ts';
import {pairsOf} from './pairing.ts';
import {type ReadRun, readEntries} from './reading.ts';
import {RefusedLines} from './refused-lines.ts';

export type CopyOptions = InferOutput<typeof copyOptions>;
const copyOptions = fields({
	/** The source store; the other one is the job's target. */
	from: jobTarget,
	/** For a source file: the SHA-256 of its content, in hex. */
	digest: lenient(string()),
	prefix: lenient(string()),
	/** Keeps existing keys of the target unchanged. */
	onlyMissing: boolean(),
	/**
	 * True to restore deleted keys. A key whose content in the target is identical counts as missing, because
	 * the service may show a key for a minute after its deletion. Only for named keys.
	 */
	restores: lenient(literal(true)),
	failed: string(),
});

export const copyCodec = transferCodec('copy', copyOptions);

export type CopyJobOptions = Omit<TransferOptions<CopyOptions>, 'every'> & {
	readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
	/** Called with keys that stay as they are in the target, in no particular order. */
	readonly keeps?: ((keys: readonly string[]) => void) | undefined;
};

/**
 * Copies keys with a prefix, or named keys, to another store, with metadata and expiry. Deletes nothing
 * there. Keys that have expired, or will before the target could accept them, are skipped and counted;
 * finally refused ones go to a file. An interrupted job resumes where everything before is settled.
 */
export function startCopy(
	from: KvStore,
	to: KvStore,
	copy: CopyOptions,
	options: CopyJobOptions,
): TransferJob {
	const refused = new RefusedLines(copy.failed);
	const walk = new CopyWalk(from, to, copy, refused, options);
	return startTransfer(
		{
			kind: 'copy',
			// How many keys are missing is only known at the end.
			reads: {
				reads: copy.onlyMissing ? 'names' : options.names ? 'values' : 'both',
				quota: from.quota?.(),
			},
			participle: 'copied',
			run: tools => walk.run(tools),
			counts: () => walk.walked.counts,
			kept: () => walk.walked.counts,
			place: async () => walk.walked.to(),
			close: () => refused.close(),
			failedFile: () => (walk.walked.counts.refused > 0 ? copy.failed : undefined),
		},
		{...options, every: recordEvery[to.kind]},
	);
}

class CopyWalk {
	readonly walked: Checkpoint;
	readonly #from: KvStore;
	readonly #to: KvStore;
	readonly #copy: CopyOptions;
	readonly #refused: RefusedLines;
	readonly #options: CopyJobOptions;
	readonly #size: BatchSize;
	readonly #lasting: LastingEntries<BulkEntry>;

	constructor(from: KvStore, to: KvStore, copy: CopyOptions, refused: RefusedLines, options: CopyJobOptions) {
		const {record} = options.resumed ?? {};
		this.walked = new Checkpoint(record?.position ?? beginning);
		this.#from = from;
		this.#to = to;
		this.#copy = copy;
		this.#refused = refused;
		this.#options = options;
		this.#lasting = new LastingEntries(options.now ?? Date.now, ({expiration}) => expiration);
		this.#size = new BatchSize(to.batch);
	}

	async run(tools: TransferTools): Promise<void> {
		const {signal, recorder} = tools;
		const lanes = new Lanes(this.#to.batch.concurrency, tools);
		const filler = new BatchFiller<BulkEntry>(this.#size);
		const launch = (batch: Batch<BulkEntry>) =>
			lanes.start(batch.bytes, () => {
				recorder.begin();
				return this.#send(batch, tools, 0);
			});
		try {
			for await (const run of readEntries(this.#from, told(this.#listed(signal), tools), signal)) {
				for (const item of this.#begun(run)) for (const batch of filler.add(item)) await launch(batch);
				tools.moved();
			}
			for (const batch of filler.rest()) await launch(batch);
			await lanes.idle();
			this.#countKept();
		} finally {
			await lanes.settled();
		}
	}

	/** Lists the keys to read: all, or those missing from the target. */
	async *#listed(signal: AbortSignal): AsyncGenerator<ListedKeys> {
		const {prefix, onlyMissing} = this.#copy;
		const {names} = this.#options;
		const {place: from} = this.walked.to();
		const all = {prefix, names, from};
		if (!onlyMissing) return yield* listedKeys(this.#from, all, signal);
		if (names) return yield* this.#missing(listedKeys(this.#from, all, signal), signal);
		// The two listings have different pages: a resumed job restarts both and skips visited keys.
		const walk = {prefix, from: from && {after: from.after}};
		for await (const group of pairsOf(this.#from, this.#to, walk, signal)) {
			const missing = group.flatMap(({one, other}) => (one && this.#isMissing(one, other) ? [one] : []));
			yield {keys: missing, cursor: undefined};
		}
	}

	/** Lists named keys that the target does not have, which only reading them tells. */
	async *#missing(named: AsyncIterable<ListedKeys>, signal: AbortSignal): AsyncGenerator<ListedKeys> {
		async function* groups() {
			for await (const {keys} of named) yield keys;
		}
		for await (const read of readValues(this.#to, groups(), ({name}) => name, signal)) {
			const others = this.#copy.restores
				? await this.#others(read, signal)
				: new Map(read.filter(([, stored]) => stored));
			const keys = read.flatMap(([key]) => (this.#isMissing(key, others.get(key)) ? [key] : []));
			this.#options.keeps?.(read.flatMap(([key]) => (others.get(key) ? [key.name] : [])));
			yield {keys, cursor: undefined, areNamed: true};
		}
	}

	/** Returns the target's keys whose content differs from what would be written. */
	async #others(
		read: readonly (readonly [KeyEntry, StoredValue | undefined])[],
		signal: AbortSignal,
	): Promise<ReadonlyMap<KeyEntry, StoredValue>> {
		const there = new Map(read.flatMap(([key, stored]) => (stored ? [[key, stored] as const] : [])));
		async function* once() {
			yield [...there.keys()];
		}
		for await (const own of readValues(this.#from, once(), ({name}) => name, signal))
			for (const [key, value] of own) {
				const stored = there.get(key);
				if (value && stored && !differs(value, stored)) there.delete(key);
			}
		return there;
	}

	/** Number of existing keys since the last missing one, and per missing key the number right before it. */
	#kept = 0;
	#lastKept = '';
	readonly #keptBefore = new Map<string, number>();

	/**
	 * True if a key must be copied. Existing keys are counted with the next missing one, so that none counts
	 * twice.
	 */
	#isMissing({name}: {readonly name: string}, there: object | undefined): boolean {
		if (there) {
			this.#kept++;
			this.#lastKept = name;
			return false;
		}
		if (this.#kept > 0) this.#keptBefore.set(name, this.#kept);
		this.#kept = 0;
		return true;
	}

	#takeKept(names: readonly string[]): number {
		let kept = 0;
		for (const name of names) {
			kept += this.#keptBefore.get(name) ?? 0;
			this.#keptBefore.delete(name);
		}
		return kept;
	}

	/** Counts existing keys after the last missing one. */
	#countKept(): void {
		if (this.#kept > 0) this.walked.begin(0, {after: this.#lastKept}, {kept: this.#kept});
		this.#kept = 0;
	}

	/** Begins a run and yields its numbered entries. */
	*#begun({entries, gone, place}: ReadRun): Generator<Item<BulkEntry>> {
		const kept = this.#takeKept([...entries.map(({key}) => key), ...gone]);
		let number = this.walked.begin(entries.length, place, {gone: gone.length, kept});
		for (const entry of entries) yield itemOf(number++, entry);
	}

	async #send(batch: Batch<BulkEntry>, tools: TransferTools, round: number): Promise<void> {
		const {signal} = tools;
		const refused: RefusedEntry[] = [];
		await this.#lasting.send(batch, items => putItems(this.#to, items, signal), {
			acknowledged: items => {
				for (const {number, content} of items)
					this.walked.settle(number, {done: 1, bytes: valueBytes(content)});
				holdMemory();
				tools.moved();
			},
			expired: items => {
				for (const {number} of items) this.walked.settle(number, {expired: 1});
				tools.moved();
			},
			refused: entries => void refused.push(...entries),
			halved: whole => this.#size.halve(whole),
		});
		if (refused.length === 0) return;
		const wait = retryWaits[round];
		const again = new Map(batch.items.map(item => [item.number, item]));
		const items = (final: boolean) =>
			refused.flatMap(entry => {
				const item = again.get(entry.entry);
				return item && (entry.final || wait === undefined) === final ? [item] : [];
			});
		const lost = items(true);
		if (lost.length > 0) await this.#refused.add(...lost.map(({content}) => content));
		for (const {number} of lost) this.walked.settle(number, {refused: 1});
		const rest = items(false);
		if (wait === undefined || rest.length === 0) return tools.moved();
		await this.#options.wait(wait, signal);
		await tools.gate.passed();
		signal.throwIfAborted();
		await this.#send(partOf(rest), tools, round + 1);
	}
}

/** True if two values differ. Older deployments read values alone, so only these are compared then. */
function differs(own: StoredValue, there: StoredValue): boolean {
	const parts = differingParts(own, there);
	return there.valueOnly ? parts.includes('value') : parts.length > 0;
}

function itemOf(number: number, entry: Entry): Item<BulkEntry> {
	const content = bulkEntryOf(entry);
	return {number, key: entry.key, bytes: Buffer.byteLength(JSON.stringify(content)), content, unknown: []};
}

const valueBytes = ({value, base64}: BulkEntry): number =>
	Buffer.byteLength(value, base64 ? 'base64' : 'utf8');
