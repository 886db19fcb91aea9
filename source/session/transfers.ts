import {resolve} from 'node:path';
import {Readable} from 'node:stream';
import {Failure} from '../failure.ts';
import {keysFormat} from '../kv/bulk/entries.ts';
import {checkFailedFile, claimFailedPath, claimFreeFailedFile} from '../kv/bulk/failed-file.ts';
import {createJobDoneFailure, recheckInput} from '../kv/bulk/resume.ts';
import type {KvStore} from '../kv/store.ts';
import {type CopyJobOptions, type CopyOptions, copyCodec, startCopy} from '../kv/transfer/copy-job.ts';
import {type EarlierExport, isSameExport, listEarlierExports} from '../kv/transfer/earlier-exports.ts';
import {type ExportOptions, hasPartFile} from '../kv/transfer/export-file.ts';
import {exportCodec, startExport} from '../kv/transfer/export-job.ts';
import type {
	TransferJob,
	TransferKind,
	TransferOptions,
	TransferPosition,
	TransferProgress,
} from '../kv/transfer/job.ts';
import type {KeyScope} from '../kv/transfer/listing.ts';
import type {KeyNames} from '../kv/transfer/names.ts';
import {type RenameJobOptions, renameCodec, startRename} from '../kv/transfer/rename-job.ts';
import type {JobCodec, JobTarget, JournalHeader} from '../state/job-record.ts';
import {type ListedJob, openJob} from '../state/jobs.ts';
import {formatQuantity} from '../text/figures.ts';
import type {OpenedNamespace} from './namespaces.ts';
import type {Session} from './session.ts';
import {getStoreClock} from './store-clock.ts';
import {reopenRecordedStore} from './stores.ts';
import {
	createOtherExportFailure,
	hasLostBeginning,
	refuseChangedInput,
	refuseSame,
} from './transfer-refusals.ts';
import {toStorePlace, type WritePlace} from './write-place.ts';

type ReportProgress = (progress: TransferProgress) => void;

/** A prepared transfer with open stores. Disposing of it closes what it opened itself. */
export type ReadyTransfer = AsyncDisposable & {
	readonly kind: TransferKind;
	/** Describes the keys if they are not all: "12 keys", "keys below user:". Not escaped for the terminal. */
	readonly keys: string | undefined;
	/** Source and destination: a store or a file. Not escaped for the terminal. */
	readonly from: string;
	readonly to: string;
	/** Target store of a copy, or the store of a rename; undefined for an export. */
	readonly target?: JobTarget | undefined;
	readonly place: WritePlace;
	/** An interrupted export into the same file, and whether it is resumed or given up. */
	readonly earlier?: {readonly fate: 'resumed' | 'given up'; readonly job: EarlierExport} | undefined;
	/** Starts the transfer; call once. */
	start(reportProgress: ReportProgress, signal: AbortSignal): TransferJob;
};

/**
 * Prepares an export into a file, of the named keys if given; the caller owns store and names. Resumes an
 * interrupted export with the same options unless the request asks for a new file. Fails with `file_exists`
 * if the start of another export would be lost.
 */
export async function prepareExport(
	session: Session,
	openedNamespace: OpenedNamespace,
	request: ExportOptions,
	signal: AbortSignal,
	names?: KeyNames,
): Promise<ReadyTransfer> {
	const {env: environment} = session;
	const {store, target, digest} = openedNamespace;
	const {path, over} = request;
	const options = {...request, ...(digest !== undefined && {digest})};
	// Exports of live processes are refused when the file is claimed.
	const earlierExports = (await listEarlierExports(path, environment)).filter(
		({holder}) => holder === undefined,
	);
	const resumable = over ? undefined : earlierExports.find(one => isSameExport(one, target, options, names));
	if (resumable && !hasLostBeginning(resumable, path))
		return {
			...(await resumeExport(session, resumable.id, signal, openedNamespace)),
			earlier: {fate: 'resumed', job: resumable},
		};
	const [otherExport] = earlierExports;
	if (otherExport && !over && hasPartFile(path)) throw createOtherExportFailure(otherExport, path);
	const title = `export ${formatKeysOfStore(formatKeys({...request, names}), store.label)} into ${JSON.stringify(path)}`;
	return {
		...buildExport(session, store, request, {recorded: {title, target, options}, names}),
		earlier: otherExport && {fate: 'given up', job: otherExport},
	};
}

