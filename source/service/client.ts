import {createInterruptedFailure, createReadOnlyFailure, Failure, toFailure} from '../failure.ts';
import {findInexactNumber} from '../text/exact-json.ts';
import type {JsonValue} from '../text/json.ts';
import {answerLimits} from './answer-limits.ts';
import {buildCallPath, type Call, type CallEvents} from './call.ts';
import {type Clock, createRealClock} from './clock.ts';
import {buildPlannedCall, type CredentialVariables, formatCurlLine} from './curl.ts';
import {type Envelope, emptyEnvelope, parseEnvelope, parseJson} from './envelope.ts';
import {encodeJsonList} from './json-list.ts';
import {createLimiter, type QuotaLeft} from './limiter.ts';
import {buildValueForm} from './multipart.ts';
import {getOutcome, isOutcomeUnknown} from './outcome.ts';
import {type QueryAnswer, readQueryAnswer} from './query-answer.ts';
import {quotas} from './quotas.ts';
import {createRedactor, listSecrets, type Redact, redactFailure, redactMessages} from './redaction.ts';
import {
	type Answer,
	createInexactAnswerFailure,
	createRedirectFailure,
	createRefusal,
	createUnexpectedBodyFailure,
	createUnfitAnswerFailure,
} from './refusal.ts';
import {
	buildLastFailure,
	computeRetryWaitMs,
	describeUnknownOutcome,
	getRetryAfterMs,
	maxWaitMs,
} from './repeating.ts';
import type {RequestCredential, RequestCredentials} from './request-credentials.ts';
import type {Transport, TransportAnswer} from './transport.ts';
import {waitOrAbort} from './until-aborted.ts';

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
	/** Reports writes to `events.planned` instead of sending them. */
	readonly dryRun?: boolean;
	readonly events?: CallEvents;
	readonly clock?: Clock;
};

type RawAnswer = TransportAnswer;

