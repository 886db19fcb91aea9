import type {JsonValue} from '../../text/json.ts';
import {type Answer, done, Refusal, raw} from '../http/answer.ts';
import {parseJson} from '../http/body.ts';
import {readMultipart} from '../http/multipart.ts';
import {whole} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import {keyOf, kvRoute, namespaceOf, openNamespace, secondsOf} from './addressed.ts';
import {entryProblem, lifetime} from './checks.ts';
import {makeCursor, readCursor} from './cursor.ts';
import {kvRefuse, kvRefused, refuseProblem} from './error.ts';
import {limits} from './limits.ts';
import {namespacePath} from './namespace-routes.ts';

const valuePath = `${namespacePath}/values/*key`;

/** Routes for single keys, and their listing. */
export const keyRoutes: readonly Route[] = [
	kvRoute('GET', `${namespacePath}/keys`, 'kv:read', 'list keys', listKeys),
	kvRoute('GET', valuePath, 'kv:read', 'get', getValue),
	kvRoute('PUT', valuePath, 'kv:write', 'put', putValue),
	kvRoute('DELETE', valuePath, 'kv:write', 'remove key', removeKey),
	kvRoute('GET', `${namespacePath}/metadata/*key`, 'kv:read', 'get metadata', getMetadata),
];

function listKeys(ask: Ask): Answer {
	const namespace = openNamespace(ask);
	const {query, quirks, world} = ask;
	const {least, most} = limits.listPage;
	const asked = whole(query.get('limit'), most);
	if (asked === undefined || asked < least || asked > most) return kvRefuse(ask, 10028);
	const limit = Math.min(asked, quirks.shortList() ?? most);
	const place = {namespace: namespace.id, prefix: query.get('prefix') ?? ''};
	const cursor = query.get('cursor') ?? '';
	const after = cursor === '' ? undefined : (readCursor(cursor, place) ?? kvRefuse(ask, 10041));
	const listing = {prefix: place.prefix, limit: limit + 1, ...(after !== undefined && {after})};
	const found = world.entries.list(namespace.number, listing, secondsOf(ask));
	const page = found.slice(0, limit);
	const last = page.at(-1)?.key;
	return done(
		page.map(({key, expiration, metadata}) => ({
			name: key,
			...(expiration !== null && {expiration}),
			...(metadata !== null && {metadata: JSON.parse(metadata) as JsonValue}),
		})),
		{
			info: {
				count: page.length,
				cursor: found.length > limit && last !== undefined ? makeCursor(last, place) : '',
			},
		},
	);
}

function getValue(ask: Ask): Answer {
	const {value, expiration} = found(ask);
	return raw(value, expiration === null ? {} : {expiration: String(expiration)});
}

function getMetadata(ask: Ask): Answer {
	const {metadata} = found(ask);
	return done(metadata === null ? null : (JSON.parse(metadata) as JsonValue));
}

function found(ask: Ask) {
	const key = keyOf(ask);
	const namespace = openNamespace(ask);
	return ask.world.entries.get(namespace.number, key, secondsOf(ask)) ?? kvRefuse(ask, 10009);
}

async function putValue(ask: Ask): Promise<Answer> {
	const key = keyOf(ask);
	namespaceOf(ask);
	const {query, quirks, world} = ask;
	const now = secondsOf(ask);
	const lives = lifetime(
		{ttl: numberOf(query.get('expiration_ttl')), expiration: numberOf(query.get('expiration'))},
		now,
	);
	if ('problem' in lives) throw new Refusal(kvRefused(ask.operation, lives.problem));
	const {value, metadata} = await readValue(ask);
	refuseProblem(ask, entryProblem(value, metadata));
	return world.transaction(() => {
		const namespace = openNamespace(ask);
		if (quirks.tooSoon(namespace.id, key)) return kvRefuse(ask, 10022);
		world.entries.sweep(now);
		world.entries.put(namespace.number, key, {value, metadata, expiration: lives.expiration});
		return done(null);
	});
}

/** Converts a number of the query; text that is not a number is returned as is, for the refusal. */
const numberOf = (text: string | null): number | string | undefined =>
	text === null ? undefined : /^-?\d{1,15}$/.test(text) ? Number(text) : text;

/** Maximum size of a multipart body beside the value, in bytes: boundaries, headers, metadata. */
const multipartExtra = 16_384;

/** Reads the value: the whole body, or a part beside metadata in a multipart body. */
async function readValue(ask: Ask): Promise<{value: Uint8Array; metadata: string | null}> {
	const type = ask.headers.get('content-type') ?? '';
	const isMultipart = /^multipart\/form-data\b/i.test(type);
	const body = await ask.body(limits.valueBytes + (isMultipart ? multipartExtra : 0));
	if (!body) return kvRefuse(ask, 10024, `Value length exceeds limit of ${limits.valueBytes}.`);
	if (!isMultipart) return {value: body, metadata: null};
	const parts = readMultipart(type, body);
	const value = parts?.get('value');
	if (!value) return kvRefuse(ask, 10012);
	const given = parts?.get('metadata');
	if (!given || given.length === 0) return {value, metadata: null};
	const metadata = parseJson(given);
	if (metadata === undefined) return kvRefuse(ask, 10047);
	return {value, metadata: metadata === null ? null : JSON.stringify(metadata)};
}

function removeKey(ask: Ask): Answer {
	const key = keyOf(ask);
	return ask.world.transaction(() => {
		const namespace = openNamespace(ask);
		if (ask.quirks.tooSoon(namespace.id, key)) return kvRefuse(ask, 10022);
		ask.world.entries.delete(namespace.number, key);
		return done(null);
	});
}
