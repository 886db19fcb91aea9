import type {JsonObject, JsonValue} from '../../text/json.ts';
import {refuse} from '../http/answer.ts';
import {objectOf, objectsOf} from '../http/json-request.ts';
import type {Ask} from '../http/route.ts';
import {descriptionCharacters, refCharacters} from './limits.ts';

/** Ends the work on a request because `where` ("rule at index 0") is not as it must be. */
export const invalid = (where: string, what: string, status = 400): never =>
	refuse(status, {message: `${where}: ${what}`});

/** What filters and rules both say of themselves; what is empty is left out. */
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

/** Whether it is paused; it is not unless it says so. */
export function readPaused({paused = false}: JsonObject, where: string): boolean {
	return typeof paused === 'boolean' ? paused : invalid(where, 'paused must be true or false');
}

/** An id of 32 hex digits. */
export function readId(id: JsonValue | undefined, where: string): string {
	if (id === undefined || id === '') return invalid(where, 'id is required');
	return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)
		? id
		: invalid(where, 'id must be 32 hexadecimal digits');
}

/** A thing of a body, and what a refusal calls it. */
export type Given = {readonly id: string; readonly item: JsonObject; readonly where: string};

/** The things of a body by their ids, each of which is there once. */
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

/** The one thing of a body, which has the id that is in the path. */
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
