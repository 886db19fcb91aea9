import type {JsonObject, JsonValue} from '../../text/json.ts';

/** An error or message of the envelope; some errors of the service have no code. */
export type AnswerMessage = {
	readonly code?: number;
	readonly message: string;
	readonly type?: string | null;
	readonly error_chain?: readonly AnswerMessage[];
	readonly meta?: JsonObject;
	/** Location of the error in the request, as a JSON pointer. */
	readonly source?: {readonly pointer: string};
};

/** The envelope of JSON answers. The lists may be null, as in some answers of the service. */
type Envelope = {
	readonly result: JsonValue;
	readonly success: boolean;
	readonly errors: readonly AnswerMessage[] | null;
	readonly messages: readonly AnswerMessage[] | null;
	readonly result_info?: JsonObject;
};

/** An answer before serialization, so that faults can change its content. */
export type ServiceAnswer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Envelope | Uint8Array | null;
};

/** The error of 429: too many requests. */
export const tooManyRequestsError = {
	code: 971,
	message: 'Please wait and consider throttling your request speed',
} as const satisfies AnswerMessage;

type SuccessOptions = {readonly info?: JsonObject; readonly messages?: readonly AnswerMessage[]};

export const buildSuccessAnswer = (
	result: JsonValue,
	{info, messages = []}: SuccessOptions = {},
): ServiceAnswer => ({
	status: 200,
	headers: {},
	body: {result, success: true, errors: [], messages, ...(info && {result_info: info})},
});

export const buildErrorAnswer = (
	status: number,
	errors: AnswerMessage | readonly AnswerMessage[],
	headers: Readonly<Record<string, string>> = {},
	messages: readonly AnswerMessage[] = [],
): ServiceAnswer => ({
	status,
	headers,
	body: {result: null, success: false, errors: 'message' in errors ? [errors] : errors, messages},
});

/** Builds an answer of bytes: the value of a key. */
export const buildRawAnswer = (
	bytes: Uint8Array,
	headers: Readonly<Record<string, string>>,
): ServiceAnswer => ({
	status: 200,
	headers: {'content-type': 'application/octet-stream', ...headers},
	body: bytes,
});

/** Builds an HTML page, which the edge in front of the service sends instead of an envelope. */
export const buildHtmlAnswer = (
	status: number,
	title: string,
	headers: Readonly<Record<string, string>> = {},
): ServiceAnswer => ({
	status,
	headers: {'content-type': 'text/html; charset=UTF-8', ...headers},
	body: new TextEncoder().encode(
		`<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1></body></html>\n`,
	),
});

/**
 * An answer that a handler throws to end a request early. It is not a failure of ledge: the client gets it as
 * an ordinary answer.
 */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	readonly answer: ServiceAnswer;

	constructor(answer: ServiceAnswer) {
		super(`The simulated service answers ${answer.status}.`);
		this.answer = answer;
	}
}

/** Throws a `Refusal` with these errors. */
export const refuseRequest = (...details: Parameters<typeof buildErrorAnswer>): never => {
	throw new Refusal(buildErrorAnswer(...details));
};

export const isEnvelope = (body: ServiceAnswer['body']): body is Envelope =>
	body !== null && !(body instanceof Uint8Array);

/** Serializes a body. */
export function toWireBytes(body: ServiceAnswer['body']): Uint8Array<ArrayBuffer> {
	if (body === null) return new Uint8Array();
	if (body instanceof Uint8Array)
		return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length);
	return new TextEncoder().encode(JSON.stringify(body));
}
