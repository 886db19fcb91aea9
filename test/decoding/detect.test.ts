import {brotliCompressSync, gzipSync, zstdCompressSync} from 'node:zlib';
import {encode as encodeMessagePack} from '@msgpack/msgpack';
import {encode as encodeCbor} from 'cbor2';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {detectEncoding} from '../../source/decoding/detect.ts';
import {isJsonStructure} from '../../source/text/json/content.ts';
import {jpegSample, jwtSample, pngSample} from './samples.ts';

const detect = (value: string | Uint8Array) => detectEncoding(Buffer.from(value));
const longText = 'ledge reads values, and decodes them for reading. '.repeat(4);
const data = {name: 'Ada', roles: ['admin', 'ops'], seen: 1.5};
const dataJson = JSON.stringify(data);

test.each([
	['gzip', gzipSync(dataJson)],
	['br', brotliCompressSync(longText)],
	...(typeof zstdCompressSync === 'function' ? ([['zstd', zstdCompressSync(dataJson)]] as const) : []),
	['base64', Buffer.from(dataJson).toString('base64')],
	['base64', Buffer.from(dataJson).toString('base64url')],
	['base64', `${gzipSync(dataJson).toString('base64')}\n`],
	['base64', Buffer.from(longText).toString('base64').replaceAll(/.{76}/g, '$&\n')],
	['jwt', jwtSample],
	['messagepack', encodeMessagePack(data)],
	['messagepack', encodeMessagePack([data, data])],
	['cbor', encodeCbor(data)],
	['cbor', encodeCbor([data, data])],
	['cbor', Buffer.from('d9d9f7830102f5', 'hex')],
	['form', 'name=Ada+Lovelace&role=a%26b'],
	['ndjson', `${dataJson}\n${dataJson}\n`],
	['ndjson', `[1]\n\n[2]`],
	['png', pngSample],
	['jpeg', jpegSample],
] as const)('%s is detected', (encoding, value) => {
	expect(detect(value)).toBe(encoding);
});

test.each([
	['', 'empty'],
	['hello', 'a word'],
	['internationalization', 'a long word of the alphabet of base64'],
	['deadbeefdeadbeefdeadbeefdeadbeef', 'a digest'],
	['0f8fad5b-d9cb-469f-a165-70867728950e', 'an identifier'],
	['123456789012345678901234', 'digits'],
	['usr/local/share/applications', 'a path'],
	['SGVsbG8=', 'short base64 of a word'],
	['www.example.com', 'a name with two dots'],
	['1.2.3', 'a version'],
	['a=b', 'one setting'],
	['a=1 & b=2', 'a sentence with signs'],
	['a=100%&b=2', 'a percent sign without digits'],
	[dataJson, 'JSON'],
	[JSON.stringify(data, undefined, 2), 'JSON in lines'],
	['{"a":1}', 'JSON in one line'],
	['1\n2\n3\n', 'numbers in lines'],
	['{"a":1}\nhello\n', 'JSON before text'],
	[new Uint8Array([0x80]), 'a byte'],
	[new Uint8Array([0x91, 5]), 'two bytes'],
	[new Uint8Array(64).fill(0x91), 'a byte repeated'],
	[new Uint8Array(64), 'zeros'],
] as const)('%j is not announced as encoded: %s', (value, _what) => {
	expect(detect(value)).toBeUndefined();
});

const word = fc.stringMatching(/^[A-Za-zäöüß]{1,14}$/);
const sentence = fc
	.array(fc.oneof({weight: 9, arbitrary: word}, {weight: 1, arbitrary: fc.integer().map(String)}), {
		minLength: 1,
		maxLength: 30,
	})
	.chain(words => fc.constantFrom(' ', '\n', ', ', '-', '_', '.').map(separator => words.join(separator)));

test('ordinary text is never announced as something else', () => {
	fc.assert(
		fc.property(sentence, text => {
			expect(detect(text)).toBeUndefined();
		}),
	);
});

test('JSON is never announced as something else', () => {
	fc.assert(
		fc.property(fc.json(), fc.nat(2), (json, indent) => {
			const text = JSON.stringify(JSON.parse(json), undefined, indent);
			if (isJsonStructure(text)) expect(detect(text)).toBeUndefined();
		}),
	);
});

const record = fc.dictionary(
	fc.string({minLength: 1}).filter(name => name !== '__proto__'),
	fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())),
	{minKeys: 1},
);

test('what the libraries encode is detected, and no part of it', () => {
	fc.assert(
		fc.property(record, fc.nat(), (value, position) => {
			for (const [encoding, bytes] of [
				['messagepack', encodeMessagePack(value)],
				['cbor', encodeCbor(value)],
			] as const) {
				expect(detect(bytes)).toBe(encoding);
				expect(detect(bytes.subarray(0, position % bytes.length))).not.toBe(encoding);
			}
		}),
	);
});
