import type {Plan} from '../accounts/plan.ts';

/** The limits of a plan for a dataset; durations are in seconds. */
export type NodeLimits = {
	readonly enabled: boolean;
	readonly maxDuration: number;
	readonly maxNumberOfFields: number;
	readonly maxPageSize: number;
	readonly notOlderThan: number;
};

const day = 86_400;

const storeLimits: NodeLimits = {
	enabled: true,
	maxDuration: 31 * day,
	maxNumberOfFields: 30,
	maxPageSize: 10_000,
	notOlderThan: 31 * day,
};

const eventLimits: Readonly<Record<Plan, Omit<NodeLimits, 'enabled'>>> = {
	free: {maxDuration: day, maxNumberOfFields: 15, maxPageSize: 500, notOlderThan: day},
	pro: {maxDuration: day, maxNumberOfFields: 30, maxPageSize: 10_000, notOlderThan: 3 * day},
	business: {maxDuration: 3 * day, maxNumberOfFields: 30, maxPageSize: 10_000, notOlderThan: 3 * day},
	enterprise: {maxDuration: 30 * day, maxNumberOfFields: 30, maxPageSize: 10_000, notOlderThan: 30 * day},
};

/**
 * Returns the limits of a dataset. Without a plan, returns the fixed limits of account datasets. Free does
 * not include single events.
 */
export const getDatasetLimits = (dataset: string, plan: Plan | undefined): NodeLimits =>
	plan === undefined
		? storeLimits
		: {enabled: dataset !== 'firewallEventsAdaptive' || plan !== 'free', ...eventLimits[plan]};

/** Maximum number of zones in a query; accounts are limited to one. */
export const maxZonesPerQuery = 10;

/** Delay until an operation or event is in the datasets, in milliseconds. */
export const lagMilliseconds = 120_000;
