import {
	type Answer,
	html,
	isEnvelope,
	refused,
	type ServiceMessage,
	slowDown,
	wireBytes,
} from '../http/answer.ts';
import type {Route} from '../http/route.ts';
import type {Fault} from './faults.ts';
import type {Strikes} from './plan.ts';

/** Waits; rejects with the signal's reason if it is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Waits for the latency of the faults, or forever. */
export async function delay(strikes: Strikes, wait: Wait, signal: AbortSignal): Promise<void> {
	let milliseconds = 0;
	for (const {latency} of strikes.with('latency')) milliseconds += latency;
	if (milliseconds > 0) await wait(milliseconds, signal);
	if (strikes.with('hang').length > 0) await aborted(signal);
}

/** Builds the answer of a fault that replaces the service's. */
export function replacement(strikes: Strikes): Answer | undefined {
	const [failing] = [...strikes.with('status'), ...strikes.with('emptyErrors')];
	if (failing) return failingAnswer(failing);
	const [page] = strikes.with('html');
	if (page) {
		const challenge = page.html === 403 ? {'cf-mitigated': 'challenge'} : {};
		return html(page.html, page.html === 403 ? 'Attention Required!' : `${page.html}`, challenge);
	}
	const [redirecting] = strikes.with('redirect');
	return redirecting && {status: 302, headers: {location: redirecting.redirect}, body: null};
}

/** Replaces the answer after the request took effect, if a fault says so. */
export function late(answer: Answer, strikes: Strikes): Answer {
	const [failing] = strikes.with('lateStatus');
	return failing ? failingAnswer({status: failing.lateStatus}) : answer;
}

function failingAnswer(fault: Fault): Answer {
	const {status = 403, retryAfter} = fault;
	const headers = retryAfter === undefined ? {} : {'retry-after': retryAfter};
	if (status === 204 || status === 205 || status === 304) return {status, headers, body: null};
	if (fault.emptyErrors) return refused(status, [], headers);
	const fromEdge = status === 502 || status === 504 || (status >= 520 && status <= 530);
	if (fromEdge && (fault.code ?? fault.message) === undefined)
		return html(status, `${status}: ${edgeReasons[status] ?? 'Error'}`, headers);
	return refused(status, failingError(fault, status), headers);
}

const edgeReasons: Readonly<Record<number, string>> = {
	502: 'Bad gateway',
	504: 'Gateway time-out',
	524: 'A timeout occurred',
};

/** The error that the service has with each status. */
const usualErrors: Readonly<Record<number, ServiceMessage>> = {
	401: {code: 10000, message: 'Authentication error'},
	403: {code: 9109, message: 'Unauthorized to access requested resource'},
	404: {code: 7003, message: 'Could not route to that address, perhaps your object identifier is invalid?'},
	410: {message: 'This endpoint has been removed.'},
	413: {code: 10024, message: 'payload too large'},
	429: slowDown,
};

function failingError({code, message}: Fault, status: number): ServiceMessage {
	const usual = usualErrors[status] ?? {code: 10001, message: 'service temporarily unavailable'};
	return {...usual, ...(code !== undefined && {code}), ...(message !== undefined && {message})};
}

/** Changes the format of the answer as the faults say. */
export function reworded(answer: Answer, route: Route | undefined, strikes: Strikes): Answer {
	const {body} = answer;
	if (!isEnvelope(body)) return answer;
	let envelope = body;
	if (body.success && route && isBulkWrite(route) && strikes.with('oldBulk').length > 0)
		envelope = {...envelope, result: null};
	if (body.success && route && isRename(route) && strikes.with('olderRename').length > 0)
		envelope = {...envelope, result: null};
	if (body.result_info?.cursor === '' && strikes.with('absentCursor').length > 0) {
		const {cursor: _, ...info} = body.result_info;
		envelope = {...envelope, result_info: info};
	}
	if (strikes.with('nullErrors').length > 0) {
		envelope = {
			...envelope,
			errors: envelope.errors?.length ? envelope.errors : null,
			messages: envelope.messages?.length ? envelope.messages : null,
		};
	}
	return {...answer, body: envelope};
}

const isBulkWrite = ({path}: Route): boolean => /\/bulk(\/delete)?$/.test(path);
const isRename = ({method, path}: Route): boolean =>
	method === 'PUT' && path.endsWith('/namespaces/:namespace');

/** Creates the web response, cut or sent in pieces if a fault says so. */
export function delivered(answer: Answer, strikes: Strikes, wait: Wait, request: Request): Response {
	if (answer.headers.location !== undefined && request.redirect === 'error')
		throw new TypeError('fetch failed', {cause: new Error('unexpected redirect')});
	const bytes = wireBytes(answer.body);
	const {status} = answer;
	const headers: Record<string, string> = {'content-type': 'application/json', ...answer.headers};
	if (answer.body === null) {
		delete headers['content-type'];
		return new Response(null, {status, headers});
	}
	headers['content-length'] = String(bytes.length);
	const [cut] = strikes.with('reset');
	const [slow] = strikes.with('drip');
	if (cut && bytes.length === 0) throw connectionCut();
	if (!cut && !slow) return new Response(bytes, {status, headers});
	// Cut before the last byte: with all bytes the answer would be complete.
	const ends = cut ? Math.min(cut.reset, bytes.length - 1) : bytes.length;
	const body = pieces(bytes.subarray(0, ends), slow?.drip ?? ends, async at => {
		if (slow && at > 0 && at < ends) await wait(slow.pause ?? 10, request.signal);
		if (cut && at >= ends) throw connectionCut('terminated');
	});
	return new Response(body, {status, headers});
}

/** Streams the bytes in pieces; calls `beforePiece` with the offset before each piece and before the end. */
function pieces(
	bytes: Uint8Array,
	size: number,
	before: (at: number) => Promise<void>,
): ReadableStream<Uint8Array<ArrayBufferLike>> {
	let at = 0;
	return new ReadableStream(
		{
			async pull(controller) {
				await before(at);
				if (at >= bytes.length) return controller.close();
				controller.enqueue(bytes.slice(at, at + size));
				at += size;
			},
		},
		{highWaterMark: 0},
	);
}

/** Creates the error that `fetch` throws when the connection breaks. */
export const connectionCut = (what: 'fetch failed' | 'terminated' = 'fetch failed'): TypeError =>
	new TypeError(what, {cause: new ConnectionCut()});

class ConnectionCut extends Error {
	readonly code = 'ECONNRESET';

	constructor() {
		super('The simulated service cut the connection.');
	}
}

/** True if an error of `Simulator.fetch` is a connection cut by a fault. */
export const isConnectionCut = (error: unknown): boolean =>
	error instanceof TypeError && error.cause instanceof ConnectionCut;

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener('abort', () => reject(signal.reason), {once: true});
	});
}