function buildExport(
	session: Session,
	store: KvStore,
	options: ExportOptions,
	source: JobSource<ExportOptions>,
): ReadyTransfer {
	const {close = doNothing, ...job} = source;
	const work = {...getTimes(session), environment: session.env, ...job};
	return {
		kind: 'export',
		keys: formatKeys({...options, names: source.names}),
		from: store.label,
		to: options.path,
		place: {label: options.path, isLocal: true},
		start: (progress, signal) => startExport(store, options, {...work, signal, progress}),
		[Symbol.asyncDispose]: close,
	};
}

/** Options of a copy; default failure file: a free name in the working folder. */
type CopyRequest = Omit<CopyOptions, 'from' | 'failed'> & {
	readonly failed?: string | undefined;
	/** Name of the source; its label by default. */
	readonly called?: string;
	/** Called with the keys that the destination keeps unchanged. */
	readonly onKept?: CopyJobOptions['onKept'];
};

/**
 * Prepares a copy of a store, or of its named keys, into another store, which must differ; the caller owns
 * both and the names.
 */
export function prepareCopy(
	session: Session,
	fromNamespace: OpenedNamespace,
	toNamespace: OpenedNamespace,
	{called: sourceName = fromNamespace.store.label, onKept, ...request}: CopyRequest,
	names?: KeyNames,
): ReadyTransfer {
	session.refuseWhenReadOnly('a copy');
	refuseSame(fromNamespace, toNamespace);
	const {target: source, digest} = fromNamespace;
	const {path: failedPath, claim} = claimFailedFile(session, request.failed, 'copy.failed.ndjson');
	const options: CopyOptions = {
		...request,
		failed: failedPath,
		from: source,
		...(digest !== undefined && {digest}),
	};
	const keys = formatKeys({...request, names});
	const title = `copy ${formatKeysOfStore(keys, sourceName)} into ${toNamespace.store.label}`;
	const recording = session.options.dryRun ? undefined : {title, target: toNamespace.target, options};
	const transfer = buildCopy(session, fromNamespace, toNamespace, options, {
		recorded: recording,
		names,
		onKept,
		close: async () => claim?.[Symbol.dispose](),
	});
	return {...transfer, from: sourceName};
}

/** Claims the failure file of a copy or rename for this job; a dry run creates none. */
function claimFailedFile(
	{cwd, env: environment, options}: Session,
	namedPath: string | undefined,
	defaultName: string,
): {readonly path: string; readonly claim?: Disposable | undefined} {
	if (options.dryRun) return {path: namedPath ?? resolve(cwd, defaultName)};
	if (namedPath === undefined) return claimFreeFailedFile(defaultName, {cwd, environment});
	const claim = claimFailedPath(namedPath, true);
	try {
		checkFailedFile(namedPath, true);
		return {path: namedPath, claim};
	} catch (error) {
		claim?.[Symbol.dispose]();
		throw error;
	}
}

/** Formats the keys of a transfer if they are not all keys of the store. Not escaped for the terminal. */
function formatKeys({prefix, names}: KeyScope): string | undefined {
	if (names) return formatQuantity(names.validCount, 'key');
	return prefix ? `keys under ${prefix}` : undefined;
}

const formatKeysOfStore = (keys: string | undefined, label: string): string =>
	keys === undefined ? label : `${keys} of ${label}`;

/** What a transfer is recorded as, or the job that it resumes; `close` releases what was opened for it. */
type JobSource<Options> = Pick<TransferOptions<Options>, 'recorded' | 'resumed' | 'names'> & {
	readonly onKept?: CopyJobOptions['onKept'];
	close?(): Promise<void>;
};

const doNothing = async (): Promise<void> => {};

