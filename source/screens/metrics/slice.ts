import {type Read, toProblem} from '../../analytics/problem.ts';
import {readStoreSummaries, type StoreSummaries} from '../../analytics/store-metrics.ts';
import {maxStoreDays} from '../../analytics/store-query.ts';
import {readStoreSeries, type StoreSeries} from '../../analytics/store-series.ts';
import {isFailure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Slice} from '../../store/slice.ts';
import {computePanelPlaces} from './layout.ts';

/** Periods in days, in cycling order. */
export const metricsSpans = [1, 7, maxStoreDays] as const;

type Days = (typeof metricsSpans)[number];

type MeasuredNamespace = {readonly id: string; readonly title: string};

type MetricsState = {
	/** Undefined for all namespaces of the account together. */
	readonly namespace: MeasuredNamespace | undefined;
	/** The namespace that `a` returns to. */
	readonly lastNamespace: MeasuredNamespace | undefined;
	readonly days: Days;
	/** The first visible panel. */
	readonly top: number;
	/** The last result; of another period until the new one is read. */
	readonly shown: {readonly days: Days; readonly read: Read<StoreSeries>} | undefined;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly metrics: MetricsSlice;
	}
}

export type MetricsSlice = {
	/** Keys, bytes and operations of all namespaces of the service; undefined until requested. */
	readonly storeFigures: Read<StoreSummaries> | undefined;
	readonly data: MetricsState | undefined;
	/**
	 * Reads the figures of all namespaces unless tried in the last 5 minutes; `isWanted` reads them anyway.
	 */
	loadStoreFigures(signal: AbortSignal, isWanted?: boolean): Promise<void>;
	open(namespace: MeasuredNamespace | undefined): void;
	showDays(days: Days): void;
	/** Toggles between one namespace and all of them. */
	toggleAll(): void;
	move(by: number): void;
	/** Reads the series, cached like `loadStoreFigures`. */
	load(signal: AbortSignal, isWanted?: boolean): Promise<void>;
};

/** Milliseconds to cache results: the service's figures lag by minutes anyway. */
const cacheMs = 300_000;

export const createMetricsSlice: Slice<MetricsSlice> = (set, get, {session, elapsed}) => {
	const figures = createReadCache<Read<StoreSummaries>>(elapsed);
	const series = createReadCache<Read<StoreSeries>>(elapsed);
	const change = (part: Partial<MetricsState>) =>
		set(({data: metrics}) => (metrics ? {data: {...metrics, ...part}} : {}));

	/**
	 * Runs a query. A failure counts as missing figures, not as a failure of the screen; rejects only if
	 * interrupted.
	 */
	async function readOrReportMissing<T>(
		signal: AbortSignal,
		ask: (client: Client, account: string) => Promise<Read<T>>,
	): Promise<Read<T>> {
		try {
			const client = await session.client();
			return await ask(client, (await session.account(signal)).id);
		} catch (error) {
			if (signal.aborted || isFailure(error, 'interrupted')) throw error;
			return {value: undefined, problems: [toProblem(toFailure(error))]};
		}
	}

	return {
		storeFigures: undefined,
		data: undefined,
		async loadStoreFigures(signal, isWanted = false) {
			const read = await readOrReportMissing(signal, (client, account) =>
				figures(account, isWanted, () => readStoreSummaries(client, account, signal)),
			);
			if (get().metrics.storeFigures === read) return;
			set({storeFigures: read});
			get().namespaces.arrange();
		},
		open(namespace) {
			const metrics = get().metrics.data;
			if (metrics && metrics.namespace?.id === namespace?.id)
				return change({namespace, lastNamespace: namespace ?? metrics.lastNamespace});
			set({data: {namespace, lastNamespace: namespace, days: metrics?.days ?? 7, top: 0, shown: undefined}});
		},
		showDays: days => change({days}),
		toggleAll() {
			const metrics = get().metrics.data;
			if (metrics)
				change({namespace: metrics.namespace ? undefined : metrics.lastNamespace, shown: undefined});
		},
		move(by) {
			const metrics = get().metrics.data;
			const {viewport} = get().navigation;
			if (metrics) change({top: computePanelPlaces(viewport, metrics.top + by).first});
		},
		async load(signal, isWanted = false) {
			const metrics = get().metrics.data;
			if (!metrics) return;
			const {namespace, days} = metrics;
			const read = await readOrReportMissing(signal, (client, account) =>
				series(`${account} ${namespace?.id ?? ''} ${days}`, isWanted, () =>
					readStoreSeries(client, account, namespace?.id, {days, storageDays: maxStoreDays}, signal),
				),
			);
			const current = get().metrics.data;
			if (current && current.namespace?.id === namespace?.id && current.days === days)
				change({shown: {days, read}});
		},
	};
};

/** Caches results by name, including failures reported by the service; rejected reads are not cached. */
function createReadCache<T>(elapsed: () => number) {
	const known = new Map<string, {readonly at: number; readonly read: Promise<T>}>();
	return (name: string, isWanted: boolean, read: () => Promise<T>): Promise<T> => {
		const found = known.get(name);
		if (found && !isWanted && elapsed() - found.at < cacheMs) return found.read;
		const entry = {at: elapsed(), read: read()};
		known.set(name, entry);
		entry.read.catch(() => {
			if (known.get(name) === entry) known.delete(name);
		});
		return entry.read;
	};
}
