import {asFailure, interrupted, isFailure} from '../../failure.ts';
import type {Slice} from '../../store/slice.ts';

/**
 * Something that takes time. A read is cancelled when its screen is left; a write continues;
 * background work belongs to its screen and is shown only while it keeps someone waiting. A long write has a screen
 * that shows it; the others add it to their status.
 */
export type Work = {
	readonly id: number;
	/** What is done, as "reading user:1". Not yet safe for a terminal. */
	readonly label: string;
	readonly kind: 'read' | 'write' | 'background' | 'long';
	readonly subject?: WorkSubject | undefined;
	/** Milliseconds since the epoch. */
	readonly since: number;
	cancel(): void;
};

/** What work reads or changes, where something must wait for its end. */
export type WorkSubject =
	| {readonly kind: 'custom rules' | 'managed rules' | 'old firewall rules' | 'jobs'}
	| OneRule;

/** One firewall rule or filter. */
export type OneRule = {
	readonly kind: 'rule' | 'filter';
	readonly id: string;
	/** The label without the id, as "deleting rule". */
	readonly doing: string;
};

/** A wait of the client: before it tries again, or for the quota. */
export type Wait = {
	readonly id: number;
	readonly why: string;
	readonly attempt?: number | undefined;
	/** True if it ends with the quota, which the header counts down. */
	readonly isQuota?: boolean | undefined;
	/** Milliseconds since the epoch. */
	readonly until: number;
};

/** Work that was begun in another session of this run and continues there. */
export type WorkElsewhere = {
	/** Its context or account. */
	readonly place: string;
	readonly labels: readonly string[];
	/** Stops it, and ends when what became of it is recorded. */
	end(): Promise<void>;
};

/** `relabel` changes the label while the work is under way: it is about something else by now. */
type WorkAction<T> = (signal: AbortSignal, relabel: (label: Work['label']) => void) => Promise<T>;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly work: WorkSlice;
	}
}

type WorkSlice = {
	readonly list: readonly Work[];
	readonly elsewhere: readonly WorkElsewhere[];
	showElsewhere(elsewhere: readonly WorkElsewhere[]): void;
	readonly waits: readonly Wait[];
	/** Until when the quota of the service is used up, by the clock of waits; kept when a wait is cancelled. */
	readonly quotaUntil: number | undefined;
	/**
	 * Does something that takes time, with a signal of its own that `cancelReads` aborts. A failure becomes the
	 * message. Returns whether it was completed.
	 */
	run(
		label: Work['label'],
		kind: Work['kind'],
		action: WorkAction<void>,
		subject?: WorkSubject,
	): Promise<boolean>;
	/** The same as a part of other work, which takes what comes of it and may have a signal of its own. */
	during<T>(
		label: Work['label'],
		kind: Work['kind'],
		action: WorkAction<T>,
		options?: {readonly outer?: AbortSignal | undefined; readonly subject?: WorkSubject | undefined},
	): Promise<T>;
	/** Cancels what only reads; returns whether there was anything. */
	cancelReads(): boolean;
	/** The client waits, until it continues or the signal is aborted. */
	wait(wait: Omit<Wait, 'id' | 'until'> & {milliseconds: number; signal: AbortSignal}): void;
	/** The quota of the service is used up for so many milliseconds. */
	holdQuota(milliseconds: number): void;
};

/** The most milliseconds of a timer of Node. */
const longestTimeout = 2 ** 31 - 1;

export const createWorkSlice: Slice<WorkSlice> = (set, get, {elapsed}) => {
	let numbered = 0;
	let quotaTimer: NodeJS.Timeout | undefined;
	const end = (id: number) => set(({list: work}) => ({list: work.filter(one => one.id !== id)}));
	return {
		list: [],
		elsewhere: [],
		showElsewhere: elsewhere => set({elsewhere}),
		waits: [],
		quotaUntil: undefined,
		async run(label, kind, action, subject) {
			if (kind !== 'background') get().messages.clear();
			try {
				await get().work.during(label, kind, action, {subject});
				return true;
			} catch (error) {
				const failure = asFailure(error);
				if (!isFailure(failure, 'interrupted')) get().messages.fail(failure);
				else if (kind !== 'background')
					get().messages.say([`Stopped: ${label}.`, failure.details.left].filter(Boolean).join(' '));
				return false;
			}
		},
		async during(label, kind, action, {outer, subject} = {}) {
			const controller = new AbortController();
			const {signal} = controller;
			const id = ++numbered;
			const one: Work = {id, label, kind, subject, since: elapsed(), cancel: () => controller.abort()};
			const relabel = (to: string) =>
				set(({list: work}) => ({list: work.map(other => (other.id === id ? {...other, label: to} : other))}));
			set(({list: work}) => ({list: [...work, one]}));
			try {
				return await action(outer ? AbortSignal.any([outer, signal]) : signal, relabel);
			} catch (error) {
				throw signal.aborted && !isFailure(error, 'interrupted') ? interrupted() : error;
			} finally {
				end(id);
			}
		},
		cancelReads() {
			const reads = get().work.list.filter(({kind}) => kind === 'read');
			for (const one of reads) one.cancel();
			return reads.length > 0;
		},
		holdQuota(milliseconds) {
			const until = elapsed() + milliseconds;
			if (until <= (get().work.quotaUntil ?? 0)) return;
			clearTimeout(quotaTimer);
			const timeout = Math.min(milliseconds, longestTimeout);
			quotaTimer = setTimeout(() => set({quotaUntil: undefined}), timeout).unref();
			set({quotaUntil: until});
		},
		wait({why, attempt, milliseconds, signal, isQuota}) {
			if (signal.aborted) return;
			const wait: Wait = {id: ++numbered, why, attempt, isQuota, until: elapsed() + milliseconds};
			const over = () => {
				clearTimeout(timer);
				signal.removeEventListener('abort', over);
				set(({waits}) => ({waits: waits.filter(one => one !== wait)}));
			};
			const timer = setTimeout(over, milliseconds).unref();
			signal.addEventListener('abort', over, {once: true});
			set(({waits}) => ({waits: [...waits, wait]}));
		},
	};
};
