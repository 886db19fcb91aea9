import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {Readable} from 'node:stream';
import {Failure} from '../failure.ts';
import {keysFormat} from '../kv/bulk/entries.ts';
import {checkFailedFile, claimFailedPath, claimFreeFailedFile} from '../kv/bulk/failed-file.ts';
import {createInputChangedFailure, createJobDoneFailure, recheckInput} from '../kv/bulk/resume.ts';
import type {KvStore} from '../kv/store.ts';
import {type CopyJobOptions, type CopyOptions, copyCodec, startCopy} from '../kv/transfer/copy-job.ts';
import {type EarlierExport, isSameExport, listEarlierExports} from '../kv/transfer/earlier-exports.ts';
import {type ExportOptions, getPartPath, hasPartFile} from '../kv/transfer/export-file.ts';
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
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {formatQuantity} from '../text/figures.ts';
import {isJsonObject} from '../text/json.ts';
import type {OpenedNamespace} from './namespaces.ts';
import type {Session} from './session.ts';
import {getStoreClock} from './store-clock.ts';
import {reopenStored} from './stores.ts';
import {toStorePlace, type WritePlace} from './write-place.ts';

type ReportProgress = (progress: TransferProgress) => void;

/** A prepared transfer with open stores. Disposing of it closes what it opened itself. */
export type ReadyTransfer = AsyncDisposable & {
	readonly kind: TransferKind;
	/** The keys, if not all: "12 keys", "keys below user:". Raw data. */
	readonly keys: string | undefined;
	/** Source and destination: a store or a file. Raw data. */
	readonly from: string;
	readonly to: string;
	/** Destination store of a copy. */
	readonly target?: JobTarget | undefined;
	readonly place: WritePlace;
	/** Interrupted export into the same file, resumed or abandoned. */
	readonly earlier?: {readonly is: 'resumed' | 'given up'; readonly job: EarlierExport} | undefined;
	/** Starts the transfer; call once. */
	start(tell: ReportProgress, signal: AbortSignal): TransferJob;
};

/**
 * Prepares an export into a file, of the named keys if given; the caller owns store and names. Resumes an
 * interrupted export with the same options unless `over` requests a new file. Fails with `file_exists` if the
 * start of another export would be lost.
 */
