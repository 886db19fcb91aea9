import {problemBehind, type Read} from '../../analytics/problem.ts';
import {type StoreSummaries, storeSummaries} from '../../analytics/store-metrics.ts';
import {keptDays} from '../../analytics/store-query.ts';
import {type StoreSeries, storeSeries} from '../../analytics/store-series.ts';
import {asFailure, isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Slice} from '../../store/slice.ts';
import {panelsInSight} from './layout.ts';

/** Periods in days, in cycling order. */
export const spans = [1, 7, keptDays] as const;

type Days = (typeof spans)[number];

type MeasuredNamespace = {readonly id: string; readonly title: string};

type MetricsState = {
	/** Undefined for all namespaces of the account together. */
	readonly of: MeasuredNamespace | undefined;
	/** The namespace that `a` returns to. */
	readonly one: MeasuredNamespace | undefined;
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
	open(of: MeasuredNamespace | undefined): void;
	showDays(days: Days): void;
	/** Toggles between one namespace and all of them. */
	toggleAll(): void;
	move(by: number): void;
	/** Reads the series, cached like `loadStoreFigures`. */
	load(signal: AbortSignal, isWanted?: boolean): Promise<void>;
};

/** Milliseconds to cache results: the service's figures lag by minutes anyway. */
const keptFor = 300_000;

export const createMetricsSlice: Slice<MetricsSlice> = (set, get, {session, elapsed}) => {
	const figures = remembering<Read<StoreSummaries>>(elapsed);
	const series = remembering<Read<StoreSeries>>(elapsed);
	const change = (part: Partial<MetricsState>) =>
		set(({data: metrics}) => (metrics ? {data: {...metrics, ...part}} : {}));

	/**
	 * Runs a query. A failure counts as missing figures, not as a failure of the screen; rejects only if
	 * interrupted.
	 */
	async function asked<T>(
		signal: AbortSignal,
		ask: (client: Client, account: string) => Promise<Read<T>>,
	): Promise<Read<T>> {
		try {
			const client = await session.client();
			return await ask(client, (await session.account(signal)).id);
		} catch (error) {
			if (signal.aborted || isFailure(error, 'interrupted')) throw error;
			return {value: undefined, problems: [problemBehind(asFailure(error))]};
		}
	}

	return {
		storeFigures: undefined,
		data: undefined,
		async loadStoreFigures(signal, isWanted = false) {
			const read = await asked(signal, (client, account) =>
				figures(account, isWanted, () => storeSummaries(client, account, signal)),
			);
			if (get().metrics.storeFigures === read) return;
			set({storeFigures: read});
			get().namespaces.arrange();
		},
		open(of) {
			const metrics = get().metrics.data;
			if (metrics && metrics.of?.id === of?.id) return change({of, one: of ?? metrics.one});
			set({data: {of, one: of, days: metrics?.days ?? 7, top: 0, shown: undefined}});
		},
		showDays: days => change({days}),
		toggleAll() {
			const metrics = get().metrics.data;
			if (metrics) change({of: metrics.of ? undefined : metrics.one, shown: undefined});
		},
		move(by) {
			const metrics = get().metrics.data;
			const {viewport} = get().navigation;
			if (metrics) change({top: panelsInSight(viewport, metrics.top + by).first});
		},
		async load(signal, isWanted = false) {
			const metrics = get().metrics.data;
			if (!metrics) return;
			const {of, days} = metrics;
			const read = await asked(signal, (client, account) =>
				series(`${account} ${of?.id ?? ''} ${days}`, isWanted, () =>
					storeSeries(client, account, of?.id, {days, storageDays: keptDays}, signal),
				),
			);
			const now = get().metrics.data;
			if (now && now.of?.id === of?.id && now.days === days) change({shown: {days, read}});
		},
	};
};

/** Caches results by name, including failures reported by the service; rejected reads are not cached. */
function remembering<T>(elapsed: () => number) {
	const known = new Map<string, {readonly at: number; readonly read: Promise<T>}>();
	return (name: string, isWanted: boolean, read: () => Promise<T>): Promise<T> => {
		const found = known.get(name);
		if (found && !isWanted && elapsed() - found.at < keptFor) return found.read;
		const one = {at: elapsed(), read: read()};
		known.set(name, one);
		one.read.catch(() => {
			if (known.get(name) === one) known.delete(name);
		});
		return one.read;
	};
}
