import {brotliCompressSync, crc32, deflateSync, gzipSync, zstdCompressSync} from 'node:zlib';
import {encode as encodeMessagePack} from '@msgpack/msgpack';
import {encode as encodeCbor} from 'cbor2';
import fc from 'fast-check';
import {expect, test, vi} from 'vitest';
import {decodeValue} from '../../source/decoding/decode.ts';
import {decodingLimits, type Encoding} from '../../source/decoding/encodings.ts';
import {buildPng, jpegSample, jwtSample, pngSample} from './samples.ts';

const maxBytes = decodingLimits.screenBytes;
const decode = (value: string | Uint8Array, encoding: Encoding | 'auto' = 'auto') =>
	decodeValue(Buffer.from(value), {encoding, maxBytes});
const decodeToText = async (value: string | Uint8Array, encoding: Encoding | 'auto' = 'auto') =>
	Buffer.from((await decode(value, encoding))?.bytes ?? []).toString();
const undecodable = {code: 'value_undecodable'};

const data = {name: 'Ada', roles: ['admin', 'ops']};
const dataJson = JSON.stringify(data);

test('encodings inside each other are decoded, up to three', async () => {
	const once = gzipSync(dataJson).toString('base64');
	expect(await decode(once)).toMatchObject({encodings: ['base64', 'gzip'], notes: []});
	expect(await decodeToText(once)).toBe(dataJson);
	const thrice = Buffer.from(Buffer.from(once).toString('base64')).toString('base64');
	expect(await decode(thrice)).toMatchObject({
		encodings: ['base64', 'base64', 'base64'],
		notes: ['only 3 layers decoded'],
	});
});

test('a named encoding is decoded once', async () => {
	const value = gzipSync(dataJson).toString('base64');
	expect(await decode(value, 'base64')).toMatchObject({encodings: ['base64'], bytes: gzipSync(dataJson)});
	await expect(decode('hello', 'gzip')).rejects.toMatchObject(undecodable);
	await expect(decode('no base64!', 'base64')).rejects.toMatchObject(undecodable);
});

test('damage inside is a note, and the outer encoding is decoded', async () => {
	const damaged = gzipSync(dataJson).subarray(0, 20);
	expect(await decode(damaged.toString('base64'))).toMatchObject({
		encodings: ['base64'],
		bytes: damaged,
		notes: ['gzip inside not decoded'],
	});
});

test('a token says that its signature is not verified', async () => {
	expect(await decode(jwtSample)).toMatchObject({encodings: ['jwt'], notes: ['signature not verified']});
	expect(JSON.parse(await decodeToText(jwtSample))).toEqual({
		header: {alg: 'HS256', typ: 'JWT'},
		payload: {sub: 'ada', id: 1},
		signature: 'c2lnbmF0dXJl',
	});
});

test('Zstandard says which Node can decode it', async () => {
	const spy = vi.spyOn(process, 'getBuiltinModule').mockReturnValue({});
	try {
		await expect(decode(Buffer.from('28b52ffd', 'hex'))).rejects.toMatchObject({
			...undecodable,
			next: 'Use Node 22.15 or newer.',
		});
	} finally {
		spy.mockRestore();
	}
});

test('numbers keep all digits', async () => {
	const big = 9223372036854775807n;
	expect(await decodeToText(encodeMessagePack({big}, {useBigInt64: true}))).toContain(String(big));
	expect(await decodeToText(encodeCbor({big}))).toContain(String(big));
	expect(await decodeToText(`{"a":${big}}\n{}`)).toContain(String(big));
});

test('what JSON lacks becomes text, and bytes base64', async () => {
	const value = {bytes: new Uint8Array([1, 2, 3]), date: new Date(0), none: Number.NaN};
	const expected = {bytes: {base64: 'AQID'}, date: '1970-01-01T00:00:00.000Z', none: 'NaN'};
	expect(JSON.parse(await decodeToText(encodeMessagePack(value)))).toEqual(expected);
	expect(JSON.parse(await decodeToText(encodeCbor(value)))).toEqual(expected);
	expect(JSON.parse(await decodeToText(Buffer.from('a16161d9012c6162', 'hex')))).toEqual({
		a: {tag: 300, value: 'b'},
	});
});

