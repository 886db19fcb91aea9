import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {buildValueForm} from '../../../source/service/multipart.ts';
import {readMultipart} from '../../../source/simulator/http/multipart.ts';

const toBuffer = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes);

describe('a multipart body', () => {
	test('from FormData is read back, value and metadata', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.uint8Array({maxLength: 64}),
				fc.string({unit: 'grapheme'}),
				async (value, metadata) => {
					const form = new FormData();
					form.set('value', new Blob([new Uint8Array(value)]), 'a "quoted"; name=x');
					form.set('metadata', metadata);
					const request = new Request('http://x.invalid', {method: 'PUT', body: form});
					const type = request.headers.get('content-type') ?? '';
					const parts = readMultipart(type, new Uint8Array(await request.arrayBuffer()));
					expect(toBuffer(parts?.get('value'))).toEqual(Buffer.from(value));
					expect(parts?.get('metadata')?.toString()).toBe(metadata.replace(/\r\n?|\n/g, '\r\n'));
				},
			),
		);
	});

	test('from our own client is read back', () => {
		fc.assert(
			fc.property(fc.uint8Array({maxLength: 64}), fc.jsonValue(), (value, metadata) => {
				const {type, body} = buildValueForm(value, JSON.parse(JSON.stringify(metadata)));
				const parts = readMultipart(type, body);
				expect(toBuffer(parts?.get('value'))).toEqual(Buffer.from(value));
				expect(JSON.parse(String(parts?.get('metadata')))).toEqual(JSON.parse(JSON.stringify(metadata)));
			}),
		);
	});

	test('keeps the bytes of a binary value without a file name', () => {
		const body = Buffer.concat([
			Buffer.from('preamble\r\n--b\r\nContent-Disposition: form-data; name=value\r\n\r\n'),
			Buffer.from([0xef, 0xbb, 0xbf, 0xff, 13, 10]),
			Buffer.from('\r\n--b--\r\n'),
		]);
		const parts = readMultipart('multipart/form-data; boundary="b"', body);
		expect(toBuffer(parts?.get('value'))).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0xff, 13, 10]));
	});

	test.each([
		['multipart/form-data', '--b--'],
		['multipart/form-data; boundary=b', ''],
		['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name=value\r\n\r\nv'],
		['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data\r\n\r\nv\r\n--b--'],
		['multipart/form-data; boundary=b', '--b\r\nno empty line\r\n--b--'],
	])('is not recognized as %s: %j', (type, body) => {
		expect(readMultipart(type, Buffer.from(body))).toBeUndefined();
	});
});
