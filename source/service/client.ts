import {asFailure, Failure, interrupted, isFailure, refusedReadOnly} from '../failure.ts';
import type {JsonValue} from '../json.ts';
import {inexactNumber} from '../json-exact.ts';
import {type Call, type CallEvents, pathAndQuery} from './call.ts';
import {type CredentialVariables, curlLine, plannedCall} from './curl.ts';
import {type Envelope, emptyEnvelope, parseEnvelope, parseJson} from './envelope.ts';
import {jsonList} from './json-list.ts';
import {createLimiter} from './limiter.ts';
import {valueWithMetadata} from './multipart.ts';
import {type Pace, realPace} from './pace.ts';
import {type Answer, inexactAnswer, redirection, refusal, unexpectedBody} from './refusal.ts';
import {doubt, isDoubtful, lastFailure, longestWait, retryAfterOf, waitBeforeNext} from './repeating.ts';
import type {Transport} from './transport.ts';

/** Decision 1, in milliseconds; multiplied by the pace's scale. */
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

/** What has become of a call so far. */
type Work = {
	/** Milliseconds under way and backing off. */
	spent: number;
	/** Whether an attempt was sent that may have changed something, and no answer denies it. */
	unsure: boolean;
};

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
	const {events = {}, baseUrl} = options;
	const limiter = createLimiter(concurrency, pace, (milliseconds, signal) =>
		events.waiting?.({milliseconds, why: 'The quota of the service is used up', signal}),
	);
	let transport: Promise<Transport> | undefined;
	let numbered = 0;

	async function attempt(call: Call, number: number, work: Work, signal: AbortSignal): Promise<RawAnswer> {
		using _place = await limiter.enter(signal);
		transport ??= options.transport();
		const send = await transport;
		const {body, headers} = wireBody(call);
		const sentBytes = body === undefined ? 0 : Buffer.byteLength(body);
		if (signal.aborted) throw interrupted();
		refuseStale(call, pace.now());
		call.leaves?.();
		const {unsure} = work;
		work.unsure ||= call.writes;
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
				...(call.mostBytes !== undefined && {most: call.mostBytes}),
			});
			work.unsure = unsure;
			limiter.observe(answer.headers);
			const ray = answer.headers.get('cf-ray');
			record({status: answer.status, receivedBytes: answer.bytes.length, ...(ray && {ray})});
			return answer;
		} catch (error) {
			if (signal.aborted) throw interrupted();
			if (isFailure(error, 'unreachable')) work.unsure = unsure;
			record({receivedBytes: 0, ...(error instanceof Failure && {failed: error.code})});
			throw error;
		} finally {
			work.spent += pace.now() - at;
		}
	}

	async function repeated<T>(
		call: Call,
		accept: (answer: RawAnswer) => T,
		work: Work,
		signal: AbortSignal,
	): Promise<T> {
		for (let number = 1; ; number++) {
			let failed: Failure;
			let retryAfter: number | undefined;
			try {
				const answer = await attempt(call, number, work, signal);
				retryAfter = retryAfterOf(answer, pace);
				return accept(answer);
			} catch (error) {
				if (!(error instanceof Failure)) throw error;
				failed = error;
			}
			work.unsure ||= call.writes && isDoubtful(failed);
			if (failed.code === 'rate_limited' && retryAfter !== undefined && retryAfter <= longestWait)
				limiter.hold(retryAfter * pace.scale);
			const attempted = {number, failed, spent: work.spent, retryAfter};
			const wait = waitBeforeNext(call, attempted, pace);
			if (wait === undefined) throw lastFailure(call, attempted);
			if (!retryAfter) work.spent += wait;
			const milliseconds = wait * pace.scale;
			events.waiting?.({milliseconds, why: failed.message, attempt: number + 1, signal});
			await pace.wait(milliseconds, signal);
		}
	}

	async function perform<T>(call: Call, accept: (answer: RawAnswer) => T, signal: AbortSignal): Promise<T> {
		if (call.writes && options.readOnly) throw refusedReadOnly(`${call.method} ${call.path}`);
		const work: Work = {spent: 0, unsure: false};
		try {
			return await repeated(call, accept, work, signal);
		} catch (error) {
			if (!work.unsure) throw error;
			throw (signal.aborted ? interrupted(doubt(call)) : asFailure(error)).with({doubtful: true});
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
					if (!call.strict && isEmptySuccess(call, answer)) return emptyEnvelope;
					const text = decoder.decode(answer.bytes);
					const envelope = parseEnvelope(parseJson(text));
					if (!envelope) throw unexpectedBody(seen, text);
					if (!envelope.success) throw refusal(seen, envelope);
					if (call.strict) refuseLoose(seen, text);
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

/** Fails where what a call rests on is too old by now, or the clock was set so that nobody knows. */
function refuseStale({method, path, freshFor}: Call, now: number): void {
	if (!freshFor) return;
	const {since, milliseconds, took = 0} = freshFor;
	const age = now - since;
	if (age >= 0 && age <= milliseconds) return;
	const seconds = (time: number) => `${Math.round(time / 1000)} s`;
	throw new Failure('changed_meanwhile', `${method} ${path} was not sent: what it rests on is too old.`, {
		why:
			took > milliseconds
				? `The readings took ${seconds(took)}, and what was read first counts for ${seconds(milliseconds)}: the line to the service is too slow.`
				: `It was to leave within ${seconds(milliseconds)} of the look${took < 1000 ? '' : ` (the readings took ${seconds(took)})`}, and could not: the quota of the service was used up, or this machine stood still.`,
		next: 'Nothing was sent. Try again: everything is looked at anew.',
	});
}

const decoder = new TextDecoder();

/** What a strict call takes for no answer: a success that the status denies, and a number that would be changed. */
function refuseLoose(seen: Answer, text: string): void {
	if (seen.status < 200 || seen.status >= 300) throw unexpectedBody(seen, text);
	const inexact = inexactNumber(text);
	if (inexact !== undefined) throw inexactAnswer(seen, inexact);
}

/** Nothing at all with a 2xx is a success, but not where the answer has to name what was made. */
const isEmptySuccess = ({method, repeat}: Call, {status, bytes}: RawAnswer): boolean =>
	bytes.length === 0 &&
	(status === 204 || (status >= 200 && status < 300 && (method !== 'POST' || repeat === 'always')));

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