test.each<[string, unknown]>([
	['c243010000', 65_536],
	['c34100', -1],
	['c240', 0],
	['d90118 6161', {tag: 280, value: 'a'}],
	['d90106 625b5d', {tag: 262, value: '[]'}],
	['d823 6128', {tag: 35, value: '('}],
	['d820 68485454503a2f2f41', 'HTTP://A'],
	['c1 1bffffffffffffffff', {tag: 1, value: 18_446_744_073_709_552_000}],
	['c0 6161', {tag: 0, value: 'a'}],
])('a tag of CBOR whose content has no type of its own is kept: %s', async (hex, expected) => {
	const {bytes = []} = (await decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'), 'cbor')) ?? {};
	expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(expected);
});

test('an integer of megabytes in CBOR is shown as bytes, at once', async () => {
	const head = Buffer.from('a16161c25a003d0900', 'hex');
	const text = await decodeToText(Buffer.concat([head, Buffer.alloc(4_000_000, 0xff)]));
	expect(text).toContain('"tag": 2');
	expect(text).toContain('"base64": "////');
});

test('fields of a form keep repeated names', async () => {
	expect(JSON.parse(await decodeToText('a=1&b=x+y&a=%C3%A9&__proto__=p'))).toEqual(
		JSON.parse('{"a":["1","é"],"b":"x y","__proto__":"p"}'),
	);
});

test('images are decoded to pixels', async () => {
	for (const value of [pngSample, jpegSample]) {
		const {picture} = (await decode(value)) ?? {};
		const [left = [], right = []] = [0, 15].map(column => picture?.data.subarray(column * 4, column * 4 + 3));
		expect(picture).toMatchObject({width: 16, height: 8, originalWidth: 16});
		expect([left[0], right[2]].every(part => (part ?? 0) > 200)).toBe(true);
		expect([left[2], right[0]].every(part => (part ?? 255) < 60)).toBe(true);
	}
	expect((await decode(buildPng(2000, 500)))?.picture).toMatchObject({
		width: 512,
		height: 128,
		originalWidth: 2000,
	});
});

test('every truncation fails as damaged, and nothing else', async () => {
	const samples: readonly (readonly [Encoding, Buffer])[] = [
		['gzip', gzipSync(dataJson)],
		['br', brotliCompressSync(dataJson)],
		...(typeof zstdCompressSync === 'function' ? ([['zstd', zstdCompressSync(dataJson)]] as const) : []),
		['messagepack', Buffer.from(encodeMessagePack(data))],
		['cbor', Buffer.from(encodeCbor(data))],
		['png', pngSample],
		['jpeg', jpegSample],
	];
	for (const [encoding, bytes] of samples) {
		await expect(decode(bytes, encoding)).resolves.toMatchObject({encodings: [encoding]});
		// The last bytes of an image only mark its end.
		const endBytes = encoding === 'png' ? 12 : encoding === 'jpeg' ? 2 : 0;
		for (let length = 0; length < bytes.length - endBytes; length++)
			await expect(decode(bytes.subarray(0, length), encoding)).rejects.toMatchObject(undecodable);
	}
});

test('random bytes fail as damaged, whatever they are taken for', async () => {
	const encodings = [
		'gzip',
		'br',
		'messagepack',
		'cbor',
		'png',
		'jpeg',
		'base64',
		'jwt',
		'form',
		'ndjson',
	] as const;
	await fc.assert(
		fc.asyncProperty(
			fc.uint8Array({maxLength: 60}),
			fc.constantFrom(...encodings),
			async (bytes, encoding) => {
				const result = await decode(bytes, encoding).catch((error: unknown) => error);
				expect(result).toMatchObject(result instanceof Error ? undecodable : {encodings: [encoding]});
			},
		),
	);
});

test('damaged images fail as damaged', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(pngSample, jpegSample),
			fc.nat(),
			fc.nat(255),
			async (sample, position, byte) => {
				const bytes = Buffer.from(sample);
				bytes[position % bytes.length] = byte;
				const result = await decode(bytes).catch((error: unknown) => error);
				if (result instanceof Error) expect(result).toMatchObject(undecodable);
			},
		),
	);
});

test('a gigabyte of zeros is cut at the limit', async () => {
	const member = gzipSync(Buffer.alloc(1 << 24), {level: 9});
	const bomb = Buffer.concat(Array.from({length: 64}, () => member));
	const {bytes, isCut, notes} = (await decode(bomb)) ?? {};
	expect({isCut, notes, size: bytes?.length}).toEqual({isCut: true, notes: ['cut at 25 MB'], size: maxBytes});
});

