import {randomBytes} from 'node:crypto';
import type {JsonValue} from '../text/json.ts';

/**
 * Encodes a value and its metadata as one `multipart/form-data` body. Hand-made because Node's `FormData`
 * does not work with the `fetch` used behind a proxy.
 */
export function buildValueForm(value: Uint8Array, metadata: JsonValue): {type: string; body: Buffer} {
	const boundary = `ledge-${randomBytes(18).toString('hex')}`;
	const formatPartHeader = (disposition: string) =>
		`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
	return {
		type: `multipart/form-data; boundary=${boundary}`,
		body: Buffer.concat([
			Buffer.from(
				`${formatPartHeader('name="value"; filename="blob"')}Content-Type: application/octet-stream\r\n\r\n`,
			),
			value,
			Buffer.from(
				`\r\n${formatPartHeader('name="metadata"')}\r\n${JSON.stringify(metadata)}\r\n--${boundary}--\r\n`,
			),
		]),
	};
}
