import {type EventGroup, isEstimate} from '../analytics/event-groups.ts';
import type {RuleReference} from './rule-behind.ts';

/** What the most frequent are listed of. */
export const topLists = ['rules', 'paths', 'addresses', 'countries'] as const;
export type TopList = (typeof topLists)[number];

/** One of the most frequent values of something. */
export type Listed = {
	/** The value itself: the id of a rule, a path, an address, a code of a country; empty where events have none. */
	readonly value: string;
	readonly count: number;
	/** Whether the count is an estimate. */
	readonly isEstimate: boolean;
	/** Of a rule: what is known of it by its events. */
	readonly rule?: RuleReference;
	/** Of an address. */
	readonly country?: string | undefined;
};

const valueDimensions = {
	rules: 'ruleId',
	paths: 'clientRequestPath',
	addresses: 'clientIP',
	countries: 'clientCountryName',
} as const satisfies Record<TopList, string>;

/** Groups as values with their counts, the most frequent first: those of the same value are one. */
export function listedValues(groups: readonly EventGroup[], list: TopList): readonly Listed[] {
	const found = new Map<string, Listed>();
	for (const group of groups) {
		const {dimensions, count} = group;
		const value = dimensions[valueDimensions[list]] ?? '';
		const name = list === 'rules' ? JSON.stringify([value, dimensions.source]) : value;
		const same = found.get(name);
		const rule = list === 'rules' ? referenceIn(group) : undefined;
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

/** What a group reports about the rule behind its events. */
export const referenceIn = ({dimensions}: Pick<EventGroup, 'dimensions'>): RuleReference => ({
	source: dimensions.source ?? '',
	...(dimensions.ruleId ? {rule: dimensions.ruleId} : {}),
	...(dimensions.rulesetId ? {ruleset: dimensions.rulesetId} : {}),
	...(dimensions.description ? {description: dimensions.description} : {}),
});
