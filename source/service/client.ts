import {createInterruptedFailure, createReadOnlyFailure, Failure, toFailure} from '../failure.ts';
import {findInexactNumber} from '../text/exact-json.ts';
import {parseJson} from '../text/json.ts';
import {buildCallPath, type Call, type CallEvents} from './call.ts';
import {type Clock, createRealClock} from './clock.ts';
import {buildPlannedCall, type CredentialVariables, formatCurlLine} from './curl.ts';
import {type Envelope, emptyEnvelope, parseEnvelope} from './envelope.ts';
import {createLimiter, type QuotaLeft} from './limiter.ts';
import {getOutcome, isInvalidCredential, isOutcomeUnknown} from './outcome.ts';
import {type QueryResponse, readQueryResponse} from './query-response.ts';
import {requestVerdict, toQuestion} from './question.ts';
import {quotas} from './quotas.ts';
import {createRedactor, listSecrets, type Redact, redactFailure, redactMessages} from './redaction.ts';
import {
	createInconsistentResponseFailure,
	createInexactNumberFailure,
	createRedirectFailure,
	createRefusal,
	createUnexpectedBodyFailure,
	type ResponseContext,
} from './refusal.ts';
import type {RequestCredential, RequestCredentials} from './request-credentials.ts';
import {responseLimits} from './response-limits.ts';
import {
	buildLastFailure,
	computeRetryWaitMs,
	describeUnknownOutcome,
	getRetryAfterMs,
	maxWaitMs,
} from './retries.ts';
import {refuseStale} from './stale-call.ts';
import type {Transport, TransportResponse} from './transport.ts';
import {waitOrAbort} from './wait-or-abort.ts';
import {buildWireBody} from './wire-body.ts';

/** Timeouts in milliseconds, multiplied by the clock's scale. */
const timeouts = {call: 30_000, bulk: 120_000} as const;
/** A single value of this size (bytes) or more gets the timeout of bulk work. */
const largeBodyBytes = 1_000_000;
/** The service refuses more concurrent queries. */
const maxConcurrentQueries = 2;

export type ClientOptions = {
	/** Ends in the version segment, without a trailing slash. */
	readonly baseUrl: string;
	readonly credentials: RequestCredentials;
	readonly credentialVariables: CredentialVariables;
	readonly transport: () => Promise<Transport>;
	readonly userAgent: string;
	readonly concurrency?: number;
	readonly readOnly?: boolean;
	/** Reports writes to `events.planned` instead of sending them; with `server`, asks the service about them. */
	readonly dryRun?: boolean | 'server';
	readonly events?: CallEvents;
	readonly clock?: Clock;
};

type RawResponse = TransportResponse;

/** Progress of a call. */
type CallProgress = {
	/** Milliseconds spent on attempts and back-off. */
	spentMs: number;
	/** True if an attempt may have changed something and no response denies it. */
	outcomeUnknown: boolean;
	credential?: RequestCredential;
	/** True after the one attempt to get another credential. */
	wasRenewed?: boolean;
};

/** The only client of the service: everything ledge sends goes through `call`, `read` and `query`. */
export interface Client {
	readonly baseUrl: string;
	readonly concurrency: number;
	readonly clock: Clock;
	readonly dryRun: boolean | 'server';
	/** Returns the remaining quota of calls. */
	quota(): QuotaLeft;
	/** Sends a call whose response is an envelope. Fails unless it says `success`, whatever the status. */
	call(call: Call, signal: AbortSignal): Promise<Envelope>;
	/** Sends a call whose response is raw bytes (a value). */
	read(call: Call, signal: AbortSignal): Promise<RawResponse>;
	/**
	 * Sends a query, whose response has data, errors or both. It has its own quota; at most two run at a
	 * time.
	 */
	query(call: Call, signal: AbortSignal): Promise<QueryResponse>;
}

