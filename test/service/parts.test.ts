import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {requireSingleAccount} from '../../source/service/accounts.ts';
import {formatCurlLine, quoteShellWord} from '../../source/service/curl.ts';
import {parseEnvelope} from '../../source/service/envelope.ts';
import {encodeJsonList} from '../../source/service/json-list.ts';
import {listPagedItems} from '../../source/service/paging.ts';
import {requireText} from '../../source/service/response-fields.ts';
import {getRunCount, isFull} from '../support/full.ts';
import {
	buildEnvelope,
	createScriptedClient,
	neverAbortedSignal,
	type ScriptedReply,
} from './scripted-transport.ts';

const clientOf = (...script: ScriptedReply[]) => createScriptedClient(script);

describe('the envelope', () => {
	test('any JSON is read or refused, and never crashes the reader', () => {
		fc.assert(
			fc.property(fc.jsonValue(), json => {
				const parsed = parseEnvelope(json);
				if (parsed) {
					expect(Array.isArray(parsed.errors)).toBe(true);
					expect(typeof parsed.success).toBe('boolean');
				}
			}),
		);
	});

	test('any errors and messages are read, whatever the shape of their items', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (errors, messages, result_info) => {
				const parsed = parseEnvelope({success: false, result: null, errors, messages, result_info});
				for (const error of parsed?.errors ?? []) expect(typeof error.message).toBe('string');
				expect(['string', 'undefined']).toContain(typeof parsed?.info.cursor);
			}),
		);
	});
});

describe('numbered pages', () => {
	const items = (...ids: string[]) => ids.map(id => ({id}));
	const buildPage = (result: readonly unknown[], perPage = 2) =>
		buildEnvelope(result, {result_info: {per_page: perPage, count: result.length}});
	const list = async (...script: ScriptedReply[]) => {
		const {client, sent} = clientOf(...script);
		const found: string[] = [];
		const listing = {
			path: '/x',
			perPage: 2,
			itemNoun: 'a thing',
			read: (item: Readonly<Record<string, unknown>>) => ({id: requireText(item, 'id', 'a thing')}),
		};
		for await (const {id} of listPagedItems(client, listing, neverAbortedSignal)) found.push(id);
		return {found, queries: sent.map(one => new URL(one.url).search)};
	};

	test('end on a short page', async () => {
		const {found, queries} = await list(buildPage(items('a', 'b')), buildPage(items('c')));
		expect(found).toEqual(['a', 'b', 'c']);
		expect(queries).toEqual(['?page=1&per_page=2', '?page=2&per_page=2']);
	});

	test('end on an empty page', async () => {
		const {found, queries} = await list(buildPage(items('a', 'b')), buildPage([]));
		expect(found).toEqual(['a', 'b']);
		expect(queries).toHaveLength(2);
	});

	test('end if the service returns the same page forever', async () => {
		const {found, queries} = await list(buildPage(items('a', 'b')));
		expect(found).toEqual(['a', 'b']);
		expect(queries).toHaveLength(2);
	});

	test('continue if the service gives smaller pages than requested and says so', async () => {
		const page = (...ids: string[]) => buildPage(items(...ids), 1);
		expect((await list(page('a'), page('b'), page())).found).toEqual(['a', 'b']);
	});

	test.each([
		// As the explorer of `wrangler dev` responds.
		['its count', {count: 1}],
		['the total of the listing', {total_count: 3}],
	])('end on a short page if the service states only %s', async (_what, info) => {
		const last = buildEnvelope(items('c'), {result_info: info});
		const {found, queries} = await list(buildPage(items('a', 'b')), last);
		expect(found).toEqual(['a', 'b', 'c']);
		expect(queries).toHaveLength(2);
	});

	test.each([
		['no result_info', undefined],
		['an empty result_info', {}],
		['only the page', {page: 1, per_page: 2}],
	])('with %s, continue until a page is empty or brings nothing new', async (_what, info) => {
		const page = (...ids: string[]) => buildEnvelope(items(...ids), {result_info: info});
		const cut = await list(page('a'), page('b', 'c'), page('d'), page());
		expect(cut.found).toEqual(['a', 'b', 'c', 'd']);
		expect(cut.queries).toHaveLength(4);
		const repeated = await list(page('a'));
		expect(repeated.found).toEqual(['a']);
		expect(repeated.queries).toHaveLength(2);
	});

	test.each([
		['fewer items than it counts', buildEnvelope([], {result_info: {per_page: 2, count: 2}}), 'contains 0'],
		['more items than it counts', buildEnvelope([{id: 'c'}], {result_info: {count: 0}}), 'contains 1'],
		['null for the list', buildEnvelope(null), 'no usable list'],
		['no result', Response.json({success: true}), 'has no "result"'],
		['no body', new Response(null, {status: 200}), '(nothing)'],
		['no content', new Response(null, {status: 204}), '(nothing)'],
	])('fail if one has %s, instead of ending there', async (_name, answer, why) => {
		const {client} = clientOf(buildPage(items('a', 'b')), answer);
		const listing = {
			path: '/x',
			perPage: 2,
			itemNoun: 'a thing',
			read: (item: Readonly<Record<string, unknown>>) => ({id: requireText(item, 'id', 'a thing')}),
		};
		const failure: Failure = await Array.fromAsync(listPagedItems(client, listing, neverAbortedSignal)).catch(
			error => error,
		);
		expect(failure.code).toBe('answer_malformed');
		expect(`${failure.message} ${failure.details.why}`).toContain(why);
	});

	test('fail on a response that is not a list, naming what is missing', async () => {
		await expect(list(buildEnvelope({}))).rejects.toThrow('no usable list of things.');
		await expect(list(buildEnvelope(['x']))).rejects.toThrow('no usable thing.');
		await expect(list(buildEnvelope([{name: 'x'}]))).rejects.toThrow('id of a thing');
	});
});

