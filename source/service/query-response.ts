import {isJsonObject, parseJson} from '../text/json.ts';
import {parseEnvelope} from './envelope.ts';
import type {Redact} from './redaction.ts';
import {
	createInconsistentResponseFailure,
	createRedirectFailure,
	createRefusal,
	createUnexpectedBodyFailure,
	type ResponseContext,
} from './refusal.ts';
import type {TransportResponse} from './transport.ts';

/** Why a query or part of it has no data. */
export type QueryError = {
	readonly message: string;
	/** Path of the missing data from the root; empty if the whole query was refused. */
	readonly path: readonly string[];
	/** The service's code, if it sends one. */
	readonly code?: string;
};

/** Response to a query. Data and errors can both be present, whatever the status. */
export type QueryResponse = {
	readonly status: number;
	readonly data: Readonly<Record<string, unknown>> | undefined;
	readonly errors: readonly QueryError[];
};

/**
 * Reads data and errors of a response. Fails like other calls if the response is a redirect or a refusing
 * envelope, or is not what a query returns.
 */
export function readQueryResponse(
	context: ResponseContext,
	{status, bytes}: Pick<TransportResponse, 'status' | 'bytes'>,
	redact: Redact,
): QueryResponse {
	if (status >= 300 && status < 400) throw createRedirectFailure(context);
	const text = new TextDecoder().decode(bytes);
	const json = parseJson(text);
	const envelope = parseEnvelope(json, status);
	if (envelope)
		throw envelope.success
			? createInconsistentResponseFailure(context, 'It has no "data".')
			: createRefusal(context, envelope);
	if (!isJsonObject(json)) throw createUnexpectedBodyFailure(context, redact(text));
	const errors = readQueryErrors(json.errors, redact);
	const data = isJsonObject(json.data) ? json.data : undefined;
	if (errors.length === 0 && (data === undefined || status < 200 || status >= 300))
		throw createUnexpectedBodyFailure(context, redact(text));
	return {status, data, errors};
}

function readQueryErrors(errors: unknown, redact: Redact): readonly QueryError[] {
	if (!Array.isArray(errors)) return [];
	return errors.filter(isJsonObject).map(({message, path, extensions}) => {
		const code = isJsonObject(extensions) ? extensions.code : undefined;
		return {
			message: redact(typeof message === 'string' ? message : ''),
			path: Array.isArray(path) ? path.map(part => redact(String(part))) : [],
			...(typeof code === 'string' && {code: redact(code)}),
		};
	});
}
