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
import {getRunCount} from '../../support/full.ts';
import {failureOf, makeWorkspace, streamOf} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;

async function openStore(path: string, environment = {}): Promise<KvStore> {
	const input = await openInput(path, {environment, stdin: streamOf(''), signal: neverAborted});
	return openFileStore(input, neverAborted, {now: 1000});
}

async function readAllEntries(store: KvStore, prefix?: string): Promise<Entry[]> {
	const found: Entry[] = [];
	for await (const {entries} of readEntries(store, walkKeys(store, {prefix}, neverAborted), neverAborted))
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
					using store = await openStore(space.writeFile('all.ndjson', content), space.environment);
					const lastEntries = new Map(entries.map(one => [one.key, one]));
					expect(await readAllEntries(store)).toEqual(
						[...lastEntries.values()].sort((one, other) => compareKeys(one.key, other.key)),
					);
				},
			),
			{numRuns: getRunCount(60)},
		);
	});

	test('lists by prefix, and knows which keys are missing', async () => {
		using space = makeWorkspace();
		const file = space.writeFile(
			'all.ndjson',
			['b:2', 'a:1', 'b:1', 'c'].map(key => formatEntryLine({key, bytes: Buffer.from(key)})).join(''),
		);
		using store = await openStore(file);
		expect((await readAllEntries(store, 'b:')).map(({key}) => key)).toEqual(['b:1', 'b:2']);
		expect(await store.get('b', neverAborted)).toBeUndefined();
		expect(await store.metadata('c', neverAborted)).toBeNull();
	});

	test('counts a ttl from the time it is read', async () => {
		using space = makeWorkspace();
		using store = await openStore(
			space.writeFile('all.ndjson', '{"key":"k","value":"v","expiration_ttl":60}\n'),
		);
		expect(await store.get('k', neverAborted)).toMatchObject({expiration: 1060});
	});

	test('is never written to', async () => {
		using space = makeWorkspace();
		using store = await openStore(space.writeFile('all.ndjson', '{"key":"k","value":"v"}\n'));
		expect(await failureOf(store.putMany([], neverAborted))).toMatchObject({code: 'usage'});
		expect(await failureOf(store.deleteMany(['k'], neverAborted))).toMatchObject({code: 'usage'});
	});

	test('reports that it changed while being read', async () => {
		using space = makeWorkspace();
		const file = space.writeFile('all.ndjson', '{"key":"k","value":"v"}\n{"key":"l","value":"v"}\n');
		using store = await openStore(file);
		writeFileSync(file, '{"key":"x","value":"y"}\n');
		expect(await failureOf(store.get('l', neverAborted))).toMatchObject({code: 'changed_meanwhile'});
	});

	test('is refused if it is compressed and cut off', async () => {
		using space = makeWorkspace();
		const compressed = gzipSync(formatEntryLine({key: 'k', bytes: Buffer.from('v'.repeat(100))}));
		const file = space.writeFile('all.ndjson.gz', compressed.subarray(0, compressed.length - 9));
		expect(await failureOf(openStore(file, space.environment))).toMatchObject({code: 'input_malformed'});
	});
});
