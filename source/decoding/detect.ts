import {brotliDecompressSync} from 'node:zlib';
import {isJsonStructure, isUtf8Text} from '../text/json/content.ts';
import {decodingLimits, type Encoding} from './encodings.ts';
import {hasCborTag, measureCbor, measureMessagePack} from './structures.ts';
import {decodeBase64Text, decodeForm, decodeJwt, decodeNdjson} from './text-encodings.ts';

/**
 * Detects how a value is encoded, by its first bytes or by parsing all of it. Undefined for JSON, ordinary
 * text, and whatever is uncertain.
 */
export function detectEncoding(value: Uint8Array): Encoding | undefined {
	const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
	const signature = detectSignature(bytes);
	if (signature || bytes.length > decodingLimits.parsedBytes) return signature;
	if (isUtf8Text(bytes)) return detectTextEncoding(bytes.toString('utf8'));
	return detectStructure(bytes) ?? (isBrotliText(bytes) ? 'br' : undefined);
}

const signatures: readonly (readonly [encoding: Encoding, hex: string])[] = [
	['png', '89504e470d0a1a0a0000000d49484452'],
	['jpeg', 'ffd8ff'],
	['gzip', '1f8b08'],
	['zstd', '28b52ffd'],
];

const detectSignature = (bytes: Buffer): Encoding | undefined =>
	signatures.find(([, hex]) => bytes.toString('hex', 0, hex.length / 2) === hex)?.[0];

function detectTextEncoding(text: string): Encoding | undefined {
	if (/^\s*[[{]/.test(text)) return decodeNdjson(text) === undefined ? undefined : 'ndjson';
	// None of the others has spaces.
	if (/\S[ \t]/.test(text.slice(0, 1000))) return undefined;
	if (decodeJwt(text) !== undefined) return 'jwt';
	if (decodeForm(text) !== undefined) return 'form';
	return isBase64OfKnownContent(text) ? 'base64' : undefined;
}

/** Minimum length of base64 whose content is not JSON: shorter words often decode to something readable. */
const minBase64Length = 24;
const minJsonBase64Length = 8;

/** True for base64 of JSON, readable text, or another encoding: many words and identifiers are base64, too. */
function isBase64OfKnownContent(text: string): boolean {
	if (text.length < minJsonBase64Length) return false;
	const bytes = decodeBase64Text(text);
	if (!bytes) return false;
	const isText = isUtf8Text(bytes);
	if (isText && isJsonStructure(bytes.toString('utf8'))) return true;
	if (text.trimEnd().length < minBase64Length) return false;
	return isText ? isReadable(bytes.toString('utf8')) : detectEncoding(bytes) !== undefined;
}

/** True for text without control characters, at least three quarters of it ASCII. */
function isReadable(text: string): boolean {
	if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text)) return false;
	return text.replaceAll(/[^ -~\s]/g, '').length >= text.length * 0.75;
}

function detectStructure(bytes: Buffer): Encoding | undefined {
	if (hasCborTag(bytes)) return measureCbor(bytes) ? 'cbor' : undefined;
	if (measureMessagePack(bytes)?.hasNames) return 'messagepack';
	return measureCbor(bytes)?.hasNames ? 'cbor' : undefined;
}

/** Sizes of values that are tried as Brotli, which has no signature: shorter ones decode by chance. */
const [minBrotliBytes, maxBrotliBytes] = [16, 1 << 20];

/** True if Brotli decodes all bytes to a longer readable text. */
function isBrotliText(bytes: Buffer): boolean {
	if (bytes.length < minBrotliBytes || bytes.length > maxBrotliBytes) return false;
	try {
		// Types lack `info`, which tells how many bytes were used.
		const {buffer, engine} = brotliDecompressSync(bytes, {
			maxOutputLength: 4 * maxBrotliBytes,
			info: true,
		} as object) as unknown as {readonly buffer: Buffer; readonly engine: {readonly bytesWritten: number}};
		return (
			engine.bytesWritten === bytes.length &&
			buffer.length > bytes.length &&
			isUtf8Text(buffer) &&
			isReadable(buffer.toString('utf8'))
		);
	} catch {
		return false;
	}
}
