import {isJsonObject, type JsonValue} from '../text/json.ts';

/** A credential printed by a program. */
type Printed =
	| {readonly type: 'api_token' | 'oauth'; readonly token: string}
	| {readonly type: 'api_key'; readonly key: string; readonly email: string};

/**
 * Parses a program's output: the JSON of `wrangler auth token --json`, or a token on one line. Undefined
 * otherwise.
 */
export function parsePrinted(text: string): Printed | undefined {
	const whole = text.replace(/^\ufeff/, '').trim();
	if (whole.startsWith('{')) return parsePrintedObject(whole);
	// Several words are a message; other JSON, a web page and jq's `null` are no tokens either.
	return whole === '' || /\s|^["[<]|^null$/.test(whole) ? undefined : {type: 'api_token', token: whole};
}

function parsePrintedObject(text: string): Printed | undefined {
	let found: JsonValue;
	try {
		found = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isJsonObject(found)) return undefined;
	const {type, token, key, email} = found;
	if (type === 'api_key') return isText(key) && isText(email) ? {type, key, email} : undefined;
	if (type !== 'oauth' && type !== 'api_token') return undefined;
	return isText(token) ? {type, token} : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
