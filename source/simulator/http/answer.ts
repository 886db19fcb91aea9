import type {JsonObject, JsonValue} from '../../text/json.ts';

/** An error or message of the envelope; some errors of the service have no code. */
export type ServiceMessage = {
	readonly code?: number;
	readonly message: string;
	readonly type?: string | null;
	readonly error_chain?: readonly ServiceMessage[];
	readonly meta?: JsonObject;
	/** Location of the error in the request, as a JSON pointer. */
	readonly source?: {readonly pointer: string};
};

/** The envelope of JSON answers. The lists may be null, as in some answers of the service. */
type Envelope = {
	readonly result: JsonValue;
	readonly success: boolean;
	readonly errors: readonly ServiceMessage[] | null;
	readonly messages: readonly ServiceMessage[] | null;
	readonly result_info?: JsonObject;
};

/** An answer before serialization, so that faults can change its content. */
export type Answer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Envelope | Uint8Array | null;
};

/** The error of 429: too many requests. */
export const slowDown = {
	code: 971,
	message: 'Please wait and consider throttling your request speed',
} as const satisfies ServiceMessage;

type DoneOptions = {readonly info?: JsonObject; readonly messages?: readonly ServiceMessage[]};

export const done = (result: JsonValue, {info, messages = []}: DoneOptions = {}): Answer => ({
	status: 200,
	headers: {},
	body: {result, success: true, errors: [], messages, ...(info && {result_info: info})},
});

export const refused = (
	status: number,
	errors: ServiceMessage | readonly ServiceMessage[],
	headers: Readonly<Record<string, string>> = {},
	messages: readonly ServiceMessage[] = [],
): Answer => ({
	status,
	headers,
	body: {result: null, success: false, errors: 'message' in errors ? [errors] : errors, messages},
});

/** Builds an answer of bytes: the value of a key. */
export const raw = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): Answer => ({
	status: 200,
	headers: {'content-type': 'application/octet-stream', ...headers},
	body: bytes,
});

/** Builds an HTML page, which the edge in front of the service sends instead of an envelope. */
export const html = (
	status: number,
	title: string,
	headers: Readonly<Record<string, string>> = {},
): Answer => ({
	status,
	headers: {'content-type': 'text/html; charset=UTF-8', ...headers},
	body: new TextEncoder().encode(
		`<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1></body></html>\n`,
	),
});

/**
 * An answer that is thrown to end a request from any place in its handling. No failure of ledge: the client
 * gets it as an ordinary answer.
 */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	readonly answer: Answer;

	constructor(answer: Answer) {
		super(`The simulated service answers ${answer.status}.`);
		this.answer = answer;
	}
}

/** Throws a `Refusal` with these errors. */
export const refuse = (...details: Parameters<typeof refused>): never => {
	throw new Refusal(refused(...details));
};

export const isEnvelope = (body: Answer['body']): body is Envelope =>
	body !== null && !(body instanceof Uint8Array);

/** Serializes a body. */
export function wireBytes(body: Answer['body']): Uint8Array<ArrayBuffer> {
	if (body === null) return new Uint8Array();
	if (body instanceof Uint8Array)
		return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length);
	return new TextEncoder().encode(JSON.stringify(body));
}
