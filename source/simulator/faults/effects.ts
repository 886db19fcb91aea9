import {
	type AnswerMessage,
	buildErrorAnswer,
	buildHtmlAnswer,
	isEnvelope,
	type ServiceAnswer,
	tooManyRequestsError,
	toWireBytes,
} from '../http/answer.ts';
import type {Route} from '../http/route.ts';
import type {RequestFaults} from './active-faults.ts';
import type {Fault} from './faults.ts';

/** Waits; rejects with the signal's reason if it is aborted. */
export type WaitFunction = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Waits for the sum of the faults' latencies; if one of them hangs, until the signal is aborted. */
export async function delayAnswer(
	requestFaults: RequestFaults,
	wait: WaitFunction,
	signal: AbortSignal,
): Promise<void> {
	let milliseconds = 0;
	for (const {latency} of requestFaults.take('latency')) milliseconds += latency;
	if (milliseconds > 0) await wait(milliseconds, signal);
	if (requestFaults.take('hang').length > 0) await rejectOnAbort(signal);
}

/** Builds the answer that a fault gives in place of the service's; undefined if none does. */
export function buildReplacementAnswer(requestFaults: RequestFaults): ServiceAnswer | undefined {
	const [failingFault] = [...requestFaults.take('status'), ...requestFaults.take('emptyErrors')];
	if (failingFault) return buildFailingAnswer(failingFault);
	const [pageFault] = requestFaults.take('html');
	if (pageFault) {
		const challengeHeaders = pageFault.html === 403 ? {'cf-mitigated': 'challenge'} : {};
		return buildHtmlAnswer(
			pageFault.html,
			pageFault.html === 403 ? 'Attention Required!' : `${pageFault.html}`,
			challengeHeaders,
		);
	}
	const [redirectFault] = requestFaults.take('redirect');
	return redirectFault && {status: 302, headers: {location: redirectFault.redirect}, body: null};
}

/** Replaces the answer if a fault asks for another status after the request took effect. */
export function withLateStatus(answer: ServiceAnswer, requestFaults: RequestFaults): ServiceAnswer {
	const [failingFault] = requestFaults.take('lateStatus');
	return failingFault ? buildFailingAnswer({status: failingFault.lateStatus}) : answer;
}

function buildFailingAnswer(fault: Fault): ServiceAnswer {
	const {status = 403, retryAfter} = fault;
	const headers = retryAfter === undefined ? {} : {'retry-after': retryAfter};
	if (status === 204 || status === 205 || status === 304) return {status, headers, body: null};
	if (fault.emptyErrors) return buildErrorAnswer(status, [], headers);
	const isEdgeStatus = status === 502 || status === 504 || (status >= 520 && status <= 530);
	if (isEdgeStatus && (fault.code ?? fault.message) === undefined)
		return buildHtmlAnswer(status, `${status}: ${edgeReasons[status] ?? 'Error'}`, headers);
	return buildErrorAnswer(status, buildFailingError(fault, status), headers);
}

const edgeReasons: Readonly<Record<number, string>> = {
	502: 'Bad gateway',
	504: 'Gateway time-out',
	524: 'A timeout occurred',
};

/** The service's error for each status. */
const defaultErrors: Readonly<Record<number, AnswerMessage>> = {
	401: {code: 10000, message: 'Authentication error'},
	403: {code: 9109, message: 'Unauthorized to access requested resource'},
	404: {code: 7003, message: 'Could not route to that address, perhaps your object identifier is invalid?'},
	410: {message: 'This endpoint has been removed.'},
	413: {code: 10024, message: 'payload too large'},
	429: tooManyRequestsError,
};

function buildFailingError({code, message}: Fault, status: number): AnswerMessage {
	const defaultError = defaultErrors[status] ?? {code: 10001, message: 'service temporarily unavailable'};
	return {...defaultError, ...(code !== undefined && {code}), ...(message !== undefined && {message})};
}

/** Changes the format of an answer to that of older or faulty deployments, if a fault says so. */
export function applyFormatFaults(
	answer: ServiceAnswer,
	route: Route | undefined,
	requestFaults: RequestFaults,
): ServiceAnswer {
	const {body} = answer;
	if (!isEnvelope(body)) return answer;
	let envelope = body;
	if (body.success && route && isBulkWrite(route) && requestFaults.take('oldBulk').length > 0)
		envelope = {...envelope, result: null};
	if (body.success && route && isRename(route) && requestFaults.take('olderRename').length > 0)
		envelope = {...envelope, result: null};
	if (body.result_info?.cursor === '' && requestFaults.take('absentCursor').length > 0) {
		const {cursor: _, ...info} = body.result_info;
		envelope = {...envelope, result_info: info};
	}
	if (requestFaults.take('nullErrors').length > 0) {
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

/**
 * Creates the web response, cut or sent in pieces if a fault says so. Throws like `fetch` if the connection
 * is cut before the body, or the request does not allow a redirect.
 */
export function createWebResponse(
	answer: ServiceAnswer,
	requestFaults: RequestFaults,
	wait: WaitFunction,
	request: Request,
): Response {
	if (answer.headers.location !== undefined && request.redirect === 'error')
		throw new TypeError('fetch failed', {cause: new Error('unexpected redirect')});
	const bytes = toWireBytes(answer.body);
	const {status} = answer;
	const headers: Record<string, string> = {'content-type': 'application/json', ...answer.headers};
	if (answer.body === null) {
		delete headers['content-type'];
		return new Response(null, {status, headers});
	}
	headers['content-length'] = String(bytes.length);
	const [cutFault] = requestFaults.take('reset');
	const [dripFault] = requestFaults.take('drip');
	if (cutFault && bytes.length === 0) throw createConnectionCut();
	if (!cutFault && !dripFault) return new Response(bytes, {status, headers});
	// Cut before the last byte: with all bytes the answer would be complete.
	const end = cutFault ? Math.min(cutFault.reset, bytes.length - 1) : bytes.length;
	const body = streamPieces(bytes.subarray(0, end), dripFault?.drip ?? end, async offset => {
		if (dripFault && offset > 0 && offset < end) await wait(dripFault.pause ?? 10, request.signal);
		if (cutFault && offset >= end) throw createConnectionCut('terminated');
	});
	return new Response(body, {status, headers});
}

/** Streams the bytes in pieces; calls `beforePiece` with the offset before each piece and before the end. */
function streamPieces(
	bytes: Uint8Array,
	size: number,
	beforePiece: (offset: number) => Promise<void>,
): ReadableStream<Uint8Array<ArrayBufferLike>> {
	let offset = 0;
	return new ReadableStream(
		{
			async pull(controller) {
				await beforePiece(offset);
				if (offset >= bytes.length) return controller.close();
				controller.enqueue(bytes.slice(offset, offset + size));
				offset += size;
			},
		},
		{highWaterMark: 0},
	);
}

/** Creates the error that `fetch` throws when the connection breaks. */
export const createConnectionCut = (message: 'fetch failed' | 'terminated' = 'fetch failed'): TypeError =>
	new TypeError(message, {cause: new ConnectionCut()});

class ConnectionCut extends Error {
	readonly code = 'ECONNRESET';

	constructor() {
		super('The simulated service cut the connection.');
	}
}

/** True if an error of `Simulator.fetch` is a connection cut by a fault. */
export const isConnectionCut = (error: unknown): boolean =>
	error instanceof TypeError && error.cause instanceof ConnectionCut;

function rejectOnAbort(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener('abort', () => reject(signal.reason), {once: true});
	});
}
