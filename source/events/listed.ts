import {type EventGroup, isEstimate} from '../analytics/event-groups.ts';
import type {RuleReference} from './rule-behind.ts';

/** Lists of the most frequent values. */
export const topLists = ['rules', 'paths', 'addresses', 'countries'] as const;
export type TopList = (typeof topLists)[number];

export type TopValue = {
	/** Rule id, path, address or country code; empty if events have none. */
	readonly value: string;
	readonly count: number;
	/** Whether the count is an estimate. */
	readonly isEstimate: boolean;
	/** For rules: what events report about it. */
	readonly rule?: RuleReference;
	/** For addresses. */
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
	const found = new Map<string, TopValue>();
	for (const group of groups) {
		const {dimensions, count} = group;
		const value = dimensions[valueDimensions[list]] ?? '';
		const name = list === 'rules' ? JSON.stringify([value, dimensions.source]) : value;
		const same = found.get(name);
		const rule = list === 'rules' ? getRuleReference(group) : undefined;
		found.set(name, {
			value,
			count: (same?.count ?? 0) + count,
			isEstimate: same?.isEstimate === true || isEstimate(group),
			...(rule && {rule: same?.rule ? {...rule, ...same.rule} : rule}),
			...(list === 'addresses' && {country: dimensions.clientCountryName || undefined}),
		});
	}
	return [...found.values()].toSorted((one, other) => other.count - one.count);
}

/** Returns what a group reports about the rule behind its events. */
export const getRuleReference = ({dimensions}: Pick<EventGroup, 'dimensions'>): RuleReference => ({
	source: dimensions.source ?? '',
	...(dimensions.ruleId ? {rule: dimensions.ruleId} : {}),
	...(dimensions.rulesetId ? {ruleset: dimensions.rulesetId} : {}),
	...(dimensions.description ? {description: dimensions.description} : {}),
});
