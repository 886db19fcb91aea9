import {picklist, string} from 'valibot';
import type {Clock} from '../../service/clock.ts';
import {pickFields} from '../../text/schema.ts';
import {BatchFiller, BatchSize} from '../bulk/batches.ts';
import type {Item} from '../bulk/entries.ts';
import {ExpiryFilter} from '../bulk/expiry-filter.ts';
import {putItems} from '../bulk/work.ts';
import {pollUntil} from '../change/rename.ts';
import {isSameState, type KeyDigest} from '../change/whole-key.ts';
import {retryWaits} from '../job/job.ts';
import {Lanes} from '../job/lanes.ts';
import {recordIntervals} from '../job/recorder.ts';
import {createBatch, type RefusedEntry, sendBatch} from '../send.ts';
import type {BulkEntry, KvStore} from '../store.ts';
import {Checkpoint} from './checkpoint.ts';
import type {Counts} from './counts.ts';
import {type Entry, toBulkItem} from './entry.ts';
import {reportListed} from './export-job.ts';
import {
	createTransferCodec,
	startTransfer,
	type TransferJob,
	type TransferOptions,
	type TransferTools,
	transferStart,
} from './job.ts';
import {walkKeys} from './listing.ts';
import {type EntryRun, readEntries} from './read-entries.ts';
import {RefusedLines} from './refused-lines.ts';
import {
	buildNewName,
	type CollisionMode,
	digestEntry,
	type PrefixChange,
	readDigests,
} from './renamed-names.ts';

export type RenameJobOptions = PrefixChange & {
	readonly collisions: CollisionMode;
	/** The file for keys that are not, or not only, under their new name. */
	readonly failed: string;
};

export const renameCodec = createTransferCodec(
	'rename',
	pickFields({
		from: string(),
		to: string(),
		collisions: picklist(['refuse', 'only-missing', 'overwrite']),
		failed: string(),
	}),
);

type StartRenameOptions = Omit<TransferOptions<RenameJobOptions>, 'recordIntervalMs'> & {
	readonly clock: Clock;
	/** True for a dry run: nothing can be read back. */
	readonly isDryRun: boolean;
};

/**
 * Changes the prefix of named keys, run by run: writes the new names, reads them back, reads the old names
 * again, and deletes those that still have the copied content. If stopped at any point, each key exists under
 * one name, or with the same content under both, which a resumed job treats as written. Keys that change
 * between reading and deletion stay under both names, and are listed in the file.
 */
export function startRename(
	store: KvStore,
	renaming: RenameJobOptions,
	options: StartRenameOptions,
): TransferJob {
	const notRenamedLines = new RefusedLines(renaming.failed);
	const walk = new RenameWalk(store, renaming, notRenamedLines, options);
	return startTransfer(
		{
			kind: 'rename',
			keysWork: {...renameCost, quota: store.quota?.()},
			participle: 'renamed',
			run: tools => walk.run(tools),
			getCounts: () => walk.checkpoint.counts,
			getRetainedCounts: () => walk.checkpoint.counts,
			getPosition: async () => walk.checkpoint.getState(),
			close: () => notRenamedLines.close(),
			getFailedFile: () => (hasUnrenamedKeys(walk.checkpoint.counts, renaming) ? renaming.failed : undefined),
		},
		{...options, recordIntervalMs: recordIntervals[store.kind]},
	);
}

/** Reads and calls per run: values under both names, the write, both reads again, the deletion. */
export const renameCost = {content: 'values', callFactor: 6} as const;

/** True if keys that should have been renamed were not. */
const hasUnrenamedKeys = ({refused, both, kept}: Counts, {collisions}: RenameJobOptions): boolean =>
	refused + both > 0 || (collisions === 'refuse' && kept > 0);

/** A key of a run: number, old and new name, and the content to write. */
type Move = {
	readonly number: number;
	readonly from: string;
	readonly to: string;
	readonly entry: Entry;
	readonly digest: KeyDigest;
};

class RenameWalk {
	readonly checkpoint: Checkpoint;
	readonly #store: KvStore;
	readonly #renaming: RenameJobOptions;
	readonly #notRenamedLines: RefusedLines;
	readonly #options: StartRenameOptions;
	readonly #size: BatchSize;
	readonly #expiryFilter: ExpiryFilter<BulkEntry>;

