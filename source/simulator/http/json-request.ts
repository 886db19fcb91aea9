import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuse} from './answer.ts';
import {parseJson} from './body.ts';
import type {Ask} from './route.ts';

/** More than a thousand rules with the longest expressions need. */
const mostBytes = 16_777_216;

/** Reads the body as JSON; undefined if it is empty. Refuses anything else. */
export async function readJson(ask: Ask): Promise<JsonValue | undefined> {
	const bytes = await ask.body(mostBytes);
	if (!bytes) return refuse(413, {message: `The body has more than ${mostBytes} bytes.`});
	if (bytes.length === 0) return undefined;
	const given = parseJson(bytes);
	return given === undefined ? refuse(400, {message: 'The body is not JSON.'}) : given;
}

/** Requires a non-empty array of objects; `what` names them in the refusal: "filters". */
export function objectsOf(given: JsonValue | undefined, what: string): readonly JsonObject[] {
	if (!Array.isArray(given) || given.length === 0)
		return refuse(400, {message: `The body must be an array of ${what}.`});
	return given.map((item: JsonValue, index) =>
		isJsonObject(item) ? item : refuse(400, {message: `The item at index ${index} is not an object.`}),
	);
}

/** Requires an object; `what` names it in the refusal: "a filter". */
export const objectOf = (given: JsonValue | undefined, what: string): JsonObject =>
	isJsonObject(given) ? given : refuse(400, {message: `The body must be ${what}.`});
