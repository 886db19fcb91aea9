import {setImmediate as turn} from 'node:timers/promises';
import {toFailure} from '../../failure.ts';
import {Rate} from '../../kv/job/rate.ts';
import type {WalkPosition} from '../../kv/transfer/listing.ts';
import {type Hit, searchStore} from '../../kv/transfer/search.ts';
import {createEnvironmentClock} from '../../service/clock.ts';
import type {Slice} from '../../store/slice.ts';
import {createKeyScope} from '../keys/chosen-keys.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import type {ListMembers} from '../list/declared.ts';
import {createUpdateThrottle} from '../shell/update-throttle.ts';
import {
	hitList,
	maxHits,
	maxHitsPerValue,
	type SearchRequest,
	type SearchState,
	searchModes,
} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly search: SearchSlice;
	}
}

type SearchSlice = ListMembers<SearchState> & {
	/**
	 * Searches the values of a namespace from the first key on, in the background. Resolves when everything
	 * is searched, or when the search fails or is stopped. Leaving the screen stops it and drops the hits.
	 */
	begin(request: SearchRequest): Promise<void>;
	/** Continues a stopped or failed search after the last searched key. */
	resume(): Promise<void>;
	/** Stops the search. Hits stay. Returns true if a search was under way. */
	stop(): boolean;
	close(): void;
	/** Marks the hits of a key of the searched namespace, which is open, after a write. */
	noticeChange(key: string): void;
	/** Moves the cursor, or where a range of selected hits begins. */
	changeRange(part: Pick<Partial<SearchState>, 'cursor' | 'rangeStart'>): void;
};

/** Milliseconds between updates while new hits fit the screen. */
const progressIntervalMs = 200;
/** Milliseconds between updates if only counts change, for slow connections to the terminal. */
const countIntervalMs = 1000;
/** Milliseconds that a regular expression may block the keyboard. */
const regexTimeoutMs = 2000;

export const createSearchSlice: Slice<SearchSlice> = (set, get, {session, elapsed}) => {
	let lastSearchNumber = 0;
	/** The hits that are shown, at most `maxHits`. */
	let hits: Hit[] = [];
	let controller = new AbortController();
	/** Position of the search, and the last key with a hit. */
	let position: WalkPosition | undefined;
	let lastKey: string | undefined;
	const clockScale = createEnvironmentClock(session.env).scale;

	const change = (searchNumber: number, part: Partial<SearchState>) =>
		set(({data: current}) => (current?.searchNumber === searchNumber ? {data: {...current, ...part}} : {}));

	async function searchValues(
		searchNumber: number,
		request: SearchRequest,
		signal: AbortSignal,
	): Promise<void> {
		const {namespace, keys, pattern, mode} = request;
		using scope = await createKeyScope(keys, session.env, signal);
		using store = (await openNamespaceRow(session, namespace, {}, signal)).store;
		const {isRegex, ignoresCase} = searchModes[mode] ?? searchModes[0];
		const query = {
			...scope,
			from: position,
			pattern,
			isRegex,
			ignoresCase,
			timeoutMs: regexTimeoutMs,
			maxHitsPerValue,
		};
		const {searched = 0, gone = 0, keysWithHits = 0, found = 0} = get().search.data ?? {};
		const counts = {searched, gone, keysWithHits, found};
		const rate = new Rate(elapsed);
		rate.note(counts.searched);
		let shownAt = elapsed();
		const progressUpdates = createUpdateThrottle(progressIntervalMs, elapsed, () => {
			shownAt = elapsed();
			rate.note(counts.searched);
			change(searchNumber, {...counts, rows: [...hits], rate: rate.compute(counts.searched)});
		});
		try {
			for await (const piece of searchStore(store, {...query, within: 'values'}, signal)) {
				const current = get().search.data;
				const {stack, viewport} = get().navigation;
				if (current?.searchNumber !== searchNumber) return;
				if (!stack.includes('search')) return get().search.close();
				counts.searched += piece.keyCount;
				counts.gone += piece.missingCount;
				counts.found += piece.hitCount;
				for (const {key} of piece.hits) {
					if (key === lastKey) continue;
					counts.keysWithHits++;
					lastKey = key;
				}
				position = piece.position ?? position;
				const newHits = piece.hits.slice(0, maxHits - hits.length);
				hits.push(...newHits);
				const hasRoom = hitList.listVisible(current).length < viewport.rows;
				const hasVisibleHits =
					hasRoom && hitList.listVisible({rows: newHits, filter: current.filter}).length > 0;
				if (hasVisibleHits || elapsed() - shownAt >= countIntervalMs * clockScale)
					progressUpdates.update(undefined);
				// Local data never waits, so this lets keystrokes through.
				await turn(undefined, {signal});
			}
		} finally {
			progressUpdates.stop();
			change(searchNumber, {...counts, rows: [...hits], rate: 0});
		}
		change(searchNumber, {phase: {name: 'done'}});
	}

	async function run(request: SearchRequest): Promise<void> {
		const searchNumber = lastSearchNumber;
		controller = new AbortController();
		const {signal} = controller;
		await get().work.run(`searching ${request.namespace.title}`, 'background', async workSignal => {
			try {
				await searchValues(searchNumber, request, AbortSignal.any([signal, workSignal]));
			} catch (error) {
				const failure = toFailure(error);
				change(searchNumber, {phase: signal.aborted ? {name: 'stopped'} : {name: 'failed', failure}});
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
					searchNumber: lastSearchNumber,
					request,
					quota: get().connection.getQuotaLeft(request.namespace.where),
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
			const previous = get().search.data;
			if (!previous || (previous.phase.name !== 'stopped' && previous.phase.name !== 'failed')) return;
			change(previous.searchNumber, {phase: {name: 'searching'}});
			await run(previous.request);
		},
		stop() {
			const isReading = get().search.data?.phase.name === 'searching';
			controller.abort();
			return isReading;
		},
		close() {
			controller.abort();
			lastSearchNumber++;
			[hits, position, lastKey] = [[], undefined, undefined];
			set({data: undefined});
		},
		move(by) {
			const current = get().search.data;
			if (current) change(current.searchNumber, hitList.applyMove(current, by));
		},
		noticeChange(key) {
			const {data: search} = get().search;
			const {data: keys} = get().keys;
			if (search && keys?.namespace.name === search.request.namespace.name)
				set({data: {...search, changedKeys: new Set(search.changedKeys).add(key)}});
		},
		changeRange(part) {
			change(lastSearchNumber, part);
		},
		filter(filter) {
			const current = get().search.data;
			if (current) change(current.searchNumber, hitList.applyChange(current, {filter}));
		},
	};
};
