import {type ReadResult, toProblem} from '../../analytics/problem.ts';
import {readStoreSummaries, type StoreSummaries} from '../../analytics/store-metrics.ts';
import {maxStoreDays} from '../../analytics/store-query.ts';
import {readStoreSeries, type StoreSeries} from '../../analytics/store-series.ts';
import {isFailure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Slice} from '../../store/slice.ts';
import {computePanelLayout} from './layout.ts';

/** Periods in days, in cycling order. */
export const metricsPeriods = [1, 7, maxStoreDays] as const;

type Days = (typeof metricsPeriods)[number];

type MeasuredNamespace = {readonly id: string; readonly title: string};

type MetricsState = {
	/** Undefined for all namespaces of the account together. */
	readonly namespace: MeasuredNamespace | undefined;
	/** The namespace that `a` returns to. */
	readonly lastNamespace: MeasuredNamespace | undefined;
	readonly days: Days;
	/** Index of the first visible panel. */
	readonly top: number;
	/** The last result. While another period is being read, it is still that of the previous period. */
	readonly lastResult: {readonly days: Days; readonly result: ReadResult<StoreSeries>} | undefined;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly metrics: MetricsSlice;
	}
}

export type MetricsSlice = {
	/** Keys, bytes and operations of all namespaces of the service; undefined until requested. */
	readonly storeFigures: ReadResult<StoreSummaries> | undefined;
	readonly data: MetricsState | undefined;
	/**
	 * Reads the figures of all namespaces unless that was tried in the last 5 minutes. `isForced` reads them
	 * in any case.
	 */
	loadStoreFigures(signal: AbortSignal, isForced?: boolean): Promise<void>;
	/** Lets the next `loadStoreFigures` read again; the figures are shown until then. */
	expireStoreFigures(): void;
	open(namespace: MeasuredNamespace | undefined): void;
	showDays(days: Days): void;
	/** Toggles between one namespace and all of them. */
	toggleAll(): void;
	move(by: number): void;
	/** Reads the series, with the same cache time as `loadStoreFigures`. */
	load(signal: AbortSignal, isForced?: boolean): Promise<void>;
};

/** Milliseconds to cache results. The service's figures lag by minutes anyway. */
const cacheMs = 300_000;

export const createMetricsSlice: Slice<MetricsSlice> = (set, get, {session, elapsed}) => {
	const readCachedFigures = createReadCache<ReadResult<StoreSummaries>>(elapsed);
	const readCachedSeries = createReadCache<ReadResult<StoreSeries>>(elapsed);
	const change = (part: Partial<MetricsState>) =>
		set(({data: metrics}) => (metrics ? {data: {...metrics, ...part}} : {}));

	/**
	 * Runs a query. A failure counts as missing figures, not as a failure of the screen. Rejects only if
	 * interrupted.
	 */
	async function readOrReportMissing<T>(
		signal: AbortSignal,
		query: (client: Client, account: string) => Promise<ReadResult<T>>,
	): Promise<ReadResult<T>> {
		try {
			const client = await session.client();
			return await query(client, (await session.account(signal)).id);
		} catch (error) {
			if (signal.aborted || isFailure(error, 'interrupted')) throw error;
			return {value: undefined, problems: [toProblem(toFailure(error))]};
		}
	}

	return {
		storeFigures: undefined,
		data: undefined,
		async loadStoreFigures(signal, isForced = false) {
			const result = await readOrReportMissing(signal, (client, account) =>
				readCachedFigures.read(account, isForced, () => readStoreSummaries(client, account, signal)),
			);
			if (get().metrics.storeFigures === result) return;
			set({storeFigures: result});
			get().namespaces.sortAgain();
		},
		expireStoreFigures: readCachedFigures.expire,
		open(namespace) {
			const metrics = get().metrics.data;
			if (metrics && metrics.namespace?.id === namespace?.id)
				return change({namespace, lastNamespace: namespace ?? metrics.lastNamespace});
			set({
				data: {namespace, lastNamespace: namespace, days: metrics?.days ?? 7, top: 0, lastResult: undefined},
			});
		},
		showDays: days => change({days}),
		toggleAll() {
			const metrics = get().metrics.data;
			if (metrics)
				change({namespace: metrics.namespace ? undefined : metrics.lastNamespace, lastResult: undefined});
		},
		move(by) {
			const metrics = get().metrics.data;
			const {viewport} = get().navigation;
			if (metrics) change({top: computePanelLayout(viewport, metrics.top + by).firstIndex});
		},
		async load(signal, isForced = false) {
			const metrics = get().metrics.data;
			if (!metrics) return;
			const {namespace, days} = metrics;
			const result = await readOrReportMissing(signal, (client, account) =>
				readCachedSeries.read(`${account} ${namespace?.id ?? ''} ${days}`, isForced, () =>
					readStoreSeries(client, account, namespace?.id, {days, storageDays: maxStoreDays}, signal),
				),
			);
			const current = get().metrics.data;
			if (current && current.namespace?.id === namespace?.id && current.days === days)
				change({lastResult: {days, result}});
		},
	};
};

/** Caches results by name, including failures reported by the service. Rejected reads are not cached. */
function createReadCache<T>(elapsed: () => number) {
	const cache = new Map<string, {readonly at: number; readonly read: Promise<T>}>();
	return {
		read(name: string, isForced: boolean, read: () => Promise<T>): Promise<T> {
			const cached = cache.get(name);
			if (cached && !isForced && elapsed() - cached.at < cacheMs) return cached.read;
			const entry = {at: elapsed(), read: read()};
			cache.set(name, entry);
			entry.read.catch(() => {
				if (cache.get(name) === entry) cache.delete(name);
			});
			return entry.read;
		},
		expire: () => cache.clear(),
	};
}
