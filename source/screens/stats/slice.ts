import {randomInt} from 'node:crypto';
import {asFailure} from '../../failure.ts';
import {unixSeconds} from '../../kv/limits.ts';
import {type StatsProgress, StatsReading} from '../../kv/stats/reading.ts';
import type {Slice} from '../../store/slice.ts';
import {openRow} from '../keys/open-row.ts';
import {movedCursor} from '../list/list.ts';
import {paced} from '../shell/paced.ts';
import {entriesOf, type StatsRequest, type StatsState} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly stats: StatsSlice;
	}
}

type StatsSlice = {
	readonly data: StatsState | undefined;
	/** Shows what reading costs before anything is read; drops earlier results. */
	ask(request: StatsRequest): void;
	/**
	 * Reads in the background. Resolves when all is read, on stop or failure, and when the screen is left;
	 * partial results stay.
	 */
	read(): Promise<void>;
	/** Stops reading and shows partial results. Returns true if a reading was under way. */
	stop(): boolean;
	close(): void;
	move(by: number): void;
	/** Moves the cursor to the first entry of the next or previous section, wrapping around. */
	toSection(by: 1 | -1): void;
};

const showEvery = 200;
/** Levels of prefixes to count. */
const depth = 2;

export const createStatsSlice: Slice<StatsSlice> = (set, get, {session, elapsed}) => {
	let numbered = 0;
	let stop = new AbortController();

	const change = (number: number, part: Partial<StatsState>) =>
		set(({data: before}) => (before?.number === number ? {data: {...before, ...part}} : {}));

	async function walk({number, request}: StatsState, signal: AbortSignal): Promise<void> {
		const {namespace, prefix, sampling} = request;
		using store = (await openRow(session, namespace, {}, signal)).store;
		const now = unixSeconds(Date.now());
		const reading = new StatsReading(store, {prefix, sampling, seed: randomInt(2 ** 32), depth, now});
		const shown = paced(showEvery, elapsed, (progress: StatsProgress) =>
			change(number, {phase: {name: 'reading', progress}}),
		);
		try {
			for await (const progress of reading.run(signal)) {
				if (get().stats.data?.number !== number) return;
				if (!get().navigation.stack.includes('stats')) get().stats.stop();
				shown.tell(progress);
			}
		} finally {
			shown.stop();
			const {stats} = reading;
			if (stats.isListed || stats.keys > 0) change(number, {stats, entries: entriesOf(stats), cursor: 0});
			if (stats.isListed && !prefix)
				get().namespaces.countKeys(namespace.name, {keys: stats.keys, exact: true});
		}
		change(number, {phase: {name: 'done'}});
	}

	return {
		data: undefined,
		ask(request) {
			get().stats.close();
			set({
				data: {
					number: numbered,
					request,
					quota: get().connection.quotaFor(request.namespace.where),
					phase: {name: 'asking'},
					stats: undefined,
					entries: [],
					cursor: 0,
				},
			});
		},
		async read() {
			const asked = get().stats.data;
			if (!asked || asked.phase.name === 'reading') return;
			const {number, request} = asked;
			stop = new AbortController();
			const {signal} = stop;
			change(number, {
				phase: {name: 'reading', progress: undefined},
				stats: undefined,
				entries: [],
				cursor: 0,
			});
			await get().work.run(`reading ${request.namespace.title}`, 'background', async cancelled => {
				try {
					await walk(asked, AbortSignal.any([signal, cancelled]));
				} catch (error) {
					const failure = asFailure(error);
					change(number, {phase: signal.aborted ? {name: 'stopped'} : {name: 'failed', failure}});
					throw failure;
				}
			});
		},
		stop() {
			const isReading = get().stats.data?.phase.name === 'reading';
			stop.abort();
			return isReading;
		},
		close() {
			stop.abort();
			numbered++;
			set({data: undefined});
		},
		move(by) {
			const now = get().stats.data;
			if (now) change(now.number, {cursor: movedCursor(now.cursor, by, now.entries.length)});
		},
		toSection(by) {
			const now = get().stats.data;
			if (!now) return;
			const {entries, cursor, number} = now;
			const firsts = [...entries.keys()].filter(at => entries[at]?.isFirst);
			const here = firsts.findLastIndex(at => at <= cursor);
			const next = firsts[(here + by + firsts.length) % Math.max(1, firsts.length)];
			if (next !== undefined) change(number, {cursor: next});
		},
	};
};