function buildCopy(
	session: Session,
	fromNamespace: OpenedNamespace,
	toNamespace: OpenedNamespace,
	options: CopyOptions,
	{close = doNothing, ...source}: JobSource<CopyOptions>,
): ReadyTransfer {
	return {
		kind: 'copy',
		keys: formatKeys({...options, names: source.names}),
		from: fromNamespace.store.label,
		to: toNamespace.store.label,
		target: toNamespace.target,
		place: toStorePlace(toNamespace.store),
		start: (progress, signal) =>
			startCopy(fromNamespace.store, toNamespace.store, options, {
				...buildWork(session, toNamespace),
				...source,
				signal,
				progress,
			}),
		[Symbol.asyncDispose]: close,
	};
}

/** Returns the kind of a transfer job; undefined for other jobs. */
export const getTransferKind = (kind: string): TransferKind | undefined =>
	kind === 'export' || kind === 'copy' || kind === 'rename' ? kind : undefined;

export const isTransfer = (job: ListedJob): boolean =>
	'record' in job && getTransferKind(job.record.header.kind) !== undefined;

/**
 * Prepares an interrupted transfer for resuming. Fails with `job_running`, and if its stores cannot be
 * opened.
 */
export async function prepareResume(
	session: Session,
	job: ListedJob,
	signal: AbortSignal,
): Promise<ReadyTransfer> {
	if (!('record' in job)) throw job.failure;
	const {id} = job;
	const kind = getTransferKind(job.record.header.kind);
	switch (kind) {
		case 'export':
			return resumeExport(session, id, signal);
		case 'copy':
			return resumeCopy(session, id, signal);
		case 'rename':
			return resumeRename(session, id, signal);
		case undefined:
			throw new Failure('internal', 'This job is not a transfer.');
		default:
			return kind satisfies never;
	}
}

/**
 * Opens the journal of an unfinished job and the names of its keys, and builds the transfer. Fails if another
 * process has finished the job since it was listed. Closes whatever `build` adds to `disposables` together
 * with the transfer.
 */
async function resumeRecorded<Options>(
	session: Session,
	id: string,
	codec: JobCodec<Options, TransferPosition>,
	signal: AbortSignal,
	build: (
		header: JournalHeader<Options>,
		source: JobSource<Options>,
		disposables: Disposable[],
	) => Promise<ReadyTransfer>,
): Promise<ReadyTransfer> {
	const openedJob = await openJob(session.env, id, codec);
	const {header, status} = openedJob.record;
	const disposables: Disposable[] = [];
	const close = async () => {
		for (const disposable of disposables.splice(0).reverse()) disposable[Symbol.dispose]();
		await openedJob.journal.close();
	};
	try {
		if (status === 'done') throw createJobDoneFailure(id);
		const names = header.input?.kept
			? await recheckInput(id, header.input, keysFormat, {now: 0, signal})
			: undefined;
		if (names) disposables.push(names.input);
		return await build(header, {resumed: openedJob, names, close}, disposables);
	} catch (error) {
		await close();
		throw error;
	}
}

/** Resumes an export. `openStore` is its store if it is already open; the caller owns it. */
const resumeExport = (session: Session, id: string, signal: AbortSignal, openStore?: OpenedNamespace) =>
	resumeRecorded(session, id, exportCodec, signal, async ({target, options}, source, disposables) => {
		const reopened =
			openStore ??
			(await reopenRecordedStore(session, target, {stdin: Readable.from([]), mustExist: true}, signal));
		if (!openStore) disposables.push(reopened.store);
		refuseChangedInput(id, options, reopened);
		return buildExport(session, reopened.store, options, source);
	});

