import type {Plan} from '../accounts/plan.ts';

/** The limits of a plan for a dataset; durations are in seconds. */
export type AnalyticsLimits = {
	readonly enabled: boolean;
	readonly maxDuration: number;
	readonly maxNumberOfFields: number;
	readonly maxPageSize: number;
	readonly notOlderThan: number;
};

const daySeconds = 86_400;

const storeLimits: AnalyticsLimits = {
	enabled: true,
	maxDuration: 31 * daySeconds,
	maxNumberOfFields: 30,
	maxPageSize: 10_000,
	notOlderThan: 31 * daySeconds,
};

const eventLimits: Readonly<Record<Plan, Omit<AnalyticsLimits, 'enabled'>>> = {
	free: {maxDuration: daySeconds, maxNumberOfFields: 15, maxPageSize: 500, notOlderThan: daySeconds},
	pro: {maxDuration: daySeconds, maxNumberOfFields: 30, maxPageSize: 10_000, notOlderThan: 3 * daySeconds},
	business: {
		maxDuration: 3 * daySeconds,
		maxNumberOfFields: 30,
		maxPageSize: 10_000,
		notOlderThan: 3 * daySeconds,
	},
	enterprise: {
		maxDuration: 30 * daySeconds,
		maxNumberOfFields: 30,
		maxPageSize: 10_000,
		notOlderThan: 30 * daySeconds,
	},
};

/**
 * Returns the limits of a dataset. Without a plan, returns the fixed limits of account datasets. Free does
 * not include single events.
 */
export const getDatasetLimits = (dataset: string, plan: Plan | undefined): AnalyticsLimits =>
	plan === undefined
		? storeLimits
		: {enabled: dataset !== 'firewallEventsAdaptive' || plan !== 'free', ...eventLimits[plan]};

/** Maximum number of zones in a query; accounts are limited to one. */
export const maxZonesPerQuery = 10;

/** Delay until an operation or event is in the datasets, in milliseconds. */
export const lagMilliseconds = 120_000;
