import type {Agent, ClientRequest, IncomingMessage, RequestOptions} from 'node:http';
import type {Readable} from 'node:stream';
import {Failure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';

/** The part of `Headers` that is read; the web's `Headers` conforms. */
export type ResponseHeaders = {get(name: string): string | null; has(name: string): boolean};

/**
 * A response for ofetch and the transport: shaped like `Response`, which refuses some statuses; this does
 * not.
 */
export type WireResponse = {
	readonly status: number;
	readonly headers: ResponseHeaders;
	readonly body: AsyncIterable<Uint8Array> | null;
	/** True if a length or chunks mark its end, not only the end of the connection. */
	readonly framed?: boolean;
};

export type WireOptions = {
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>> | RequestHeaders;
	readonly body?: Uint8Array | string | null;
	readonly signal?: AbortSignal;
	/** Called before the first byte of the request can leave this machine. */
	readonly onSend?: () => void;
	/** True to use a new connection: a reused one may have died unnoticed. */
	readonly fresh?: boolean;
};

/** Sends one request like `fetch`. Never retries, never follows redirects, keeps no cookies. */
export type WireFetch = (url: string, options?: WireOptions) => Promise<WireResponse>;

/** Request headers for ofetch. Node's own class takes 50 ms to load, with all of `fetch`. */
export class RequestHeaders implements ResponseHeaders {
	readonly #values = new Map<string, string>();

	constructor(source: RequestHeaders | Readonly<Record<string, string>> = {}) {
		const entries = source instanceof RequestHeaders ? source.#values : Object.entries(source);
		for (const [name, value] of entries) this.set(name, value);
	}

	get(name: string): string | null {
		return this.#values.get(name.toLowerCase()) ?? null;
	}

	has(name: string): boolean {
		return this.#values.has(name.toLowerCase());
	}

	set(name: string, value: string): void {
		this.#values.set(name.toLowerCase(), value);
	}

	[Symbol.iterator](): IterableIterator<[string, string]> {
		return this.#values.entries();
	}
}

/** Converts request headers of either form to plain properties. */
export const toPlainHeaders = (headers: NonNullable<WireOptions['headers']>): Record<string, string> =>
	Object.fromEntries(headers instanceof RequestHeaders ? headers : Object.entries(headers));

/**
 * Creates a `fetch` over `node:http` and `node:https`. Node's own `fetch` retries after a 421 without asking
 * the code that decides about retries; this one sends each request once.
 */
export function createNodeFetch(): WireFetch {
	const agents = new Map<string, Agent>();
	return async (url, {method = 'GET', headers = {}, body, signal, onSend, fresh} = {}) => {
		const target = new URL(url);
		const isSecure = target.protocol === 'https:';
		const http = isSecure ? await import('node:https') : await import('node:http');
		const agent = agents.get(target.protocol) ?? new http.Agent({keepAlive: true});
		agents.set(target.protocol, agent);
		const options: RequestOptions = {
			method,
			headers: {
				accept: '*/*',
				'accept-encoding': 'gzip, deflate, br',
				// Node frames the body of a DELETE only if its length is given.
				...(body && {'content-length': String(Buffer.byteLength(body))}),
				...toPlainHeaders(headers),
			},
			agent: fresh ? false : agent,
			...(signal && {signal}),
		};
		const request = http.request(target, options);
		callWhenConnected(request, isSecure, onSend);
		const pendingResponse = awaitResponse(request);
		request.end(body ?? undefined);
		const response = await pendingResponse;
		return buildWireResponse(response.statusCode ?? 0, response.headers, response);
	};
}

/** Calls `onSend` when the connection is established: for TLS, after the certificate was verified. */
function callWhenConnected(
	request: ClientRequest,
	isSecure: boolean,
	onSend: (() => void) | undefined,
): void {
	if (!onSend) return;
	request.once('socket', socket => {
		if (request.reusedSocket || !(isSecure || socket.connecting)) onSend();
		else socket.once(isSecure ? 'secureConnect' : 'connect', onSend);
	});
}

function awaitResponse(request: ClientRequest): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		// Later errors surface while the response is read.
		request.on('error', reject);
		request.once('response', resolve);
		request.once('upgrade', (response, socket) => {
			socket.destroy();
			reject(
				createUnusableResponseFailure(
					`Status ${response.statusCode}: the service wants to switch to another protocol.`,
				),
			);
		});
	});
}

/** Builds a response from its status and headers, with a decoded body. */
export async function buildWireResponse(
	status: number,
	rawHeaders: Readonly<Record<string, string | readonly string[] | undefined>>,
	body: Readable,
): Promise<WireResponse> {
	const headers: ResponseHeaders = {
		get: name => rawHeaders[name.toLowerCase()]?.toString() ?? null,
		has: name => rawHeaders[name.toLowerCase()] !== undefined,
	};
	const framed = headers.has('content-length') || /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');
	return {status, headers, body: await decodeBody(body, headers), framed};
}

/** Decompresses a body. Fails for encodings that were not requested. */
async function decodeBody(body: Readable, headers: ResponseHeaders): Promise<Readable> {
	const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
	if (encoding === '' || encoding === 'identity') return body;
	const {pipeline} = await import('node:stream');
	const zlib = await import('node:zlib');
	const createDecoder = () => {
		switch (encoding) {
			case 'gzip':
			case 'x-gzip':
				return zlib.createGunzip();
			case 'deflate':
				return zlib.createInflate();
			case 'br':
				return zlib.createBrotliDecompress();
			default:
				body.destroy();
				throw createUnusableResponseFailure(`It is encoded as "${encoding}", which was not requested.`);
		}
	};
	// The reader of the stream gets the error.
	return pipeline(body, createDecoder(), () => {});
}

export const createUnusableResponseFailure = (why: string, cause?: unknown): Failure =>
	new Failure('answer_malformed', 'The response is not valid HTTP.', {
		why,
		next: buildAdvice`Check the base URL (\`${buildCommand('config')}\` shows it), and any proxy in between.`,
		cause,
	});
