import {attempt} from '../text/attempt.ts';
import {isJsonObject} from '../text/json.ts';

/** A credential printed by a program. */
type PrintedCredential =
	| {readonly type: 'api_token' | 'oauth'; readonly token: string}
	| {readonly type: 'api_key'; readonly key: string; readonly email: string};

/**
 * Parses a program's output: the JSON of `wrangler auth token --json`, or a token on one line. Undefined
 * otherwise.
 */
export function parsePrintedCredential(text: string): PrintedCredential | undefined {
	const trimmed = text.replace(/^\ufeff/, '').trim();
	if (trimmed.startsWith('{')) return parsePrintedObject(trimmed);
	// Several words are a message. Other JSON, a web page and jq's `null` are not tokens either.
	return trimmed === '' || /\s|^["[<]|^null$/.test(trimmed) ? undefined : {type: 'api_token', token: trimmed};
}

function parsePrintedObject(text: string): PrintedCredential | undefined {
	const json: unknown = attempt(() => JSON.parse(text));
	if (!isJsonObject(json)) return undefined;
	const {type, token, key, email} = json;
	if (type === 'api_key') return isText(key) && isText(email) ? {type, key, email} : undefined;
	if (type !== 'oauth' && type !== 'api_token') return undefined;
	return isText(token) ? {type, token} : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
