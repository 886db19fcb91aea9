import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {Readable} from 'node:stream';
import {Failure} from '../failure.ts';
import {keysFormat} from '../kv/bulk/entries.ts';
import {checkFailedFile, claimFailed, claimFreeFailed} from '../kv/bulk/failed-file.ts';
import {alreadyDone, checkAgain, inputChanged} from '../kv/bulk/resume.ts';
import type {KvStore} from '../kv/store.ts';
import {type CopyJobOptions, type CopyOptions, copyCodec, startCopy} from '../kv/transfer/copy-job.ts';
import {type EarlierExport, exportsInto, isSameExport} from '../kv/transfer/earlier-exports.ts';
import {type ExportOptions, hasBeginning, partOf} from '../kv/transfer/export-file.ts';
import {exportCodec, startExport} from '../kv/transfer/export-job.ts';
import type {
	TransferJob,
	TransferKind,
	TransferOptions,
	TransferPosition,
	TransferProgress,
} from '../kv/transfer/job.ts';
import type {Scope} from '../kv/transfer/listing.ts';
import type {KeyNames} from '../kv/transfer/names.ts';
import {type RenameJobOptions, renameCodec, startRename} from '../kv/transfer/rename-job.ts';
import type {JobCodec, JobTarget, JournalHeader} from '../state/job-record.ts';
import {type ListedJob, openJob} from '../state/jobs.ts';
import {advice, ledge} from '../text/advice.ts';
import {counted} from '../text/figures.ts';
import {isJsonObject} from '../text/json.ts';
import type {OpenedNamespace} from './namespaces.ts';
import type {Session} from './session.ts';
import {storeClock} from './store-clock.ts';
import {reopenStored} from './stores.ts';
import {placeOfStore, type WritePlace} from './write-place.ts';

type Tell = (progress: TransferProgress) => void;

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
	start(tell: Tell, signal: AbortSignal): TransferJob;
};

/**
 * Prepares an export into a file, of the named keys if given; the caller owns store and names. Resumes an
 * interrupted export with the same options unless `over` requests a new file. Fails with `file_exists` if the
 * start of another export would be lost.
 */
export async function readyExport(
	session: Session,
	opened: OpenedNamespace,
	exporting: ExportOptions,
	signal: AbortSignal,
	names?: KeyNames,
): Promise<ReadyTransfer> {
	const {env: environment} = session;
	const {store, target, digest} = opened;
	const {path, over} = exporting;
	const options = {...exporting, ...(digest !== undefined && {digest})};
	// Exports of live processes are refused when the file is claimed.
	const earlier = (await exportsInto(path, environment)).filter(({holder}) => holder === undefined);
	const same = over ? undefined : earlier.find(one => isSameExport(one, target, options, names));
	if (same && !hasLostBeginning(same, path))
		return {
			...(await resumedExport(session, same.id, signal, opened)),
			earlier: {is: 'resumed', job: same},
		};
	const [other] = earlier;
	if (other && !over && hasBeginning(path)) throw beginningOfOther(other, path);
	const title = `export ${ofStore(keysText({...exporting, names}), store.label)} into ${JSON.stringify(path)}`;
	return {
		...exportOf(session, store, exporting, {recorded: {title, target, options}, names}),
		earlier: other && {is: 'given up', job: other},
	};
}

function exportOf(
	session: Session,
	store: KvStore,
	options: ExportOptions,
	begun: Begun<ExportOptions>,
): ReadyTransfer {
	const {close = nothing, ...job} = begun;
	const work = {...timesOf(session), environment: session.env, ...job};
	return {
		kind: 'export',
		keys: keysText({...options, names: begun.names}),
		from: store.label,
		to: options.path,
		place: {label: options.path, isLocal: true},
		start: (progress, signal) => startExport(store, options, {...work, signal, progress}),
		[Symbol.asyncDispose]: close,
	};
}

/** Describes what happens to the interrupted export. Raw data. */
export function earlierSentence({is, job}: NonNullable<ReadyTransfer['earlier']>): string {
	const {id, record} = job;
	const {title} = record.header;
	return is === 'resumed'
		? `Resuming the job ${id}, which was interrupted at ${counted(record.done, 'key')}: ${title}.`
		: `Starting over. The job ${id}, which was interrupted, is given up: ${title}.`;
}

/** True if the written part of an export is gone and it must start over. */
const hasLostBeginning = ({record}: EarlierExport, path: string): boolean =>
	isJsonObject(record.position) &&
	record.position.file !== undefined &&
	!existsSync(partOf(path)) &&
	!existsSync(path);

const beginningOfOther = ({id, record}: EarlierExport, path: string): Failure =>
	new Failure('file_exists', `The file ${JSON.stringify(partOf(path))} exists already.`, {
		why: `It is the beginning of another export that was interrupted: ${record.header.title}`,
		next: advice`\`${ledge('jobs resume', id)}\` resumes that one. Or name another file, or add --yes to start over in its place.`,
	});