export async function prepareExport(
	session: Session,
	opened: OpenedNamespace,
	request: ExportOptions,
	signal: AbortSignal,
	names?: KeyNames,
): Promise<ReadyTransfer> {
	const {env: environment} = session;
	const {store, target, digest} = opened;
	const {path, over} = request;
	const options = {...request, ...(digest !== undefined && {digest})};
	// Exports of live processes are refused when the file is claimed.
	const earlier = (await listEarlierExports(path, environment)).filter(({holder}) => holder === undefined);
	const same = over ? undefined : earlier.find(one => isSameExport(one, target, options, names));
	if (same && !hasLostBeginning(same, path))
		return {
			...(await resumeExport(session, same.id, signal, opened)),
			earlier: {is: 'resumed', job: same},
		};
	const [other] = earlier;
	if (other && !over && hasPartFile(path)) throw createOtherExportFailure(other, path);
	const title = `export ${formatKeysOfStore(formatKeys({...request, names}), store.label)} into ${JSON.stringify(path)}`;
	return {
		...buildExport(session, store, request, {recorded: {title, target, options}, names}),
		earlier: other && {is: 'given up', job: other},
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

/** Describes what happens to the interrupted export. Raw data. */
export function describeEarlierExport({is, job}: NonNullable<ReadyTransfer['earlier']>): string {
	const {id, record} = job;
	const {title} = record.header;
	return is === 'resumed'
		? `Resuming the job ${id}, which was interrupted at ${formatQuantity(record.done, 'key')}: ${title}.`
		: `Starting over. The job ${id}, which was interrupted, is given up: ${title}.`;
}

/** True if the written part of an export is gone and it must start over. */
const hasLostBeginning = ({record}: EarlierExport, path: string): boolean =>
	isJsonObject(record.position) &&
	record.position.file !== undefined &&
	!existsSync(getPartPath(path)) &&
	!existsSync(path);

const createOtherExportFailure = ({id, record}: EarlierExport, path: string): Failure =>
	new Failure('file_exists', `The file ${JSON.stringify(getPartPath(path))} exists already.`, {
		why: `It is the beginning of another export that was interrupted: ${record.header.title}`,
		next: buildAdvice`\`${buildCommand('jobs resume', id)}\` resumes that one. Or name another file, or add --yes to start over in its place.`,
	});

/** Options of a copy; default failure file: a free name in the working folder. */
type CopyRequest = Omit<CopyOptions, 'from' | 'failed'> & {
	readonly failed?: string | undefined;
	/** Name of the source instead of its label. */
	readonly called?: string;
	/** Called with keys that stay as in the destination. */
	readonly onKept?: CopyJobOptions['onKept'];
};

/**
 * Prepares a copy of a store, or of its named keys, into another store, which must differ; the caller owns
 * both and the names.
 */
export function prepareCopy(
	session: Session,
	from: OpenedNamespace,
	to: OpenedNamespace,
	{called = from.store.label, onKept, ...request}: CopyRequest,
	names?: KeyNames,
): ReadyTransfer {
	session.refuseWhenReadOnly('a copy');
	refuseSame(from, to);
	const {target: source, digest} = from;
	const {path: failed, claim} = claimFailedFile(session, request.failed, 'copy.failed.ndjson');
	const options: CopyOptions = {...request, failed, from: source, ...(digest !== undefined && {digest})};
	const keys = formatKeys({...request, names});
	const title = `copy ${formatKeysOfStore(keys, called)} into ${to.store.label}`;
	const recorded = session.options.dryRun ? undefined : {title, target: to.target, options};
	const ready = buildCopy(session, from, to, options, {
		recorded,
		names,
		onKept,
		close: async () => claim?.[Symbol.dispose](),
	});
	return {...ready, from: called};
}

/** Claims the failure file of a copy or rename for this job; a dry run creates none. */
function claimFailedFile(
	{cwd, env: environment, options}: Session,
	named: string | undefined,
	defaultName: string,
): {readonly path: string; readonly claim?: Disposable | undefined} {
	if (options.dryRun) return {path: named ?? resolve(cwd, defaultName)};
	if (named === undefined) return claimFreeFailedFile(defaultName, {cwd, environment});
	const claim = claimFailedPath(named, true);
	try {
		checkFailedFile(named, true);
		return {path: named, claim};
	} catch (error) {
		claim?.[Symbol.dispose]();
		throw error;
	}
}

/** Formats the keys of a transfer if not all of a store. Raw data. */
function formatKeys({prefix, names}: KeyScope): string | undefined {
	if (names) return formatQuantity(names.valid, 'key');
	return prefix ? `keys below ${prefix}` : undefined;
}

const formatKeysOfStore = (keys: string | undefined, label: string): string =>
	keys === undefined ? label : `${keys} of ${label}`;

/** Recording or resumption of a transfer; `close` releases what was opened for it. */
type JobSource<Options> = Pick<TransferOptions<Options>, 'recorded' | 'resumed' | 'names'> & {
	readonly onKept?: CopyJobOptions['onKept'];
	close?(): Promise<void>;
};

const doNothing = async (): Promise<void> => {};

function buildCopy(
	session: Session,
	from: OpenedNamespace,
	to: OpenedNamespace,
	options: CopyOptions,
	{close = doNothing, ...source}: JobSource<CopyOptions>,
): ReadyTransfer {
	return {
		kind: 'copy',
		keys: formatKeys({...options, names: source.names}),
		from: from.store.label,
		to: to.store.label,
		target: to.target,
		place: toStorePlace(to.store),
		start: (progress, signal) =>
			startCopy(from.store, to.store, options, {...buildWork(session, to), ...source, signal, progress}),
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
 * Opens the journal of an unfinished job (its process may have ended it since it was listed) and the names of
 * its keys. Whatever `build` adds to `disposables` is closed with it.
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
	const resumed = await openJob(session.env, id, codec);
	const {header, status} = resumed.record;
	const disposables: Disposable[] = [];
	const close = async () => {
		for (const one of disposables.splice(0).reverse()) one[Symbol.dispose]();
		await resumed.journal.close();
	};
	try {
		if (status === 'done') throw createJobDoneFailure(id);
		const names = header.input?.kept
			? await recheckInput(id, header.input, keysFormat, {now: 0, signal})
			: undefined;
		if (names) disposables.push(names.input);
		return await build(header, {resumed, names, close}, disposables);
	} catch (error) {
		await close();
		throw error;
	}
}

/** Resumes an export; `given` is its store if already open, owned by the caller. */
const resumeExport = (session: Session, id: string, signal: AbortSignal, given?: OpenedNamespace) =>
	resumeRecorded(session, id, exportCodec, signal, async ({target, options}, source, disposables) => {
		const opened =
			given ?? (await reopenStored(session, target, {stdin: Readable.from([]), mustExist: true}, signal));
		if (!given) disposables.push(opened.store);
		refuseChangedInput(id, options, opened);
		return buildExport(session, opened.store, options, source);
	});

function resumeCopy(session: Session, id: string, signal: AbortSignal): Promise<ReadyTransfer> {
	session.refuseWhenReadOnly('a copy');
	return resumeRecorded(session, id, copyCodec, signal, async ({target, options}, source, disposables) => {
		const stdin = Readable.from([]);
		const from = await reopenStored(session, options.from, {stdin, side: 'from', mustExist: true}, signal);
		disposables.push(from.store);
		refuseChangedInput(id, options, from);
		const to = await reopenStored(session, target, {stdin, side: 'to', write: true}, signal);
		disposables.push(to.store);
		const claim = claimFailedPath(options.failed, false);
		if (claim) disposables.push(claim);
		return buildCopy(session, from, to, options, source);
	});
}

type RenameRequest = Omit<RenameJobOptions, 'failed'> & {readonly failed?: string | undefined};

/** Prepares a rename of listed and counted keys; the caller owns store and names. */
export function prepareRename(
	session: Session,
	opened: OpenedNamespace,
	request: RenameRequest,
	names: KeyNames,
): ReadyTransfer {
	session.refuseWhenReadOnly('a rename');
	const {path: failed, claim} = claimFailedFile(session, request.failed, 'rename.left.ndjson');
	const options: RenameJobOptions = {...request, failed};
	const title = `rename ${formatKeysOfStore(formatRenamedKeys(options, names), opened.store.label)} into ${JSON.stringify(options.to)}`;
	const recorded = session.options.dryRun ? undefined : {title, target: opened.target, options};
	return buildRename(session, opened, options, {
		recorded,
		names,
		close: async () => claim?.[Symbol.dispose](),
	});
}

const formatRenamedKeys = ({from}: RenameJobOptions, names: KeyNames | undefined): string =>
	`${formatQuantity(names?.valid ?? 0, 'key')} below ${JSON.stringify(from)}`;

function buildRename(
	session: Session,
	opened: OpenedNamespace,
	options: RenameJobOptions,
	{close = doNothing, ...source}: JobSource<RenameJobOptions>,
): ReadyTransfer {
	const {store, target} = opened;
	const work = {
		...buildWork(session, opened),
		clock: getStoreClock(session, target),
		isPlanned: session.options.dryRun === true,
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
		const opened = await reopenStored(session, target, use, signal);
		disposables.push(opened.store);
		const claim = claimFailedPath(options.failed, false);
		if (claim) disposables.push(claim);
		return buildRename(session, opened, options, source);
	});
}

/** Returns the date and the monotonic clock of a session. */
const getTimes = ({clock: {now, client}}: Session) => ({now, ...(client && {elapsed: client.elapsed})});

function buildWork(session: Session, {target}: OpenedNamespace) {
	const clock = getStoreClock(session, target);
	return {
		environment: session.env,
		now: clock.now,
		elapsed: clock.elapsed,
		wait: (milliseconds: number, during: AbortSignal) => clock.wait(milliseconds * clock.scale, during),
	};
}

/** Refuses a changed input file: the recorded position is meaningless for other content. */
function refuseChangedInput(
	id: string,
	{digest}: {readonly digest?: string},
	{store, digest: now}: OpenedNamespace,
): void {
	if (digest === undefined || digest === now) return;
	throw createInputChangedFailure(id, store.label, 'Its content is another one.');
}

function refuseSame({target: one}: OpenedNamespace, {target: other}: OpenedNamespace): void {
	if (one.place !== other.place || one.account !== other.account || one.namespace !== other.namespace) return;
	throw new Failure('usage', 'Both names mean the same store.', {next: 'Name two different ones.'});
}
