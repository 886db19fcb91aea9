import {randomInt} from 'node:crypto';
import {toFailure} from '../../failure.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {type StatsProgress, StatsReading} from '../../kv/stats/read-stats.ts';
import type {Slice} from '../../store/slice.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import {moveCursor} from '../list/list.ts';
import {createUpdateThrottle} from '../shell/update-throttle.ts';
import {buildStatsEntries, type StatsScope, type StatsState} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly stats: StatsSlice;
	}
}

type StatsSlice = {
	readonly data: StatsState | undefined;
	/** Shows what reading costs before anything is read. Drops earlier results. */
	showCost(request: StatsScope): void;
	/**
	 * Reads in the background. Resolves when everything is read, or when the reading fails, is stopped or the
	 * screen is left. Partial results stay.
	 */
	read(): Promise<void>;
	/** Stops reading and shows partial results. Returns true if a reading was under way. */
	stop(): boolean;
	close(): void;
	/** Moves the cursor within the results, or within `rowCount` rows. */
	move(by: number, rowCount?: number): void;
	/** Moves the cursor to the first entry of the next or previous section, wrapping around. */
	moveToSection(by: 1 | -1): void;
};

const progressIntervalMs = 200;
/** Levels of prefixes to count. */
const prefixDepth = 2;

export const createStatsSlice: Slice<StatsSlice> = (set, get, {session, elapsed}) => {
	let lastReadingNumber = 0;
	let controller = new AbortController();

	const change = (readingNumber: number, part: Partial<StatsState>) =>
		set(({data: current}) => (current?.readingNumber === readingNumber ? {data: {...current, ...part}} : {}));

	async function readStats({readingNumber, request}: StatsState, signal: AbortSignal): Promise<void> {
		const {namespace, prefix, sampling} = request;
		using store = (await openNamespaceRow(session, namespace, {}, signal)).store;
		const now = toEpochSeconds(Date.now());
		const reading = new StatsReading(store, {
			prefix,
			sampling,
			seed: randomInt(2 ** 32),
			depth: prefixDepth,
			now,
		});
		const progressUpdates = createUpdateThrottle(progressIntervalMs, elapsed, (progress: StatsProgress) =>
			change(readingNumber, {phase: {name: 'reading', progress}}),
		);
		try {
			for await (const progress of reading.run(signal)) {
				if (get().stats.data?.readingNumber !== readingNumber) return;
				if (!get().navigation.stack.includes('stats')) get().stats.stop();
				progressUpdates.update(progress);
			}
		} finally {
			progressUpdates.stop();
			const {stats} = reading;
			if (stats.isListed || stats.keys > 0)
				change(readingNumber, {stats, entries: buildStatsEntries(stats), cursor: 0});
			if (stats.isListed && !prefix)
				get().namespaces.countKeys(namespace.name, {keys: stats.keys, isExact: true});
		}
		change(readingNumber, {phase: {name: 'done'}});
	}

	return {
		data: undefined,
		showCost(request) {
			get().stats.close();
			set({
				data: {
					readingNumber: lastReadingNumber,
					request,
					quota: get().connection.getQuotaLeft(request.namespace.where),
					phase: {name: 'asking'},
					stats: undefined,
					entries: [],
					cursor: 0,
				},
			});
		},
		async read() {
			const current = get().stats.data;
			if (!current || current.phase.name === 'reading') return;
			const {readingNumber, request} = current;
			controller = new AbortController();
			const {signal} = controller;
			change(readingNumber, {
				phase: {name: 'reading', progress: undefined},
				stats: undefined,
				entries: [],
				cursor: 0,
			});
			await get().work.run(
				`collecting statistics of ${request.namespace.title}`,
				'background',
				async workSignal => {
					try {
						await readStats(current, AbortSignal.any([signal, workSignal]));
					} catch (error) {
						const failure = toFailure(error);
						change(readingNumber, {phase: signal.aborted ? {name: 'stopped'} : {name: 'failed', failure}});
						throw failure;
					}
				},
			);
		},
		stop() {
			const isReading = get().stats.data?.phase.name === 'reading';
			controller.abort();
			return isReading;
		},
		close() {
			controller.abort();
			lastReadingNumber++;
			set({data: undefined});
		},
		move(by, rowCount) {
			const current = get().stats.data;
			if (!current) return;
			const {readingNumber, cursor, entries} = current;
			change(readingNumber, {cursor: moveCursor(cursor, by, rowCount ?? entries.length)});
		},
		moveToSection(by) {
			const current = get().stats.data;
			if (!current) return;
			const {entries, cursor, readingNumber} = current;
			const sectionStarts = [...entries.keys()].filter(index => entries[index]?.isFirst);
			const sectionIndex = sectionStarts.findLastIndex(index => index <= cursor);
			const next =
				sectionStarts[(sectionIndex + by + sectionStarts.length) % Math.max(1, sectionStarts.length)];
			if (next !== undefined) change(readingNumber, {cursor: next});
		},
	};
};
