import * as crypto from 'node:crypto';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {computeSha256, createHmac} from '../../source/text/sha256.ts';

test('the digest equals that of node:crypto, for every length around the blocks', () => {
	for (let length = 0; length < 300; length++) {
		const message = Buffer.alloc(length, length);
		expect(computeSha256(message).toString('hex')).toBe(
			crypto.createHash('sha256').update(message).digest('hex'),
		);
	}
});

test('the HMAC equals that of node:crypto', () => {
	fc.assert(
		fc.property(fc.uint8Array({maxLength: 64}), fc.uint8Array({maxLength: 200}), (key, message) => {
			expect(createHmac(key)(message).toString('hex')).toBe(
				crypto.createHmac('sha256', key).update(message).digest('hex'),
			);
		}),
	);
});
