import {writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {openInput} from '../../../source/kv/bulk/input.ts';
import type {KvStore} from '../../../source/kv/store.ts';
import {type Entry, formatEntryLine, toBulkEntry} from '../../../source/kv/transfer/entry.ts';
import {openFileStore} from '../../../source/kv/transfer/file-store.ts';
import {walkKeys} from '../../../source/kv/transfer/listing.ts';
import {readEntries} from '../../../source/kv/transfer/read-entries.ts';
import {compareKeys} from '../../../source/text/utf8-order.ts';
import {runs} from '../../support/full.ts';
import {failureOf, makeWorkspace, streamOf} from '../support/workspace.ts';

const never = new AbortController().signal;

async function opened(path: string, environment = {}): Promise<KvStore> {
	const input = await openInput(path, {environment, stdin: streamOf(''), signal: never});
	return openFileStore(input, never, {now: 1000});
}

async function everything(store: KvStore, prefix?: string): Promise<Entry[]> {
	const found: Entry[] = [];
	for await (const {entries} of readEntries(store, walkKeys(store, {prefix}, never), never))
		found.push(...entries.map(entry => ({...entry, bytes: Buffer.from(entry.bytes)})));
	return found;
}

const entry = fc.record(
	{
		key: fc.string({unit: 'binary', minLength: 1, maxLength: 20}).filter(key => key !== '.' && key !== '..'),
		bytes: fc.uint8Array({maxLength: 40}).map(bytes => Buffer.from(bytes)),
		metadata: fc.jsonValue().map(json => ({json: JSON.parse(JSON.stringify(json))})),
		expiration: fc.integer({min: 2_000_000_000, max: 4_000_000_000}),
	},
	{requiredKeys: ['key', 'bytes']},
);

describe('a file as a store', () => {
	test('returns what an export wrote, in key order, with the last entry of each key', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(entry, {minLength: 1, maxLength: 20}),
				fc.constantFrom('lines', 'array', 'compressed'),
				async (entries, form) => {
					using space = makeWorkspace();
					const lines = entries.map(formatEntryLine).join('');
					const content =
						form === 'lines'
							? lines
							: form === 'array'
								? JSON.stringify(entries.map(toBulkEntry), null, 2)
								: gzipSync(lines);
					using store = await opened(space.file('all.ndjson', content), space.environment);
					const last = new Map(entries.map(one => [one.key, one]));
					expect(await everything(store)).toEqual(
						[...last.values()].sort((one, other) => compareKeys(one.key, other.key)),
					);
				},
			),
			{numRuns: runs(60)},
		);
	});

	test('lists by prefix, and knows which keys are missing', async () => {
		using space = makeWorkspace();
		const file = space.file(
			'all.ndjson',
			['b:2', 'a:1', 'b:1', 'c'].map(key => formatEntryLine({key, bytes: Buffer.from(key)})).join(''),
		);
		using store = await opened(file);
		expect((await everything(store, 'b:')).map(({key}) => key)).toEqual(['b:1', 'b:2']);
		expect(await store.get('b', never)).toBeUndefined();
		expect(await store.metadata('c', never)).toBeNull();
	});

	test('counts a ttl from the time it is read', async () => {
		using space = makeWorkspace();
		using store = await opened(space.file('all.ndjson', '{"key":"k","value":"v","expiration_ttl":60}\n'));
		expect(await store.get('k', never)).toMatchObject({expiration: 1060});
	});

	test('is never written to', async () => {
		using space = makeWorkspace();
		using store = await opened(space.file('all.ndjson', '{"key":"k","value":"v"}\n'));
		expect(await failureOf(store.putMany([], never))).toMatchObject({code: 'usage'});
		expect(await failureOf(store.deleteMany(['k'], never))).toMatchObject({code: 'usage'});
	});

	test('reports that it changed while being read', async () => {
		using space = makeWorkspace();
		const file = space.file('all.ndjson', '{"key":"k","value":"v"}\n{"key":"l","value":"v"}\n');
		using store = await opened(file);
		writeFileSync(file, '{"key":"x","value":"y"}\n');
		expect(await failureOf(store.get('l', never))).toMatchObject({code: 'changed_meanwhile'});
	});

	test('is reported as truncated if it is compressed and cut off', async () => {
		using space = makeWorkspace();
		const whole = gzipSync(formatEntryLine({key: 'k', bytes: Buffer.from('v'.repeat(100))}));
		const file = space.file('all.ndjson.gz', whole.subarray(0, whole.length - 9));
		expect(await failureOf(opened(file, space.environment))).toMatchObject({code: 'input_malformed'});
	});
});