	constructor(
		store: KvStore,
		renaming: RenameJobOptions,
		notRenamedLines: RefusedLines,
		options: StartRenameOptions,
	) {
		this.checkpoint = new Checkpoint(options.resumed?.record.position ?? transferStart);
		this.#store = store;
		this.#renaming = renaming;
		this.#notRenamedLines = notRenamedLines;
		this.#options = options;
		this.#size = new BatchSize(store.batchLimits);
		this.#expiryFilter = new ExpiryFilter(options.now ?? Date.now, ({expiration}) => expiration);
	}

	async run(tools: TransferTools): Promise<void> {
		const {signal, recorder} = tools;
		const {names} = this.#options;
		// Before any write: the journal alone leads back to the listed names.
		await recorder.createJournal();
		const lanes = new Lanes(this.#store.batchLimits.concurrency, tools);
		const listed = reportListed(
			walkKeys(this.#store, {names, from: this.checkpoint.getState().place}, signal),
			tools,
		);
		try {
			for await (const run of readEntries(this.#store, listed, signal)) {
				const firstNumber = this.checkpoint.beginRun(
					run.entries.length + run.missingNames.length,
					run.position,
				);
				const bytes = run.entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
				await lanes.start(bytes, () => this.#move(run, firstNumber, tools));
			}
			await lanes.finish();
		} finally {
			await lanes.drain();
		}
	}

	/** Renames a run of keys. */
	async #move({entries, missingNames}: EntryRun, firstNumber: number, tools: TransferTools): Promise<void> {
		const {signal, recorder} = tools;
		const {isDryRun, resumed} = this.#options;
		const moves = entries.map((entry, index): Move => {
			const to = buildNewName(this.#renaming, entry.key);
			return {number: firstNumber + index, from: entry.key, to, entry, digest: digestEntry(entry)};
		});
		const missingTargets = missingNames.map(name => buildNewName(this.#renaming, name));
		const targetDigests = await readDigests(
			this.#store,
			[...moves.map(({to}) => to), ...missingTargets],
			signal,
		);
		for (const [index, to] of missingTargets.entries()) {
			// An interrupted run deletes old names last, and may not have recorded that.
			const isDone = resumed !== undefined && targetDigests.has(to);
			this.checkpoint.markProcessed(firstNumber + moves.length + index, isDone ? {done: 1} : {gone: 1});
		}
		const writtenMoves = moves.filter(({to, digest}) => hasSameDigest(targetDigests, to, digest));
		const unwrittenMoves = moves.filter(({to, digest}) => !hasSameDigest(targetDigests, to, digest));
		const freeMoves = await this.#excludeTaken(unwrittenMoves, targetDigests);
		recorder.begin();
		const sentMoves = await this.#write(freeMoves, tools, 0);
		const confirmedMoves = isDryRun ? sentMoves : await this.#readBack(sentMoves, signal);
		await this.#deleteOld([...writtenMoves, ...confirmedMoves], tools);
		tools.noteProcessed();
	}

	/** Excludes keys whose new name is taken, unless it may be overwritten. */
	async #excludeTaken(
		moves: readonly Move[],
		targetDigests: ReadonlyMap<string, KeyDigest>,
	): Promise<readonly Move[]> {
		const {collisions} = this.#renaming;
		if (collisions === 'overwrite') return moves;
		const takenMoves = moves.filter(({to}) => targetDigests.has(to));
		if (collisions === 'refuse') await this.#recordNotRenamed(takenMoves, 'another key has the new name');
		for (const {number} of takenMoves) this.checkpoint.markProcessed(number, {kept: 1});
		return moves.filter(({to}) => !targetDigests.has(to));
	}

	/** Writes the new names; returns the written keys. Retries refused ones, as a copy does. */
	async #write(moves: readonly Move[], tools: TransferTools, round: number): Promise<readonly Move[]> {
		const {signal, gate} = tools;
		const movesByNumber = new Map(moves.map(move => [move.number, move]));
		const doneMoves: Move[] = [];
		const refused: RefusedEntry[] = [];
		const filler = new BatchFiller<BulkEntry>(this.#size);
		const items = moves.map(({number, to, entry}) => toBulkItem(number, {...entry, key: to}));
		const batches = [...items.flatMap(item => [...filler.add(item)]), ...filler.flush()];
		for (const batch of batches) {
			await this.#expiryFilter.send(batch, items => putItems(this.#store, items, signal), {
				onAcknowledged: items =>
					void doneMoves.push(...items.flatMap(({number}) => movesByNumber.get(number) ?? [])),
				onExpired: items => {
					for (const {number} of items) this.checkpoint.markProcessed(number, {expired: 1});
				},
				onRefused: entries => void refused.push(...entries),
				onHalved: halvedBatch => this.#size.halve(halvedBatch),
			});
		}
		const waitMs = retryWaits[round];
		const isFinal = ({final}: RefusedEntry) => final || waitMs === undefined;
		for (const entry of refused.filter(isFinal)) {
			const move = movesByNumber.get(entry.entry);
			if (move)
				await this.#recordNotRenamed([move], `rejected by the service${entry.why ? `: ${entry.why}` : ''}`);
			this.checkpoint.markProcessed(entry.entry, {refused: 1});
		}
		const retriedMoves = refused
			.filter(entry => !isFinal(entry))
			.flatMap(({entry}) => movesByNumber.get(entry) ?? []);
		if (waitMs === undefined || retriedMoves.length === 0) return doneMoves;
		const {clock} = this.#options;
		await clock.wait(waitMs * clock.scale, signal);
		await gate.waitUntilOpen();
		signal.throwIfAborted();
		return [...doneMoves, ...(await this.#write(retriedMoves, tools, round + 1))];
	}

	/**
	 * Polls the new names until they have the written content, as long as reads may be old; returns the
	 * confirmed keys.
	 */
	async #readBack(moves: readonly Move[], signal: AbortSignal): Promise<readonly Move[]> {
		const confirmedMoves: Move[] = [];
		let pendingMoves = moves;
		await pollUntil(this.#store, {clock: this.#options.clock, signal}, async () => {
			const digests = await readDigests(
				this.#store,
				pendingMoves.map(({to}) => to),
				signal,
			);
			confirmedMoves.push(...pendingMoves.filter(({to, digest}) => hasSameDigest(digests, to, digest)));
			pendingMoves = pendingMoves.filter(({to, digest}) => !hasSameDigest(digests, to, digest));
			return pendingMoves.length === 0;
		});
		await this.#markUnderBothNames(pendingMoves, 'reads do not show what was written under the new name');
		return confirmedMoves;
	}

	/** Deletes the old names that still have the content of the new ones. */
	async #deleteOld(moves: readonly Move[], {signal}: TransferTools): Promise<void> {
		const {isDryRun} = this.#options;
		const digests = isDryRun
			? undefined
			: await readDigests(
					this.#store,
					moves.map(({from}) => from),
					signal,
				);
		const changedMoves = moves.filter(
			({from, digest}) => digests?.has(from) && !hasSameDigest(digests, from, digest),
		);
		await this.#markUnderBothNames(changedMoves, 'changed during the rename');
		for (const move of moves) if (digests && !digests.has(move.from)) this.#markDone(move);
		const deletableMoves = moves.filter(({from, digest}) => !digests || hasSameDigest(digests, from, digest));
		if (deletableMoves.length === 0) return;
		const movesByNumber = new Map(deletableMoves.map(move => [move.number, move]));
		const items = deletableMoves.map(
			({number, from}): Item<string> => ({
				number,
				key: from,
				// With quotes and a comma.
				bytes: Buffer.byteLength(from) + 3,
				content: from,
				unknownProperties: [],
			}),
		);
		const refused: RefusedEntry[] = [];
		await sendBatch(
			createBatch(items),
			batchItems =>
				this.#store.deleteMany(
					batchItems.map(({key}) => key),
					signal,
				),
			{
				onAcknowledged: batchItems => {
					for (const {number} of batchItems) {
						const move = movesByNumber.get(number);
						if (move) this.#markDone(move);
					}
				},
				onRefused: entries => void refused.push(...entries),
				onHalved() {},
			},
		);
		const undeletedMoves = refused.flatMap(({entry}) => movesByNumber.get(entry) ?? []);
		await this.#markUnderBothNames(undeletedMoves, 'the service refused to delete the old name');
	}

	#markDone({number, entry}: Move): void {
		this.checkpoint.markProcessed(number, {done: 1, bytes: entry.bytes.length});
	}

	async #markUnderBothNames(moves: readonly Move[], why: string): Promise<void> {
		await this.#recordNotRenamed(moves, why);
		for (const {number} of moves) this.checkpoint.markProcessed(number, {both: 1});
	}

	/** Writes keys to the file before they count as processed, so that none is lost if the process ends. */
	async #recordNotRenamed(moves: readonly Move[], why: string): Promise<void> {
		if (moves.length > 0)
			await this.#notRenamedLines.add(...moves.map(({from, to}) => ({key: from, to, why})));
	}
}

const hasSameDigest = (digests: ReadonlyMap<string, KeyDigest>, name: string, digest: KeyDigest): boolean =>
	isSameState(digests.get(name), digest);
