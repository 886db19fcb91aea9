import type {JsonObject, JsonValue} from '../../text/json.ts';
import {refuseRequest} from '../http/answer.ts';
import {requireObject, requireObjects} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {descriptionCharacters, refCharacters} from './limits.ts';

/** Refuses the request because `where` ("rule at index 0") is invalid. */
export const refuseInvalid = (where: string, what: string, status = 400): never =>
	refuseRequest(status, {message: `${where}: ${what}`});

/** Reads the description and the reference of a filter or a rule; omits empty ones. */
export function readCommonTexts(given: JsonObject, where: string) {
	const description = readOptionalText(given.description, descriptionCharacters, 'description', where);
	const ref = readOptionalText(given.ref, refCharacters, 'ref', where);
	return {...(description && {description}), ...(ref && {ref})};
}

function readOptionalText(
	given: JsonValue | undefined,
	limit: number,
	name: string,
	where: string,
): string | undefined {
	if (given === undefined) return undefined;
	if (typeof given !== 'string') return refuseInvalid(where, `${name} must be a text`);
	const characters = [...given].length;
	return characters > limit
		? refuseInvalid(where, `${name} has ${characters} characters, ${limit} are allowed`)
		: given;
}

/** Reads whether it is paused; default false. */
export function readPaused({paused = false}: JsonObject, where: string): boolean {
	return typeof paused === 'boolean' ? paused : refuseInvalid(where, 'paused must be true or false');
}

/** Reads an id of 32 hexadecimal digits. */
export function readHexId(id: JsonValue | undefined, where: string): string {
	if (id === undefined || id === '') return refuseInvalid(where, 'id is required');
	return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)
		? id
		: refuseInvalid(where, 'id must be 32 hexadecimal digits');
}

/** An object in a body, and its name in refusals. */
export type BodyItem = {readonly id: string; readonly item: JsonObject; readonly where: string};

/** Reads the objects of a body with their ids; refuses duplicate ids. */
export function readItemsById(
	body: JsonValue | undefined,
	what: string,
	one: 'filter' | 'rule',
): readonly BodyItem[] {
	const given = requireObjects(body, what).map((item, index) => {
		const where = `${one} at index ${index}`;
		return {id: readHexId(item.id, where), item, where};
	});
	const duplicate = given.find(({id}, index) => given.findIndex(other => other.id === id) < index);
	return duplicate ? refuseInvalid(duplicate.where, 'its id stands twice') : given;
}

/** Reads the object in a body; refuses it if its id is not the one in the path. */
export function readPathItem(
	{parameters}: RequestContext,
	body: JsonValue | undefined,
	what: string,
	where: 'filter' | 'rule',
): BodyItem {
	const item = requireObject(body, what);
	const id = readHexId(item.id, where);
	return id === parameters[where]
		? {id, item, where}
		: refuseInvalid(where, 'id is another one than in the path');
}