export function createClient(options: ClientOptions): Client {
	const clock = options.clock ?? createRealClock();
	const concurrency = options.concurrency ?? 6;
	const {events = {}, baseUrl} = options;
	const reportWait = (milliseconds: number, signal: AbortSignal) => {
		events.throttled?.(milliseconds);
		events.waiting?.({milliseconds, why: 'The quota of the service is used up', isQuota: true, signal});
	};
	const limiters = {
		calls: createLimiter(concurrency, clock, quotas.calls, reportWait),
		queries: createLimiter(maxConcurrentQueries, clock, quotas.queries, reportWait),
	};
	let transport: Promise<Transport> | undefined;
	let recordCount = 0;
	const secrets = new Set<string>();
	let redact: Redact = text => text;

	/** Returns the headers of the current credential; from now on its secrets are redacted. */
	async function getCredentialHeaders(
		progress: CallProgress,
		signal: AbortSignal,
	): Promise<Readonly<Record<string, string>>> {
		try {
			progress.credential = await waitOrAbort(options.credentials.current(), signal);
		} catch (error) {
			if (signal.aborted) throw createInterruptedFailure().withDetails({outcome: 'not sent'});
			throw toFailure(error).withDetails({outcome: 'not sent'});
		}
		const headers = progress.credential.headers();
		const newSecrets = listSecrets(headers).filter(secret => !secrets.has(secret));
		for (const secret of newSecrets) secrets.add(secret);
		if (newSecrets.length > 0) redact = createRedactor([...secrets]);
		return headers;
	}

	async function attempt<T>(
		call: Call,
		parseResponse: (response: RawResponse) => T,
		attemptNumber: number,
		progress: CallProgress,
		signal: AbortSignal,
	): Promise<T> {
		const limiter = limiters[call.quota ?? 'calls'];
		using _slot = await limiter.enter(signal);
		const credential = await getCredentialHeaders(progress, signal);
		transport ??= options.transport();
		const send = await transport;
		const {body, headers} = buildWireBody(call);
		const sentBytes = body === undefined ? 0 : Buffer.byteLength(body);
		if (signal.aborted) throw createInterruptedFailure().withDetails({outcome: 'not sent'});
		refuseStale(call, clock.now());
		call.onSend?.();
		const timestamp = clock.now();
		const startElapsed = clock.elapsed();
		const record = (details: {
			status?: number;
			ray?: string;
			failed?: Failure['code'];
			failure?: Failure;
			sentBytes: number;
			receivedBytes: number;
			milliseconds: number;
		}) =>
			events.record?.({
				number: ++recordCount,
				at: timestamp,
				method: call.method,
				path: buildCallPath(call),
				attempt: attemptNumber,
				curl: formatCurlLine(call, baseUrl, options.credentialVariables),
				...details,
			});
		const isLong = call.bulk === true || sentBytes >= largeBodyBytes;
		const describeFailure = (error: unknown) =>
			error instanceof Failure ? {failure: redactFailure(error, redact)} : {};
		const getMilliseconds = () => Math.round(clock.elapsed() - startElapsed);
		let response: RawResponse;
		try {
			response = await send({
				method: call.method,
				url: baseUrl + buildCallPath(call),
				headers: {...credential, 'User-Agent': options.userAgent, ...headers},
				timeout: (isLong ? timeouts.bulk : timeouts.call) * clock.scale,
				signal,
				...(body !== undefined && {body}),
				maxBytes: call.maxResponseBytes ?? responseLimits[call.responseLimit ?? 'other'],
				// Writes that cannot be repeated avoid a kept connection, which may have died unnoticed.
				...(call.writes && call.repeat !== 'always' && {fresh: true}),
			});
		} catch (error) {
			if (signal.aborted)
				throw createInterruptedFailure().withDetails({outcome: isNotSent(error) ? 'not sent' : 'no answer'});
			record({
				sentBytes: isNotSent(error) ? 0 : sentBytes,
				receivedBytes: 0,
				milliseconds: getMilliseconds(),
				...(error instanceof Failure && {failed: error.code}),
				...describeFailure(error),
			});
			throw error;
		} finally {
			progress.spentMs += clock.elapsed() - startElapsed;
		}
		limiter.observe(response.headers);
		const ray = redact(response.headers.get('cf-ray') ?? '');
		const details = {
			status: response.status,
			sentBytes,
			receivedBytes: response.bytes.length,
			milliseconds: getMilliseconds(),
			...(ray && {ray}),
		};
		try {
			const parsed = parseResponse(response);
			record(details);
			return parsed;
		} catch (error) {
			record({...details, ...describeFailure(error)});
			throw error;
		}
	}

	async function callWithRetries<T>(
		call: Call,
		parseResponse: (response: RawResponse) => T,
		progress: CallProgress,
		signal: AbortSignal,
	): Promise<T> {
		for (let number = 1; ; number++) {
			let failure: Failure;
			let retryAfter: number | undefined;
			try {
				return await attempt(
					call,
					response => {
						retryAfter = getRetryAfterMs(response, clock);
						return parseResponse(response);
					},
					number,
					progress,
					signal,
				);
			} catch (error) {
				if (!(error instanceof Failure)) {
					// It is unknown how far the request got.
					progress.outcomeUnknown ||= call.writes;
					throw error;
				}
				failure = redactFailure(error, redact);
			}
			progress.outcomeUnknown ||= call.writes && isOutcomeUnknown(failure);
			if (await renewCredential(failure, progress, signal)) {
				number--;
				continue;
			}
			const requestedWaitMs = failure.code === 'rate_limited' ? retryAfter : undefined;
			if (requestedWaitMs !== undefined) {
				events.throttled?.(requestedWaitMs * clock.scale);
				if (requestedWaitMs <= maxWaitMs) limiters[call.quota ?? 'calls'].hold(requestedWaitMs * clock.scale);
			}
			const failedAttempt = {number, failure, spentMs: progress.spentMs, retryAfter};
			const waitMs = computeRetryWaitMs(call, failedAttempt, clock);
			if (waitMs === undefined) throw buildLastFailure(call, failedAttempt);
			if (!retryAfter) progress.spentMs += waitMs;
			const milliseconds = waitMs * clock.scale;
			events.waiting?.({
				milliseconds,
				why: failure.message,
				attempt: number + 1,
				signal,
				isQuota: requestedWaitMs !== undefined,
			});
			await clock.wait(milliseconds, signal);
		}
	}

	/** Gets another credential after the service rejected this one. Returns false if there is none. */
	async function renewCredential(
		failure: Failure,
		progress: CallProgress,
		signal: AbortSignal,
	): Promise<boolean> {
		if (!isInvalidCredential(failure) || progress.wasRenewed || !progress.credential) return false;
		progress.wasRenewed = true;
		try {
			return (await waitOrAbort(options.credentials.renew(progress.credential), signal)) !== undefined;
		} catch (error) {
			if (signal.aborted) throw createInterruptedFailure().withDetails({outcome: 'not allowed'});
			// Why no other credential is available says more than the rejection.
			throw toFailure(error).withDetails({http: failure.details.http, outcome: 'not allowed'});
		}
	}

	async function perform<T>(
		call: Call,
		parseResponse: (response: RawResponse) => T,
		signal: AbortSignal,
	): Promise<T> {
		if (call.writes && options.readOnly) throw createReadOnlyFailure(`${call.method} ${call.path}`);
		const progress: CallProgress = {spentMs: 0, outcomeUnknown: false};
		try {
			return await callWithRetries(call, parseResponse, progress, signal);
		} catch (error) {
			const failure = redactFailure(toFailure(error), redact);
			// True if the call was interrupted while it waited for its turn or for a retry.
			const wasOnlyWaiting = failure.code === 'interrupted' && failure.details.outcome === undefined;
			if (!progress.outcomeUnknown)
				throw wasOnlyWaiting ? failure.withDetails({outcome: 'not sent'}) : failure;
			throw (signal.aborted ? createInterruptedFailure(describeUnknownOutcome(call)) : failure).withDetails({
				outcomeUnknown: true,
			});
		}
	}

	return {
		baseUrl,
		concurrency,
		clock,
		dryRun: options.dryRun ?? false,
		quota: limiters.calls.getQuotaLeft,
		async call(call, signal) {
			if (call.writes && options.dryRun && !call.isQuestion) {
				if (options.readOnly) throw createReadOnlyFailure(`${call.method} ${call.path}`);
				const plannedCall = buildPlannedCall(call, baseUrl, options.credentialVariables);
				const verdict = options.dryRun === 'server' && (await requestVerdict(call));
				events.planned?.({...plannedCall, ...(verdict && {verdict})});
				return {...emptyEnvelope, result: call.dryRunResult ?? null};
			}
			const sentCall = call.isQuestion ? toQuestion(call, baseUrl) : call;
			return perform(sentCall, response => readEnvelope(call, response, redact), signal);
		},
		read(call, signal) {
			return perform(
				{responseLimit: 'value', ...call},
				response => readValue(call, response, redact),
				signal,
			);
		},
		query(call, signal) {
			return perform(
				{...call, quota: 'queries'},
				response => readQueryResponse(toResponseContext(call, response), response, redact),
				signal,
			);
		},
	};
}

