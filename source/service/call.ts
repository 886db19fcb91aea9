import type {Failure, FailureCode} from '../failure.ts';
import type {JsonValue} from '../text/json.ts';
import type {quotas} from './quotas.ts';
import type {responseLimits} from './response-limits.ts';

/** Body of a request. Only `json` is ever shown: the others may contain values. */
type CallBody =
	| {readonly kind: 'json'; readonly value: unknown}
	/** A large JSON array: encoded item by item, never as one long string. */
	| {readonly kind: 'list'; readonly items: readonly unknown[]}
	| {readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly file?: string | undefined}
	| {
			readonly kind: 'value';
			readonly bytes: Uint8Array;
			readonly metadata: JsonValue;
			readonly file?: string | undefined;
	  };

/**
 * Retry policy: `always` retries network errors, 429 and 5xx; `throttled` only 429; `never` nothing, because
 * the state must be read first.
 */
type RepeatPolicy = 'always' | 'throttled' | 'never';

/** What the service says of a write that it checked without making it. */
export type ServiceVerdict =
	| {readonly state: 'valid'}
	/**
	 * `not checked`: nothing is known, because the credential may not write, or there was no usable answer.
	 * `changed`: the rules are no longer the same, so the service may have made the change.
	 */
	| {readonly state: 'refused' | 'not checked' | 'changed'; readonly failure: Failure};

export type Call = {
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Path below the base URL with a leading slash; segments are already encoded. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	readonly body?: CallBody;
	readonly repeat: RepeatPolicy;
	/** True for writes: refused by `--read-only`, only shown by `--dry-run`. */
	readonly writes: boolean;
	/**
	 * True for bulk work: a timeout of 120 s instead of 30 s; a 413, 524 or timeout goes to the caller at
	 * once, which halves the batch.
	 */
	readonly bulk?: boolean;
	/**
	 * Kind of response, which determines its size limit (answer-limits.ts); by default a value for `read`,
	 * else `other`.
	 */
	readonly responseLimit?: keyof typeof responseLimits;
	/** The quota that the call counts against (limiter.ts); `calls` by default. */
	readonly quota?: keyof typeof quotas;
	/**
	 * Size limit in bytes instead of the one for the kind; a larger response is dropped and fails in a way
	 * that `isRequestTooLarge` recognizes, so that the caller can request less.
	 */
	readonly maxResponseBytes?: number;
	/**
	 * True if numbers that cannot be represented exactly make the response malformed: for decisions that
	 * cannot be undone.
	 */
	readonly exactNumbers?: boolean;
	/**
	 * The call depends on data read at `since`, milliseconds since the epoch. If it would be sent more than
	 * `milliseconds` later, because of the quota or the queue, it fails with `changed_meanwhile` instead.
	 */
	readonly freshFor?: {
		readonly since: number;
		readonly milliseconds: number;
		/** Milliseconds that the read took, from the first response to the last. */
		readonly readingMs?: number;
	};
	/** Called when an attempt is sent, after any wait for the quota. */
	readonly onSend?: () => void;
	/** What a dry run returns as the result, so that later calls can use it. */
	readonly dryRunResult?: unknown;
	/** Asks the service whether it would accept this write, for `--dry-run=server`. Never rejects. */
	readonly askService?: () => Promise<ServiceVerdict>;
	/**
	 * True to ask only whether the service would accept this write: it is sent with `dry_run=true`, which
	 * makes nothing. Refused for other services than the default one and those on this machine.
	 */
	readonly isQuestion?: boolean;
};

/** One attempt of a call for `--verbose` and the activity screen. Contains no credential and no value. */
export type CallRecord = {
	readonly number: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly method: Call['method'];
	readonly path: string;
	readonly attempt: number;
	readonly milliseconds: number;
	readonly status?: number;
	readonly ray?: string;
	readonly failed?: FailureCode;
	/** Why the attempt has no usable response; redacted. */
	readonly failure?: Failure;
	readonly sentBytes: number;
	readonly receivedBytes: number;
	readonly curl: string;
};

/** A request that a dry run shows instead of sending it. */
export type PlannedCall = {
	readonly method: Call['method'];
	readonly url: string;
	/** Describes the body; includes it only if it contains no value of a key. */
	readonly body?: {readonly describes: string; readonly file: string; readonly content?: string};
	readonly curl: string;
	/** What the service says of it, if it was asked. */
	readonly verdict?: ServiceVerdict;
};

export type CallWait = {
	readonly milliseconds: number;
	readonly why: string;
	/** Number of the next attempt; undefined when waiting for the quota. */
	readonly attempt?: number;
	/** True if it waits for the quota of the service. */
	readonly isQuota?: boolean;
	/** Ends the wait early. */
	readonly signal: AbortSignal;
};

export type CallEvents = {
	record?(record: CallRecord): void;
	planned?(call: PlannedCall): void;
	/** The client waits before a retry (429 or a transient failure) or for the quota. */
	waiting?(wait: CallWait): void;
	/** The quota is used up for this many milliseconds, whatever happens to this call. */
	throttled?(milliseconds: number): void;
};

/** Returns path and query of a call, to append to the base URL. */
export function buildCallPath(call: Call): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(call.query ?? {}))
		if (value !== undefined) query.set(name, String(value));
	const text = query.toString();
	return text ? `${call.path}?${text}` : call.path;
}
