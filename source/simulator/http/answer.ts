import type {JsonObject, JsonValue} from '../../text/json.ts';

/** An error or message of the envelope; some errors of the service have no code. */
export type ServiceMessage = {
	readonly code?: number;
	readonly message: string;
	readonly type?: string | null;
	readonly error_chain?: readonly ServiceMessage[];
	readonly meta?: JsonObject;
	/** Where in the request the error lies, as a JSON pointer. */
	readonly source?: {readonly pointer: string};
};

/** What every JSON answer is wrapped in. The lists may be null, as in some answers of the service. */
type Envelope = {
	readonly result: JsonValue;
	readonly success: boolean;
	readonly errors: readonly ServiceMessage[] | null;
	readonly messages: readonly ServiceMessage[] | null;
	readonly result_info?: JsonObject;
};

/** An answer before it becomes bytes, so that faults can still change what it says. */
export type Answer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Envelope | Uint8Array | null;
};

/** What comes with 429: too many requests of one kind or another. */
export const slowDown = {
	code: 971,
	message: 'Please wait and consider throttling your request speed',
} as const satisfies ServiceMessage;

type DoneOptions = {readonly info?: JsonObject; readonly messages?: readonly ServiceMessage[]};

/** An envelope that says it worked. */
export const done = (result: JsonValue, {info, messages = []}: DoneOptions = {}): Answer => ({
	status: 200,
	headers: {},
	body: {result, success: true, errors: [], messages, ...(info && {result_info: info})},
});

/** An envelope with the reason. */
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

/** Bytes as they are: the value of a key. */
export const raw = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): Answer => ({
	status: 200,
	headers: {'content-type': 'application/octet-stream', ...headers},
	body: bytes,
});

/** A page of the edge in front of the service, which is not an envelope. */
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
 * An answer of the service that ends the work on a request from wherever it is found to be wrong. Not a failure
 * of ledge: to whoever asks, it is an ordinary answer.
 */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	readonly answer: Answer;

	constructor(answer: Answer) {
		super(`The simulated service answers ${answer.status}.`);
		this.answer = answer;
	}
}

/** Ends the work on a request with an envelope with the reason. */
export const refuse = (...details: Parameters<typeof refused>): never => {
	throw new Refusal(refused(...details));
};

export const isEnvelope = (body: Answer['body']): body is Envelope =>
	body !== null && !(body instanceof Uint8Array);

/** The body as it goes over the wire. */
export function wireBytes(body: Answer['body']): Uint8Array<ArrayBuffer> {
	if (body === null) return new Uint8Array();
	if (body instanceof Uint8Array)
		return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length);
	return new TextEncoder().encode(JSON.stringify(body));
}
