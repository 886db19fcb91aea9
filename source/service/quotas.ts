/** Burst size, and requests added per second. */
export type Quota = {readonly burst: number; readonly perSecond: number};

/**
 * The public quotas, shared by all credentials of a user: 1,200 requests in five minutes, and separately 300
 * analytics queries. A client stays within these 300 in any five minutes, including the burst.
 */
export const quotas = {
	calls: {burst: 1200, perSecond: 4},
	queries: {burst: 100, perSecond: 2 / 3},
} as const satisfies Record<string, Quota>;
