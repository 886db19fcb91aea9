import {decodeBase64} from '../../text/base64.ts';
import type {JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {buildSuccessAnswer, Refusal, type ServiceAnswer} from '../http/answer.ts';
import {parseJsonBytes} from '../http/body.ts';
import type {RequestContext, Route} from '../http/route.ts';
import type {StoredEntry} from '../world/entries.ts';
import type {StoredNamespace} from '../world/namespaces.ts';
import {computeExpiration, findEntryProblem, findKeyNameProblem} from './checks.ts';
import {buildKvErrorAnswer, type KvProblem, refuseKvRequest} from './error.ts';
import {kvServiceLimits} from './limits.ts';
import {namespacePath} from './namespace-routes.ts';
import {
	createKvRoute,
	getRequestedNamespace,
	getRequestSeconds,
	openRequestedNamespace,
} from './requested-namespace.ts';

/** Routes for many keys in one request. wrangler still deletes with `DELETE …/bulk`. */
export const bulkRoutes: readonly Route[] = [
	createKvRoute('PUT', `${namespacePath}/bulk`, 'kv:write', 'bulk put', putMany),
	createKvRoute('DELETE', `${namespacePath}/bulk`, 'kv:write', 'bulk remove', removeMany),
	createKvRoute('POST', `${namespacePath}/bulk/delete`, 'kv:write', 'bulk remove', removeMany),
	createKvRoute('POST', `${namespacePath}/bulk/get`, 'kv:read', 'bulk get keys', getMany),
];

type BulkWrite = StoredEntry & {readonly key: string};

/** Checks all entries before it writes the first one; refuses the whole request if one is invalid. */
async function putMany(context: RequestContext): Promise<ServiceAnswer> {
	// Refuses a missing namespace before anything in the body.
	getRequestedNamespace(context);
	const now = getRequestSeconds(context);
	const writes = (await readArray(context)).map((item, index) => {
		const parsedEntry = readBulkEntry(item, now);
		return 'problem' in parsedEntry ? refuseItem(context, index, parsedEntry.problem) : parsedEntry;
	});
	return applyChanges(context, writes, ({number}, write) =>
		context.world.entries.put(number, write.key, write),
	);
}

async function removeMany(context: RequestContext): Promise<ServiceAnswer> {
	getRequestedNamespace(context);
	const removals = (await readArray(context)).map((key, index) => {
		return {key: readBulkKey(context, key, index)};
	});
	return applyChanges(context, removals, ({number}, {key}) => context.world.entries.delete(number, key));
}

/**
 * Applies the changes in order, except to keys that are refused; answers with the number of applied changes
 * and the refused keys.
 */
function applyChanges<Change extends {readonly key: string}>(
	context: RequestContext,
	changes: readonly Change[],
	apply: (namespace: StoredNamespace, change: Change) => void,
): ServiceAnswer {
	const {world, quirks} = context;
	return world.runTransaction(() => {
		const namespace = openRequestedNamespace(context);
		const keys = new Set(changes.map(({key}) => key));
		const refusedKeys = new Set(quirks.listRefusedKeys(keys));
		for (const key of keys) if (quirks.isTooSoon(namespace.id, key)) refusedKeys.add(key);
		const appliedChanges = changes.filter(({key}) => !refusedKeys.has(key));
		world.entries.deleteExpired(getRequestSeconds(context));
		for (const change of appliedChanges) apply(namespace, change);
		return buildSuccessAnswer({
			successful_key_count: appliedChanges.length,
			unsuccessful_keys: [...refusedKeys],
		});
	});
}

async function readArray(context: RequestContext): Promise<readonly JsonValue[]> {
	const body = await context.readBody(kvServiceLimits.bulkBytes);
	if (!body)
		return refuseKvRequest(context, 10024, `Request exceeds limit of ${kvServiceLimits.bulkBytes} bytes.`);
	const items = parseJsonBytes(body);
	if (!Array.isArray(items)) return refuseKvRequest(context, 10029, 'the body is not a JSON array');
	if (items.length > kvServiceLimits.bulkEntries)
		return refuseKvRequest(
			context,
			10029,
			`${items.length} entries exceed the limit of ${kvServiceLimits.bulkEntries}`,
		);
	return items as readonly JsonValue[];
}

function readBulkKey(context: RequestContext, key: JsonValue, index: number): string {
	if (typeof key !== 'string') return refuseItem(context, index, {code: 10029, text: 'a key is a string'});
	const problem = findKeyNameProblem(key);
	return problem ? refuseItem(context, index, problem) : key;
}

/** Refuses an item of a bulk request. A key that is too long gets 400, because 414 is for keys in URLs. */
function refuseItem({operation}: RequestContext, index: number, problem: KvProblem): never {
	const {body, ...answer} = buildKvErrorAnswer(`${operation}: item ${index}`, problem);
	throw new Refusal({...answer, body, status: answer.status === 414 ? 400 : answer.status});
}

function readBulkEntry(item: JsonValue, now: number): BulkWrite | {readonly problem: KvProblem} {
	if (!isJsonObject(item) || typeof item.key !== 'string')
		return {problem: {code: 10029, text: 'an entry is an object with a key'}};
	const {key, value, base64} = item;
	if (typeof value !== 'string' || !value.isWellFormed()) return {problem: {code: 10012}};
	if (base64 !== undefined && typeof base64 !== 'boolean')
		return {problem: {code: 10029, text: 'base64 is true or false'}};
	const bytes = base64 ? decodeBase64(value) : new TextEncoder().encode(value);
	if (!bytes) return {problem: {code: 10012, text: 'the value is not base64'}};
	const metadata =
		item.metadata === undefined || item.metadata === null ? null : JSON.stringify(item.metadata);
	const problem = findKeyNameProblem(key) ?? findEntryProblem(bytes, metadata);
	if (problem) return {problem};
	const expiry = computeExpiration({ttl: item.expiration_ttl, expiration: item.expiration}, now);
	return 'problem' in expiry ? expiry : {key, value: bytes, metadata, expiration: expiry.expiration};
}

const maxGetBodyBytes = 1_000_000;

async function getMany(context: RequestContext): Promise<ServiceAnswer> {
	getRequestedNamespace(context);
	const body = await context.readBody(maxGetBodyBytes);
	if (!body) return refuseKvRequest(context, 10024);
	const request = parseJsonBytes(body);
	if (!isJsonObject(request) || !Array.isArray(request.keys)) return refuseKvRequest(context, 10029);
	const {keys, type = 'text', withMetadata = false} = request;
	if ((type !== 'text' && type !== 'json') || typeof withMetadata !== 'boolean')
		return refuseKvRequest(context, 10029);
	if (keys.length > kvServiceLimits.keysPerBulkRead)
		return refuseKvRequest(
			context,
			10029,
			`${keys.length} keys exceed the limit of ${kvServiceLimits.keysPerBulkRead}`,
		);
	const namespace = openRequestedNamespace(context);
	const values: [string, JsonValue][] = [];
	let totalBytes = 0;
	for (const [index, item] of keys.entries()) {
		const key = readBulkKey(context, item, index);
		const entry = context.world.entries.get(namespace.number, key, getRequestSeconds(context));
		totalBytes += entry?.value.length ?? 0;
		if (totalBytes > kvServiceLimits.valueBytes)
			return refuseKvRequest(context, 10024, `Values exceed ${kvServiceLimits.valueBytes} bytes.`);
		values.push([key, entry ? buildBulkValue(context, entry, type, withMetadata) : null]);
	}
	return buildSuccessAnswer({values: Object.fromEntries(values)});
}

function buildBulkValue(
	context: RequestContext,
	entry: StoredEntry,
	type: 'text' | 'json',
	withMetadata: boolean,
): JsonValue {
	const value =
		type === 'text'
			? new TextDecoder('utf-8', {ignoreBOM: true}).decode(entry.value)
			: parseJsonBytes(entry.value);
	if (value === undefined)
		return refuseKvRequest(
			context,
			10012,
			'At least one of the requested keys corresponds to a non-json value',
		);
	if (!withMetadata) return value;
	return {
		value,
		metadata: entry.metadata === null ? null : (JSON.parse(entry.metadata) as JsonValue),
		...(entry.expiration !== null && {expiration: entry.expiration}),
	};
}
