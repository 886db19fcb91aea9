import {decodeBase64} from '../../text/base64.ts';
import type {JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {type Answer, done, Refusal} from '../http/answer.ts';
import {parseJson} from '../http/body.ts';
import type {Ask, Route} from '../http/route.ts';
import type {Entry} from '../world/entries.ts';
import type {Namespace} from '../world/namespaces.ts';
import {kvRoute, namespaceOf, openNamespace, secondsOf} from './addressed.ts';
import {entryProblem, keyProblem, lifetime} from './checks.ts';
import {type KvProblem, kvRefuse, kvRefused} from './error.ts';
import {limits} from './limits.ts';
import {namespacePath} from './namespace-routes.ts';

/** Routes for many keys in one request. wrangler still deletes with `DELETE …/bulk`. */
export const bulkRoutes: readonly Route[] = [
	kvRoute('PUT', `${namespacePath}/bulk`, 'kv:write', 'bulk put', putMany),
	kvRoute('DELETE', `${namespacePath}/bulk`, 'kv:write', 'bulk remove', removeMany),
	kvRoute('POST', `${namespacePath}/bulk/delete`, 'kv:write', 'bulk remove', removeMany),
	kvRoute('POST', `${namespacePath}/bulk/get`, 'kv:read', 'bulk get keys', getMany),
];

type Write = Entry & {readonly key: string};

/** Checks all entries before it writes the first one: a bad one refuses them all. */
async function putMany(ask: Ask): Promise<Answer> {
	namespaceOf(ask);
	const now = secondsOf(ask);
	const writes = (await readArray(ask)).map((item, index) => {
		const read = readEntry(item, now);
		return 'problem' in read ? refuseItem(ask, index, read.problem) : read;
	});
	return change(ask, writes, ({number}, write) => ask.world.entries.put(number, write.key, write));
}

async function removeMany(ask: Ask): Promise<Answer> {
	namespaceOf(ask);
	const removals = (await readArray(ask)).map((key, index) => {
		return {key: keyAt(ask, key, index)};
	});
	return change(ask, removals, ({number}, {key}) => ask.world.entries.delete(number, key));
}

/** Applies the changes in order, except to keys that are refused individually, and counts both. */
function change<Change extends {readonly key: string}>(
	ask: Ask,
	changes: readonly Change[],
	apply: (namespace: Namespace, change: Change) => void,
): Answer {
	const {world, quirks} = ask;
	return world.transaction(() => {
		const namespace = openNamespace(ask);
		const keys = new Set(changes.map(({key}) => key));
		const unsuccessful = new Set(quirks.refusedKeys(keys));
		for (const key of keys) if (quirks.tooSoon(namespace.id, key)) unsuccessful.add(key);
		const applied = changes.filter(({key}) => !unsuccessful.has(key));
		world.entries.sweep(secondsOf(ask));
		for (const one of applied) apply(namespace, one);
		return done({successful_key_count: applied.length, unsuccessful_keys: [...unsuccessful]});
	});
}

async function readArray(ask: Ask): Promise<readonly JsonValue[]> {
	const body = await ask.body(limits.bulkBytes);
	if (!body) return kvRefuse(ask, 10024, `Request exceeds limit of ${limits.bulkBytes} bytes.`);
	const items = parseJson(body);
	if (!Array.isArray(items)) return kvRefuse(ask, 10029, 'the body is not a JSON array');
	if (items.length > limits.bulkEntries)
		return kvRefuse(ask, 10029, `${items.length} entries exceed the limit of ${limits.bulkEntries}`);
	return items as readonly JsonValue[];
}

function keyAt(ask: Ask, key: JsonValue, index: number): string {
	if (typeof key !== 'string') return refuseItem(ask, index, {code: 10029, text: 'a key is a string'});
	const problem = keyProblem(key);
	return problem ? refuseItem(ask, index, problem) : key;
}

/** Answers 400 for a long key in a bulk request: 414 is for addresses. */
function refuseItem({operation}: Ask, index: number, problem: KvProblem): never {
	const {body, ...answer} = kvRefused(`${operation}: item ${index}`, problem);
	throw new Refusal({...answer, body, status: answer.status === 414 ? 400 : answer.status});
}

function readEntry(item: JsonValue, now: number): Write | {readonly problem: KvProblem} {
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
	const problem = keyProblem(key) ?? entryProblem(bytes, metadata);
	if (problem) return {problem};
	const lives = lifetime({ttl: item.expiration_ttl, expiration: item.expiration}, now);
	return 'problem' in lives ? lives : {key, value: bytes, metadata, expiration: lives.expiration};
}

const mostKeysBytes = 1_000_000;

async function getMany(ask: Ask): Promise<Answer> {
	namespaceOf(ask);
	const body = await ask.body(mostKeysBytes);
	if (!body) return kvRefuse(ask, 10024);
	const given = parseJson(body);
	if (!isJsonObject(given) || !Array.isArray(given.keys)) return kvRefuse(ask, 10029);
	const {keys, type = 'text', withMetadata = false} = given;
	if ((type !== 'text' && type !== 'json') || typeof withMetadata !== 'boolean') return kvRefuse(ask, 10029);
	if (keys.length > limits.bulkReads)
		return kvRefuse(ask, 10029, `${keys.length} keys exceed the limit of ${limits.bulkReads}`);
	const namespace = openNamespace(ask);
	const values: [string, JsonValue][] = [];
	let bytes = 0;
	for (const [index, given] of keys.entries()) {
		const key = keyAt(ask, given, index);
		const entry = ask.world.entries.get(namespace.number, key, secondsOf(ask));
		bytes += entry?.value.length ?? 0;
		if (bytes > limits.valueBytes) return kvRefuse(ask, 10024, `Values exceed ${limits.valueBytes} bytes.`);
		values.push([key, entry ? shown(ask, entry, type, withMetadata) : null]);
	}
	return done({values: Object.fromEntries(values)});
}

function shown(ask: Ask, entry: Entry, type: 'text' | 'json', withMetadata: boolean): JsonValue {
	const value =
		type === 'text'
			? new TextDecoder('utf-8', {ignoreBOM: true}).decode(entry.value)
			: parseJson(entry.value);
	if (value === undefined)
		return kvRefuse(ask, 10012, 'At least one of the requested keys corresponds to a non-json value');
	if (!withMetadata) return value;
	return {
		value,
		metadata: entry.metadata === null ? null : (JSON.parse(entry.metadata) as JsonValue),
		...(entry.expiration !== null && {expiration: entry.expiration}),
	};
}
