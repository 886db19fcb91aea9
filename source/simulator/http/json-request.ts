import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuseRequest} from './answer.ts';
import {parseJsonBytes} from './body.ts';
import type {RequestContext} from './route.ts';

/** Larger than a thousand rules with the longest expressions. */
const maxJsonBytes = 16_777_216;

/** Reads the body as JSON; undefined if it is empty. Refuses anything else. */
export async function readJsonBody(context: RequestContext): Promise<JsonValue | undefined> {
	const bytes = await context.readBody(maxJsonBytes);
	if (!bytes) return refuseRequest(413, {message: `The body has more than ${maxJsonBytes} bytes.`});
	if (bytes.length === 0) return undefined;
	const json = parseJsonBytes(bytes);
	return json === undefined ? refuseRequest(400, {message: 'The body is not JSON.'}) : json;
}

/** Requires a non-empty array of objects; `itemsName` names them in the refusal, such as "filters". */
export function requireObjects(body: JsonValue | undefined, itemsName: string): readonly JsonObject[] {
	if (!Array.isArray(body) || body.length === 0)
		return refuseRequest(400, {message: `The body must be an array of ${itemsName}.`});
	return body.map((item: JsonValue, index) =>
		isJsonObject(item) ? item : refuseRequest(400, {message: `The item at index ${index} is not an object.`}),
	);
}

/** Requires an object; `objectName` names it in the refusal, such as "a filter". */
export const requireObject = (body: JsonValue | undefined, objectName: string): JsonObject =>
	isJsonObject(body) ? body : refuseRequest(400, {message: `The body must be ${objectName}.`});
