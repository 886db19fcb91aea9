import type {Plan} from '../accounts/plan.ts';

/** What a plan allows of a dataset; times are in seconds. */
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

/** The limits of a dataset; those of an account do not depend on a plan. The Free plan has no single events. */
export const limitsOf = (dataset: string, plan: Plan | undefined): NodeLimits =>
	plan === undefined
		? storeLimits
		: {enabled: dataset !== 'firewallEventsAdaptive' || plan !== 'free', ...eventLimits[plan]};

/** Zones in one query; of accounts one. */
export const mostZones = 10;

/** Milliseconds until something is in the numbers. */
export const lagMilliseconds = 120_000;