describe('the only account', () => {
	const onePage = {result_info: {page: 1, per_page: 50}};

	test('is used if there is only one, and refused with a list if there are more', async () => {
		const one = clientOf(buildEnvelope([{id: 'a', name: 'Acme'}], onePage));
		expect(await requireSingleAccount(one.client, neverAbortedSignal)).toEqual({id: 'a', name: 'Acme'});
		const two = clientOf(
			buildEnvelope(
				[
					{id: 'a', name: 'Acme'},
					{id: 'b', name: 'Bolt'},
				],
				onePage,
			),
		);
		const failure = await requireSingleAccount(two.client, neverAbortedSignal).catch(error => error);
		expect(failure).toBeInstanceOf(Failure);
		expect(failure.details.why).toBe('a  Acme\nb  Bolt');
		const none = clientOf(buildEnvelope([], onePage));
		expect((await requireSingleAccount(none.client, neverAbortedSignal).catch(error => error)).code).toBe(
			'account_unclear',
		);
	});
});

describe('a JSON list built item by item', () => {
	test('equals the output of JSON.stringify, for any items and any size', () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue()), fc.string({unit: 'binary'}), (items, text) => {
				const all = [...items, text, 'ü€😀'.repeat(30_000)];
				expect(Buffer.from(encodeJsonList(all)).toString()).toBe(JSON.stringify(all));
			}),
			{numRuns: getRunCount(50)},
		);
		expect(Buffer.from(encodeJsonList([])).toString()).toBe('[]');
	});
});

describe('curl lines', () => {
	test('any word reaches a shell program unchanged', () => {
		const word = fc.string({unit: 'binary'}).filter(text => !text.includes('\0') && text.isWellFormed());
		const words = fc.array(word, {minLength: 60, maxLength: 60});
		fc.assert(
			fc.property(words, testWords => {
				const printed = execFileSync('bash', [
					'-c',
					`printf '%s\\0' ${testWords.map(quoteShellWord).join(' ')}`,
				]);
				expect(printed.toString().split('\0').slice(0, -1)).toEqual(testWords);
			}),
			{numRuns: isFull ? 20 : 1},
		);
	});

	test('a value with metadata is a form; the value is a file', () => {
		const line = formatCurlLine(
			{
				method: 'PUT',
				path: "/values/it's",
				body: {kind: 'value', bytes: Buffer.from('x'), metadata: {a: "'"}, file: 'f.bin'},
				repeat: 'always',
				writes: true,
			},
			'https://s.test/client/v4',
			[{header: 'X-Auth-Key: ', variable: '$CLOUDFLARE_API_KEY'}],
		);
		expect(line).toBe(
			`curl -sS -X PUT -H "X-Auth-Key: $CLOUDFLARE_API_KEY" -F 'value=@"f.bin"' --form-string 'metadata={"a":"'\\''"}' 'https://s.test/client/v4/values/it'\\''s'`,
		);
	});
});
