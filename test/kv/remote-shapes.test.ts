import {describe, expect, test} from 'vitest';
import {listKeyPages} from '../../source/kv/keys.ts';
import {createNamespace, getNamespaceById, getNamespaceByTitle} from '../../source/kv/namespaces.ts';
import {openRemoteStore} from '../../source/kv/remote-store.ts';
import type {Client} from '../../source/service/client.ts';
import {MemoryStore} from './support/memory-store.ts';
import {failureOf} from './support/workspace.ts';

const neverAborted = new AbortController().signal;

/** Creates a client that returns this `result` in every response. */
const createClient = (result: unknown, headers: Record<string, string> = {}): Client =>
	({
		concurrency: 1,
		call: async () => ({result, info: {perPage: 100}}),
		read: async () => ({bytes: Buffer.from('v'), headers: new Headers(headers)}),
	}) as unknown as Client;

const storeOf = (client: Client) =>
	openRemoteStore({client, account: 'a', namespace: 'n', label: 'a › n', isSimulated: false});

const malformed = expect.objectContaining({code: 'answer_malformed'});

describe('a truncated or malformed response is never accepted', () => {
	test.each([
		['nothing', null],
		['an empty object', {}],
		['values that are a list', {values: []}],
		['values of some keys only', {values: {a: 'x'}}],
		['a value without its content', {values: {a: 'x', b: {metadata: 1}}}],
		['a value that is a number', {values: {a: 'x', b: 3}}],
		['an expiry that is a text', {values: {a: 'x', b: {value: 'y', expiration: '4000000000'}}}],
	])('bulk reads: %s', async (_what, result) => {
		expect(await failureOf(storeOf(createClient(result)).getMany(['a', 'b'], neverAborted))).toEqual(
			malformed,
		);
	});

	test('bulk reads: a key that does not exist is null', async () => {
		const client = createClient({values: {a: null, b: {value: null}, ['__proto__']: 'x'}});
		expect(await storeOf(client).getMany(['a', 'b'], neverAborted)).toEqual(new Map());
	});

	test.each([
		['an empty object', {}],
		['a text', 'ok'],
		['a list', []],
		['refused keys without a list of them', {successful_key_count: 2}],
		['refused keys that are no names', {successful_key_count: 1, unsuccessful_keys: [7]}],
		['a count that leaves keys out', {successful_key_count: 1, unsuccessful_keys: []}],
	])('bulk writes and bulk deletes: %s', async (_what, result) => {
		const store = storeOf(createClient(result));
		const entries = ['a', 'b'].map(key => ({key, value: 'v'}));
		expect(await failureOf(store.putMany(entries, neverAborted))).toEqual(malformed);
		expect(await failureOf(store.deleteMany(['a', 'b'], neverAborted))).toEqual(malformed);
	});

	test('bulk writes: null means success on an older deployment, and rejected keys are returned by name', async () => {
		const entries = ['a', 'b'].map(key => ({key, value: 'v'}));
		expect(await storeOf(createClient(null)).putMany(entries, neverAborted)).toEqual({done: 2, refused: []});
		const partialResult = {successful_key_count: 1, unsuccessful_keys: ['b']};
		expect(await storeOf(createClient(partialResult)).putMany(entries, neverAborted)).toEqual({
			done: 1,
			refused: [{key: 'b'}],
		});
	});

	test.each(['soon', '', '1.5', '-1', '9'.repeat(20)])('a raw value whose expiry is %j', async expiration => {
		expect(await failureOf(storeOf(createClient(null, {expiration})).get('a', neverAborted))).toEqual(
			malformed,
		);
	});

	test('a listing: an expiry that is text', async () => {
		const store = storeOf(createClient([{name: 'a', expiration: '4000000000'}]));
		expect(await failureOf(store.list({}, neverAborted))).toEqual(malformed);
	});

	test('a listing: a page that refers to itself', async () => {
		const store = new MemoryStore();
		store.list = async () => ({entries: [{name: 'a'}], cursor: 'again'});
		const walkPages = async () => {
			const seen: unknown[] = [];
			for await (const page of listKeyPages(store, {}, neverAborted)) seen.push(page);
			return seen;
		};
		expect(await failureOf(walkPages())).toEqual(malformed);
	});

	test('a namespace without a title or id', async () => {
		expect(await failureOf(getNamespaceById(createClient({id: 'n'}), 'a', 'n', neverAborted))).toEqual(
			malformed,
		);
		expect(await failureOf(getNamespaceByTitle(createClient([{id: 'n'}]), 'a', 'T', neverAborted))).toEqual(
			malformed,
		);
		expect(await failureOf(createNamespace(createClient({}), 'a', {title: 'T'}, neverAborted))).toEqual(
			malformed,
		);
	});
});
