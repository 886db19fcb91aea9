import {type EventGroup, isEstimate} from '../analytics/event-groups.ts';
import type {RuleReference} from './event-rule.ts';

/** Lists of the most frequent values. */
export const topLists = ['rules', 'paths', 'addresses', 'countries'] as const;
export type TopList = (typeof topLists)[number];

export type TopValue = {
	/** Rule id, path, address or country code; empty if events have none. */
	readonly value: string;
	readonly count: number;
	/** True if the count is an estimate. */
	readonly isEstimate: boolean;
	/** For rules: what the events report about the rule. */
	readonly rule?: RuleReference;
	/** For rules: what they did, the most frequent first, in the service's words. */
	readonly actions?: readonly string[];
	/** For addresses: the country of the address. */
	readonly country?: string | undefined;
};

const valueDimensions = {
	rules: 'ruleId',
	paths: 'clientRequestPath',
	addresses: 'clientIP',
	countries: 'clientCountryName',
} as const satisfies Record<TopList, string>;

/** Converts groups to values with counts, merging equal values. Most frequent first. */
export function listTopValues(groups: readonly EventGroup[], list: TopList): readonly TopValue[] {
	const valuesByName = new Map<string, TopValue>();
	for (const group of groups) {
		const {dimensions, count} = group;
		const value = dimensions[valueDimensions[list]] ?? '';
		const name = list === 'rules' ? JSON.stringify([value, dimensions.source]) : value;
		const earlierValue = valuesByName.get(name);
		const rule = list === 'rules' ? getRuleReference(group) : undefined;
		valuesByName.set(name, {
			value,
			count: (earlierValue?.count ?? 0) + count,
			isEstimate: earlierValue?.isEstimate === true || isEstimate(group),
			...(rule && {
				rule: earlierValue?.rule ? {...rule, ...earlierValue.rule} : rule,
				actions: [
					...new Set([...(earlierValue?.actions ?? []), ...(dimensions.action ? [dimensions.action] : [])]),
				],
			}),
			...(list === 'addresses' && {country: dimensions.clientCountryName || undefined}),
		});
	}
	return [...valuesByName.values()].toSorted((one, other) => other.count - one.count);
}

/** Returns what a group reports about the rule behind its events. */
export const getRuleReference = ({dimensions}: Pick<EventGroup, 'dimensions'>): RuleReference => ({
	source: dimensions.source ?? '',
	...(dimensions.ruleId ? {ruleId: dimensions.ruleId} : {}),
	...(dimensions.rulesetId ? {rulesetId: dimensions.rulesetId} : {}),
	...(dimensions.description ? {description: dimensions.description} : {}),
});
