import {Failure, interrupted, isFailure, refusedReadOnly} from '../failure.ts';
import type {JsonValue} from '../json.ts';
import {type Call, type CallEvents, pathAndQuery} from './call.ts';
import {type CredentialVariables, curlLine, plannedCall} from './curl.ts';
import {type Envelope, emptyEnvelope, parseEnvelope, parseJson} from './envelope.ts';
import {jsonList} from './json-list.ts';
import {createLimiter} from './limiter.ts';
import {valueWithMetadata} from './multipart.ts';
import {type Pace, realPace} from './pace.ts';
import {redirection, refusal, unexpectedBody} from './refusal.ts';
import type {Transport} from './transport.ts';

/** Decision 1, in milliseconds; multiplied by the pace's scale. */
const attempts = 5;
const backOffTogether = 20_000;
const longestRetryAfter = 330_000;
const timeouts = {call: 30_000, bulk: 120_000} as const;
/** A single value of this size or more has the time of bulk work. */
const largeBody = 1_000_000;

export type ClientOptions = {
	/** Ends in the version segment, without a slash behind it. */
	readonly baseUrl: string;
	/** Made anew for each request; never kept, logged or shown. */
	credentialHeaders(): Readonly<Record<string, string>>;
	readonly credentialVariables: CredentialVariables;
	readonly transport: () => Promise<Transport>;
	readonly userAgent: string;
	readonly concurrency?: number;
	readonly readOnly?: boolean;
	/** Writes are told to `events.planned` and not sent. */
	readonly dryRun?: boolean;
	readonly events?: CallEvents;
	readonly pace?: Pace;
};

export type RawAnswer = {readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array};

/** The one client of the service: everything ledge sends goes through its two functions. */
export interface Client {
	readonly baseUrl: string;
	readonly concurrency: number;
	readonly pace: Pace;
	readonly dryRun: boolean;
	/** A call whose answer is the envelope. Fails unless it says `success`, whatever the status is. */
	call(call: Call, signal: AbortSignal): Promise<Envelope>;
	/** A call whose answer on success is raw bytes (the value of a key). */
	read(call: Call, signal: AbortSignal): Promise<RawAnswer>;
}

export function createClient(options: ClientOptions): Client {
	const pace = options.pace ?? realPace();
	const concurrency = options.concurrency ?? 6;
	const limiter = createLimiter(concurrency, pace);
	const {events = {}, baseUrl} = options;
	let transport: Promise<Transport> | undefined;
	let numbered = 0;

	async function attempt(call: Call, number: number, signal: AbortSignal): Promise<RawAnswer> {
		using _place = await limiter.enter(signal);
		transport ??= options.transport();
		const send = await transport;
		const {body, headers} = wireBody(call);
		const sentBytes = body === undefined ? 0 : Buffer.byteLength(body);
		const at = pace.now();
		const record = (seen: {status?: number; ray?: string; failed?: Failure['code']; receivedBytes: number}) =>
			events.record?.({
				number: ++numbered,
				at,
				method: call.method,
				path: pathAndQuery(call),
				attempt: number,
				milliseconds: pace.now() - at,
				sentBytes,
				curl: curlLine(call, baseUrl, options.credentialVariables),
				...seen,
			});
		const long = call.bulk === true || sentBytes >= largeBody;
		try {
			const answer = await send({
				method: call.method,
				url: baseUrl + pathAndQuery(call),
				headers: {...options.credentialHeaders(), 'User-Agent': options.userAgent, ...headers},
				timeout: (long ? timeouts.bulk : timeouts.call) * pace.scale,
				signal,
				...(body !== undefined && {body}),
			});
			limiter.observe(answer.headers);
			const ray = answer.headers.get('cf-ray');
			record({status: answer.status, receivedBytes: answer.bytes.length, ...(ray && {ray})});
			return answer;
		} catch (error) {
			if (signal.aborted) throw interrupted();
			record({receivedBytes: 0, ...(error instanceof Failure && {failed: error.code})});
			throw error;
		}
	}

	async function perform<T>(call: Call, accept: (answer: RawAnswer) => T, signal: AbortSignal): Promise<T> {
		if (call.writes && options.readOnly) throw refusedReadOnly(`${call.method} ${call.path}`);
		let spent = 0;
		for (let number = 1; ; number++) {
			let failed: Failure;
			let retryAfter: number | undefined;
			try {
				const answer = await attempt(call, number, signal);
				retryAfter = retryAfterOf(answer, pace);
				return accept(answer);
			} catch (error) {
				if (!(error instanceof Failure)) throw error;
				failed = error;
			}
			if (failed.code === 'rate_limited' && retryAfter !== undefined) limiter.hold(retryAfter * pace.scale);
			const backOff = 500 * 2 ** (number - 1) * (0.75 + pace.random() / 2);
			const milliseconds = retryAfter || backOff;
			if (!retryAfter) spent += backOff;
			const over = number >= attempts || spent > backOffTogether || milliseconds > longestRetryAfter;
			if (over || !mayRepeat(call, failed)) throw said(call, failed, number);
			events.waiting?.({milliseconds: milliseconds * pace.scale, why: failed.message, attempt: number + 1});
			await pace.wait(milliseconds * pace.scale, signal);
		}
	}

	const describe = (call: Call, answer: RawAnswer) => ({
		status: answer.status,
		headers: answer.headers,
		method: call.method,
		path: call.path,
	});

	return {
		baseUrl,
		concurrency,
		pace,
		dryRun: options.dryRun ?? false,
		async call(call, signal) {
			if (call.writes && options.dryRun) {
				if (options.readOnly) throw refusedReadOnly(`${call.method} ${call.path}`);
				events.planned?.(plannedCall(call, baseUrl, options.credentialVariables));
				return {...emptyEnvelope, result: call.pretend ?? null};
			}
			return perform(
				call,
				answer => {
					const seen = describe(call, answer);
					if (isRedirect(answer.status)) throw redirection(seen);
					if (answer.bytes.length === 0 && answer.status >= 200 && answer.status < 300) return emptyEnvelope;
					const text = decoder.decode(answer.bytes);
					const envelope = parseEnvelope(parseJson(text));
					if (!envelope) throw unexpectedBody(seen, text);
					if (!envelope.success) throw refusal(seen, envelope);
					return envelope;
				},
				signal,
			);
		},
		read(call, signal) {
			return perform(
				call,
				answer => {
					if (answer.status >= 200 && answer.status < 300) return answer;
					const seen = describe(call, answer);
					if (isRedirect(answer.status)) throw redirection(seen);
					const text = decoder.decode(answer.bytes);
					const envelope = parseEnvelope(parseJson(text));
					throw envelope ? refusal(seen, envelope) : unexpectedBody(seen, text);
				},
				signal,
			);
		},
	};
}

