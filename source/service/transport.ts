import {createFetch, type Fetch} from 'ofetch';
import {createInterruptedFailure, Failure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {
	createNodeFetch,
	createUnusableResponseFailure,
	RequestHeaders,
	type ResponseHeaders,
	type WireFetch,
	type WireOptions,
	type WireResponse,
} from './http-fetch.ts';
import type {NamedProxy} from './proxy.ts';
import {watchSilence} from './silence.ts';

export type TransportResponse = {
	readonly status: number;
	readonly headers: ResponseHeaders;
	readonly bytes: Uint8Array;
	/** False if nothing tells a complete response from a broken connection. */
	readonly framed?: boolean;
};

/** Sends one request and reads its whole response; handles no envelopes, retries or quotas. */
export type Transport = (request: {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: Uint8Array | string;
	/**
	 * Milliseconds until the response must begin, and between two pieces of it; does not count while ledge is
	 * suspended.
	 */
	readonly timeout: number;
	/**
	 * Size limit of the response in bytes; a larger one is not read further and fails in a way that
	 * `isRequestTooLarge` recognizes.
	 */
	readonly maxBytes?: number;
	/** True to use a new connection, never a reused one. */
	readonly fresh?: boolean;
	readonly signal: AbortSignal;
}) => Promise<TransportResponse>;

/**
 * Creates a transport over ofetch: no redirects, no retries, no error for a status, which the client
 * interprets. Failures have the outcome `not sent` if no byte of the request can have left. `fetch` defaults
 * to ledge's own over `node:https`; a proxy's or the simulator's can replace it. Network failures name the
 * proxy, if any.
 */
export function createTransport(fetch: WireFetch = createNodeFetch(), proxy?: NamedProxy): Transport {
	const send = createFetch({
		fetch: fetch as unknown as Fetch,
		Headers: RequestHeaders as unknown as typeof Headers,
		AbortController,
	});
	return async ({
		method,
		url,
		headers,
		body,
		timeout,
		maxBytes = Number.POSITIVE_INFINITY,
		fresh,
		signal,
	}) => {
		const idleAbort = new AbortController();
		const silenceWatch = watchSilence(timeout, () => idleAbort.abort());
		let hasSentBytes = false;
		let hasResponse = false;
		const wireOptions: WireOptions = {
			method,
			headers,
			signal: AbortSignal.any([signal, idleAbort.signal]),
			onSend() {
				hasSentBytes = true;
			},
			...(fresh && {fresh}),
			...(body !== undefined && {body}),
		};
		try {
			const response = (await send.raw<unknown, 'stream'>(url, {
				...(wireOptions as object),
				redirect: 'manual',
				retry: false,
				ignoreResponseError: true,
				responseType: 'stream',
			})) as unknown as WireResponse;
			hasResponse = true;
			const {status, headers: responseHeaders, framed} = response;
			if (!(status >= 200 && status <= 599))
				throw createUnusableResponseFailure(`It has the status ${status}.`);
			const pieces: Uint8Array[] = [];
			let length = 0;
			for await (const chunk of response.body ?? []) {
				silenceWatch.reset();
				pieces.push(chunk);
				length += chunk.length;
				if (length > maxBytes) throw createTooLargeFailure(maxBytes);
			}
			const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
			return {status, headers: responseHeaders, bytes, ...(framed !== undefined && {framed})};
		} catch (error) {
			const outcome = hasSentBytes || hasResponse ? undefined : 'not sent';
			if (signal.aborted) throw outcome ? createInterruptedFailure().withDetails({outcome}) : signal.reason;
			const failure = toFailure(findInnerFailure(error) ?? error);
			throw outcome ? failure.withDetails({outcome}) : failure;
		} finally {
			silenceWatch.stop();
		}

		function toFailure(error: unknown): Failure {
			if (error instanceof Failure) return error;
			const {host} = new URL(url);
			if (idleAbort.signal.aborted)
				return hasSentBytes
					? new Failure('timed_out', `No response within ${formatSeconds(timeout)}.`, {cause: error})
					: new Failure('timed_out', `No connection to ${host} within ${formatSeconds(timeout)}.`, {
							next: getUnreachableAdvice('', proxy),
							cause: error,
						});
			const {code, message} = findInnermostError(error);
			// Errors of the HTTP parser, and of the decoders of compressed responses.
			if (/^(HPE_|Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/.test(code))
				return createUnusableResponseFailure(`${code}: ${message}`, error);
			return createNetworkFailure({code, message, cause: error}, host, hasSentBytes || hasResponse, proxy);
		}
	};
}

/** Finds a failure thrown below ofetch, which wraps it. */
function findInnerFailure(error: unknown): Failure | undefined {
	for (
		let current: unknown = error, depth = 0;
		current instanceof Error && depth < 8;
		current = current.cause, depth++
	)
		if (current instanceof Failure) return current;
	return undefined;
}

const createTooLargeFailure = (maxBytes: number): Failure =>
	new Failure('answer_malformed', 'The response is too large.', {
		why: `It has more than ${maxBytes} bytes.`,
		next: buildAdvice`Check the base URL (\`${buildCommand('config')}\` shows it), and any proxy in between.`,
		tooMuch: true,
	});

const formatSeconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`;

/**
 * Creates the failure of a broken connection: `unreachable` before anything was sent, `connection_lost`
 * after.
 */
function createNetworkFailure(
	{code, message, cause}: {readonly code: string; readonly message: string; readonly cause: unknown},
	host: string,
	hasSentBytes: boolean,
	proxy: NamedProxy | undefined,
): Failure {
	const proxyNote = proxy && `through the proxy ${proxy.displayUrl} (from ${proxy.variable})`;
	if (hasSentBytes) {
		return new Failure(
			'connection_lost',
			`The connection to ${host} was lost before the response was complete.`,
			{
				why: proxyNote ? `${message}; ${proxyNote}` : message,
				cause,
			},
		);
	}
	return new Failure('unreachable', `${host} cannot be reached${proxyNote ? ` ${proxyNote}` : ''}.`, {
		why: code ? `${code}: ${message}` : message,
		next: getUnreachableAdvice(code, proxy),
		cause,
	});
}

function getUnreachableAdvice(code: string, proxy: NamedProxy | undefined): string {
	if (/CERT|SELF_SIGNED|TLS|SSL/.test(code))
		return 'The certificate is not trusted: add your own certificate authority with NODE_EXTRA_CA_CERTS.';
	if (proxy) return `Check the proxy and ${proxy.variable}, or exclude the host with NO_PROXY.`;
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
		return 'Check the name in the base URL, the network, and the name server.';
	if (code === 'ECONNREFUSED') return 'Nothing is listening there: check the host and port of the base URL.';
	return 'Check the network, and HTTPS_PROXY if there is a proxy.';
}

function findInnermostError(error: unknown): {code: string; message: string} {
	let innermost = {code: '', message: String(error)};
	for (
		let current: unknown = error, depth = 0;
		current instanceof Error && depth < 8;
		current = current.cause, depth++
	) {
		const cause = current instanceof AggregateError ? current.errors[0] : current;
		const code =
			cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
				? cause.code
				: innermost.code;
		innermost = {
			code,
			message: cause instanceof Error ? cause.message || innermost.message : innermost.message,
		};
	}
	return innermost;
}
