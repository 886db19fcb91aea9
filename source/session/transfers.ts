import {Readable} from 'node:stream';
import type {ListedJob} from '../config/jobs.ts';
import {openJob} from '../config/jobs.ts';
import {Failure} from '../failure.ts';
import {type CopyOptions, copyCodec, startCopy} from '../kv/transfer/copy-job.ts';
import {type ExportOptions, exportCodec, startExport} from '../kv/transfer/export-job.ts';
import type {TransferJob, TransferKind, TransferProgress} from '../kv/transfer/job.ts';
import {paceAt} from '../service/pace.ts';
import type {OpenedNamespace} from './namespaces.ts';
import type {Session} from './session.ts';
import {reopenStored} from './stores.ts';

export type Tell = (progress: TransferProgress) => void;

/** A transfer whose stores are open, before anything is read or written. Disposed, it lets go of what it opened itself. */
export type ReadyTransfer = AsyncDisposable & {
	readonly kind: TransferKind;
	/** What is read, and what is written: a store, or a file. Data as it is. */
	readonly from: string;
	readonly to: string;
	/** Starts it; once. */
	start(tell: Tell, signal: AbortSignal): TransferJob;
};

/** An export into a file; the store stays the caller's. */
export function readyExport(
	{env: environment}: Session,
	{store, target}: OpenedNamespace,
	exporting: ExportOptions,
): ReadyTransfer {
	const to = JSON.stringify(exporting.path);
	const recorded = {title: `export ${store.label} into ${to}`, target, options: exporting};
	return {
		kind: 'export',
		from: store.label,
		to: exporting.path,
		start: (progress, signal) =>
			startExport(store, exporting, {
				signal,
				environment,
				progress,
				recorded,
			}),
		async [Symbol.asyncDispose]() {},
	};
}

/** A copy of one store into another one, which must not be itself; both stay the caller's. */
export function readyCopy(
	session: Session,
	from: OpenedNamespace,
	to: OpenedNamespace,
	copying: Omit<CopyOptions, 'from'>,
): ReadyTransfer {
	session.refuseWhenReadOnly('a copy');
	refuseSame(from, to);
	const options: CopyOptions = {...copying, from: from.target};
	const title = `copy ${from.store.label} into ${to.store.label}`;
	const recorded = session.options.dryRun ? undefined : {title, target: to.target, options};
	return copyBetween(session, from, to, options, {recorded, async close() {}});
}

type CopyStart = Pick<Parameters<typeof startCopy>[3], 'recorded' | 'resumed'> & {close(): Promise<void>};

function copyBetween(
	session: Session,
	from: OpenedNamespace,
	to: OpenedNamespace,
	options: CopyOptions,
	{close, ...begun}: CopyStart,
): ReadyTransfer {
	return {
		kind: 'copy',
		from: from.store.label,
		to: to.store.label,
		start: (progress, signal) =>
			startCopy(from.store, to.store, options, {...workOf(session, to), ...begun, signal, progress}),
		[Symbol.asyncDispose]: close,
	};
}

/** Whether a recorded job is a transfer. */
export const isTransfer = (job: ListedJob): boolean =>
	'record' in job && (job.record.header.kind === 'export' || job.record.header.kind === 'copy');

/** Takes up a transfer that was interrupted. Fails with `job_running`, and where its stores cannot be opened any more. */
export async function takeUpTransfer(
	session: Session,
	job: ListedJob,
	signal: AbortSignal,
): Promise<ReadyTransfer> {
	if (!('record' in job)) throw job.failure;
	const {id} = job;
	const {kind} = job.record.header;
	switch (kind) {
		case 'export':
			return resumedExport(session, id, signal);
		case 'copy':
			return resumedCopy(session, id, signal);
		default:
			throw new Failure('internal', `A job of the kind ${kind} is no transfer.`);
	}
}

async function resumedExport(session: Session, id: string, signal: AbortSignal): Promise<ReadyTransfer> {
	const {env: environment} = session;
	const resumed = await openJob(environment, id, exportCodec);
	const {target, options} = resumed.record.header;
	try {
		const {store} = await reopenStored(session, target, {stdin: Readable.from([])}, signal);
		return {
			kind: 'export',
			from: store.label,
			to: options.path,
			start: (progress, during) =>
				startExport(store, options, {signal: during, environment, progress, resumed}),
			async [Symbol.asyncDispose]() {
				await resumed.journal.close();
				store[Symbol.dispose]();
			},
		};
	} catch (error) {
		await resumed.journal.close();
		throw error;
	}
}

async function resumedCopy(session: Session, id: string, signal: AbortSignal): Promise<ReadyTransfer> {
	session.refuseWhenReadOnly('a copy');
	const resumed = await openJob(session.env, id, copyCodec);
	const {target, options} = resumed.record.header;
	const stdin = Readable.from([]);
	const opened: OpenedNamespace[] = [];
	const close = async () => {
		for (const {store} of opened) store[Symbol.dispose]();
		await resumed.journal.close();
	};
	try {
		const from = await reopenStored(session, options.from, {stdin, side: 'from'}, signal);
		opened.push(from);
		const to = await reopenStored(session, target, {stdin, side: 'to', write: true}, signal);
		opened.push(to);
		return copyBetween(session, from, to, options, {resumed, close});
	} catch (error) {
		await close();
		throw error;
	}
}

function workOf({env: environment}: Session, {target}: OpenedNamespace) {
	const pace = paceAt(target.place, environment);
	return {
		environment,
		wait: (milliseconds: number, during: AbortSignal) => pace.wait(milliseconds * pace.scale, during),
	};
}

function refuseSame({target: one}: OpenedNamespace, {target: other}: OpenedNamespace): void {
	if (one.place !== other.place || one.account !== other.account || one.namespace !== other.namespace) return;
	throw new Failure('usage', 'Both names stand for the same store.', {next: 'Name two different ones.'});
}
