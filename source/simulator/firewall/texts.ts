import type {JsonObject, JsonValue} from '../../text/json.ts';
import {refuse} from '../http/answer.ts';
import {objectOf, objectsOf} from '../http/json-request.ts';
import type {Ask} from '../http/route.ts';
import {descriptionCharacters, refCharacters} from './limits.ts';

/** Refuses the request because `where` ("rule at index 0") is invalid. */
export const invalid = (where: string, what: string, status = 400): never =>
	refuse(status, {message: `${where}: ${what}`});

/** Reads the description and the reference of a filter or a rule; omits empty ones. */
export function readTexts(given: JsonObject, where: string) {
	const description = optionalText(given.description, descriptionCharacters, 'description', where);
	const ref = optionalText(given.ref, refCharacters, 'ref', where);
	return {...(description && {description}), ...(ref && {ref})};
}

function optionalText(
	given: JsonValue | undefined,
	most: number,
	name: string,
	where: string,
): string | undefined {
	if (given === undefined) return undefined;
	if (typeof given !== 'string') return invalid(where, `${name} must be a text`);
	const characters = [...given].length;
	return characters > most
		? invalid(where, `${name} has ${characters} characters, ${most} are allowed`)
		: given;
}

/** Reads whether it is paused; default false. */
export function readPaused({paused = false}: JsonObject, where: string): boolean {
	return typeof paused === 'boolean' ? paused : invalid(where, 'paused must be true or false');
}

/** Reads an id of 32 hexadecimal digits. */
export function readId(id: JsonValue | undefined, where: string): string {
	if (id === undefined || id === '') return invalid(where, 'id is required');
	return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)
		? id
		: invalid(where, 'id must be 32 hexadecimal digits');
}

/** An object in a body, and its name in refusals. */
export type Given = {readonly id: string; readonly item: JsonObject; readonly where: string};

/** Reads the objects of a body with their ids; refuses duplicate ids. */
export function givenById(
	body: JsonValue | undefined,
	what: string,
	one: 'filter' | 'rule',
): readonly Given[] {
	const given = objectsOf(body, what).map((item, index) => {
		const where = `${one} at index ${index}`;
		return {id: readId(item.id, where), item, where};
	});
	const twice = given.find(({id}, index) => given.findIndex(other => other.id === id) < index);
	return twice ? invalid(twice.where, 'its id stands twice') : given;
}

/** Reads the object in a body; refuses it if its id is not the one in the path. */
export function givenInPath(
	{parameters}: Ask,
	body: JsonValue | undefined,
	what: string,
	where: 'filter' | 'rule',
): Given {
	const item = objectOf(body, what);
	const id = readId(item.id, where);
	return id === parameters[where] ? {id, item, where} : invalid(where, 'id is another one than in the path');
}
