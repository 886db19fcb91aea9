import type {JsonObject, JsonValue} from '../../text/json.ts';
import {refuseRequest} from '../http/answer.ts';
import {requireObject, requireObjects} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {maxDescriptionLength, maxRefLength} from './limits.ts';

/** Refuses the request because the item `itemName` ("rule at index 0") is invalid. */
export const refuseInvalid = (itemName: string, reason: string, status = 400): never =>
	refuseRequest(status, {message: `${itemName}: ${reason}`});

/** Reads the description and the reference of a filter or a rule; omits empty ones. */
export function readCommonTexts(item: JsonObject, itemName: string) {
	const description = readOptionalText(item.description, maxDescriptionLength, 'description', itemName);
	const ref = readOptionalText(item.ref, maxRefLength, 'ref', itemName);
	return {...(description && {description}), ...(ref && {ref})};
}

function readOptionalText(
	value: JsonValue | undefined,
	maxCharacters: number,
	name: string,
	itemName: string,
): string | undefined {
	if (value === undefined) return undefined;
	if (typeof value !== 'string') return refuseInvalid(itemName, `${name} must be a text`);
	const characterCount = [...value].length;
	return characterCount > maxCharacters
		? refuseInvalid(itemName, `${name} has ${characterCount} characters, ${maxCharacters} are allowed`)
		: value;
}

/** Reads whether a filter or rule is paused; default false. */
export function readPaused({paused = false}: JsonObject, itemName: string): boolean {
	return typeof paused === 'boolean' ? paused : refuseInvalid(itemName, 'paused must be true or false');
}

/** Reads an id of 32 hexadecimal digits. */
export function readHexId(id: JsonValue | undefined, itemName: string): string {
	if (id === undefined || id === '') return refuseInvalid(itemName, 'id is required');
	return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)
		? id
		: refuseInvalid(itemName, 'id must be 32 hexadecimal digits');
}

/** An object in a body, its id, and its name in refusals. */
export type BodyItem = {readonly id: string; readonly item: JsonObject; readonly itemName: string};

/** Reads the objects of a body with their ids; refuses duplicate ids. */
export function readItemsWithIds(
	body: JsonValue | undefined,
	itemsName: string,
	itemKind: 'filter' | 'rule',
): readonly BodyItem[] {
	const items = requireObjects(body, itemsName).map((item, index) => {
		const itemName = `${itemKind} at index ${index}`;
		return {id: readHexId(item.id, itemName), item, itemName};
	});
	const duplicate = items.find(({id}, index) => items.findIndex(item => item.id === id) < index);
	return duplicate ? refuseInvalid(duplicate.itemName, 'its id stands twice') : items;
}

/** Reads the object in a body; refuses it if its id is not the one in the path. */
export function readPathItem(
	{parameters}: RequestContext,
	body: JsonValue | undefined,
	objectName: string,
	itemName: 'filter' | 'rule',
): BodyItem {
	const item = requireObject(body, objectName);
	const id = readHexId(item.id, itemName);
	return id === parameters[itemName]
		? {id, item, itemName}
		: refuseInvalid(itemName, 'id is another one than in the path');
}