function resumeCopy(session: Session, id: string, signal: AbortSignal): Promise<ReadyTransfer> {
	session.refuseWhenReadOnly('a copy');
	return resumeRecorded(session, id, copyCodec, signal, async ({target, options}, source, disposables) => {
		const stdin = Readable.from([]);
		const fromNamespace = await reopenRecordedStore(
			session,
			options.from,
			{stdin, side: 'from', mustExist: true},
			signal,
		);
		disposables.push(fromNamespace.store);
		refuseChangedInput(id, options, fromNamespace);
		const toNamespace = await reopenRecordedStore(session, target, {stdin, side: 'to', write: true}, signal);
		disposables.push(toNamespace.store);
		const claim = claimFailedPath(options.failed, false);
		if (claim) disposables.push(claim);
		return buildCopy(session, fromNamespace, toNamespace, options, source);
	});
}

/** Returns the clocks of a session for a job: milliseconds since the epoch, and monotonic milliseconds. */
const getTimes = ({clock: {now, client}}: Session) => ({now, ...(client && {elapsed: client.elapsed})});

function buildWork(session: Session, {target}: OpenedNamespace) {
	const clock = getStoreClock(session, target);
	return {
		environment: session.env,
		now: clock.now,
		elapsed: clock.elapsed,
		wait: (milliseconds: number, waitSignal: AbortSignal) =>
			clock.wait(milliseconds * clock.scale, waitSignal),
	};
}

type RenameRequest = Omit<RenameJobOptions, 'failed'> & {readonly failed?: string | undefined};

/** Prepares a rename of listed and counted keys; the caller owns store and names. */
export function prepareRename(
	session: Session,
	openedNamespace: OpenedNamespace,
	request: RenameRequest,
	names: KeyNames,
): ReadyTransfer {
	session.refuseWhenReadOnly('a rename');
	const {path: failedPath, claim} = claimFailedFile(session, request.failed, 'rename.left.ndjson');
	const options: RenameJobOptions = {...request, failed: failedPath};
	const title = `rename ${formatKeysOfStore(formatRenamedKeys(options, names), openedNamespace.store.label)} into ${JSON.stringify(options.to)}`;
	const recording = session.options.dryRun ? undefined : {title, target: openedNamespace.target, options};
	return buildRename(session, openedNamespace, options, {
		recorded: recording,
		names,
		close: async () => claim?.[Symbol.dispose](),
	});
}

const formatRenamedKeys = ({from}: RenameJobOptions, names: KeyNames | undefined): string =>
	`${formatQuantity(names?.validCount ?? 0, 'key')} under ${JSON.stringify(from)}`;

function buildRename(
	session: Session,
	openedNamespace: OpenedNamespace,
	options: RenameJobOptions,
	{close = doNothing, ...source}: JobSource<RenameJobOptions>,
): ReadyTransfer {
	const {store, target} = openedNamespace;
	const work = {
		...buildWork(session, openedNamespace),
		clock: getStoreClock(session, target),
		isDryRun: session.options.dryRun === true,
	};
	return {
		kind: 'rename',
		keys: formatRenamedKeys(options, source.names),
		from: store.label,
		to: options.to,
		target,
		place: toStorePlace(store),
		start: (progress, signal) => startRename(store, options, {...work, ...source, signal, progress}),
		[Symbol.asyncDispose]: close,
	};
}

function resumeRename(session: Session, id: string, signal: AbortSignal): Promise<ReadyTransfer> {
	session.refuseWhenReadOnly('a rename');
	return resumeRecorded(session, id, renameCodec, signal, async ({target, options}, source, disposables) => {
		const use = {stdin: Readable.from([]), write: true, mustExist: true};
		const reopened = await reopenRecordedStore(session, target, use, signal);
		disposables.push(reopened.store);
		const claim = claimFailedPath(options.failed, false);
		if (claim) disposables.push(claim);
		return buildRename(session, reopened, options, source);
	});
}

/** Describes what happens to the interrupted export. Not escaped for the terminal. */
export function describeEarlierExport({fate, job}: NonNullable<ReadyTransfer['earlier']>): string {
	const {id, record} = job;
	const {title} = record.header;
	return fate === 'resumed'
		? `Resuming the job ${id}, which was interrupted at ${formatQuantity(record.done, 'key')}: ${title}.`
		: `Starting over. The interrupted job ${id} is abandoned: ${title}.`;
}
