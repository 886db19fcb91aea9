import {buildErrorAnswer, Refusal, type ServiceAnswer} from '../http/answer.ts';
import type {RequestContext} from '../http/route.ts';

/** The errors of the key-value part, with their HTTP status and default text. */
const kvErrors = {
	10007: [400, 'malformed page argument'],
	10008: [400, 'malformed per_page argument'],
	10009: [404, 'key not found'],
	10010: [400, 'malformed namespace'],
	10011: [400, 'malformed namespace ID'],
	10012: [400, 'malformed value'],
	10013: [404, 'namespace not found'],
	10014: [400, 'A namespace with this account ID and title already exists'],
	10018: [400, 'too many namespaces in this account'],
	10019: [400, 'missing title'],
	10022: [429, 'too many requests'],
	10024: [413, 'payload too large'],
	10028: [400, 'invalid limit argument'],
	10029: [400, 'invalid request'],
	10030: [414, 'key too long'],
	10033: [400, 'invalid expiration'],
	10034: [400, 'invalid expiration ttl'],
	10037: [403, 'the user lacks the permissions to perform this operation'],
	10041: [400, 'invalid "list keys" cursor'],
	10042: [400, 'illegal key name'],
	10043: [400, 'invalid order argument'],
	10044: [400, 'invalid direction argument'],
	10047: [400, 'invalid metadata'],
} as const;

type KvErrorCode = keyof typeof kvErrors;

/** A KV error; `text` and `status` replace the defaults of its code. */
export type KvProblem = {readonly code: KvErrorCode; readonly text?: string; readonly status?: number};

/** Builds an error answer of the key-value part: `<operation>: '<text>'`. */
export function buildKvErrorAnswer(operation: string, {code, text, status}: KvProblem): ServiceAnswer {
	const [defaultStatus, defaultText] = kvErrors[code];
	const headers = code === 10022 ? {'retry-after': '1'} : {};
	return buildErrorAnswer(
		status ?? defaultStatus,
		{code, message: `${operation}: '${text ?? defaultText}'`},
		headers,
	);
}

/** Refuses the request if there is a problem. */
export function refuseKvProblem(
	{operation}: Pick<RequestContext, 'operation'>,
	problem: KvProblem | undefined,
): void {
	if (problem) throw new Refusal(buildKvErrorAnswer(operation, problem));
}

/** Refuses the request with a KV error. */
export function refuseKvRequest(
	{operation}: Pick<RequestContext, 'operation'>,
	code: KvErrorCode,
	text?: string,
): never {
	throw new Refusal(buildKvErrorAnswer(operation, {code, ...(text !== undefined && {text})}));
}
