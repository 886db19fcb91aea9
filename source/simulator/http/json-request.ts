import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuseRequest} from './answer.ts';
import {parseJsonBytes} from './body.ts';
import type {RequestContext} from './route.ts';

/** More than a thousand rules with the longest expressions need. */
const maxJsonBytes = 16_777_216;

/** Reads the body as JSON; undefined if it is empty. Refuses anything else. */
export async function readJsonBody(context: RequestContext): Promise<JsonValue | undefined> {
	const bytes = await context.body(maxJsonBytes);
	if (!bytes) return refuseRequest(413, {message: `The body has more than ${maxJsonBytes} bytes.`});
	if (bytes.length === 0) return undefined;
	const given = parseJsonBytes(bytes);
	return given === undefined ? refuseRequest(400, {message: 'The body is not JSON.'}) : given;
}

/** Requires a non-empty array of objects; `what` names them in the refusal: "filters". */
export function requireObjects(given: JsonValue | undefined, what: string): readonly JsonObject[] {
	if (!Array.isArray(given) || given.length === 0)
		return refuseRequest(400, {message: `The body must be an array of ${what}.`});
	return given.map((item: JsonValue, index) =>
		isJsonObject(item) ? item : refuseRequest(400, {message: `The item at index ${index} is not an object.`}),
	);
}

/** Requires an object; `what` names it in the refusal: "a filter". */
export const requireObject = (given: JsonValue | undefined, what: string): JsonObject =>
	isJsonObject(given) ? given : refuseRequest(400, {message: `The body must be ${what}.`});