const decoder = new TextDecoder();

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

function wireBody(call: Call): {body?: Uint8Array | string; headers: Record<string, string>} {
	const {body} = call;
	switch (body?.kind) {
		case undefined:
			return {headers: {}};
		case 'json':
			return {body: JSON.stringify(body.value as JsonValue), headers: {'Content-Type': 'application/json'}};
		case 'list':
			return {body: jsonList(body.items), headers: {'Content-Type': 'application/json'}};
		case 'bytes':
			return {body: body.bytes, headers: {'Content-Type': 'application/octet-stream'}};
		case 'value': {
			const form = valueWithMetadata(body.bytes, body.metadata);
			return {body: form.body, headers: {'Content-Type': form.type}};
		}
	}
}

const passing: ReadonlySet<Failure['code']> = new Set([
	'unreachable',
	'connection_lost',
	'timed_out',
	'service_failed',
]);

function mayRepeat(call: Call, failed: Failure): boolean {
	if (call.bulk && (failed.details.http === 524 || failed.code === 'timed_out')) return false;
	if (failed.code === 'rate_limited') return call.repeat !== 'never' && !isDailyLimit(failed);
	return call.repeat === 'always' && passing.has(failed.code);
}

/** 10048, the free limit of a day: waiting for it is of no use. */
const isDailyLimit = (failed: Failure): boolean => failed.details.service?.includes(10_048) ?? false;

/** The failure after the last attempt: how often it was tried, and what is not known of a write. */
function said(call: Call, failed: Failure, number: number): Failure {
	const tried = number > 1 ? `tried ${number} times` : undefined;
	const doubtful = call.writes && isFailure(failed, 'connection_lost', 'timed_out', 'service_failed');
	const left =
		doubtful && call.repeat !== 'always'
			? 'It is not known whether the service did it: look before you send it again.'
			: undefined;
	return failed.with({
		why: [failed.details.why, tried].filter(part => part !== undefined).join('; ') || undefined,
		...(left && {left}),
	});
}

/** Milliseconds of a `Retry-After`, which is in seconds or an HTTP date. */
function retryAfterOf(answer: RawAnswer, pace: Pace): number | undefined {
	if (answer.status !== 429 && answer.status < 500) return undefined;
	const header = answer.headers.get('retry-after')?.trim();
	if (!header) return undefined;
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - pace.now());
}
