import type {JsonValue} from '../../text/json.ts';
import type {ActiveFaults, RequestFaults} from '../faults/active-faults.ts';
import {buildHtmlAnswer, Refusal} from './answer.ts';
import {parseJsonBytes, readBody} from './body.ts';
import type {LoggedCall} from './calls.ts';

/** The path of the service below its origin. */
export const basePath = '/client/v4';

/**
 * A request being handled: its path below the base path, the faults that may strike it, and the part of its
 * body that was read.
 */
export class IncomingRequest {
	readonly request: Request;
	/** Below the base path; undefined if the request is outside it. */
	readonly path: string | undefined;
	readonly query: URLSearchParams;
	readonly requestFaults: RequestFaults;
	readonly #url: URL;
	#bytes = 0;
	#body: JsonValue | undefined;

	constructor(request: Request, faults: ActiveFaults) {
		this.request = request;
		this.#url = new URL(request.url);
		const {pathname, searchParams} = this.#url;
		this.path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
		this.query = searchParams;
		this.requestFaults = faults.match(request.method, this.path ?? pathname);
	}

	/** Reads the body; undefined if it has more than `maxBytes` bytes. A fault may set a lower limit. */
	async read(maxBytes: number): Promise<Uint8Array | undefined> {
		const body = await readBody(this.request, maxBytes);
		this.#bytes = body?.length ?? 0;
		if (body && this.path && /^\/(zones\/|filters\/|graphql$|accounts\/[^/]+\/rules\/)/.test(this.path))
			this.#body = parseJsonBytes(body);
		if (body && this.requestFaults.take('maxBody', ({maxBody}) => body.length > maxBody).length > 0)
			throw new Refusal(buildHtmlAnswer(413, '413 Request Entity Too Large'));
		return body;
	}

	/** Builds the entry for the log of calls, without its status. */
	buildLogEntry(): Omit<LoggedCall, 'status'> {
		const path = this.path ?? this.#url.pathname;
		return {
			method: this.request.method,
			path,
			query: this.#url.search.slice(1),
			bytes: this.#bytes,
			...(this.#body !== undefined && {body: this.#body}),
		};
	}
}
