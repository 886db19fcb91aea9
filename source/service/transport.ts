import {createFetch, type Fetch} from 'ofetch';
import {Failure} from '../failure.ts';
import type {NamedProxy} from './proxy.ts';

/** Sends one request and reads its whole answer; knows nothing of envelopes, retries or quotas. */
export type Transport = (request: {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: Uint8Array | string;
	/** Milliseconds until the answer must begin, and between two pieces of it. */
	readonly timeout: number;
	/** Bytes of the answer that are read; of a larger one the rest stays where it is, and it fails as `tooMuch`. */
	readonly most?: number;
	readonly signal: AbortSignal;
}) => Promise<{status: number; headers: Headers; bytes: Uint8Array}>;

/**
 * A transport over ofetch. No redirects, no retries, no throwing on a status: what the answer means is the
 * client's business. `fetch` is Node's own unless another is given (a proxy's, or the simulator's); the proxy it
 * goes through, if any, is named when something goes wrong on the way.
 */
export function createTransport(fetch: Fetch = globalThis.fetch, proxy?: NamedProxy): Transport {
	const send = createFetch({fetch, Headers, AbortController});
	return async ({method, url, headers, body, timeout, most = Number.POSITIVE_INFINITY, signal}) => {
		const idle = new AbortController();
		let timer = setTimeout(() => idle.abort(), timeout);
		let answered = false;
		const both = AbortSignal.any([signal, idle.signal]);
		try {
			const answer = await send.raw<unknown, 'stream'>(url, {
				method,
				headers,
				signal: both,
				redirect: 'manual',
				retry: false,
				ignoreResponseError: true,
				responseType: 'stream',
				...(body !== undefined && {body: body as RequestInit['body']}),
			});
			answered = true;
			const pieces: Uint8Array[] = [];
			let length = 0;
			const stream = (answer._data ?? answer.body) as ReadableStream<Uint8Array> | null | undefined;
			for await (const piece of stream ?? []) {
				clearTimeout(timer);
				timer = setTimeout(() => idle.abort(), timeout);
				pieces.push(piece);
				length += piece.length;
				if (length > most) throw tooLarge(most);
			}
			return {
				status: answer.status,
				headers: answer.headers,
				bytes: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces),
			};
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			if (error instanceof Failure) throw error;
			if (idle.signal.aborted)
				throw new Failure('timed_out', `No answer within ${seconds(timeout)}.`, {cause: error});
			throw networkFailure(error, new URL(url), answered, proxy);
		} finally {
			clearTimeout(timer);
		}
	};
}

const tooLarge = (most: number): Failure =>
	new Failure('answer_malformed', 'The answer is larger than what may be in memory at a time.', {
		why: `It has more than ${most} bytes.`,
		tooMuch: true,
	});

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`;

/** What a failed `fetch` means, told by the innermost cause with a code. */
function networkFailure(error: unknown, url: URL, answered: boolean, proxy: NamedProxy | undefined): Failure {
	const {code, message} = innermost(error);
	const host = url.host;
	const through = proxy && `through the proxy ${proxy.shown} (from ${proxy.variable})`;
	if (answered || code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
		return new Failure('connection_lost', `The connection to ${host} broke before the answer was complete.`, {
			why: through ? `${message}; ${through}` : message,
			cause: error,
		});
	}
	return new Failure('unreachable', `${host} cannot be reached${through ? ` ${through}` : ''}.`, {
		why: code ? `${code}: ${message}` : message,
		next: unreachableNext(code, proxy),
		cause: error,
	});
}

function unreachableNext(code: string, proxy: NamedProxy | undefined): string {
	if (/CERT|SELF_SIGNED|TLS|SSL/.test(code))
		return 'The certificate is not trusted: name your own authority with NODE_EXTRA_CA_CERTS.';
	if (proxy) return `Check the proxy, and ${proxy.variable}, or except the host with NO_PROXY.`;
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
		return 'Check the name in the base URL, the network, and the name server.';
	if (code === 'ECONNREFUSED') return 'Nothing listens there: check host and port of the base URL.';
	return 'Check the network, and HTTPS_PROXY if there is a proxy.';
}

function innermost(error: unknown): {code: string; message: string} {
	let found = {code: '', message: String(error)};
	for (let one: unknown = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth++) {
		const inner = one instanceof AggregateError ? one.errors[0] : one;
		const code =
			inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : found.code;
		found = {code, message: inner instanceof Error ? inner.message || found.message : found.message};
	}
	return found;
}
