import {getAnalytics} from '../analytics/analytics.ts';
import {type EventGroup, readEventGroups} from '../analytics/event-groups.ts';
import {
	type Dimension,
	type EventFilter,
	type TimeDimension,
	timeDimensions,
} from '../analytics/event-query.ts';
import type {ReadResult} from '../analytics/problem.ts';
import type {Client} from '../service/client.ts';
import {listTopValues, type TopList, type TopValue, topLists} from './top-values.ts';

/** Dimension of the plot's series. */
export type PlotDimension = 'action' | 'source';

/** Event counts per time bucket. */
export type EventPlot = {
	/** Start of the first bucket, in milliseconds since the epoch. */
	readonly firstStart: number;
	/** Length of a bucket in milliseconds. */
	readonly step: number;
	/**
	 * One series per action or source, the most frequent first, in the service's words. The one without a
	 * name is the sum of all others.
	 */
	readonly series: readonly {readonly seriesName: string | undefined; readonly values: readonly number[]}[];
};

/** Overview of a zone's events, from one set of queries. */
export type EventOverview = {
	/** Omits plots that could not be read. */
	readonly plots: Readonly<Partial<Record<PlotDimension, EventPlot>>>;
	/** Most frequent first; omits lists that could not be read. */
	readonly topValues: Readonly<Partial<Record<TopList, readonly TopValue[]>>>;
	/** Total number of events, if it could be read. */
	readonly total: number | undefined;
	/** First moment covered; later than requested if the plan keeps less. */
	readonly since: number;
	readonly until: number;
	/** True if some counts are estimates. */
	readonly isSampled: boolean;
};

/** Rows of a list of top values. */
const maxTopValues = 100;
/** Buckets of a plot: a week has 168 hours. */
const maxBuckets = 170;
/** Series of a plot, including the rest. */
const maxSeries = 5;

const topDimensions: Readonly<
	Record<TopList, {readonly by: readonly Dimension[]; readonly optionalDimensions?: readonly Dimension[]}>
> = {
	rules: {by: ['ruleId', 'source'], optionalDimensions: ['rulesetId', 'description', 'action']},
	paths: {by: ['clientRequestPath']},
	addresses: {by: ['clientIP'], optionalDimensions: ['clientCountryName']},
	countries: {by: ['clientCountryName']},
};

const buildTopGrouping = (list: TopList) => ({...topDimensions[list], limit: maxTopValues});

/** Reads the overview: one query for each window of time that the plan allows. */
export async function readEventOverview(
	client: Client,
	zoneId: string,
	filter: EventFilter,
	signal: AbortSignal,
): Promise<ReadResult<EventOverview>> {
	const {datasets} = getAnalytics(client);
	const schema = await datasets.fields('firewallEventsAdaptiveGroups', signal);
	const hasDimension =
		schema === undefined || schema === 'missing' ? () => true : (name: string) => schema.dimensions.has(name);
	const bucket = findFinestBucket(filter, hasDimension);
	const {value, problems} = await readEventGroups(
		client,
		zoneId,
		filter,
		{
			byAction: {by: bucket ? [bucket, 'action'] : ['action']},
			bySource: {by: bucket ? [bucket, 'source'] : ['source']},
			totals: {by: ['action']},
			rules: buildTopGrouping('rules'),
			paths: buildTopGrouping('paths'),
			addresses: buildTopGrouping('addresses'),
			countries: buildTopGrouping('countries'),
		},
		signal,
	);
	if (!value) return {value: undefined, problems};
	const {groups, since, isSampled} = value;
	const time = {since, until: filter.until};
	const topValues: Partial<Record<TopList, readonly TopValue[]>> = {};
	for (const list of topLists) {
		const listGroups = groups[list];
		if (listGroups) topValues[list] = listTopValues(listGroups, list);
	}
	return {
		value: {
			plots: bucket
				? {
						...(groups.byAction && {action: buildPlot(groups.byAction, bucket, 'action', time)}),
						...(groups.bySource && {source: buildPlot(groups.bySource, bucket, 'source', time)}),
					}
				: {},
			topValues,
			total: groups.totals?.reduce((sum, {count}) => sum + count, 0),
			since,
			until: filter.until,
			isSampled,
		},
		problems,
	};
}

/** Finds the finest available bucket that cuts a time into few enough parts. */
export function findFinestBucket(
	{since, until}: Pick<EventFilter, 'since' | 'until'>,
	hasDimension: (name: string) => boolean,
): TimeDimension | undefined {
	const availableDimensions = (Object.keys(timeDimensions) as TimeDimension[]).filter(hasDimension);
	return (
		availableDimensions.find(name => (until - since) / timeDimensions[name] <= maxBuckets) ??
		availableDimensions.at(-1)
	);
}

/** Builds counts per bucket; buckets without events have 0. */
function buildPlot(
	groups: readonly EventGroup[],
	bucket: TimeDimension,
	dimension: PlotDimension,
	{since, until}: Pick<EventFilter, 'since' | 'until'>,
): EventPlot {
	const step = timeDimensions[bucket];
	const firstStart = Math.floor(since / step) * step;
	const bucketCount = Math.max(1, Math.floor(until / step) - firstStart / step + 1);
	const sums = new Map<string, number>();
	for (const {count, dimensions} of groups) {
		const name = dimensions[dimension] ?? '';
		sums.set(name, (sums.get(name) ?? 0) + count);
	}
	const names = [...sums].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
	const shownNames = names.length > maxSeries ? names.slice(0, maxSeries - 1) : names;
	const series = [...shownNames, ...(shownNames.length < names.length ? [undefined] : [])].map(
		seriesName => ({
			seriesName,
			values: new Array<number>(bucketCount).fill(0),
		}),
	);
	for (const {count, dimensions} of groups) {
		const bucketIndex = Math.floor((Date.parse(dimensions[bucket] ?? '') - firstStart) / step);
		const seriesIndex = shownNames.indexOf(dimensions[dimension] ?? '');
		// A name without its own series has index -1: `at` then returns the last series, which is the rest.
		const values = series.at(seriesIndex)?.values;
		if (values && bucketIndex >= 0 && bucketIndex < bucketCount)
			values[bucketIndex] = (values[bucketIndex] ?? 0) + count;
	}
	return {firstStart, step, series};
}
