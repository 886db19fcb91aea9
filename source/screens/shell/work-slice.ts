import {createInterruptedFailure, isFailure, toFailure} from '../../failure.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';

/**
 * Work that takes time. A read is cancelled when its screen is left; a write continues; background work
 * belongs to its screen and is shown only while the user waits. A long write has a screen; the other
 * screens show it in their status.
 */
export type Work = {
	readonly id: number;
	/** Label such as "reading user:1". Unescaped. */
	readonly label: string;
	readonly kind: 'read' | 'write' | 'background' | 'long';
	readonly subject?: WorkSubject | undefined;
	/** Milliseconds of the monotonic clock `elapsed`. */
	readonly startedAt: number;
	cancel(): void;
};

/** What work reads or changes, if something must wait for its end. */
export type WorkSubject =
	| {readonly kind: 'custom rules' | 'managed rules' | 'rate limits' | 'old firewall rules' | 'jobs'}
	| RuleSubject;

/** Firewall rules or filters. */
export type RuleSubject = {
	readonly kind: 'rule' | 'filter';
	readonly ids: readonly string[];
	/** What happens to them, such as "deleting rule". */
	readonly activityLabel: string;
	/** Sends nothing after the write under way; resolves when that has ended. Present if there are several. */
	stop?(): Promise<void>;
};

/** A wait of the client: before a retry, or for the quota. */
export type Wait = {
	readonly id: number;
	readonly why: string;
	readonly attempt?: number | undefined;
	/** True if it ends with the quota, which the header counts down. */
	readonly isQuota?: boolean | undefined;
	/** Milliseconds of the monotonic clock `elapsed`. */
	readonly endsAt: number;
};

/** Work that continues in another session of this run. */
export type WorkElsewhere = {
	readonly sessionName: string;
	readonly labels: readonly string[];
	/** Stops it; resolves when the outcome is recorded. */
	end(): Promise<void>;
};

/** `relabel` changes the label while the work runs. */
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
	/** When the quota is available again, by the clock of waits; kept when a wait is cancelled. */
	readonly quotaUntil: number | undefined;
	/**
	 * Runs work with a signal that `cancelReads` aborts. A failure becomes the message. Returns whether it
	 * completed.
	 */
	run(
		label: Work['label'],
		kind: Work['kind'],
		action: WorkAction<void>,
		subject?: WorkSubject,
	): Promise<boolean>;
	/** Runs a part of other work and returns its result. `outerSignal`: the signal of that work. */
	runPart<T>(
		label: Work['label'],
		kind: Work['kind'],
		action: WorkAction<T>,
		options?: {readonly outerSignal?: AbortSignal | undefined; readonly subject?: WorkSubject | undefined},
	): Promise<T>;
	/** True once quitting stops writes; the message about them is printed when ledge has ended. */
	readonly isQuitting: boolean;
	startQuitting(): void;
	/** Returns the label of a running write, once for each write: the caller then says that it continues. */
	announceWrite(): string | undefined;
	/** Cancels all reads; returns whether there were any. */
	cancelReads(): boolean;
	/** Shows a wait of the client until it ends or the signal is aborted. */
	wait(wait: Omit<Wait, 'id' | 'endsAt'> & {milliseconds: number; signal: AbortSignal}): void;
	/** Marks the quota as used up for `milliseconds`. */
	holdQuota(milliseconds: number): void;
};

/** Lists the running groups of writes that can be stopped between two of them. */
export const listStoppableWrites = ({work}: StateWith<'work', 'list'>): readonly {stop(): Promise<void>}[] =>
	work.list.flatMap(({subject}) =>
		subject && 'ids' in subject && subject.stop ? [{stop: subject.stop}] : [],
	);

/** Maximum milliseconds of a Node timer. */
const maxTimeout = 2 ** 31 - 1;

export const createWorkSlice: Slice<WorkSlice> = (set, get, {elapsed}) => {
	let lastId = 0;
	let quotaTimer: NodeJS.Timeout | undefined;
	let lastAnnouncedId = 0;
	const removeWork = (id: number) => set(({list: work}) => ({list: work.filter(one => one.id !== id)}));
	return {
		list: [],
		elsewhere: [],
		showElsewhere: elsewhere => set({elsewhere}),
		waits: [],
		quotaUntil: undefined,
		async run(label, kind, action, subject) {
			if (kind !== 'background') get().messages.leave();
			const isWrite = kind === 'write' || kind === 'long';
			if (isWrite) get().dialog.endQuestions();
			try {
				await get().work.runPart(label, kind, action, {subject});
				return true;
			} catch (error) {
				const failure = toFailure(error);
				if (!isFailure(failure, 'interrupted')) get().messages.fail(failure, isWrite);
				else if (kind !== 'background')
					get().messages.say([`Stopped: ${label}.`, failure.details.left].filter(Boolean).join(' '));
				return false;
			}
		},
		async runPart(label, kind, action, {outerSignal, subject} = {}) {
			const controller = new AbortController();
			const {signal} = controller;
			const id = ++lastId;
			const item: Work = {id, label, kind, subject, startedAt: elapsed(), cancel: () => controller.abort()};
			const relabel = (newLabel: string) =>
				set(({list: work}) => ({
					list: work.map(other => (other.id === id ? {...other, label: newLabel} : other)),
				}));
			set(({list: work}) => ({list: [...work, item]}));
			try {
				return await action(outerSignal ? AbortSignal.any([outerSignal, signal]) : signal, relabel);
			} catch (error) {
				throw signal.aborted && !isFailure(error, 'interrupted') ? createInterruptedFailure() : error;
			} finally {
				removeWork(id);
			}
		},
		isQuitting: false,
		startQuitting: () => set({isQuitting: true}),
		announceWrite() {
			const write = get().work.list.findLast(({kind}) => kind === 'write');
			if (!write || write.id <= lastAnnouncedId) return undefined;
			lastAnnouncedId = write.id;
			return write.label;
		},
		cancelReads() {
			const reads = get().work.list.filter(({kind}) => kind === 'read');
			for (const one of reads) one.cancel();
			return reads.length > 0;
		},
		holdQuota(milliseconds) {
			const endsAt = elapsed() + milliseconds;
			if (endsAt <= (get().work.quotaUntil ?? 0)) return;
			clearTimeout(quotaTimer);
			const timeout = Math.min(milliseconds, maxTimeout);
			quotaTimer = setTimeout(() => set({quotaUntil: undefined}), timeout).unref();
			set({quotaUntil: endsAt});
		},
		wait({why, attempt, milliseconds, signal, isQuota}) {
			if (signal.aborted) return;
			const wait: Wait = {id: ++lastId, why, attempt, isQuota, endsAt: elapsed() + milliseconds};
			const finish = () => {
				clearTimeout(timer);
				signal.removeEventListener('abort', finish);
				set(({waits}) => ({waits: waits.filter(one => one !== wait)}));
			};
			const timer = setTimeout(finish, milliseconds).unref();
			signal.addEventListener('abort', finish, {once: true});
			set(({waits}) => ({waits: [...waits, wait]}));
		},
	};
};

/** Formats the time of day after so many milliseconds, in full minutes, so that it stays the same as they pass. */
export const formatWaitEnd = (milliseconds: number): string =>
	`${new Date(Math.ceil((Date.now() + milliseconds) / 60_000) * 60_000).toISOString().slice(11, 16)} UTC`;
