import type {MissingJson} from '../../analytics/problem.ts';
import {
	getOperationCount,
	operationKinds,
	type StoreSummaries,
	type StoreSummary,
} from '../../analytics/store-metrics.ts';
import type {Quantile, StoreSeries} from '../../analytics/store-series.ts';

/** A namespace of the account with its metrics. */
export type MeasuredNamespace = StoreSummary & {readonly id: string; readonly title: string};

type Missing = readonly MissingJson[];

const formatIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Converts all namespaces to the JSON of `--json`; unknown values are null. */
export const toSummariesJson = (
	namespaces: readonly MeasuredNamespace[],
	{since, until}: Pick<StoreSummaries, 'since' | 'until'>,
	days: number,
	missing: Missing,
) => ({
	days,
	since: formatIso(since),
	until: formatIso(until),
	namespaces: namespaces.map(({id, title, keys = null, bytes = null, operations, isEstimate}) => ({
		id,
		title,
		keys,
		bytes,
		operations: operations
			? {
					// Known kinds first, even without a number; then all others.
					...Object.fromEntries(
						operationKinds.map(kind => [kind, getOperationCount(operations, kind) ?? null]),
					),
					...operations,
				}
			: null,
		estimated: isEstimate,
	})),
	missing,
});

/**
 * Converts the series of one or all namespaces to the JSON of `--json`; each time is the start of an hour or
 * day.
 */
export function toSeriesJson(
	namespace: {readonly id: string; readonly name: string} | undefined,
	{until, operations, latency, latencyByKind, storage}: StoreSeries,
	days: number,
	missing: Missing,
) {
	return {
		namespace: namespace ? {id: namespace.id, name: namespace.name} : null,
		days,
		until: formatIso(until),
		operations: operations
			? {
					stepSeconds: operations.step / 1000,
					estimated: operations.isEstimate,
					buckets: toBucketsJson(operations, operations.kinds),
				}
			: null,
		latencyMs: latency
			? {
					stepSeconds: latency.step / 1000,
					buckets: toBucketsJson(latency, latency.quantiles),
					kinds: latencyByKind
						? Object.fromEntries<Readonly<Partial<Record<Quantile, number>>>>(latencyByKind)
						: null,
				}
			: null,
		storage: storage
			? toBucketsJson(
					storage,
					new Map([
						['keys', storage.keys],
						['bytes', storage.bytes],
					]),
				)
			: null,
		missing,
	};
}

/** Returns one object per bucket: its start, and the value of each series. */
function toBucketsJson(
	{firstStart, step}: {readonly firstStart: number; readonly step: number},
	series: ReadonlyMap<string, readonly (number | undefined)[]>,
): readonly Readonly<Record<string, string | number | null>>[] {
	const count = Math.max(0, ...[...series.values()].map(values => values.length));
	return Array.from({length: count}, (_, index) => ({
		at: formatIso(firstStart + index * step),
		...Object.fromEntries([...series].map(([name, values]) => [name, values[index] ?? null])),
	}));
}