/** Progress of a call. */
type Work = {
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
	readonly dryRun: boolean;
	/** Returns the remaining quota of calls. */
	quota(): QuotaLeft;
	/** Sends a call whose response is an envelope. Fails unless it says `success`, whatever the status. */
	call(call: Call, signal: AbortSignal): Promise<Envelope>;
	/** Sends a call whose response is raw bytes (a value). */
	read(call: Call, signal: AbortSignal): Promise<RawAnswer>;
	/**
	 * Sends a query, whose response has data, errors or both. It has its own quota; at most two run at a
	 * time.
	 */
	query(call: Call, signal: AbortSignal): Promise<QueryAnswer>;
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
		work: Work,
		signal: AbortSignal,
	): Promise<Readonly<Record<string, string>>> {
		try {
			work.credential = await waitOrAbort(options.credentials.current(), signal);
		} catch (error) {
			if (signal.aborted) throw createInterruptedFailure().withDetails({outcome: 'not sent'});
			throw toFailure(error).withDetails({outcome: 'not sent'});
		}
		const headers = work.credential.headers();
		const newSecrets = listSecrets(headers).filter(secret => !secrets.has(secret));
		for (const secret of newSecrets) secrets.add(secret);
		if (newSecrets.length > 0) redact = createRedactor([...secrets]);
		return headers;
	}

	async function attempt(call: Call, number: number, work: Work, signal: AbortSignal): Promise<RawAnswer> {
		const limiter = limiters[call.quota ?? 'calls'];
		using _slot = await limiter.enter(signal);
		const credential = await getCredentialHeaders(work, signal);
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
			sentBytes: number;
			receivedBytes: number;
		}) =>
			events.record?.({
				number: ++recordCount,
				at: timestamp,
				method: call.method,
				path: buildCallPath(call),
				attempt: number,
				milliseconds: Math.round(clock.elapsed() - startElapsed),
				curl: formatCurlLine(call, baseUrl, options.credentialVariables),
				...details,
			});
		const isLong = call.bulk === true || sentBytes >= largeBodyBytes;
		try {
			const answer = await send({
				method: call.method,
				url: baseUrl + buildCallPath(call),
				headers: {...credential, 'User-Agent': options.userAgent, ...headers},
				timeout: (isLong ? timeouts.bulk : timeouts.call) * clock.scale,
				signal,
				...(body !== undefined && {body}),
				maxBytes: call.mostBytes ?? answerLimits[call.answers ?? 'other'],
				// Writes that cannot be repeated avoid a kept connection, which may have died unnoticed.
				...(call.writes && call.repeat !== 'always' && {fresh: true}),
			});
			limiter.observe(answer.headers);
			const ray = redact(answer.headers.get('cf-ray') ?? '');
			record({status: answer.status, sentBytes, receivedBytes: answer.bytes.length, ...(ray && {ray})});
			return answer;
		} catch (error) {
			if (signal.aborted)
				throw createInterruptedFailure().withDetails({outcome: isNotSent(error) ? 'not sent' : 'no answer'});
			record({
				sentBytes: isNotSent(error) ? 0 : sentBytes,
				receivedBytes: 0,
				...(error instanceof Failure && {failed: error.code}),
			});
			throw error;
		} finally {
			work.spentMs += clock.elapsed() - startElapsed;
		}
	}

	async function callWithRetries<T>(
		call: Call,
		accept: (answer: RawAnswer) => T,
		work: Work,
		signal: AbortSignal,
	): Promise<T> {
		for (let number = 1; ; number++) {
			let failure: Failure;
			let retryAfter: number | undefined;
			try {
				const answer = await attempt(call, number, work, signal);
				retryAfter = getRetryAfterMs(answer, clock);
				return accept(answer);
			} catch (error) {
				if (!(error instanceof Failure)) {
					// It is unknown how far the request got.
					work.outcomeUnknown ||= call.writes;
					throw error;
				}
				failure = redactFailure(error, redact);
			}
			work.outcomeUnknown ||= call.writes && isOutcomeUnknown(failure);
			if (await renewCredential(failure, work, signal)) {
				number--;
				continue;
			}
			const requestedWaitMs = failure.code === 'rate_limited' ? retryAfter : undefined;
			if (requestedWaitMs !== undefined) {
				events.throttled?.(requestedWaitMs * clock.scale);
				if (requestedWaitMs <= maxWaitMs) limiters[call.quota ?? 'calls'].hold(requestedWaitMs * clock.scale);
			}
			const failedAttempt = {number, failed: failure, spent: work.spentMs, retryAfter};
			const waitMs = computeRetryWaitMs(call, failedAttempt, clock);
			if (waitMs === undefined) throw buildLastFailure(call, failedAttempt);
			if (!retryAfter) work.spentMs += waitMs;
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
	async function renewCredential(failure: Failure, work: Work, signal: AbortSignal): Promise<boolean> {
		if (!isInvalidCredential(failure) || work.wasRenewed || !work.credential) return false;
		work.wasRenewed = true;
		try {
			return (await waitOrAbort(options.credentials.renew(work.credential), signal)) !== undefined;
		} catch (error) {
			if (signal.aborted) throw createInterruptedFailure().withDetails({outcome: 'not allowed'});
			// Why no other credential is available says more than the rejection.
			throw toFailure(error).withDetails({http: failure.details.http, outcome: 'not allowed'});
		}
	}

	async function perform<T>(call: Call, accept: (answer: RawAnswer) => T, signal: AbortSignal): Promise<T> {
		if (call.writes && options.readOnly) throw createReadOnlyFailure(`${call.method} ${call.path}`);
		const work: Work = {spentMs: 0, outcomeUnknown: false};
		try {
			return await callWithRetries(call, accept, work, signal);
		} catch (error) {
			const failure = redactFailure(toFailure(error), redact);
			// True if the call was interrupted while it waited for its turn or for a retry.
			const isOnlyWaiting = failure.code === 'interrupted' && failure.details.outcome === undefined;
			if (!work.outcomeUnknown) throw isOnlyWaiting ? failure.withDetails({outcome: 'not sent'}) : failure;
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
			if (call.writes && options.dryRun) {
				if (options.readOnly) throw createReadOnlyFailure(`${call.method} ${call.path}`);
				events.planned?.(buildPlannedCall(call, baseUrl, options.credentialVariables));
				return {...emptyEnvelope, result: call.pretend ?? null};
			}
			return perform(call, answer => readEnvelope(call, answer, redact), signal);
		},
		read(call, signal) {
			return perform({answers: 'value', ...call}, answer => readValue(call, answer, redact), signal);
		},
		query(call, signal) {
			return perform(
				{...call, quota: 'queries'},
				answer => readQueryAnswer(toAnswer(call, answer), answer, redact),
				signal,
			);
		},
	};
}

/**
 * True if the service rejects the credential itself rather than its permissions: 401, or 403 with the message
 * of an unknown token.
 */
const isInvalidCredential = ({code, message, details: {http}}: Failure): boolean =>
	code === 'credential_refused' &&
	(http === 401 || (http === 403 && /invalid (access|api) token/i.test(message)));

const isNotSent = (error: unknown): boolean => error instanceof Failure && getOutcome(error) === 'not sent';

const toAnswer = ({method, path}: Call, {status, headers}: RawAnswer): Answer => ({
	status,
	headers,
	method,
	path,
});

/**
 * Returns the envelope of a successful response. Fails for all others, and for incomplete ones: an empty
 * body, `success` with an error status, a read without a `result`.
 */
function readEnvelope(call: Call, answer: RawAnswer, redact: Redact): Envelope {
	const {status, bytes} = answer;
	const context = toAnswer(call, answer);
	if (isRedirect(status)) throw createRedirectFailure(context);
	const text = decoder.decode(bytes);
	const envelope = parseEnvelope(parseJson(text), status);
	// Redact before cutting the excerpt: half a secret would not be recognized.
	if (!envelope || (envelope.success && status === 429))
		throw createUnexpectedBodyFailure(context, redact(text));
	if (!envelope.success) throw createRefusal(context, envelope);
	if (status < 200 || status >= 300)
		throw createUnfitAnswerFailure(context, `It says "success" with status ${status}.`);
	if (!call.writes && !envelope.hasResult) throw createUnfitAnswerFailure(context, 'It has no "result".');
	const inexact = call.exactNumbers ? findInexactNumber(text) : undefined;
	if (inexact !== undefined) throw createInexactAnswerFailure(context, inexact);
	return {...envelope, messages: redactMessages(envelope.messages, redact)};
}

/**
 * Returns the bytes of a value. If nothing marks their end, a broken connection would look like a shorter
 * value.
 */
function readValue(call: Call, answer: RawAnswer, redact: Redact): RawAnswer {
	const {status, bytes, framed} = answer;
	const context = toAnswer(call, answer);
	if (isRedirect(status)) throw createRedirectFailure(context);
	if (status === 200) {
		if (framed === false)
			throw createUnfitAnswerFailure(context, 'Nothing marks the end of the value, so it may be incomplete.');
		return answer;
	}
	const text = decoder.decode(bytes);
	const envelope = parseEnvelope(parseJson(text), status);
	if (!envelope) throw createUnexpectedBodyFailure(context, redact(text));
	throw envelope.success
		? createUnfitAnswerFailure(context, `It has the status ${status}.`)
		: createRefusal(context, envelope);
}

/** Fails if the data that a call depends on is too old, or if the clock was changed. */
function refuseStale({method, path, freshFor}: Call, now: number): void {
	if (!freshFor) return;
	const {since, milliseconds, took = 0} = freshFor;
	const age = now - since;
	if (age >= 0 && age <= milliseconds) return;
	const formatSeconds = (time: number) => `${Math.round(time / 1000)} s`;
	throw new Failure(
		'changed_meanwhile',
		`${method} ${path} was not sent: the data it is based on is too old.`,
		{
			why:
				took > milliseconds
					? `Loading the data took ${formatSeconds(took)}, but it is only valid for ${formatSeconds(milliseconds)}: the connection to the service is too slow.`
					: `It had to be sent within ${formatSeconds(milliseconds)} of the check${took < 1000 ? '' : ` (loading the data took ${formatSeconds(took)})`}, but could not be: the quota of the service was used up, or this machine was suspended.`,
			next: 'Nothing was sent. Try again: everything is checked again.',
		},
	);
}

const decoder = new TextDecoder();

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

function buildWireBody(call: Call): {body?: Uint8Array | string; headers: Record<string, string>} {
	const {body} = call;
	switch (body?.kind) {
		case undefined:
			return {headers: {}};
		case 'json':
			return {body: JSON.stringify(body.value as JsonValue), headers: {'Content-Type': 'application/json'}};
		case 'list':
			return {body: encodeJsonList(body.items), headers: {'Content-Type': 'application/json'}};
		case 'bytes':
			return {body: body.bytes, headers: {'Content-Type': 'application/octet-stream'}};
		case 'value': {
			const form = buildValueForm(body.bytes, body.metadata);
			return {body: form.body, headers: {'Content-Type': form.type}};
		}
	}
}
