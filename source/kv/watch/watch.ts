import {type Failure, isFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {isDailyLimit} from '../../service/retries.ts';
import type {KvStore} from '../store.ts';
import {isCursorRefused} from '../transfer/listing.ts';
import {ChangeTracker, type KeyChange, type WatchedKey} from './changes.ts';
import {readWatchedKeys, type WatchRead, type WatchScope} from './snapshot.ts';

/** Milliseconds between two reads: the shortest, the default, and the longest after failures. */
export const watchIntervals = {minMs: 1000, defaultMs: 5000, maxBackOffMs: 300_000} as const;

/**
 * Milliseconds per call of a read, so that a watch uses at most a quarter of the quota of four calls a
 * second.
 */
const msPerCall = 1000;

/** How long a read of the service may return an earlier state, in milliseconds. */
const maxStaleMs = 60_000;

export type WatchHandlers = {
	/** Handles the changes of one read, in byte order of the names. Returning true ends the watch. */
	onChanges(changes: readonly KeyChange[]): Promise<boolean | undefined> | boolean | undefined;
	/** Called when a read failed, with the time until the next one; also when that time changes. */
	onFailure(failure: Failure, waitMs: number): void;
	/** Called after the first successful read, after failures, and when the time between reads changes. */
	onRead(intervalMs: number): void;
	/** Called before each comparison, to adopt writes of this session. */
	prepare?(tracker: ChangeTracker, now: number): void;
	/** True to skip a read, for example while a question is shown. */
	isPaused?(): boolean;
};

type WatchOptions = {
	readonly scope: WatchScope;
	readonly intervalMs: number;
	/** The known keys; by default the first read, which then reports no changes. */
	readonly initialKeys?: readonly WatchedKey[] | undefined;
	/** See `ChangeTracker`; default 0. */
	readonly expirationSlack?: number | undefined;
	readonly clock: Clock;
};

/**
 * Reads keys again and again, and reports changes, each once. Ends when `onChanges` returns true, by its
 * signal, or with a permanent failure. After a temporary one (429, the network, 5xx, a damaged response, a busy local store) the
 * time between reads doubles up to five minutes; only the first read fails at once. Reads less often than
 * requested if a read needs many calls or takes longer than the interval.
 */
export async function watchKeys(
	store: KvStore,
	{scope, intervalMs, initialKeys, expirationSlack, clock}: WatchOptions,
	{onChanges, onFailure, onRead, prepare, isPaused}: WatchHandlers,
	signal: AbortSignal,
): Promise<void> {
	const tracker = new ChangeTracker(store.kind === 'local' ? 0 : maxStaleMs * clock.scale, expirationSlack);
	tracker.begin(initialKeys ?? []);
	let hasRead = initialKeys !== undefined;
	let reportedMs: number | undefined;
	let failureCount = 0;

	/** Reads once. Returns undefined after a temporary failure, which it reports. */
	async function tryRead(): Promise<WatchRead | undefined> {
		try {
			const read = await readWatchedKeys(store, scope, tracker.keys, signal);
			failureCount = 0;
			return read;
		} catch (error) {
			if (signal.aborted || !hasRead || !isTemporary(error)) throw error;
			const waitMs = Math.min(intervalMs * 2 ** ++failureCount, watchIntervals.maxBackOffMs);
			reportedMs = undefined;
			onFailure(error, waitMs);
			await clock.wait(waitMs * clock.scale, signal);
			return undefined;
		}
	}

	for (;;) {
		const startedAt = clock.elapsed();
		let waitMs = intervalMs;
		if (!isPaused?.()) {
			const read = await tryRead();
			if (!read) continue;
			const now = clock.elapsed();
			waitMs = Math.max(
				intervalMs,
				store.quota ? read.calls * msPerCall : 0,
				(now - startedAt) / clock.scale,
			);
			if (reportedMs === undefined || isMuchLonger(waitMs, reportedMs) || isMuchLonger(reportedMs, waitMs)) {
				reportedMs = waitMs;
				onRead(waitMs);
			}
			prepare?.(tracker, now);
			if (!hasRead) tracker.begin(read.keys);
			// A question may have opened meanwhile; the next read finds these changes.
			else if (!isPaused?.()) {
				const changes = tracker.findChanges(read.keys, now);
				if (changes.length > 0 && (await onChanges(changes))) return;
			}
			hasRead = true;
		}
		await clock.wait(waitMs * clock.scale, signal);
	}
}

/** True if a change of the interval is worth reporting: reads take a different time each time. */
const isMuchLonger = (oneMs: number, otherMs: number): boolean => oneMs > otherMs * 1.5;

/** True if the next read may succeed: it starts with a new cursor, too. */
const isTemporary = (error: unknown): error is Failure =>
	isCursorRefused(error) ||
	(isFailure(
		error,
		'rate_limited',
		'unreachable',
		'connection_lost',
		'timed_out',
		'service_failed',
		'answer_malformed',
		'local_store_busy',
		'changed_meanwhile',
	) &&
		!isDailyLimit(error));