const isNotSent = (error: unknown): boolean => error instanceof Failure && getOutcome(error) === 'not sent';

const toResponseContext = ({method, path}: Call, {status, headers}: RawResponse): ResponseContext => ({
	status,
	headers,
	method,
	path,
});

/**
 * Returns the envelope of a successful response. Fails for all others, and for incomplete ones: an empty
 * body, `success` with an error status, a read without a `result`.
 */
function readEnvelope(call: Call, response: RawResponse, redact: Redact): Envelope {
	const {status, bytes} = response;
	const context = toResponseContext(call, response);
	if (isRedirect(status)) throw createRedirectFailure(context);
	const text = decoder.decode(bytes);
	const envelope = parseEnvelope(parseJson(text), status);
	// Redact before cutting the excerpt: half a secret would not be recognized.
	if (!envelope || (envelope.success && status === 429))
		throw createUnexpectedBodyFailure(context, redact(text));
	if (!envelope.success) throw createRefusal(context, envelope);
	if (status < 200 || status >= 300)
		throw createInconsistentResponseFailure(context, `It says "success" with status ${status}.`);
	if (!call.writes && !envelope.hasResult)
		throw createInconsistentResponseFailure(context, 'It has no "result".');
	const inexactNumber = call.exactNumbers ? findInexactNumber(text) : undefined;
	if (inexactNumber !== undefined) throw createInexactNumberFailure(context, inexactNumber);
	const date = Date.parse(response.headers.get('date') ?? '');
	return {...envelope, messages: redactMessages(envelope.messages, redact), ...(date && {respondedAt: date})};
}

/**
 * Returns the bytes of a value. If nothing marks their end, a broken connection would look like a shorter
 * value.
 */
function readValue(call: Call, response: RawResponse, redact: Redact): RawResponse {
	const {status, bytes, framed} = response;
	const context = toResponseContext(call, response);
	if (isRedirect(status)) throw createRedirectFailure(context);
	if (status === 200) {
		if (framed === false)
			throw createInconsistentResponseFailure(
				context,
				'Nothing marks the end of the value, so it may be incomplete.',
			);
		return response;
	}
	const text = decoder.decode(bytes);
	const envelope = parseEnvelope(parseJson(text), status);
	if (!envelope) throw createUnexpectedBodyFailure(context, redact(text));
	throw envelope.success
		? createInconsistentResponseFailure(context, `It has the status ${status}.`)
		: createRefusal(context, envelope);
}

const decoder = new TextDecoder();

const isRedirect = (status: number): boolean => status >= 300 && status < 400;
