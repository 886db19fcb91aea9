/** Requests at once, and how many more become possible each second. */
export type Quota = {readonly burst: number; readonly perSecond: number};

/**
 * The public quotas, all credentials of a user together: 1,200 requests in five minutes, and apart from them 300 queries
 * of analytics. A client holds itself to those 300 in every five minutes, the burst included.
 */
export const quotas = {
	calls: {burst: 1200, perSecond: 4},
	queries: {burst: 100, perSecond: 2 / 3},
} as const satisfies Record<string, Quota>;
