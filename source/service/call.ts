import type {FailureCode} from '../failure.ts';
import type {JsonValue} from '../text/json.ts';
import type {answerLimits} from './answer-limits.ts';
import type {quotas} from './quotas.ts';

/** What a request carries. Only `json` is ever shown: the others may hold values of keys. */
type CallBody =
	| {readonly kind: 'json'; readonly value: unknown}
	/** A JSON array of what may be much: it becomes bytes item by item, and never one long text. */
	| {readonly kind: 'list'; readonly items: readonly unknown[]}
	| {readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly file?: string | undefined}
	| {
			readonly kind: 'value';
			readonly bytes: Uint8Array;
			readonly metadata: JsonValue;
			readonly file?: string | undefined;
	  };

/**
 * How a call may be repeated: `always` on network errors, 429 and 5xx; `throttled` on 429 only;
 * `never` not at all, because the state must be read first.
 */
type Repeatable = 'always' | 'throttled' | 'never';

export type Call = {
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Below the base URL, beginning with a slash; path segments already encoded. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	readonly body?: CallBody;
	readonly repeat: Repeatable;
	/** Whether it changes anything: refused by `--read-only`, only shown by `--dry-run`. */
	readonly writes: boolean;
	/** Bulk work: 120 s instead of 30 s, and a 413, a 524 or a time-out goes to the caller at once, who halves it. */
	readonly bulk?: boolean;
	/** What it answers, for the largest size of that (answer-limits.ts); a value for `read`, else `other` when left out. */
	readonly answers?: keyof typeof answerLimits;
	/** The quota that it counts against (limiter.ts), `calls` when left out. */
	readonly quota?: keyof typeof quotas;
	/** Bytes of the answer that are read instead; a larger one is dropped and fails as `tooMuch`, for the caller to ask for less. */
	readonly mostBytes?: number;
	/**
	 * A number in the answer that cannot be kept as it is written counts as malformed: for what a decision rests on
	 * that cannot be undone.
	 */
	readonly exactNumbers?: boolean;
	/**
	 * What it rests on was read at `since`, milliseconds since the epoch. Where it would leave more than `milliseconds`
	 * later, because the quota was used up or the queue held, it is not sent and fails with `changed_meanwhile`.
	 */
	readonly freshFor?: {
		readonly since: number;
		readonly milliseconds: number;
		/** Milliseconds that the reading itself took, from its first answer to its last. */
		readonly took?: number;
	};
	/** Called when an attempt goes out, after all waiting for the quota. */
	readonly leaves?: () => void;
	/** What a dry run answers instead of the service, for the calls that come after. */
	readonly pretend?: unknown;
};

/** One attempt of a call as `--verbose` and the activity screen show it. Holds no credential and no value. */
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
	readonly sentBytes: number;
	readonly receivedBytes: number;
	readonly curl: string;
};

/** A request that a dry run shows instead of sending it. */
export type PlannedCall = {
	readonly method: Call['method'];
	readonly url: string;
	/** What the body is, in words; the body itself only where it holds no value of a key. */
	readonly body?: {readonly describes: string; readonly file: string; readonly content?: string};
	readonly curl: string;
};

export type Waiting = {
	readonly milliseconds: number;
	readonly why: string;
	/** The number of the next attempt; none when the wait is for the quota. */
	readonly attempt?: number;
	/** True if it waits for the quota of the service. */
	readonly isQuota?: boolean;
	/** Ends the wait early. */
	readonly signal: AbortSignal;
};

export type CallEvents = {
	record?(record: CallRecord): void;
	planned?(call: PlannedCall): void;
	/** The client waits: before it tries again, because of a 429 or a failure that may pass; or for the quota. */
	waiting?(wait: Waiting): void;
	/** The quota of the service is used up for so many milliseconds, whatever becomes of this call. */
	throttled?(milliseconds: number): void;
};

/** Path and query of a call, as they follow the base URL. */
export function pathAndQuery(call: Call): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(call.query ?? {}))
		if (value !== undefined) query.set(name, String(value));
	const text = query.toString();
	return text ? `${call.path}?${text}` : call.path;
}
