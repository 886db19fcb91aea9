import {problemBehind, type Read} from '../../analytics/problem.ts';
import {type StoreSummaries, storeSummaries} from '../../analytics/store-metrics.ts';
import {keptDays} from '../../analytics/store-query.ts';
import {type StoreSeries, storeSeries} from '../../analytics/store-series.ts';
import {asFailure, isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Slice} from '../../store/slice.ts';
import {panelsInSight} from './layout.ts';

/** The days that the screen can show, each behind the one before. */
export const spans = [1, 7, keptDays] as const;

type Days = (typeof spans)[number];

type MeasuredNamespace = {readonly id: string; readonly title: string};

type MetricsState = {
	/** Without it all namespaces of the account together. */
	readonly of: MeasuredNamespace | undefined;
	/** What `a` goes back to from all of them. */
	readonly one: MeasuredNamespace | undefined;
	readonly days: Days;
	/** The first panel in sight. */
	readonly top: number;
	/** What was read last, which can be of other days until these are read. */
	readonly shown: {readonly days: Days; readonly read: Read<StoreSeries>} | undefined;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly metrics: MetricsSlice;
	}
}

export type MetricsSlice = {
	/** Keys, bytes and operations of all namespaces of the service; `undefined` until they were asked for. */
	readonly storeFigures: Read<StoreSummaries> | undefined;
	readonly data: MetricsState | undefined;
	/** Reads the figures of all namespaces, unless that was tried in the last minutes; `isWanted` reads them anyway. */
	loadStoreFigures(signal: AbortSignal, isWanted?: boolean): Promise<void>;
	open(of: MeasuredNamespace | undefined): void;
	showDays(days: Days): void;
	/** From one namespace to all of them, and back. */
	toggleAll(): void;
	move(by: number): void;
	/** Reads the series in the same way. */
	load(signal: AbortSignal, isWanted?: boolean): Promise<void>;
};

/** Milliseconds in which nothing is asked for twice: the numbers of the service are minutes behind anyway. */
const keptFor = 300_000;

export const createMetricsSlice: Slice<MetricsSlice> = (set, get, {session, elapsed}) => {
	const figures = remembering<Read<StoreSummaries>>(elapsed);
	const series = remembering<Read<StoreSeries>>(elapsed);
	const change = (part: Partial<MetricsState>) =>
		set(({data: metrics}) => (metrics ? {data: {...metrics, ...part}} : {}));

	/** What cannot be asked at all is missing, too, and no failure of a screen. */
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

/** Keeps what was read by its name for some minutes, failures of the service too. What was interrupted is not kept. */
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