/** Options of a copy; default failure file: a free name in the working folder. */
type Copying = Omit<CopyOptions, 'from' | 'failed'> & {
	readonly failed?: string | undefined;
	/** Name of the source instead of its label. */
	readonly called?: string;
	/** Called with keys that stay as in the destination. */
	readonly keeps?: CopyJobOptions['keeps'];
};

/**
 * Prepares a copy of a store, or of its named keys, into another store, which must differ; the caller owns
 * both and the names.
 */
export function readyCopy(
	session: Session,
	from: OpenedNamespace,
	to: OpenedNamespace,
	{called = from.store.label, keeps, ...copying}: Copying,
	names?: KeyNames,
): ReadyTransfer {
	session.refuseWhenReadOnly('a copy');
	refuseSame(from, to);
	const {target: source, digest} = from;
	const {path: failed, claim} = claimedFailed(session, copying.failed, 'copy.failed.ndjson');
	const options: CopyOptions = {...copying, failed, from: source, ...(digest !== undefined && {digest})};
	const keys = keysText({...copying, names});
	const title = `copy ${ofStore(keys, called)} into ${to.store.label}`;
	const recorded = session.options.dryRun ? undefined : {title, target: to.target, options};
	const ready = copyBetween(session, from, to, options, {
		recorded,
		names,
		keeps,
		close: async () => claim?.[Symbol.dispose](),
	});
	return {...ready, from: called};
}

/** Claims the failure file of a copy or rename for this job; a dry run creates none. */
function claimedFailed(
	{cwd, env: environment, options}: Session,
	named: string | undefined,
	otherwise: string,
): {readonly path: string; readonly claim?: Disposable | undefined} {
	if (options.dryRun) return {path: named ?? resolve(cwd, otherwise)};
	if (named === undefined) return claimFreeFailed(otherwise, {cwd, environment});
	const claim = claimFailed(named, true);
	try {
		checkFailedFile(named, true);
		return {path: named, claim};
	} catch (error) {
		claim?.[Symbol.dispose]();
		throw error;
	}
}

/** Formats the keys of a transfer if not all of a store. Raw data. */
function keysText({prefix, names}: Scope): string | undefined {
	if (names) return counted(names.valid, 'key');
	return prefix ? `keys below ${prefix}` : undefined;
}

const ofStore = (keys: string | undefined, label: string): string =>
	keys === undefined ? label : `${keys} of ${label}`;

/** Recording or resumption of a transfer; `close` releases what was opened for it. */
type Begun<Options> = Pick<TransferOptions<Options>, 'recorded' | 'resumed' | 'names'> & {
	readonly keeps?: CopyJobOptions['keeps'];
	close?(): Promise<void>;
};

const nothing = async (): Promise<void> => {};

function copyBetween(
	session: Session,
	from: OpenedNamespace,
	to: OpenedNamespace,
	options: CopyOptions,
	{close = nothing, ...begun}: Begun<CopyOptions>,
): ReadyTransfer {
	return {
		kind: 'copy',
		keys: keysText({...options, names: begun.names}),
		from: from.store.label,
		to: to.store.label,
		target: to.target,
		place: placeOfStore(to.store),
		start: (progress, signal) =>
			startCopy(from.store, to.store, options, {...workOf(session, to), ...begun, signal, progress}),
		[Symbol.asyncDispose]: close,
	};
}

/** Returns the kind of a transfer job; undefined for other jobs. */
export const transferKind = (kind: string): TransferKind | undefined =>
	kind === 'export' || kind === 'copy' || kind === 'rename' ? kind : undefined;

export const isTransfer = (job: ListedJob): boolean =>
	'record' in job && transferKind(job.record.header.kind) !== undefined;

/**
 * Prepares an interrupted transfer for resuming. Fails with `job_running`, and if its stores cannot be
 * opened.
 */
