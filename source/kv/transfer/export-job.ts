import type {KvStore} from '../store.ts';
import {addCounts, type Counts, noCounts} from './counts.ts';
import {forgetEarlierExports} from './earlier-exports.ts';
import {formatEntryLine} from './entry.ts';
import {
	claimExport,
	createExportFile,
	type ExportFile,
	type ExportOptions,
	exportOptions,
	isFinishedExport,
	refuseTakenExport,
	reopenExportFile,
} from './export-file.ts';
import {
	createTransferCodec,
	startTransfer,
	type TransferJob,
	type TransferOptions,
	type TransferPosition,
	type TransferTools,
	transferStart,
} from './job.ts';
import {type KeyScope, type ListedKeys, walkKeys} from './listing.ts';
import {readEntries} from './read-entries.ts';

export const exportCodec = createTransferCodec('export', exportOptions);

/** Output of an export that cannot be resumed: standard output. */
type LineSink = {write(text: string): Promise<void>};

/**
 * Exports keys with a prefix, or named keys, into a file, one line each in byte order: value, metadata and
 * expiry, as `kv import` and `kv bulk put` read them. An interrupted export resumes where it was, and
 * produces the same file.
 */
export function startExport(
	store: KvStore,
	{path, over, prefix}: ExportOptions,
	options: Omit<TransferOptions<ExportOptions>, 'recordIntervalMs'>,
): TransferJob {
	const start = options.resumed?.record.position ?? transferStart;
	const destination = {path, over};
	let file: ExportFile | undefined;
	let claim: Disposable | undefined;
	/** Counts of the keys that are on disk. */
	let durableCounts = start.counts;
	const scope = {prefix, names: options.names};
	const walk = new ExportWalk(store, scope, start, async text => file?.append(text));

	/**
	 * Creates the file, and its journal first, so that even a killed process leaves no file without a job.
	 */
	async function beginFile(tools: TransferTools): Promise<ExportFile> {
		refuseTakenExport(destination, options.resumed !== undefined);
		// From here on, the results of earlier exports are gone.
		if (!options.resumed) await forgetEarlierExports(path, options.environment);
		await tools.recorder.createJournal();
		return createExportFile(destination);
	}

	return startTransfer(
		{
			kind: 'export',
			keysWork: {content: options.names ? 'values' : 'both', quota: store.quota?.()},
			participle: 'exported',
			async run(tools) {
				const {signal} = tools;
				claim = claimExport(destination);
				if (start.file && (await isFinishedExport(destination, start.file, signal))) return;
				file = await (start.file === undefined
					? beginFile(tools)
					: reopenExportFile(destination, start.file, options.resumed?.record.header.id ?? '', signal));
				await walk.run(tools);
				// If killed after this, the record shows that the file is complete.
				await tools.recorder.catchUp();
				await file.finish();
				file = undefined;
				claim[Symbol.dispose]();
			},
			getCounts: () => walk.counts,
			getRetainedCounts: isRecorded => (isRecorded ? durableCounts : noCounts),
			async getPosition() {
				// Taken together: text appended while the file is synced belongs to the next position.
				const [position, pendingMark] = [walk.position, file?.checkpoint()];
				const mark = await pendingMark;
				if (mark) durableCounts = position.counts;
				return mark && {...position, file: mark};
			},
			async close(isRecorded) {
				try {
					await file?.closeUnfinished(isRecorded);
				} finally {
					claim?.[Symbol.dispose]();
				}
			},
		},
		{...options, recordIntervalMs: 1000},
	);
}

/** Exports to a stream, which cannot be recorded or resumed. */
export function startStreamExport(
	sink: LineSink,
	store: KvStore,
	{prefix}: Pick<ExportOptions, 'prefix'>,
	options: Pick<TransferOptions<never>, 'signal' | 'environment' | 'progress' | 'now' | 'elapsed'>,
): TransferJob {
	let durableCounts = noCounts;
	const walk = new ExportWalk(store, {prefix}, transferStart, async text => {
		const {counts} = walk.position;
		await sink.write(text);
		durableCounts = counts;
	});
	return startTransfer(
		{
			kind: 'export',
			keysWork: {content: 'both', quota: store.quota?.()},
			participle: 'exported',
			run: tools => walk.run(tools),
			getCounts: () => walk.counts,
			getRetainedCounts: () => durableCounts,
			getPosition: async () => undefined,
			async close() {},
		},
		{...options, recordIntervalMs: 1000},
	);
}

/** Walks through a namespace and appends each key as a line. */
class ExportWalk {
	readonly #store: KvStore;
	readonly #scope: KeyScope;
	readonly #append: (text: string) => Promise<void>;
	#position: TransferPosition;

	constructor(
		store: KvStore,
		scope: KeyScope,
		start: TransferPosition,
		append: (text: string) => Promise<void>,
	) {
		this.#store = store;
		this.#scope = scope;
		this.#append = append;
		this.#position = {place: start.place, counts: start.counts};
	}

	/** Position after everything appended. */
	get position(): TransferPosition {
		return this.#position;
	}

	get counts(): Counts {
		return this.#position.counts;
	}

	async run(tools: TransferTools): Promise<void> {
		const {signal, gate, recorder} = tools;
		const listed = reportListed(
			walkKeys(this.#store, {...this.#scope, from: this.#position.place}, signal),
			tools,
		);
		for await (const {entries, missingNames, position} of readEntries(this.#store, listed, signal)) {
			await gate.waitUntilOpen();
			signal.throwIfAborted();
			recorder.begin();
			const bytes = entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
			// Set before the lines are appended, so that no more is ever appended than this covers.
			this.#position = {
				place: position,
				counts: addCounts(this.#position.counts, {done: entries.length, gone: missingNames.length, bytes}),
			};
			await this.#append(entries.map(formatEntryLine).join(''));
			tools.noteProcessed();
		}
	}
}

/** Yields the same pages, and reports their number of keys. */
export async function* reportListed(
	pages: AsyncIterable<ListedKeys>,
	tools: TransferTools,
): AsyncGenerator<ListedKeys> {
	for await (const page of pages) {
		tools.noteListed(page.keys.length);
		yield page;
	}
	tools.finishListing();
}