test('structures that claim or nest too much are refused before anything is allocated', async () => {
	const claims = {
		messagepack: ['ddffffffff', '81a161dfffffffff', '81a161c6ffffffff'],
		cbor: ['9b0000000100000000', 'a161615b0000000100000000', 'bb0000000100000000', '9bffffffffffffffff'],
	};
	for (const encoding of ['messagepack', 'cbor'] as const)
		for (const claim of claims[encoding])
			await expect(decode(Buffer.from(claim, 'hex'), encoding)).rejects.toMatchObject(undecodable);
	const nested = (head: string, level: number, end: number) =>
		Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(1_000_000, level), Buffer.from([end])]);
	await expect(decode(nested('81a161', 0x91, 1))).rejects.toThrow('nested deeper than 200 levels');
	await expect(decode(nested('a16161', 0x81, 1))).rejects.toThrow('nested deeper than 200 levels');
	const many = encodeMessagePack({list: Array.from({length: 200_001}, () => 0)});
	await expect(decode(many)).rejects.toThrow('more than 200,000 items');
});

test('images that claim too many pixels are refused by their header', async () => {
	const huge = Buffer.from(pngSample);
	huge.writeUInt32BE(65_535, 16);
	huge.writeUInt32BE(65_535, 20);
	await expect(decode(huge)).rejects.toThrow('65535x65535 pixels, and the limit is 4 million');
	const frame = jpegSample.indexOf(Buffer.from([0xff, 0xc0]));
	const hugeJpeg = Buffer.from(jpegSample);
	hugeJpeg.writeUInt32BE(0xffff_ffff, frame + 5);
	await expect(decode(hugeJpeg)).rejects.toThrow('65535x65535 pixels');
});

function buildPngChunk(type: string, content: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type), content]);
	const ends = Buffer.alloc(8);
	ends.writeUInt32BE(content.length, 0);
	ends.writeUInt32BE(crc32(body), 4);
	return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Builds a PNG of 8 bits of red, green and blue from its compressed data. */
function buildRawPng(side: number, data: Buffer, {interlaced = false, ...between}: PngOptions = {}): Buffer {
	const header = buildPngHeader(side, interlaced);
	return Buffer.concat([
		pngSample.subarray(0, 8),
		header,
		...(between.second ? [buildPngHeader(between.second, interlaced)] : []),
		buildPngChunk('IDAT', deflateSync(data)),
		buildPngChunk('IEND', Buffer.alloc(0)),
	]);
}

type PngOptions = {readonly interlaced?: boolean; readonly second?: number};

function buildPngHeader(side: number, interlaced: boolean): Buffer {
	const content = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, interlaced ? 1 : 0]);
	content.writeUInt32BE(side, 0);
	content.writeUInt32BE(side, 4);
	return buildPngChunk('IHDR', content);
}

test('an image whose data is larger than its header says is not inflated whole', async () => {
	const pixel = Buffer.from([0, 255, 0, 0]);
	for (const interlaced of [false, true]) {
		const {picture} = (await decode(buildRawPng(1, pixel, {interlaced}))) ?? {};
		expect([picture?.width, picture?.height, picture?.data[0]]).toEqual([1, 1, 255]);
		await expect(decode(buildRawPng(1, Buffer.alloc(20_000_000), {interlaced}))).rejects.toThrow(
			'the image is damaged',
		);
	}
});

test('a second header does not change the size that was checked', async () => {
	await expect(decode(buildRawPng(1, Buffer.alloc(20_000_000), {second: 2500}))).rejects.toThrow(
		'the image is damaged',
	);
});

test('a photo of thousands of scans is refused', async () => {
	const scan = jpegSample.subarray(jpegSample.indexOf(Buffer.from([0xff, 0xda])), -2);
	const end = jpegSample.subarray(-2);
	const repeat = (count: number) =>
		Buffer.concat([jpegSample.subarray(0, -2), ...Array.from({length: count}, () => scan), end]);
	await expect(decode(repeat(3))).resolves.toMatchObject({encodings: ['jpeg']});
	await expect(decode(repeat(100))).rejects.toThrow('the image is damaged');
});

test('a form of one name or one value of megabytes takes a time in proportion to its size', async () => {
	const form = Array.from({length: 150_000}, () => 'a=1').join('&');
	expect(JSON.parse(await decodeToText(form)).a).toHaveLength(150_000);
	const long = `a=${'x'.repeat(4_000_000)}&b=${'%41'.repeat(1_000_000)}`;
	expect(JSON.parse(await decodeToText(long)).b).toHaveLength(1_000_000);
});
