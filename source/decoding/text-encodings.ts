import {attempt} from '../text/attempt.ts';
import {isUtf8Text} from '../text/json/content.ts';
import {isJsonObject} from '../text/json.ts';
import {decodingLimits} from './encodings.ts';

/**
 * Decodes base64, standard or URL-safe, in one line or in lines of equal length. Undefined for anything else,
 * including bits that decoding would drop.
 */
export function decodeBase64Text(text: string): Buffer | undefined {
	const compact = joinEqualLines(text.trimEnd());
	if (compact === undefined || !/^(?:[\w-]+|[A-Za-z0-9+/]+)={0,2}$/.test(compact)) return undefined;
	const digits = compact.replace(/=+$/, '');
	if (digits.length % 4 === 1 || (digits !== compact && compact.length % 4 !== 0)) return undefined;
	const bytes = Buffer.from(digits, 'base64');
	const isExact = bytes.toString('base64url') === digits.replaceAll('+', '-').replaceAll('/', '_');
	return isExact ? bytes : undefined;
}

/** Joins lines that all have the length of the first, except a shorter last one; undefined for others. */
function joinEqualLines(text: string): string | undefined {
	if (!text.includes('\n')) return text;
	const lines = text.split(/\r?\n/);
	const length = lines[0]?.length ?? 0;
	const areEqual = lines.every((line, index) =>
		index < lines.length - 1 ? line.length === length : line.length <= length,
	);
	return areEqual && length % 4 === 0 ? lines.join('') : undefined;
}

/**
 * Decodes a JSON Web Token to the JSON of its parts, without verifying the signature. Undefined for anything
 * else.
 */
export function decodeJwt(text: string): string | undefined {
	const parts = text.trim().split('.');
	const [header = '', payload = '', signature = ''] = parts;
	if (parts.length !== 3 || !/^[\w-]*$/.test(signature)) return undefined;
	const [headerText, payloadText] = [header, payload].map(decodeJsonPart);
	if (headerText === undefined || payloadText === undefined) return undefined;
	const {alg} = JSON.parse(headerText) as {readonly alg?: unknown};
	if (typeof alg !== 'string') return undefined;
	return `{\n"header": ${headerText},\n"payload": ${payloadText},\n"signature": ${JSON.stringify(signature)}\n}`;
}

/** Decodes the base64url of a JSON object, and returns its text. */
function decodeJsonPart(part: string): string | undefined {
	if (!/^[\w-]+$/.test(part)) return undefined;
	const bytes = decodeBase64Text(part);
	const text = bytes && isUtf8Text(bytes) ? bytes.toString('utf8') : '';
	return isJsonObject(parseOrUndefined(text)) ? text : undefined;
}

/** Decodes `application/x-www-form-urlencoded` text of at least two fields to JSON; undefined for others. */
export function decodeForm(text: string): string | undefined {
	const pairs = text.trimEnd().split('&', decodingLimits.items + 1);
	if (pairs.length < 2 || pairs.length > decodingLimits.items) return undefined;
	const fields = new Map<string, string | string[]>();
	for (const pair of pairs) {
		if (!/^[\w*.+%-]+=[\w*.+%-]*$/.test(pair) || /%(?![\dA-Fa-f]{2})/.test(pair)) return undefined;
		const [name, value] = pair.split('=').map(decodeFormText);
		if (name === undefined || value === undefined) return undefined;
		const known = fields.get(name);
		if (known === undefined) fields.set(name, value);
		else if (typeof known === 'string') fields.set(name, [known, value]);
		else known.push(value);
	}
	return JSON.stringify(Object.fromEntries(fields), undefined, 2);
}

/** Returns undefined if the percent signs are not UTF-8. */
const decodeFormText = (text: string): string | undefined =>
	attempt(() => decodeURIComponent(text.replaceAll('+', ' ')));

/** Joins lines of JSON objects or arrays, at least two, to one JSON array; undefined for anything else. */
export function decodeNdjson(text: string): string | undefined {
	const lines: string[] = [];
	for (const line of text.split('\n')) {
		const trimmedLine = line.trim();
		if (trimmedLine === '') continue;
		if (!/^[[{]/.test(trimmedLine) || parseOrUndefined(trimmedLine) === undefined) return undefined;
		if (lines.push(trimmedLine) > decodingLimits.items) return undefined;
	}
	return lines.length >= 2 ? `[\n${lines.join(',\n')}\n]` : undefined;
}

const parseOrUndefined = (text: string): unknown => attempt(() => JSON.parse(text) as unknown);