export async function takeUpTransfer(
	session: Session,
	job: ListedJob,
	signal: AbortSignal,
): Promise<ReadyTransfer> {
	if (!('record' in job)) throw job.failure;
	const {id} = job;
	const kind = transferKind(job.record.header.kind);
	switch (kind) {
		case 'export':
			return resumedExport(session, id, signal);
		case 'copy':
			return resumedCopy(session, id, signal);
		case 'rename':
			return resumedRename(session, id, signal);
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
async function takenUp<Options>(
	session: Session,
	id: string,
	codec: JobCodec<Options, TransferPosition>,
	signal: AbortSignal,
	ready: (
		header: JournalHeader<Options>,
		begun: Begun<Options>,
		held: Disposable[],
	) => Promise<ReadyTransfer>,
): Promise<ReadyTransfer> {
	const resumed = await openJob(session.env, id, codec);
	const {header, status} = resumed.record;
	const held: Disposable[] = [];
	const close = async () => {
		for (const one of held.splice(0).reverse()) one[Symbol.dispose]();
		await resumed.journal.close();
	};
	try {
		if (status === 'done') throw alreadyDone(id);
		const names = header.input?.kept
			? await checkAgain(id, header.input, keysFormat, {now: 0, signal})
			: undefined;
		if (names) held.push(names.input);
		return await ready(header, {resumed, names, close}, held);
	} catch (error) {
		await close();
		throw error;
	}
}

/** Resumes an export; `given` is its store if already open, owned by the caller. */
const resumedExport = (session: Session, id: string, signal: AbortSignal, given?: OpenedNamespace) =>
	takenUp(session, id, exportCodec, signal, async ({target, options}, begun, held) => {
		const opened =
			given ?? (await reopenStored(session, target, {stdin: Readable.from([]), mustExist: true}, signal));
		if (!given) held.push(opened.store);
		refuseChanged(id, options, opened);
		return exportOf(session, opened.store, options, begun);
	});

function resumedCopy(session: Session, id: string, signal: AbortSignal): Promise<ReadyTransfer> {
	session.refuseWhenReadOnly('a copy');
	return takenUp(session, id, copyCodec, signal, async ({target, options}, begun, held) => {
		const stdin = Readable.from([]);
		const from = await reopenStored(session, options.from, {stdin, side: 'from', mustExist: true}, signal);
		held.push(from.store);
		refuseChanged(id, options, from);
		const to = await reopenStored(session, target, {stdin, side: 'to', write: true}, signal);
		held.push(to.store);
		const claim = claimFailed(options.failed, false);
		if (claim) held.push(claim);
		return copyBetween(session, from, to, options, begun);
	});
}

type RenamingPrefix = Omit<RenameJobOptions, 'failed'> & {readonly failed?: string | undefined};

/** Prepares a rename of listed and counted keys; the caller owns store and names. */
export function readyRename(
	session: Session,
	opened: OpenedNamespace,
	renaming: RenamingPrefix,
	names: KeyNames,
): ReadyTransfer {
	session.refuseWhenReadOnly('a rename');
	const {path: failed, claim} = claimedFailed(session, renaming.failed, 'rename.left.ndjson');
	const options: RenameJobOptions = {...renaming, failed};
	const title = `rename ${ofStore(renamedKeys(options, names), opened.store.label)} into ${JSON.stringify(options.to)}`;
	const recorded = session.options.dryRun ? undefined : {title, target: opened.target, options};
	return renameOf(session, opened, options, {
		recorded,
		names,
		close: async () => claim?.[Symbol.dispose](),
	});
}

const renamedKeys = ({from}: RenameJobOptions, names: KeyNames | undefined): string =>
	`${counted(names?.valid ?? 0, 'key')} below ${JSON.stringify(from)}`;

function renameOf(
	session: Session,
	opened: OpenedNamespace,
	options: RenameJobOptions,
	{close = nothing, ...begun}: Begun<RenameJobOptions>,
): ReadyTransfer {
	const {store, target} = opened;
	const work = {
		...workOf(session, opened),
		clock: storeClock(session, target),
		isPlanned: session.options.dryRun === true,
	};
	return {
		kind: 'rename',
		keys: renamedKeys(options, begun.names),
		from: store.label,
		to: options.to,
		target,
		place: placeOfStore(store),
		start: (progress, signal) => startRename(store, options, {...work, ...begun, signal, progress}),
		[Symbol.asyncDispose]: close,
	};
}

function resumedRename(session: Session, id: string, signal: AbortSignal): Promise<ReadyTransfer> {
	session.refuseWhenReadOnly('a rename');
	return takenUp(session, id, renameCodec, signal, async ({target, options}, begun, held) => {
		const use = {stdin: Readable.from([]), write: true, mustExist: true};
		const opened = await reopenStored(session, target, use, signal);
		held.push(opened.store);
		const claim = claimFailed(options.failed, false);
		if (claim) held.push(claim);
		return renameOf(session, opened, options, begun);
	});
}

/** Returns the date and the monotonic clock of a session. */
const timesOf = ({clock: {now, client}}: Session) => ({now, ...(client && {elapsed: client.elapsed})});

function workOf(session: Session, {target}: OpenedNamespace) {
	const clock = storeClock(session, target);
	return {
		environment: session.env,
		now: clock.now,
		elapsed: clock.elapsed,
		wait: (milliseconds: number, during: AbortSignal) => clock.wait(milliseconds * clock.scale, during),
	};
}

/** Refuses a changed input file: the recorded position is meaningless for other content. */
function refuseChanged(
	id: string,
	{digest}: {readonly digest?: string},
	{store, digest: now}: OpenedNamespace,
): void {
	if (digest === undefined || digest === now) return;
	throw inputChanged(id, store.label, 'Its content is another one.');
}

function refuseSame({target: one}: OpenedNamespace, {target: other}: OpenedNamespace): void {
	if (one.place !== other.place || one.account !== other.account || one.namespace !== other.namespace) return;
	throw new Failure('usage', 'Both names mean the same store.', {next: 'Name two different ones.'});
}
