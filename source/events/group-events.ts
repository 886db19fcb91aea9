import {getAnalytics} from '../analytics/analytics.ts';
import {type EventGroup, isEstimate, readEventGroups} from '../analytics/event-groups.ts';
import {
	type Dimension,
	type EventFilter,
	type TimeDimension,
	timeDimensions,
} from '../analytics/event-query.ts';
import type {ReadResult} from '../analytics/problem.ts';
import type {Client} from '../service/client.ts';
import type {RuleReference} from './event-rule.ts';
import {findFinestBucket} from './overview.ts';
import {getRuleReference} from './top-values.ts';

/** Grouping words that a person types. */
export const groupWords = [
	'rule',
	'action',
	'source',
	'path',
	'country',
	'ip',
	'host',
	'method',
	'time',
] as const;
export type GroupWord = (typeof groupWords)[number];

const dimensionByWord: Readonly<Record<Exclude<GroupWord, 'time'>, Dimension>> = {
	rule: 'ruleId',
	action: 'action',
	source: 'source',
	path: 'clientRequestPath',
	country: 'clientCountryName',
	ip: 'clientIP',
	host: 'clientRequestHTTPHost',
	method: 'clientRequestHTTPMethodName',
};

/** Events with equal values of the grouping words. */
export type CountedGroup = {
	readonly values: Readonly<Partial<Record<GroupWord, string>>>;
	readonly count: number;
	/** True if the count is an estimate. */
	readonly isEstimate: boolean;
	/** What the events report about their rule; undefined unless grouped by rule. */
	readonly rule: RuleReference | undefined;
	/** Start of the time bucket, in milliseconds since the epoch; undefined unless grouped by time. */
	readonly bucketStart: number | undefined;
};

export type CountedGroups = {
	/** The most frequent first; by time the earliest first. */
	readonly groups: readonly CountedGroup[];
	/** Length of a time bucket in milliseconds; undefined unless grouped by time. */
	readonly step: number | undefined;
	/** First moment covered; later than requested if the plan keeps less. */
	readonly since: number;
	readonly isSampled: boolean;
};

/**
 * Counts the events of a zone by one or more grouping words. Without `limit`, returns as many groups as the
 * service does.
 */
export async function groupEvents(
	client: Client,
	zoneId: string,
	filter: EventFilter,
	{by, limit}: {readonly by: readonly GroupWord[]; readonly limit?: number | undefined},
	signal: AbortSignal,
): Promise<ReadResult<CountedGroups>> {
	const bucket = by.includes('time') ? await findBucket(client, filter, signal) : undefined;
	const neededDimensions = new Set<Dimension>();
	for (const word of by) {
		neededDimensions.add(word === 'time' ? (bucket ?? 'date') : dimensionByWord[word]);
		if (word === 'rule') neededDimensions.add('source');
	}
	const groupsByRule = by.includes('rule');
	const {value, problems} = await readEventGroups(
		client,
		zoneId,
		filter,
		{
			all: {
				by: [...neededDimensions],
				...(groupsByRule && {optionalDimensions: ['rulesetId', 'description'] as const}),
			},
		},
		signal,
	);
	const {groups: {all: eventGroups} = {}, since = filter.since, isSampled = false} = value ?? {};
	if (!eventGroups) return {value: undefined, problems};
	const countedGroups = mergeGroups(eventGroups.map(group => toCountedGroup(group, by, bucket)));
	const sortedGroups = bucket
		? countedGroups.toSorted((one, other) => (one.bucketStart ?? 0) - (other.bucketStart ?? 0))
		: countedGroups;
	return {
		value: {
			groups: limit === undefined || bucket ? sortedGroups : sortedGroups.slice(0, limit),
			step: bucket && timeDimensions[bucket],
			since,
			isSampled,
		},
		problems,
	};
}

async function findBucket(
	client: Client,
	filter: EventFilter,
	signal: AbortSignal,
): Promise<TimeDimension | undefined> {
	const schema = await getAnalytics(client).datasets.fields('firewallEventsAdaptiveGroups', signal);
	const isKnown = schema !== undefined && schema !== 'missing';
	return findFinestBucket(filter, name => !isKnown || schema.dimensions.has(name));
}

function toCountedGroup(
	group: EventGroup,
	grouping: readonly GroupWord[],
	bucket: TimeDimension | undefined,
): CountedGroup {
	const bucketStart = bucket && Date.parse(group.dimensions[bucket] ?? '');
	const getShownValue = (word: GroupWord): string =>
		word === 'time'
			? (bucket && group.dimensions[bucket]) || ''
			: (group.dimensions[dimensionByWord[word]] ?? '');
	return {
		values: Object.fromEntries(grouping.map(word => [word, getShownValue(word)])),
		count: group.count,
		isEstimate: isEstimate(group),
		rule: grouping.includes('rule') ? getRuleReference(group) : undefined,
		bucketStart,
	};
}

/** Merges groups that differ only in the name of their rule. Most frequent first. */
function mergeGroups(groups: readonly CountedGroup[]): readonly CountedGroup[] {
	const groupsByKey = new Map<string, CountedGroup>();
	for (const group of groups) {
		const name = JSON.stringify([group.values, group.rule?.source]);
		const earlierGroup = groupsByKey.get(name);
		groupsByKey.set(
			name,
			earlierGroup
				? {
						...earlierGroup,
						count: earlierGroup.count + group.count,
						isEstimate: earlierGroup.isEstimate || group.isEstimate,
					}
				: group,
		);
	}
	return [...groupsByKey.values()].toSorted((one, other) => other.count - one.count);
}
