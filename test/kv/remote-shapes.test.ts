import {describe, expect, test} from 'vitest';
import {listKeyPages} from '../../source/kv/keys.ts';
import {createNamespace, getNamespaceById, getNamespaceByTitle} from '../../source/kv/namespaces.ts';
import {openRemoteStore} from '../../source/kv/remote-store.ts';
import type {Client} from '../../source/service/client.ts';
import {MemoryStore} from './support/memory-store.ts';
import {failureOf} from './support/workspace.ts';

const never = new AbortController().signal;

/** A client whose every answer has this `result`. */
const answering = (result: unknown, headers: Record<string, string> = {}): Client =>
	({
		concurrency: 1,
		call: async () => ({result, info: {perPage: 100}}),
		read: async () => ({bytes: Buffer.from('v'), headers: new Headers(headers)}),
	}) as unknown as Client;

const storeOf = (client: Client) =>
	openRemoteStore({client, account: 'a', namespace: 'n', label: 'a › n', isSimulated: false});

const malformed = expect.objectContaining({code: 'answer_malformed'});

describe('a truncated or malformed answer is never taken as fact', () => {
	test.each([
		['nothing', null],
		['an empty object', {}],
		['values that are a list', {values: []}],
		['values of some keys only', {values: {a: 'x'}}],
		['a value without its content', {values: {a: 'x', b: {metadata: 1}}}],
		['a value that is a number', {values: {a: 'x', b: 3}}],
		['an expiry that is a text', {values: {a: 'x', b: {value: 'y', expiration: '4000000000'}}}],
	])('bulk reads: %s', async (_what, result) => {
		expect(await failureOf(storeOf(answering(result)).getMany(['a', 'b'], never))).toEqual(malformed);
	});

	test('bulk reads: a key that does not exist is null', async () => {
		const client = answering({values: {a: null, b: {value: null}, ['__proto__']: 'x'}});
		expect(await storeOf(client).getMany(['a', 'b'], never)).toEqual(new Map());
	});

	test.each([
		['an empty object', {}],
		['a text', 'ok'],
		['a list', []],
		['refused keys without a list of them', {successful_key_count: 2}],
		['refused keys that are no names', {successful_key_count: 1, unsuccessful_keys: [7]}],
		['a count that leaves keys out', {successful_key_count: 1, unsuccessful_keys: []}],
	])('bulk writes and bulk deletes: %s', async (_what, result) => {
		const store = storeOf(answering(result));
		const entries = ['a', 'b'].map(key => ({key, value: 'v'}));
		expect(await failureOf(store.putMany(entries, never))).toEqual(malformed);
		expect(await failureOf(store.deleteMany(['a', 'b'], never))).toEqual(malformed);
	});

	test('bulk writes: null is the success of an older deployment, and rejected keys are named', async () => {
		const entries = ['a', 'b'].map(key => ({key, value: 'v'}));
		expect(await storeOf(answering(null)).putMany(entries, never)).toEqual({done: 2, refused: []});
		const partly = {successful_key_count: 1, unsuccessful_keys: ['b']};
		expect(await storeOf(answering(partly)).putMany(entries, never)).toEqual({
			done: 1,
			refused: [{key: 'b'}],
		});
	});

	test.each(['soon', '', '1.5', '-1', '9'.repeat(20)])('a raw value: its expiry is %j', async expiration => {
		expect(await failureOf(storeOf(answering(null, {expiration})).get('a', never))).toEqual(malformed);
	});

	test('a listing: an expiry that is text', async () => {
		const store = storeOf(answering([{name: 'a', expiration: '4000000000'}]));
		expect(await failureOf(store.list({}, never))).toEqual(malformed);
	});

	test('a listing: a page that refers to itself', async () => {
		const store = new MemoryStore();
		store.list = async () => ({entries: [{name: 'a'}], cursor: 'again'});
		const walked = async () => {
			const seen: unknown[] = [];
			for await (const page of listKeyPages(store, {}, never)) seen.push(page);
			return seen;
		};
		expect(await failureOf(walked())).toEqual(malformed);
	});

	test('a namespace without a title or id', async () => {
		expect(await failureOf(getNamespaceById(answering({id: 'n'}), 'a', 'n', never))).toEqual(malformed);
		expect(await failureOf(getNamespaceByTitle(answering([{id: 'n'}]), 'a', 'T', never))).toEqual(malformed);
		expect(await failureOf(createNamespace(answering({}), 'a', 'T', never))).toEqual(malformed);
	});
});
