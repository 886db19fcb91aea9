import {setImmediate as turn} from 'node:timers/promises';
import {asFailure} from '../../failure.ts';
import {Rate} from '../../kv/job/rate.ts';
import type {Place} from '../../kv/transfer/listing.ts';
import {type Hit, search} from '../../kv/transfer/search.ts';
import {clockOf} from '../../service/clock.ts';
import type {Slice} from '../../store/slice.ts';
import {scopeOf} from '../keys/chosen.ts';
import {openRow} from '../keys/open-row.ts';
import type {ListMembers} from '../list/declared.ts';
import {paced} from '../shell/paced.ts';
import {hitList, mostHits, mostInValue, type SearchRequest, type SearchState, searchWays} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly search: SearchSlice;
	}
}

type SearchSlice = ListMembers<SearchState> & {
	/**
	 * Searches the values of a namespace from the first key on, in the background. Resolves when all is
	 * searched, on stop or failure, and when the screen is left, which drops the hits.
	 */
	begin(request: SearchRequest): Promise<void>;
	/** Continues a stopped or failed search after the last searched key. */
	resume(): Promise<void>;
	/** Stops; hits stay. Returns true if a search was under way. */
	stop(): boolean;
	close(): void;
};

/** Milliseconds between updates while new hits fit the screen. */
const showEvery = 200;
/** Milliseconds between updates of counts alone: what a slow line can bear. */
const countEvery = 1000;
/** Milliseconds that a regular expression may block the keyboard. */
const patience = 2000;

export const createSearchSlice: Slice<SearchSlice> = (set, get, {session, elapsed}) => {
	let numbered = 0;
	/** The kept hits. */
	let hits: Hit[] = [];
	let stop = new AbortController();
	/** Position of the search, and the last key with a hit. */
	let place: Place | undefined;
	let lastKey: string | undefined;
	const clock = clockOf(session.env).scale;

	const change = (number: number, part: Partial<SearchState>) =>
		set(({data: before}) => (before?.number === number ? {data: {...before, ...part}} : {}));

	async function walk(number: number, request: SearchRequest, signal: AbortSignal): Promise<void> {
		const {namespace, keys, pattern, way} = request;
		using scope = await scopeOf(keys, session.env, signal);
		using store = (await openRow(session, namespace, {}, signal)).store;
		const {isRegex, ignoresCase} = searchWays[way] ?? searchWays[0];
		const asked = {...scope, from: place, pattern, isRegex, ignoresCase, patience, mostInValue};
		const {searched = 0, gone = 0, keysWithHits = 0, found = 0} = get().search.data ?? {};
		const counts = {searched, gone, keysWithHits, found};
		const rate = new Rate(elapsed);
		rate.note(counts.searched);
		let shownAt = elapsed();
		const shown = paced(showEvery, elapsed, () => {
			shownAt = elapsed();
			rate.note(counts.searched);
			change(number, {...counts, rows: [...hits], rate: rate.now(counts.searched)});
		});
		try {
			for await (const piece of search(store, {...asked, within: 'values'}, signal)) {
				const now = get().search.data;
				const {stack, viewport} = get().navigation;
				if (now?.number !== number) return;
				if (!stack.includes('search')) return get().search.close();
				counts.searched += piece.keys;
				counts.gone += piece.gone;
				counts.found += piece.count;
				for (const {key} of piece.hits) {
					if (key === lastKey) continue;
					counts.keysWithHits++;
					lastKey = key;
				}
				place = piece.place ?? place;
				const kept = piece.hits.slice(0, mostHits - hits.length);
				hits.push(...kept);
				const hasRoom = hitList.visible(now).length < viewport.rows;
				const isSeen = hasRoom && hitList.visible({rows: kept, filter: now.filter}).length > 0;
				if (isSeen || elapsed() - shownAt >= countEvery * clock) shown.tell(undefined);
				// Local data never waits: give the keyboard a turn.
				await turn(undefined, {signal});
			}
		} finally {
			shown.stop();
			change(number, {...counts, rows: [...hits], rate: 0});
		}
		change(number, {phase: {name: 'done'}});
	}

	async function run(request: SearchRequest): Promise<void> {
		const number = numbered;
		stop = new AbortController();
		const {signal} = stop;
		await get().work.run(`searching ${request.namespace.title}`, 'background', async cancelled => {
			try {
				await walk(number, request, AbortSignal.any([signal, cancelled]));
			} catch (error) {
				const failure = asFailure(error);
				change(number, {phase: signal.aborted ? {name: 'stopped'} : {name: 'failed', failure}});
				throw failure;
			}
		});
	}

	return {
		data: undefined,
		async begin(request) {
			get().search.close();
			set({
				data: {
					number: numbered,
					request,
					quota: get().connection.quotaFor(request.namespace.where),
					phase: {name: 'searching'},
					searched: 0,
					gone: 0,
					keysWithHits: 0,
					found: 0,
					rate: 0,
					rows: [],
					filter: '',
					cursor: 0,
				},
			});
			await run(request);
		},
		async resume() {
			const before = get().search.data;
			if (!before || (before.phase.name !== 'stopped' && before.phase.name !== 'failed')) return;
			change(before.number, {phase: {name: 'searching'}});
			await run(before.request);
		},
		stop() {
			const isReading = get().search.data?.phase.name === 'searching';
			stop.abort();
			return isReading;
		},
		close() {
			stop.abort();
			numbered++;
			[hits, place, lastKey] = [[], undefined, undefined];
			set({data: undefined});
		},
		move(by) {
			const now = get().search.data;
			if (now) change(now.number, hitList.moved(now, by));
		},
		filter(filter) {
			const now = get().search.data;
			if (now) change(now.number, hitList.changed(now, {filter}));
		},
	};
};
