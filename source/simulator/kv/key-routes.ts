import type {JsonValue} from '../../text/json.ts';
import {buildRawAnswer, buildSuccessAnswer, Refusal, type ServiceAnswer} from '../http/answer.ts';
import {parseJsonBytes} from '../http/body.ts';
import {readMultipart} from '../http/multipart.ts';
import {parseQueryInteger} from '../http/pages.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {computeExpiration, findEntryProblem} from './checks.ts';
import {createKeyCursor, parseKeyCursor} from './cursor.ts';
import {buildKvErrorAnswer, refuseKvProblem, refuseKvRequest} from './error.ts';
import {kvServiceLimits} from './limits.ts';
import {namespacePath} from './namespace-routes.ts';
import {
	createKvRoute,
	decodePathKey,
	getRequestedNamespace,
	getRequestSeconds,
	openRequestedNamespace,
} from './requested-namespace.ts';

const valuePath = `${namespacePath}/values/*key`;

/** Routes for single keys, and their listing. */
export const keyRoutes: readonly Route[] = [
	createKvRoute('GET', `${namespacePath}/keys`, 'kv:read', 'list keys', listKeys),
	createKvRoute('GET', valuePath, 'kv:read', 'get', getValue),
	createKvRoute('PUT', valuePath, 'kv:write', 'put', putValue),
	createKvRoute('DELETE', valuePath, 'kv:write', 'remove key', removeKey),
	createKvRoute('GET', `${namespacePath}/metadata/*key`, 'kv:read', 'get metadata', getMetadata),
];

function listKeys(context: RequestContext): ServiceAnswer {
	const namespace = openRequestedNamespace(context);
	const {query, quirks, world} = context;
	const {minKeys: minLimit, maxKeys: maxLimit} = kvServiceLimits.listPage;
	const requestedLimit = parseQueryInteger(query.get('limit'), maxLimit);
	if (requestedLimit === undefined || requestedLimit < minLimit || requestedLimit > maxLimit)
		return refuseKvRequest(context, 10028);
	const limit = Math.min(requestedLimit, quirks.getListLimit() ?? maxLimit);
	const scope = {namespace: namespace.id, prefix: query.get('prefix') ?? ''};
	const cursor = query.get('cursor') ?? '';
	const lastKey =
		cursor === '' ? undefined : (parseKeyCursor(cursor, scope) ?? refuseKvRequest(context, 10041));
	const listing = {prefix: scope.prefix, limit: limit + 1, ...(lastKey !== undefined && {after: lastKey})};
	const entries = world.entries.list(namespace.number, listing, getRequestSeconds(context));
	const page = entries.slice(0, limit);
	const lastListedKey = page.at(-1)?.key;
	return buildSuccessAnswer(
		page.map(({key, expiration, metadata}) => ({
			name: key,
			...(expiration !== null && {expiration}),
			...(metadata !== null && {metadata: JSON.parse(metadata) as JsonValue}),
		})),
		{
			info: {
				count: page.length,
				cursor:
					entries.length > limit && lastListedKey !== undefined ? createKeyCursor(lastListedKey, scope) : '',
			},
		},
	);
}

function getValue(context: RequestContext): ServiceAnswer {
	const {value, expiration} = getEntry(context);
	return buildRawAnswer(value, expiration === null ? {} : {expiration: String(expiration)});
}

function getMetadata(context: RequestContext): ServiceAnswer {
	const {metadata} = getEntry(context);
	return buildSuccessAnswer(metadata === null ? null : (JSON.parse(metadata) as JsonValue));
}

function getEntry(context: RequestContext) {
	const key = decodePathKey(context);
	const namespace = openRequestedNamespace(context);
	return (
		context.world.entries.get(namespace.number, key, getRequestSeconds(context)) ??
		refuseKvRequest(context, 10009)
	);
}

async function putValue(context: RequestContext): Promise<ServiceAnswer> {
	const key = decodePathKey(context);
	// Refuses a missing namespace before anything in the body.
	getRequestedNamespace(context);
	const {query, quirks, world} = context;
	const now = getRequestSeconds(context);
	const expiry = computeExpiration(
		{
			ttl: parseQueryNumber(query.get('expiration_ttl')),
			expiration: parseQueryNumber(query.get('expiration')),
		},
		now,
	);
	if ('problem' in expiry) throw new Refusal(buildKvErrorAnswer(context.operation, expiry.problem));
	const {value, metadata} = await readPutBody(context);
	refuseKvProblem(context, findEntryProblem(value, metadata));
	return world.runTransaction(() => {
		const namespace = openRequestedNamespace(context);
		if (quirks.isTooSoon(namespace.id, key)) return refuseKvRequest(context, 10022);
		world.entries.deleteExpired(now);
		world.entries.put(namespace.number, key, {value, metadata, expiration: expiry.expiration});
		return buildSuccessAnswer(null);
	});
}

/** Converts a number of the query; text that is not a number is returned as is, for the refusal. */
const parseQueryNumber = (text: string | null): number | string | undefined =>
	text === null ? undefined : /^-?\d{1,15}$/.test(text) ? Number(text) : text;

/** Maximum size of a multipart body without the value, in bytes: boundaries, headers, metadata. */
const maxMultipartOverhead = 16_384;

/** Reads the value: the whole body, or a part beside metadata in a multipart body. */
async function readPutBody(context: RequestContext): Promise<{value: Uint8Array; metadata: string | null}> {
	const type = context.headers.get('content-type') ?? '';
	const isMultipart = /^multipart\/form-data\b/i.test(type);
	const body = await context.readBody(kvServiceLimits.valueBytes + (isMultipart ? maxMultipartOverhead : 0));
	if (!body)
		return refuseKvRequest(context, 10024, `Value length exceeds limit of ${kvServiceLimits.valueBytes}.`);
	if (!isMultipart) return {value: body, metadata: null};
	const parts = readMultipart(type, body);
	const value = parts?.get('value');
	if (!value) return refuseKvRequest(context, 10012);
	const metadataBytes = parts?.get('metadata');
	if (!metadataBytes || metadataBytes.length === 0) return {value, metadata: null};
	const metadata = parseJsonBytes(metadataBytes);
	if (metadata === undefined) return refuseKvRequest(context, 10047);
	return {value, metadata: metadata === null ? null : JSON.stringify(metadata)};
}

function removeKey(context: RequestContext): ServiceAnswer {
	const key = decodePathKey(context);
	return context.world.runTransaction(() => {
		const namespace = openRequestedNamespace(context);
		if (context.quirks.isTooSoon(namespace.id, key)) return refuseKvRequest(context, 10022);
		context.world.entries.delete(namespace.number, key);
		return buildSuccessAnswer(null);
	});
}
